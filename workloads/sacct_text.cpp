// workloads/sacct_text.cpp — rows, records, jobs: one after the other.
#include "workloads/sacct_text.hpp"

#include <algorithm>

#include "sim/core/check.hpp"
#include "workloads/assemble.hpp"
#include "workloads/json_rows.hpp"
#include "workloads/record_reader.hpp"

namespace rehearse {
namespace {

/// `Rows` is SacctTable or JsonRows, made by `open(report, findings)`.
template <typename Open>
Trace read_rows(const InputText& input, const SacctOptions& options, NamePool& names,
                RequestTable& requests, Diagnostics& found, Open open) {
  Trace trace;
  trace.report.source = input.name;
  RowFindings findings(input.name, options.unusable_rows, found);
  RecordReader reader(options, names, requests, trace.report, findings);
  auto rows = open(trace.report, findings);
  std::vector<TraceRecord> records;
  SacctRow row;
  while (rows.next(row)) {
    if (auto record = reader.read(row)) {
      records.push_back(*record);
    } else if (row.is_step && !records.empty()) {  // steps follow their job
      records.back().max_rss_mib =
          std::max(records.back().max_rss_mib, RecordReader::max_rss_mib(row));
    }
  }
  Assembler assembler(options, names, trace.report, findings);
  trace.jobs = assembler.assemble(std::move(records));
  findings.close();
  REHEARSE_CHECK(trace.report.adds_up(), "{}: {} rows read, {} of jobs, {} explained", input.name,
                 trace.report.rows_read, trace.report.job_rows, trace.report.explained_rows());
  return trace;
}

}  // namespace

Trace read_sacct_text(const InputText& input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  return read_rows(input, options, names, requests, found,
                   [&](ImportReport& report, RowFindings& findings) {
                     return SacctTable(input.text, options.form, report, findings);
                   });
}

Trace read_sacct_json(const InputText& input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  return read_rows(input, options, names, requests, found,
                   [&](ImportReport& report, RowFindings& findings) {
                     return JsonRows(input.text, report, findings);
                   });
}

Trace read_sacct(const InputText& input, const SacctOptions& options, NamePool& names,
                 RequestTable& requests, Diagnostics& found) {
  const std::size_t first = input.text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && input.text[first] == '{';
  return is_json ? read_sacct_json(input, options, names, requests, found)
                 : read_sacct_text(input, options, names, requests, found);
}

}  // namespace rehearse

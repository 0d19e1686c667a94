// workloads/sacct_text.cpp — rows, records, jobs: one after the other.
#include "workloads/sacct_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "sim/core/check.hpp"
#include "workloads/assemble.hpp"
#include "workloads/json_rows.hpp"
#include "workloads/record_reader.hpp"
#include "workloads/trace_records.hpp"

namespace rehearse {
namespace {

/// `Rows` is SacctTable or JsonRows, made by `open(text, report, findings)`.
template <typename Open>
Trace read_rows(InputText input, const SacctOptions& options, NamePool& names,
                RequestTable& requests, Diagnostics& found, Open open) {
  Trace trace;
  trace.report.source = input.name;
  RowFindings findings(input.name, options.unusable_rows, found);
  RecordReader reader(options, names, requests, trace.report, findings);
  TraceRecords records;
  {
    auto rows = open(input.text, trace.report, findings);
    SacctRow row;
    while (rows.next(row)) {
      if (reader.read(row, records.add())) continue;
      records.take_back();
      if (row.is_step && !records.empty()) {  // steps follow their job
        auto& most = records.last().max_rss_mib;
        most = std::max(most, CompactOptional<std::uint64_t>(RecordReader::max_rss_mib(row)));
      }
    }
  }
  std::string().swap(input.text);  // all of it is read
  Assembler assembler(options, names, trace.report, findings);
  trace.jobs = assembler.assemble(std::move(records));
  findings.close();
  REHEARSE_CHECK(trace.report.adds_up(), "{}: {} rows read, {} of jobs, {} explained", input.name,
                 trace.report.rows_read, trace.report.job_rows, trace.report.explained_rows());
  return trace;
}

}  // namespace

Trace read_sacct_text(InputText input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  return read_rows(std::move(input), options, names, requests, found,
                   [&](std::string_view text, ImportReport& report, RowFindings& findings) {
                     return SacctTable(text, options.form, report, findings);
                   });
}

Trace read_sacct_json(InputText input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  return read_rows(std::move(input), options, names, requests, found,
                   [&](std::string_view text, ImportReport& report, RowFindings& findings) {
                     return JsonRows(text, report, findings);
                   });
}

Trace read_sacct(InputText input, const SacctOptions& options, NamePool& names,
                 RequestTable& requests, Diagnostics& found) {
  const std::size_t first = input.text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && input.text[first] == '{';
  return (is_json ? read_sacct_json : read_sacct_text)(std::move(input), options, names, requests,
                                                       found);
}

}  // namespace rehearse

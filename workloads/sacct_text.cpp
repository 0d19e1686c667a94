// workloads/sacct_text.cpp — rows, records, jobs: one after the other.
#include "workloads/sacct_text.hpp"

#include <algorithm>
#include <cstring>

#include "sim/core/check.hpp"
#include "workloads/assemble.hpp"
#include "workloads/json_rows.hpp"
#include "workloads/record_reader.hpp"

namespace rehearse {
namespace {

/// At least as many as there are rows.
std::size_t lines_of(std::string_view text) {
  std::size_t count = 1;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end && (at = static_cast<const char*>(
                           std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
    ++count;
    ++at;
  }
  return count;
}

/// `Rows` is SacctTable or JsonRows, made by `open(report, findings)`; of `most_rows` at most the
/// memory is asked for at once (what is not used of it is never there).
template <typename Open>
Trace read_rows(const InputText& input, const SacctOptions& options, NamePool& names,
                RequestTable& requests, Diagnostics& found, std::size_t most_rows, Open open) {
  Trace trace;
  trace.report.source = input.name;
  RowFindings findings(input.name, options.unusable_rows, found);
  RecordReader reader(options, names, requests, trace.report, findings);
  auto rows = open(trace.report, findings);
  std::vector<TraceRecord> records;
  records.reserve(most_rows);
  SacctRow row;
  while (rows.next(row)) {
    if (reader.read(row, records.emplace_back())) continue;
    records.pop_back();
    if (row.is_step && !records.empty()) {  // steps follow their job
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
  return read_rows(input, options, names, requests, found, lines_of(input.text),
                   [&](ImportReport& report, RowFindings& findings) {
                     return SacctTable(input.text, options.form, report, findings);
                   });
}

Trace read_sacct_json(const InputText& input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  return read_rows(input, options, names, requests, found, 0,
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

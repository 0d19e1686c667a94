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

/// `Rows` is SacctTable or JsonRows, made by `open(report, findings)`.
template <typename Open>
Trace read_rows(const std::string& name, const SacctOptions& options, NamePool& names,
                RequestTable& requests, Diagnostics& found, Open open) {
  Trace trace;
  trace.report.source = name;
  RowFindings findings(name, options.unusable_rows, found);
  RecordReader reader(options, names, requests, trace.report, findings);
  TraceRecords records;
  {
    auto rows = open(trace.report, findings);
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
  reader.add_components_without_row(records);
  reader.tell_zone();
  Assembler assembler(options, names, trace.report, findings);
  trace.jobs = assembler.assemble(std::move(records));
  findings.close();
  REHEARSE_CHECK(trace.report.adds_up(), "{}: {} rows read, {} of jobs, {} explained", name,
                 trace.report.rows_read, trace.report.job_rows, trace.report.explained_rows());
  return trace;
}

Trace read_table(const std::string& name, TextWindow text, const SacctOptions& options,
                 NamePool& names, RequestTable& requests, Diagnostics& found) {
  return read_rows(name, options, names, requests, found,
                   [&](ImportReport& report, RowFindings& findings) {
                     return SacctTable(std::move(text), options.form, report, findings);
                   });
}

Trace read_json(const std::string& name, TextWindow text, const SacctOptions& options,
                NamePool& names, RequestTable& requests, Diagnostics& found) {
  return read_rows(name, options, names, requests, found,
                   [&](ImportReport& report, RowFindings& findings) {
                     return JsonRows(std::move(text), report, findings);
                   });
}

/// Reads on until the first character that is not blank, or of a byte order mark, is there. True:
/// it is JSON's.
bool begins_as_json(TextWindow& text) {
  std::size_t first = std::string_view::npos;
  do {
    first = text.text().find_first_not_of(" \t\r\n\xef\xbb\xbf");
  } while (first == std::string_view::npos && text.slide(0));
  return first != std::string_view::npos &&
         (text.text()[first] == '{' || text.text()[first] == '[');
}

}  // namespace

Trace read_sacct_text(InputStream input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  const std::string name = input.name();
  return read_table(name, TextWindow(std::move(input)), options, names, requests, found);
}

Trace read_sacct_json(InputStream input, const SacctOptions& options, NamePool& names,
                      RequestTable& requests, Diagnostics& found) {
  const std::string name = input.name();
  return read_json(name, TextWindow(std::move(input)), options, names, requests, found);
}

Trace read_sacct(InputStream input, const SacctOptions& options, NamePool& names,
                 RequestTable& requests, Diagnostics& found) {
  const std::string name = input.name();
  TextWindow text(std::move(input));
  const bool is_json = begins_as_json(text);
  return (is_json ? read_json : read_table)(name, std::move(text), options, names, requests, found);
}

}  // namespace rehearse

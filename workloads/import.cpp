// workloads/import.cpp — one call from a foreign file to the files of a site folder.
#include "workloads/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/suggest.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

const TraceFormat& format_by_name(std::string_view name) {
  std::vector<std::string_view> known;
  for (const TraceFormat& format : trace_formats()) {
    if (format.name == name) return format;
    known.push_back(format.name);
  }
  const std::string meant = did_you_mean(name, known);
  throw InputError({}, fmt::format("'{}' is not a trace format", name),
                   meant.empty() ? fmt::format("known are {}", fmt::join(known, ", ")) : meant);
}

}  // namespace

ImportedSite import_trace(std::string_view format_name,
                          const std::vector<std::filesystem::path>& files,
                          const ImportOptions& options, Diagnostics& found) {
  const TraceFormat& format = format_by_name(format_name);
  if (files.empty() || files.size() > format.most_files) {
    throw InputError(
        {}, fmt::format("{} is read from {} file{}, {} are given", format_name, format.most_files,
                        format.most_files == 1 ? "" : "s at most", files.size()));
  }
  const InputText input = read_input(files.front());
  ImportOptions how = options;
  for (std::size_t i = 1; i < files.size(); ++i) how.more.push_back(read_input(files[i]));
  ImportedSite site;
  site.report.source = input.name;
  const std::string text = format.read(input, how, site.report, found);
  REHEARSE_CHECK(site.report.adds_up(), "{}: {} rows read, {} of jobs, {} explained", input.name,
                 site.report.rows_read, site.report.job_rows, site.report.explained_rows());
  site.files.push_back({"sacct.txt.xz", compress_xz(text)});
  site.files.push_back({"import.txt", to_text(site.report, TimeZone::utc())});
  return site;
}

/// A text without header gets one. Its rows are read when the site is.
std::string import_sacct(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

std::string import_sacct(const InputText& input, const ImportOptions& options, ImportReport& report,
                         Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  SacctTable table(TextWindow(input.text), options.form, report, findings);
  SacctRow row;
  while (table.next(row)) ++report.job_rows;
  findings.close();
  report.copied = true;
  if (options.form.columns.empty()) return input.text;
  const std::string delimiter = options.form.delimiter.empty() ? "|" : options.form.delimiter;
  std::string text;
  for (const std::string& column : options.form.columns) {
    text += (text.empty() ? "" : delimiter) + column;
  }
  report.notes.push_back("header line added: " + text);
  return text + '\n' + input.text;
}

}  // namespace rehearse

// tests/support/rows_told.hpp — what a reader of rows says about a text, as a text to compare.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "workloads/json_rows.hpp"
#include "workloads/sacct_table.hpp"

namespace rehearse::test {

/// A window that sees as little of the text as it can, and gets so many bytes at a time.
inline TextWindow in_pieces(std::string_view text, std::size_t piece) {
  return TextWindow(InputStream({"rows", std::string(text)}, piece), 1);
}

/// The rows that `rows` has, what was found in them, and the report.
template <typename Rows>
std::string rows_told(Rows& rows, const Diagnostics& found, const ImportReport& report) {
  std::string told;
  for (SacctRow row; rows.next(row);) {
    told += std::to_string(row.line) + ' ' + std::to_string(row.lines);
    told += row.is_step ? " step " : " ";
    for (const std::string_view field : row.fields) {
      told += field.data() == nullptr ? std::string("-;") : std::string(field) + ';';
    }
    told += std::string(row.text) + '\n';
  }
  for (const Diagnostic& each : found.all()) told += to_text(each) + '\n';
  return told + to_text(report, TimeZone::utc());
}

inline std::string table_told(TextWindow text) {
  ImportReport report;
  Diagnostics found;
  RowFindings findings("rows", UnusableRows::AreLeftOut, found);
  SacctTable rows(std::move(text), {}, report, findings);
  return rows_told(rows, found, report);
}

inline std::string json_told(TextWindow text) {
  ImportReport report;
  Diagnostics found;
  RowFindings findings("rows", UnusableRows::AreLeftOut, found);
  JsonRows rows(std::move(text), report, findings);
  return rows_told(rows, found, report);
}

}  // namespace rehearse::test

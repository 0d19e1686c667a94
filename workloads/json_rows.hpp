// workloads/json_rows.hpp — `sacct --json` as rows of the same columns as the text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "workloads/import_report.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_columns.hpp"

namespace rehearse {

/// Walks the objects of the top-level array `jobs`, parsing one at a time, so that a line number
/// can be told and memory holds one job. Any data parser version (formats.md §11): numbers plain or
/// `{set, infinite, number}`, states and codes as text or list, unknown keys ignored.
class JsonRows {
 public:
  JsonRows(std::string_view text, ImportReport& report, RowFindings& found);

  /// The next job. Values of earlier rows stay valid. False: no more.
  bool next(SacctRow& row);

 private:
  bool find_jobs();
  std::string_view take_object();
  bool read_object(std::string_view object, SacctRow& row);
  void advance(std::size_t to);

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  bool open_ = false;
  std::deque<std::string> values_;
  ImportReport& report_;
  RowFindings& found_;
};

}  // namespace rehearse

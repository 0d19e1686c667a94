// workloads/json_rows.hpp — `sacct --json` as rows of the same columns as the text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "workloads/import_report.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_columns.hpp"
#include "workloads/text_window.hpp"

namespace rehearse {

/// Walks the objects of the top-level array `jobs`, of several outputs one after the other too,
/// parsing one at a time, so that a line number can be told and memory holds one job. Any data
/// parser version (formats.md §11): numbers plain or
/// `{set, infinite, number}`, states and codes as text or list, unknown keys ignored.
class JsonRows {
 public:
  JsonRows(TextWindow text, ImportReport& report, RowFindings& found);
  JsonRows(const JsonRows&) = delete;

  /// The next job, valid until the one after it is asked for. False: no more.
  bool next(SacctRow& row);

 private:
  bool slide();
  bool find_jobs();
  void skip_to_object();
  std::string_view take_object();
  bool read_object(std::string_view object, SacctRow& row);
  void advance(std::size_t to);

  TextWindow window_;
  std::string_view text_;  ///< of the window
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  int depth_ = 0;  ///< of brackets, outside of jobs
  bool open_ = false;
  std::deque<std::string> values_;  ///< of the row at hand
  ImportReport& report_;
  RowFindings& found_;
};

}  // namespace rehearse

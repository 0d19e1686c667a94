// workloads/sacct_table.hpp — sacct text as rows: header, delimiter, repair of torn lines.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/import_report.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_columns.hpp"
#include "workloads/text_window.hpp"

namespace rehearse {

/// How the text is framed where it does not say so itself.
struct TableForm {
  std::vector<std::string> columns;  ///< of a text without header (`sacct -n`); empty: first line
  std::string delimiter;             ///< empty: from the header, `|` without one
};

/// Walks a text once; a row is valid until the next one is asked for. Understands `-P` and `-p`,
/// any `--delimiter`, CSV with quotes, and the `Name=value` CSV of Jobanalyzer. Every line that is
/// not blank is a row of `report`, or explained in it (formats.md §10.1); but for the header, which
/// may come again where files were joined.
class SacctTable {
 public:
  SacctTable(TextWindow text, const TableForm& form, ImportReport& report, RowFindings& found);
  SacctTable(const SacctTable&) = delete;

  /// The next row that has its columns. False: no more, or a form that cannot be read (an error
  /// was found then).
  bool next(SacctRow& row);

 private:
  /// Of a row. A text with more newlines is no submit line any more.
  static constexpr std::uint32_t kMostLines = 64;

  struct Line {
    std::string_view text;  ///< without its end
    std::uint64_t number = 0;
  };

  [[nodiscard]] bool is_text(const SacctRow& row);
  std::optional<Line> take_line();
  [[nodiscard]] std::optional<Line> peek_line() const;
  void skip_line();
  void slide();
  void read_header();
  void set_columns(const std::vector<std::string_view>& names, const Line* header);
  void note_missing(const std::function<bool(Column)>& lacks);
  void find_delimiter(const Line& header);
  void split(std::string_view line);
  void split_quoted(std::string_view line);
  bool fit(SacctRow& row, Line line);
  bool repair_surplus(const Line& line);
  [[nodiscard]] bool is_whole_but_open(const std::vector<std::string_view>& torn) const;
  bool join_short(Line& line, std::uint32_t& lines);
  void join_continuation(Line& line, std::uint32_t& lines);
  [[nodiscard]] bool starts_a_row(std::string_view line) const;
  void assign(SacctRow& row);
  bool read_named_values(SacctRow& row, const Line& line);

  TextWindow window_;
  std::string_view rest_;       ///< of the window
  const char* last_ = nullptr;  ///< where a row may begin that ends within the window
  std::uint64_t line_number_ = 0;
  std::string header_;  ///< as it stands; empty: there was none
  std::string delimiter_;
  bool quoted_ = false, named_values_ = false, failed_ = false;
  std::vector<Column> columns_;             ///< Other where the value is not used
  std::vector<Form> forms_;                 ///< by position
  bool ends_open_ = false;                  ///< each line ends with a delimiter (sacct -p)
  std::optional<std::size_t> id_position_;  ///< of JobID, or of JobIDRaw without it
  std::vector<std::string_view> fields_;    ///< of the line at hand
  std::deque<std::string> unquoted_;        ///< values whose doubled quotes were undone
  ImportReport& report_;
  RowFindings& found_;
};

}  // namespace rehearse

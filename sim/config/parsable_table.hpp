// sim/config/parsable_table.hpp — what Slurm's tools print with -P (or -p): a header, then rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

struct TableCell {
  std::string_view text;  ///< as written, blanks included; points into the table's source
  std::uint32_t column = 1;
};

struct TableRow {
  std::uint32_t line = 0;
  std::vector<TableCell> cells;  ///< as many as there are columns
};

struct ParsableTable {
  std::string file;
  std::uint32_t header_line = 0;
  std::vector<TableCell> columns;
  std::vector<TableRow> rows;

  [[nodiscard]] SourcePosition at(const TableRow& row, std::size_t column) const {
    return {file, row.line, row.cells[column].column};
  }
  /// Index of the first column of one of these names (in any letter case).
  [[nodiscard]] std::optional<std::size_t> find(
      std::initializer_list<std::string_view> names) const;
};

/// Reads the table in `text`, which must outlive it. Comment lines (`#`) before the header and
/// blank lines are passed over. A row with more fields than the header has is one whose free text
/// (Reason, Descr, Comment), if there is one such column, holds delimiters. Fixed-width tables cut
/// their cells and are refused; `command` is what the hint tells to run instead. None: nothing
/// usable; the reason is in `found`.
[[nodiscard]] std::optional<ParsableTable> read_parsable_table(std::string_view text,
                                                               const std::string& file,
                                                               std::string_view command,
                                                               Diagnostics& found);

}  // namespace rehearse

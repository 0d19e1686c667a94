// sim/config/parsable_table.cpp — what Slurm's tools print with -P (or -p): a header, then rows.
#include "sim/config/parsable_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

std::vector<TableCell> cells_of(std::string_view line) {
  std::vector<TableCell> cells;
  for (const text::Piece& piece : text::split_at(line, '|')) {
    cells.push_back({piece.text, static_cast<std::uint32_t>(piece.offset + 1)});
  }
  return cells;
}

/// The one column that may hold any text; none: there is none, or several.
std::optional<std::size_t> free_text_of(const ParsableTable& table) {
  std::optional<std::size_t> only;
  for (const std::string_view name : {"Reason", "Descr", "Description", "Comment"}) {
    const auto at = table.find({name});
    if (at && only) return std::nullopt;
    if (at) only = at;
  }
  return only;
}

/// Delimiters within a free text, which no tool of Slurm escapes, are given back to it.
void join_free_text(const ParsableTable& table, std::vector<TableCell>& cells) {
  if (cells.size() <= table.columns.size()) return;
  const auto at = free_text_of(table);
  if (!at) return;
  const std::size_t surplus = cells.size() - table.columns.size();
  const std::string_view last = cells[*at + surplus].text;
  const char* const begin = cells[*at].text.data();
  cells[*at].text = {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  const auto first = cells.begin() + static_cast<std::ptrdiff_t>(*at) + 1;
  cells.erase(first, first + static_cast<std::ptrdiff_t>(surplus));
}

bool is_ruler(std::string_view line) {
  return line.find('-') != line.npos && line.find_first_not_of("- ") == line.npos;
}

}  // namespace

std::optional<std::size_t> ParsableTable::find(
    std::initializer_list<std::string_view> names) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const std::string_view name : names) {
      if (equals_ignoring_case(trimmed(columns[i].text), name)) return i;
    }
  }
  return std::nullopt;
}

std::optional<ParsableTable> read_parsable_table(std::string_view text, const std::string& file,
                                                 std::string_view command, Diagnostics& found) {
  ParsableTable table;
  table.file = file;
  const std::vector<std::string_view> lines = text::lines_of(text);
  bool trailing = false;  // -p ends every line with a delimiter
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(i + 1);
    if (trimmed(lines[i]).empty()) continue;
    if (table.columns.empty()) {
      if (lines[i].starts_with('#')) continue;
      const bool fixed = i + 1 < lines.size() && is_ruler(lines[i + 1]);
      if (fixed) {
        found.error({file, number, 1}, "this is a fixed-width table, whose cells may be cut",
                    fmt::format("run: {}", command));
        return std::nullopt;
      }
      table.header_line = number;
      table.columns = cells_of(lines[i]);
      trailing = table.columns.size() > 1 && trimmed(table.columns.back().text).empty();
      if (trailing) table.columns.pop_back();
      continue;
    }
    TableRow row{number, cells_of(lines[i])};
    if (trailing && row.cells.size() == table.columns.size() + 1) row.cells.pop_back();
    join_free_text(table, row.cells);
    if (row.cells.size() != table.columns.size()) {
      found.error(
          {file, number, 1},
          fmt::format("{} fields, the header has {}", row.cells.size(), table.columns.size()),
          row.cells.size() > table.columns.size()
              ? fmt::format("a value may hold a |: take it out there, or run again: {}", command)
              : fmt::format("run again: {}", command));
      continue;
    }
    table.rows.push_back(std::move(row));
  }
  if (table.columns.empty()) {
    found.error({file}, "is empty", fmt::format("run: {}", command));
    return std::nullopt;
  }
  return table;
}

}  // namespace rehearse

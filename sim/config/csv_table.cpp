// sim/config/csv_table.cpp — RFC 4180 text: a header, rows, quotes, and where each cell stands.
#include "sim/config/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// Cuts the text into records; a quoted cell may hold commas, line ends and doubled quotes.
class Cutter {
 public:
  Cutter(std::string_view text, const std::string& file, Diagnostics& found)
      : text_(text), file_(file), found_(found) {
    if (text_.starts_with("\xEF\xBB\xBF")) next_ = line_begin_ = 3;
  }

  /// The next record that is not a blank line.
  std::optional<std::vector<CsvCell>> record();

 private:
  SourcePosition here() const {
    return {file_, line_, static_cast<std::uint32_t>(next_ - line_begin_ + 1)};
  }
  bool at_end_of_line() const { return next_ >= text_.size() || text_[next_] == '\n'; }
  void end_line() {
    if (next_ < text_.size()) ++next_;
    ++line_;
    line_begin_ = next_;
  }
  CsvCell cell();
  void quoted(CsvCell& cell);

  std::string_view text_;
  const std::string& file_;
  Diagnostics& found_;
  std::size_t next_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
};

void Cutter::quoted(CsvCell& cell) {
  ++next_;
  while (next_ < text_.size()) {
    const char c = text_[next_];
    if (c == '"') {
      if (next_ + 1 >= text_.size() || text_[next_ + 1] != '"') {
        ++next_;
        return;
      }
      ++next_;  // a doubled quote
    }
    cell.text += c;
    ++next_;
    if (c == '\n') {
      ++line_;
      line_begin_ = next_;
    }
  }
  found_.error(cell.where, "the quote is never closed");
}

CsvCell Cutter::cell() {
  CsvCell cell{{}, here()};
  if (next_ < text_.size() && text_[next_] == '"') {
    quoted(cell);
    bool extra = false;
    while (!at_end_of_line() && text_[next_] != ',') {
      extra = extra || !is_blank(text_[next_]);
      ++next_;
    }
    if (extra) found_.error(cell.where, "text after the closing quote", "double a quote: \"\"");
    return cell;
  }
  const std::size_t begin = next_;
  while (!at_end_of_line() && text_[next_] != ',') ++next_;
  cell.text = std::string(trimmed(text_.substr(begin, next_ - begin)));
  return cell;
}

std::optional<std::vector<CsvCell>> Cutter::record() {
  while (next_ < text_.size()) {
    std::vector<CsvCell> cells;
    cells.push_back(cell());
    while (!at_end_of_line()) {
      ++next_;  // the comma
      cells.push_back(cell());
    }
    end_line();
    if (cells.size() > 1 || !cells[0].text.empty()) return cells;
  }
  return std::nullopt;
}

std::string names_of(std::span<const CsvColumn> columns) {
  std::string names;
  for (const CsvColumn& column : columns) {
    names += fmt::format("{}{}", names.empty() ? "" : ",", column.name);
  }
  return names;
}

/// For each wanted column its index in the file; none where the file lacks it.
std::vector<std::optional<std::size_t>> match_header(const std::vector<CsvCell>& header,
                                                     std::span<const CsvColumn> columns,
                                                     Diagnostics& found) {
  std::vector<std::optional<std::size_t>> order(columns.size());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto known = std::find_if(columns.begin(), columns.end(), [&](const CsvColumn& column) {
      return equals_ignoring_case(column.name, header[i].text);
    });
    if (known == columns.end()) {
      std::vector<std::string_view> names;
      for (const CsvColumn& column : columns) names.push_back(column.name);
      const std::string nearest = did_you_mean(header[i].text, names);
      found.error(header[i].where, fmt::format("unknown column '{}'", shortened(header[i].text)),
                  nearest.empty() ? "the header is " + names_of(columns) : nearest);
      continue;
    }
    auto& index = order[static_cast<std::size_t>(known - columns.begin())];
    if (index) found.error(header[i].where, fmt::format("a second column '{}'", known->name));
    index = i;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (order[i] || !columns[i].is_required) continue;
    found.error(header[0].where, fmt::format("no column '{}'", columns[i].name),
                "the header is " + names_of(columns));
  }
  return order;
}

}  // namespace

CsvRows read_csv(std::string_view text, const std::string& file, std::span<const CsvColumn> columns,
                 Diagnostics& found) {
  CsvRows rows;
  Cutter cutter(text, file, found);
  const auto header = cutter.record();
  if (!header) {
    found.error({file}, "is empty", "the header is " + names_of(columns));
    return rows;
  }
  const std::size_t errors = found.error_count();
  const auto order = match_header(*header, columns, found);
  if (found.error_count() > errors) return rows;
  while (auto record = cutter.record()) {
    if (record->size() != header->size()) {
      found.error(record->front().where,
                  fmt::format("{} fields, the header has {}", record->size(), header->size()),
                  "quote a field that holds a comma: \"a,b\"");
      continue;
    }
    std::vector<CsvCell> row;
    for (const auto& index : order) {
      row.push_back(index ? std::move((*record)[*index]) : CsvCell{{}, record->front().where});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace rehearse

// workloads/sacct_table_rows.cpp — one row at a time: torn lines mended, steps told apart.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/text.hpp"
#include "workloads/sacct_table.hpp"
#include "workloads/torn_line.hpp"

namespace rehearse {
bool SacctTable::next(SacctRow& row) {
  while (!failed_) {
    unquoted_.clear();
    const auto line = take_line();
    if (!line) return false;
    if (!header_.empty() && line->text == header_) continue;
    ++report_.rows_read;
    row = {};
    row.line = line->number;
    row.text = line->text;
    const bool fits = named_values_ ? read_named_values(row, *line) : fit(row, *line);
    if (fits && is_text(row)) {
      const std::string_view id = row[row.has(Column::JobId) ? Column::JobId : Column::JobIdRaw];
      // `9_[1,3,...]` has dots too: a set of tasks that sacct cut short.
      row.is_step = id.find('.', id.rfind(']') + 1) != std::string_view::npos;
      return true;
    }
    report_.explain(Explained::Unusable, line->number);
  }
  return false;
}

/// NUL bytes are what a crash leaves in a file: the values of that row cannot be trusted.
bool SacctTable::is_text(const SacctRow& row) {
  const std::size_t nul = row.text.find('\0');
  if (nul == std::string_view::npos) return true;
  const std::string_view before = row.text.substr(0, nul);
  const auto joined = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  found_.unusable(row.line + joined, static_cast<std::uint32_t>(nul - start + 1),
                  "a NUL byte: this row is not text", "the file is damaged; make it again");
  return false;
}

/// Splits, mends where it may, and gives each value to its column.
bool SacctTable::fit(SacctRow& row, Line line) {
  split(line.text);
  std::uint32_t lines = 1;
  const std::size_t wanted = columns_.size();
  if (fields_.size() < wanted && !join_short(line, lines)) return false;
  if (is_free_text(forms_.back())) join_continuation(line, lines);
  if (fields_.size() > wanted && !repair_surplus(line)) return false;
  row.text = line.text;
  row.lines = lines;
  assign(row);
  return true;
}

/// Moves past the line that peek_line() showed.
void SacctTable::skip_line() {
  const std::size_t end = rest_.find('\n');
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++line_number_;
}

/// Fewer fields than columns: a newline inside a text. The text is one piece of memory, so a
/// joined line is simply a longer view.
bool SacctTable::join_short(Line& line, std::uint32_t& lines) {
  const std::size_t wanted = columns_.size();
  const std::size_t had = fields_.size();
  const auto rest = rest_;
  const auto number = line_number_;
  Line joined = line;
  std::vector<std::uint64_t> continued;  // lines that are not blank: a blank one is no row
  while (fields_.size() < wanted && lines < kMostLines) {
    const auto next = peek_line();
    if (!next || starts_a_row(next->text)) break;
    skip_line();
    ++lines;
    if (!trimmed(next->text).empty()) continued.push_back(next->number);
    joined.text = {line.text.data(), static_cast<std::size_t>(
                                         next->text.data() + next->text.size() - line.text.data())};
    split(joined.text);
  }
  if (fields_.size() < wanted) {
    rest_ = rest;
    line_number_ = number;
    lines = 1;
    found_.unusable(line.number, 1, fmt::format("has {} fields, the header {}", had, wanted),
                    "was the file cut, or a newline in a job's name?");
    return false;
  }
  report_.assume(Assumed::Joined, line.number);
  for (const std::uint64_t number_joined : continued) {
    ++report_.rows_read;
    report_.explain(Explained::Continuation, number_joined);
  }
  line = joined;
  return true;
}

/// The last column is free text: lines that follow and start no row belong to it.
void SacctTable::join_continuation(Line& line, std::uint32_t& lines) {
  bool joined = false, other_fields = false;
  while (lines < kMostLines) {
    const auto next = peek_line();
    if (!next || trimmed(next->text).empty() || starts_a_row(next->text)) break;
    split(next->text);
    other_fields = true;
    if (fields_.size() >= columns_.size()) break;  // a whole line: judged on its own
    skip_line();
    ++lines;
    ++report_.rows_read;
    report_.explain(Explained::Continuation, line_number_);
    line.text = {line.text.data(), static_cast<std::size_t>(next->text.data() + next->text.size() -
                                                            line.text.data())};
    joined = true;
  }
  if (joined) report_.assume(Assumed::Joined, line.number);
  if (other_fields) split(line.text);
}

bool SacctTable::starts_a_row(std::string_view line) const {
  if (!id_position_) return true;
  std::size_t skip = *id_position_;
  while (skip > 0) {
    const std::size_t at = line.find(delimiter_);
    if (at == std::string_view::npos) return false;
    line.remove_prefix(at + delimiter_.size());
    --skip;
  }
  const std::size_t end = line.find(delimiter_);
  return end != std::string_view::npos && looks_like_job_id(line.substr(0, end));
}

/// More fields than columns: what `sacct -p` ends a line with, or a surplus that belongs to texts
/// that can hold it, or to features of which one is enough, `[a100|h100]`.
bool SacctTable::repair_surplus(const Line& line) {
  const std::size_t had = fields_.size(), wanted = columns_.size();
  if (ends_open_ && fields_.back().empty()) {
    fields_.pop_back();
    if (fields_.size() == wanted) return true;
  }
  const std::vector<std::string_view> torn = fields_;
  Torn mended = mend_torn(fields_, forms_, columns_);
  if (is_whole_but_open(torn)) {  // where the header does not tell whether lines end so
    const bool same = std::equal(torn.begin(), torn.end() - 2, fields_.begin());
    const bool plain = mended == Torn::Hopeless || (mended == Torn::Mended && same);
    if (plain) fields_.assign(torn.begin(), torn.end() - 1);
    if (plain) return true;
    mended = Torn::Ambiguous;
  }
  if (mended == Torn::Mended) {
    report_.assume(Assumed::Repaired, line.number);
    return true;
  }
  const std::string what = fmt::format("has {} fields, the header {}", had, wanted);
  if (mended == Torn::Ambiguous) {
    found_.unusable(line.number, 1, what + ", and more than one of its texts may hold a delimiter",
                    "drop JobName or Comment, or use --delimiter");
  } else {
    found_.unusable(line.number, 1, what,
                    quoted_
                        ? "values hold commas, as those of ReqTRES do: quote them, or run sacct "
                          "again with -P, whose delimiter is |"
                        : "a text holds the delimiter: drop JobName and Comment, or use "
                          "--delimiter");
  }
  return false;
}

/// Has it a value for each column, and an empty one behind them?
bool SacctTable::is_whole_but_open(const std::vector<std::string_view>& torn) const {
  return torn.size() == columns_.size() + 1 && torn.back().empty() &&
         are_in_place({torn.begin(), torn.end() - 1}, forms_);
}

void SacctTable::assign(SacctRow& row) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] != Column::Other)
      row.fields[static_cast<std::size_t>(columns_[i])] = fields_[i];
  }
}

/// `v=0.1.0,JobID=1,…,"AllocTRES=cpu=1,mem=32G"`: values that are empty or zero are left out.
bool SacctTable::read_named_values(SacctRow& row, const Line& line) {
  fields_.clear();
  split_quoted(line.text);
  for (const std::string_view field : fields_) {
    const std::size_t at = field.find('=');
    if (at == std::string_view::npos) {
      found_.unusable(line.number, 1, fmt::format("'{}' is not Name=value", field));
      return false;
    }
    const auto column = column_by_name(field.substr(0, at));
    if (column && *column != Column::Other) {
      row.fields[static_cast<std::size_t>(*column)] = field.substr(at + 1);
    }
  }
  if (!row.has(Column::JobId) && !row.has(Column::JobIdRaw)) {
    found_.unusable(line.number, 1, "has no JobID");
    return false;
  }
  return true;
}

}  // namespace rehearse

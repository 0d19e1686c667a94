// workloads/sacct_table.cpp — lines into fields, and the repair of lines that sacct tore.
//
// sacct escapes nothing, so a `|` or a newline in a job name or a submit line shifts what follows.
// A line with too many fields is mended where it is plain which free texts, or features, they
// belong to (torn_line.hpp). A line with too few is joined with the next.
#include "workloads/sacct_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr const char* kHeaderRemedy =
    "run sacct without -n, put its line before the first, or name them: rehearse import sacct FILE "
    "--columns JobID,Submit,… -o SITE";

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/// Calls use(position) for each place of `wanted` in the text, in order. Eight characters at a
/// time: a byte of `same` has its highest bit set just where the character is the wanted one.
template <typename Use>
void for_each_place(std::string_view text, char wanted, Use&& use) {
  std::size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL, kLow = 0x7f7f7f7f7f7f7f7fULL;
    const std::uint64_t pattern = kOnes * static_cast<unsigned char>(wanted);
    for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      const std::uint64_t differs = word ^ pattern;
      std::uint64_t same = ~(((differs & kLow) + kLow) | differs | kLow);
      for (; same != 0; same &= same - 1) {
        use(at + static_cast<std::size_t>(std::countr_zero(same)) / 8);
      }
    }
  }
  for (; at < text.size(); ++at) {
    if (text[at] == wanted) use(at);
  }
}

bool is_ruler(std::string_view line) {
  return line.find("---") != std::string_view::npos &&
         line.find_first_not_of("- ") == std::string_view::npos;
}

}  // namespace

SacctTable::SacctTable(TextWindow text, const TableForm& form, ImportReport& report,
                       RowFindings& found)
    : window_(std::move(text)), rest_(window_.text()), report_(report), found_(found) {
  slide();
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (rest_.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    rest_.remove_prefix(kByteOrderMark.size());
  }
  delimiter_ = form.delimiter;
  if (form.columns.empty()) {
    read_header();
  } else {
    if (delimiter_.empty()) delimiter_ = "|";
    set_columns({form.columns.begin(), form.columns.end()}, nullptr);
  }
}

/// Reads on until any row that begins at `rest_` is whole, and those that follow it.
void SacctTable::slide() {
  constexpr int kLinesNeeded = kMostLines + 1;  // the one behind is looked at
  for (;;) {
    const bool more = window_.slide(window_.text().size() - rest_.size());
    rest_ = window_.text();
    last_ = rest_.data() + rest_.size();
    if (!more) return;
    std::size_t end = rest_.size();
    for (int line = 0; line < kLinesNeeded && end != std::string_view::npos; ++line) {
      end = end == 0 ? std::string_view::npos : rest_.rfind('\n', end - 1);
    }
    if (end == std::string_view::npos) continue;
    last_ = rest_.data() + end;
    return;
  }
}

std::optional<SacctTable::Line> SacctTable::take_line() {
  for (;;) {
    if (rest_.data() > last_) slide();
    if (rest_.empty()) return std::nullopt;
    const void* end = std::memchr(rest_.data(), '\n', rest_.size());
    const std::size_t length =
        end == nullptr ? rest_.size()
                       : static_cast<std::size_t>(static_cast<const char*>(end) - rest_.data());
    std::string_view line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    ++line_number_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!line.empty() && (line.front() > ' ' || !trimmed(line).empty()))
      return Line{line, line_number_};
  }
}

std::optional<SacctTable::Line> SacctTable::peek_line() const {
  if (rest_.empty()) return std::nullopt;
  std::string_view line = rest_.substr(0, rest_.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return Line{line, line_number_ + 1};
}

void SacctTable::find_delimiter(const Line& header) {
  const auto name_ends = std::find_if_not(header.text.begin(), header.text.end(), is_name_char);
  const auto next_name = std::find_if(name_ends, header.text.end(), is_name_char);
  delimiter_ = std::string(name_ends, next_name);
  if (delimiter_.empty()) delimiter_ = "|";
}

void SacctTable::read_header() {
  const auto header = take_line();
  if (!header) {
    found_.fail(0, 0, "is empty", "expected the output of sacct -a -X -D -P");
    failed_ = true;
    return;
  }
  const auto first = header->text.substr(
      0, static_cast<std::size_t>(
             std::find_if_not(header->text.begin(), header->text.end(), is_name_char) -
             header->text.begin()));
  if (header->text.size() > first.size() && header->text[first.size()] == '=') {
    named_values_ = true;
    rest_ = window_.text();
    rest_.remove_prefix(static_cast<std::size_t>(header->text.data() - rest_.data()));
    line_number_ = header->number - 1;
    return;
  }
  const auto next = peek_line();
  if (next && is_ruler(next->text)) {
    found_.fail(header->number, 1, "is a table with cut values, not the parsable form",
                "run sacct again with -P (--parsable2)");
    failed_ = true;
    return;
  }
  const std::string_view mark = header->text.substr(0, 2);
  if (mark == "\xff\xfe" || mark == "\xfe\xff") {
    found_.fail(header->number, 1, "is UTF-16 text, as Windows programs save it",
                "iconv -f UTF-16 -t UTF-8 makes plain text of it");
    failed_ = true;
    return;
  }
  if (header->text.starts_with('{')) {
    found_.fail(header->number, 1, "is JSON, not the table that sacct -P prints",
                "what sacct --json printed needs no import: a site folder has it as sacct.json");
    failed_ = true;
    return;
  }
  if (trimmed(first).empty()) {
    found_.fail(header->number, 1, "is not what sacct prints: no header line",
                "sacct -a -X -D -P prints it; rehearse import reads other forms");
    failed_ = true;
    return;
  }
  if (!column_by_name(trimmed(first))) {
    found_.fail(header->number, 1,
                fmt::format("'{}' is not a field of sacct: the header line is missing", first),
                kHeaderRemedy);
    failed_ = true;
    return;
  }
  if (delimiter_.empty()) find_delimiter(*header);
  fields_.clear();
  quoted_ = delimiter_ == ",";
  split(header->text);
  const auto known = std::count_if(fields_.begin(), fields_.end(), [](std::string_view name) {
    return column_by_name(trimmed(name)).has_value();
  });
  if (2 * static_cast<std::size_t>(known) < fields_.size()) {  // a job is named as a field is
    found_.fail(header->number, 1,
                fmt::format("{} of {} words are fields of sacct: the header line is missing", known,
                            fields_.size()),
                kHeaderRemedy);
    failed_ = true;
    return;
  }
  set_columns(fields_, &*header);
  header_ = header->text;
}

/// What follows from columns that are not there, where no submit line tells it either.
void SacctTable::note_missing(const std::function<bool(Column)>& lacks) {
  const auto note = [&](std::initializer_list<Column> columns, const char* what) {
    if (std::all_of(columns.begin(), columns.end(), lacks)) report_.notes.emplace_back(what);
  };
  note({Column::User}, "no column User: all jobs are of one nameless user");
  note({Column::Account}, "no column Account: jobs are of their users' default accounts");
  note({Column::Partition}, "no column Partition: jobs go to the default partition");
  note({Column::ReqTres, Column::AllocTres},
       "no column ReqTRES or AllocTRES: no job asks for GPUs, nor for more than its columns tell");
  note({Column::TimeLimit, Column::TimeLimitRaw},
       "no column Timelimit: jobs have the default limits of their partitions");
  report_.tells_limits = !lacks(Column::TimeLimit) || !lacks(Column::TimeLimitRaw);
  note({Column::State}, "no column State: all jobs that ran ended by themselves");
  note({Column::Elapsed, Column::ElapsedRaw, Column::Start},
       "no column Elapsed or Start: nobody knows how long jobs ran");
}

void SacctTable::set_columns(const std::vector<std::string_view>& names, const Line* header) {
  std::array<bool, kColumns> seen{};
  const std::uint64_t line = header == nullptr ? 0 : header->number;
  quoted_ = delimiter_ == ",";
  for (const std::string_view& raw : names) {
    const std::string_view name = trimmed(raw);
    if (name.empty() && &raw == &names.back()) {
      ends_open_ = true;  // `-p` ends each line with a delimiter
      break;
    }
    const auto column = column_by_name(name);
    if (!column) {
      // A newer sacct may have fields that this reader does not know; the values are not needed.
      found_.warn(line, header == nullptr ? 0 : column_in(header->text, raw),
                  fmt::format("'{}' is not a known field of sacct; it is not read", name));
    }
    Column use = column.value_or(Column::Other);
    if (use != Column::Other && std::exchange(seen[static_cast<std::size_t>(use)], true)) {
      found_.warn(line, header == nullptr ? 0 : column_in(header->text, raw),
                  fmt::format("column '{}' stands twice; the first is read", name));
      use = Column::Other;
    }
    if (use == Column::JobId || (use == Column::JobIdRaw && !id_position_)) {
      id_position_ = columns_.size();
    }
    columns_.push_back(use);
    forms_.push_back(form_of(name));
  }
  const auto lacks = [&](Column column) { return !seen[static_cast<std::size_t>(column)]; };
  if (lacks(Column::SubmitLine)) note_missing(lacks);
  if (lacks(Column::JobId) && lacks(Column::JobIdRaw)) {
    found_.fail(line, 0, "has neither JobID nor JobIDRaw", "add JobID to sacct --format");
    failed_ = true;
  }
  if (lacks(Column::Submit)) {
    found_.fail(line, 0, "has no column Submit", "add Submit to sacct --format");
    failed_ = true;
    return;
  }
  const bool has_elapsed = !lacks(Column::Elapsed) || !lacks(Column::ElapsedRaw);
  if (lacks(Column::Start) && has_elapsed) {
    found_.fail(line, 0,
                "has no column Start, which tells which jobs ran, and Elapsed alone does not",
                "add Start and End to sacct --format");
    failed_ = true;
  }
}

void SacctTable::split(std::string_view line) {
  fields_.clear();
  if (quoted_) return split_quoted(line);
  if (delimiter_.size() == 1) {
    std::size_t field = 0;
    for_each_place(line, delimiter_.front(), [&](std::size_t at) {
      fields_.emplace_back(line.data() + field, at - field);
      field = at + 1;
    });
    fields_.emplace_back(line.data() + field, line.size() - field);
    return;
  }
  for (;;) {
    const std::size_t at = line.find(delimiter_);
    fields_.push_back(line.substr(0, at));
    if (at == std::string_view::npos) return;
    line.remove_prefix(at + delimiter_.size());
  }
}

void SacctTable::split_quoted(std::string_view line) {
  std::size_t at = 0;
  for (;;) {
    if (at < line.size() && line[at] == '"') {
      std::size_t end = at + 1;
      bool doubled = false;
      while (end < line.size() && (line[end] != '"' || line.substr(end, 2) == "\"\"")) {
        if (line[end] == '"') doubled = true;
        end += line[end] == '"' ? 2U : 1U;
      }
      end = std::min(end, line.size());
      std::string_view value = line.substr(at + 1, end - at - 1);
      if (doubled) {
        std::string& plain = unquoted_.emplace_back();
        for (std::size_t i = 0; i < value.size(); ++i) {
          plain += value[i];
          if (value[i] == '"') ++i;
        }
        value = plain;
      }
      fields_.push_back(value);
      at = std::min(line.find(',', end), line.size());
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      fields_.push_back(line.substr(at, end - at));
      at = end;
    }
    if (at >= line.size()) return;
    ++at;
  }
}

}  // namespace rehearse

// sim/config/sacctmgr_lines.cpp — the words of a sacctmgr dump: comments, continuation, quoting.
#include "sim/config/sacctmgr_lines.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

// The longest joined line that Debian's sacctmgr takes.
constexpr std::size_t kLongestLine = 524287;

/// A joined line, and where each of its characters stands in the file.
struct Joined {
  std::string text;
  std::vector<std::uint32_t> lines, columns;
};

bool ends_in_odd_backslashes(std::string_view line) {
  const std::size_t last = line.find_last_not_of('\\');
  const std::size_t count = line.size() - (last == std::string_view::npos ? 0 : last + 1);
  return count % 2 == 1;
}

std::string_view without_comment(std::string_view line) {
  std::size_t backslashes = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && backslashes % 2 == 0) return line.substr(0, i);
    backslashes = line[i] == '\\' ? backslashes + 1 : 0;
  }
  return line;
}

/// Adds `line` with `\x` turned into `x`.
void append_unescaped(Joined& joined, std::string_view line, std::uint32_t number) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) ++i;
    joined.text += line[i];
    joined.lines.push_back(number);
    joined.columns.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

/// Cuts the fields of one joined line.
class FieldCutter {
 public:
  FieldCutter(const Joined& joined, const std::string& file, bool& told_split, Diagnostics& found)
      : text_(joined.text), joined_(joined), file_(file), told_split_(told_split), found_(found) {}

  std::optional<DumpLine> cut();

 private:
  SourcePosition at(std::size_t offset) const {
    if (offset >= joined_.lines.size()) {
      return {file_, joined_.lines.back(), joined_.columns.back() + 1};
    }
    return {file_, joined_.lines[offset], joined_.columns[offset]};
  }
  std::optional<std::size_t> cut_title(DumpLine& line);
  bool cut_field(DumpLine& line);
  std::optional<std::string> cut_quoted();
  std::string cut_bare(bool may_be_tres);
  bool colon_belongs_to_tres(std::size_t begin, bool may_be_tres);

  std::string_view text_;
  const Joined& joined_;
  const std::string& file_;
  bool& told_split_;
  Diagnostics& found_;
  std::size_t next_ = 0;
};

std::optional<std::size_t> FieldCutter::cut_title(DumpLine& line) {
  std::size_t end = 0;
  while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end])) != 0) ++end;
  std::size_t dash = text_.find_first_not_of(" \t", end);
  const bool fine = end > 0 && dash != std::string_view::npos && dash > end && text_[dash] == '-' &&
                    dash + 1 < text_.size() && (text_[dash + 1] == ' ' || text_[dash + 1] == '\t');
  if (!fine) {
    found_.error(at(0), "misformatted line: no 'Title - name' in column 1",
                 "lines begin with Cluster, Parent, Account or User, a blank, a dash, a blank");
    return std::nullopt;
  }
  line.title = std::string(text_.substr(0, end));
  return text_.find_first_not_of(" \t", dash + 1);
}

std::optional<DumpLine> FieldCutter::cut() {
  DumpLine line;
  line.where = at(0);
  const auto begin = cut_title(line);
  if (!begin) return std::nullopt;
  next_ = *begin;
  while (next_ < text_.size()) {
    if (!cut_field(line)) return std::nullopt;
    if (next_ < text_.size()) ++next_;  // the colon
  }
  return line;
}

bool FieldCutter::cut_field(DumpLine& line) {
  DumpField field;
  field.key_at = field.value_at = at(next_);
  if (text_[next_] == '\'' || text_[next_] == '"') {
    auto quoted = cut_quoted();
    if (!quoted) return false;
    const std::size_t equals = quoted->find('=');
    if (equals == std::string::npos) {
      field.value = std::move(*quoted);
    } else {  // the whole field was quoted
      field.key = quoted->substr(0, equals);
      field.value = quoted->substr(equals + 1);
      field.value_at = text::shifted(field.key_at, equals + 2);
    }
  } else {
    const std::size_t end = text_.find_first_of("=:", next_);
    if (end != std::string_view::npos && text_[end] == '=') {
      field.key = std::string(trimmed(text_.substr(next_, end - next_)));
      next_ = end + 1;
      field.value_at = at(next_);
      if (next_ < text_.size() && (text_[next_] == '\'' || text_[next_] == '"')) {
        field.value_at = at(next_ + 1);
        auto quoted = cut_quoted();
        if (!quoted) return false;
        field.value = std::move(*quoted);
      } else {
        field.value = cut_bare(to_lower(field.key).find("tres") != std::string::npos);
      }
    } else {
      field.value = cut_bare(false);
    }
  }
  if (!field.key.empty() || !field.value.empty()) line.fields.push_back(std::move(field));
  return true;
}

/// At an opening quote. A quote that neither `:` nor the end of the line follows is part of the
/// value: `dump` writes a description's apostrophe bare, and `load` would drop the rest in silence.
std::optional<std::string> FieldCutter::cut_quoted() {
  const char quote = text_[next_];
  const std::size_t begin = next_ + 1;
  std::size_t end = begin;
  bool inner = false;
  while (true) {
    end = text_.find(quote, end);
    if (end == std::string_view::npos) {
      found_.error(at(next_), "the quote is never closed");
      return std::nullopt;
    }
    const std::size_t after = text_.find_first_not_of(" \t", end + 1);
    if (after == std::string_view::npos || text_[end + 1] == ':') break;
    inner = true;
    ++end;
  }
  if (inner) {
    found_.warning(at(next_), "a quote inside quotes is read as part of the value",
                   "sacctmgr load would ignore the rest of the line; use the other kind of quote");
  }
  const std::size_t after = text_.find_first_not_of(" \t", end + 1);
  next_ = after == std::string_view::npos ? text_.size() : end + 1;
  return std::string(text_.substr(begin, end - begin));
}

/// `GrpTRES=cpu=5,gres/gpu` before a colon: the entry has no amount yet, so its type follows.
bool FieldCutter::colon_belongs_to_tres(std::size_t begin, bool may_be_tres) {
  if (!may_be_tres) return false;
  std::string_view entry = text_.substr(begin, next_ - begin);
  entry = entry.substr(entry.find_last_of(',') + 1);
  if (entry.find('/') == entry.npos || entry.find('=') != entry.npos) return false;
  if (!told_split_) {
    found_.warning(at(next_), "an unquoted typed GRES is read as the site had it",
                   "sacctmgr load splits the line at this colon; quote the value: "
                   "GrpTRES='gres/gpu:a100=4'");
  }
  told_split_ = true;  // dump writes every one of them so: once a file is enough
  return true;
}

std::string FieldCutter::cut_bare(bool may_be_tres) {
  const std::size_t begin = next_;
  while (next_ < text_.size() &&
         (text_[next_] != ':' || colon_belongs_to_tres(begin, may_be_tres))) {
    ++next_;
  }
  return std::string(trimmed(text_.substr(begin, next_ - begin)));
}

}  // namespace

std::vector<DumpLine> read_dump_lines(std::string_view text, const std::string& file,
                                      Diagnostics& found) {
  std::vector<DumpLine> lines;
  const std::vector<std::string_view> physical = text::lines_of(text);
  bool told_split = false;
  for (std::size_t i = 0; i < physical.size(); ++i) {
    Joined joined;
    while (true) {
      std::string_view line = without_comment(physical[i]);
      const std::size_t last = line.find_last_not_of(" \t");
      line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
      const bool goes_on = ends_in_odd_backslashes(line) && i + 1 < physical.size();
      if (ends_in_odd_backslashes(line)) line.remove_suffix(1);
      append_unescaped(joined, line, static_cast<std::uint32_t>(i + 1));
      if (!goes_on) break;
      ++i;
    }
    if (joined.text.empty()) continue;
    if (joined.text.size() > kLongestLine) {
      found.error({file, joined.lines.front(), 1}, "the line is longer than 524287 characters");
      continue;
    }
    if (auto line = FieldCutter(joined, file, told_split, found).cut()) {
      lines.push_back(std::move(*line));
    }
  }
  return lines;
}

}  // namespace rehearse

// sim/config/logical_line.cpp — the three steps of formats.md §1.1, in Slurm's order.
#include "sim/config/logical_line.hpp"

#include <algorithm>

#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// Length of `line` without its comment: up to the first '#' behind an even number of backslashes.
std::size_t without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    std::size_t backslashes = 0;
    while (backslashes < at && line[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
  return line.size();
}

/// True, and the last backslash dropped, where an odd number of them ends the line.
bool drop_continuation(std::string_view& line) {
  std::string_view text = line;
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::size_t run = 0;
  while (run < text.size() && text[text.size() - 1 - run] == '\\') ++run;
  if (run % 2 == 0) return false;
  line = text.substr(0, text.size() - 1);
  return true;
}

}  // namespace

LinePlace LogicalLine::place(std::size_t offset) const {
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), offset,
                                      [](std::size_t o, const Piece& p) { return o < p.offset; });
  if (after == pieces.begin()) return {};
  const Piece& piece = *std::prev(after);
  return {piece.at.line, piece.at.column + static_cast<std::uint32_t>(offset - piece.offset)};
}

bool LineReader::append_physical_line(LogicalLine& line) {
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view physical = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++line_;
  physical = physical.substr(0, without_comment(physical));
  const bool continues = drop_continuation(physical);
  line.pieces.push_back({line.text.size(), {line_, column_}});
  std::size_t i = 0;
  while (i < physical.size()) {
    constexpr std::string_view kSpecial{"\\\0", 2};
    const std::size_t plain = std::min(physical.find_first_of(kSpecial, i), physical.size());
    line.text += physical.substr(i, plain - i);
    i = plain;
    if (i == physical.size()) break;
    // An escape stands for the next byte; Slurm would stop at a NUL, which is told and made a
    // blank.
    if (physical[i] == '\\' && i + 1 < physical.size()) ++i;
    const LinePlace here{line_, column_ + static_cast<std::uint32_t>(i)};
    if (physical[i] == '\0' && !line.has_nul) line.first_nul = here;
    line.has_nul |= physical[i] == '\0';
    line.pieces.push_back({line.text.size(), here});
    line.text += physical[i] == '\0' ? ' ' : physical[i];
    ++i;
    line.pieces.push_back({line.text.size(), {line_, column_ + static_cast<std::uint32_t>(i)}});
  }
  column_ = 1;
  return continues;
}

bool LineReader::next(LogicalLine& line) {
  line = {};
  if (rest_.empty()) return false;
  while (append_physical_line(line) && !rest_.empty()) {
  }
  return true;
}

}  // namespace rehearse

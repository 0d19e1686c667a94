// sim/config/text_scan.cpp — the small readers that every text format of this room needs.
#include "sim/config/text_scan.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include "sim/config/units.hpp"

namespace rehearse::text {

std::vector<Piece> split_at(std::string_view text, char separator) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) break;
    pieces.push_back({text.substr(begin, end - begin), begin});
    begin = end + 1;
  }
  pieces.push_back({text.substr(begin), begin});
  return pieces;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> parse_decimal32(std::string_view text) {
  const std::optional<std::uint64_t> value = parse_decimal(text);
  if (!value || *value > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<double> parse_real(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

bool abbreviates(std::string_view text, std::string_view word, std::size_t least) {
  return text.size() >= least && text.size() <= word.size() &&
         equals_ignoring_case(text, word.substr(0, text.size()));
}

SourcePosition shifted(SourcePosition where, std::size_t offset) {
  if (where.column > 0) where.column += static_cast<std::uint32_t>(offset);
  return where;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::optional<std::string> read_file(const std::filesystem::path& path, Diagnostics& found) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    found.error({path.string()}, "is a folder, not a file");
    return std::nullopt;
  }
  if (std::filesystem::is_character_file(path, ignored)) {  // which may have no end
    found.error({path.string()}, "is a device, not a file");
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  if (stream) content << stream.rdbuf();
  if (!stream && std::filesystem::file_size(path, ignored) != 0) {
    found.error({path.string()}, "cannot be read", "does it exist, and may you read it?");
    return std::nullopt;
  }
  return std::move(content).str();
}

}  // namespace rehearse::text

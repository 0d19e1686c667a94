// sim/config/text.hpp — small tools for the text of configuration files; ASCII, locale-free.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

/// `text` in single quotes for a message: at most 60 characters of it, control bytes and invalid
/// UTF-8 as \xNN, `...` where it was cut. A message never grows with its input.
[[nodiscard]] std::string shown(std::string_view text);

/// The same without the quotes.
[[nodiscard]] std::string shortened(std::string_view text);

/// Without leading and trailing blanks (space, tab, CR, LF, VT, FF).
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The trimmed, non-empty items between separators.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text, char separator = ',');

/// Where `word` first stands in `text`, any case; npos: nowhere.
[[nodiscard]] std::size_t find_ignoring_case(std::string_view text, std::string_view word);

/// As strcasestr, the way Slurm looks for many of its flags.
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view word);
[[nodiscard]] bool starts_with_ignoring_case(std::string_view text, std::string_view word);

/// Offset of the first byte that is not part of well-formed UTF-8; npos: none.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace rehearse

// sim/config/text.cpp — trimming, splitting, and echoing input without trusting it.
#include "sim/config/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace rehearse {
namespace {

constexpr std::size_t kMostShown = 60;  // characters of a value in a message

/// Bytes of the UTF-8 sequence at the front of `text`; 0 where there is none.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) length = 2;
  if (lead >= 0xE0 && lead < 0xF0) length = 3;
  if (lead >= 0xF0 && lead < 0xF5) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

std::string shortened(std::string_view text) {
  std::string result;
  std::size_t characters = 0;
  while (!text.empty()) {
    if (characters >= kMostShown) return result + "...";
    const std::size_t length = sequence_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02X}", byte);
      characters += 4;
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      ++characters;
      text.remove_prefix(length);
    }
  }
  return result;
}

std::string shown(std::string_view text) {
  return "'" + shortened(text) + "'";
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_list(std::string_view text, char separator) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view item = trimmed(text.substr(0, end));
    if (!item.empty()) items.push_back(item);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return items;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text[i]) != lower(word[i])) return false;
  }
  return true;
}

std::size_t find_ignoring_case(std::string_view text, std::string_view word) {
  if (word.empty()) return 0;
  const char both[] = {lower(word[0]), upper(word[0])};
  const std::string_view first(both, 2);
  for (std::size_t at = text.find_first_of(first); at != std::string_view::npos;
       at = text.find_first_of(first, at + 1)) {
    if (starts_with_ignoring_case(text.substr(at), word)) return at;
  }
  return std::string_view::npos;
}

bool contains_ignoring_case(std::string_view text, std::string_view word) {
  return find_ignoring_case(text, word) != std::string_view::npos;
}

}  // namespace rehearse

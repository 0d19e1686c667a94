// sim/study/comparison/condition_cursor.hpp — where a reader of a condition stands in its text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "sim/study/comparison/condition.hpp"

namespace rehearse {

class ConditionCursor {
 public:
  explicit ConditionCursor(std::string_view text) : text_(text) {}

  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /// Throws ConditionError at the cursor, or at another column (counted from 1).
  [[noreturn]] void fail(std::string what, std::string hint) const {
    fail_at(at_ + 1, std::move(what), std::move(hint));
  }
  [[noreturn]] static void fail_at(std::size_t column, std::string what, std::string hint) {
    throw ConditionError{column, std::move(what), std::move(hint)};
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  /// Passes over `word` where it stands next, whole; a sign may have anything behind it.
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    const std::size_t end = at_ + word.size();
    const bool goes_on = end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]));
    if (is_letter(word.front()) && goes_on) return false;
    at_ = end;
    return true;
  }
  void expect(std::string_view word, std::string_view after) {
    if (!take(word)) fail(fmt::format("'{}' is missing after {}", word, after), "");
  }
  /// The next character that is no blank; NUL at the end.
  [[nodiscard]] char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  /// Letters and digits from here on.
  std::string word() {
    std::string text;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
      text += text_[at_++];
    }
    return text;
  }

 protected:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace rehearse

// sim/config/units.cpp — numbers, times and sizes; integer arithmetic throughout, overflow is
// "none".
#include "sim/config/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr Seconds kUnlimitedSeconds{kUnlimited};

bool is_unlimited_word(std::string_view text) {
  return equals_ignoring_case(text, "UNLIMITED") || equals_ignoring_case(text, "INFINITE");
}

/// Decimal digits only, at most 12 of them so that no later product overflows.
std::optional<std::int64_t> take_digits(std::string_view text) {
  if (text.empty() || text.size() > 12) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

struct Fields {
  std::array<std::int64_t, 3> value{};
  std::size_t count = 0;
};

/// `a`, `a:b` or `a:b:c`.
std::optional<Fields> split_colons(std::string_view text) {
  Fields fields;
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::optional<std::int64_t> part = take_digits(text.substr(0, end));
    if (!part || fields.count == fields.value.size()) return std::nullopt;
    fields.value[fields.count++] = *part;
    if (end == text.size()) return fields;
    text.remove_prefix(end + 1);
  }
}

/// Seconds of `fields`, whose last or first unit depends on the form.
std::int64_t seconds_of(const Fields& f, bool has_days) {
  const auto& [a, b, c] = f.value;
  if (has_days) return a * 3600 + b * 60 + c;      // D-H[:M[:S]]
  if (f.count == 3) return a * 3600 + b * 60 + c;  // H:M:S
  return a * 60 + b;                               // M or M:S
}

}  // namespace

std::optional<Seconds> parse_time_string(std::string_view text) {
  if (text == "-1" || is_unlimited_word(text)) return kUnlimitedSeconds;
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const std::optional<std::int64_t> given = take_digits(text.substr(0, dash));
    if (!given) return std::nullopt;
    days = *given;
    text.remove_prefix(dash + 1);
    if (text.empty()) text = "0";  // `2-` [V]
  }
  const std::optional<Fields> fields = split_colons(text);
  if (!fields) return std::nullopt;
  const bool has_days = dash != std::string_view::npos;
  const Seconds total{days * kSecondsPerDay + seconds_of(*fields, has_days)};
  // What Slurm's 32-bit minutes cannot hold is not a time.
  if (total >= kUnlimitedSeconds) return std::nullopt;
  return total;
}

std::optional<Minutes> parse_time_minutes(std::string_view text) {
  const std::optional<Seconds> seconds = parse_time_string(text);
  if (!seconds) return std::nullopt;
  if (*seconds == kUnlimitedSeconds) return kUnlimited;
  return Minutes{(seconds->count() + 59) / 60};
}

std::optional<Seconds> parse_elapsed(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) {
    if (!take_digits(text.substr(point + 1))) return std::nullopt;
    text = text.substr(0, point);
  }
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  if (has_days) {
    const std::optional<std::int64_t> given = take_digits(text.substr(0, dash));
    if (!given) return std::nullopt;
    days = *given;
    text.remove_prefix(dash + 1);
  }
  const std::optional<Fields> fields = split_colons(text);
  if (!fields || fields->count < 2 || (has_days && fields->count != 3)) return std::nullopt;
  const auto& [a, b, c] = fields->value;
  if (b > 59 || c > 59 || (has_days && a > 23)) return std::nullopt;
  const Seconds total{days * kSecondsPerDay + seconds_of(*fields, false)};
  if (total >= kUnlimitedSeconds) return std::nullopt;
  return total;
}

std::optional<std::uint64_t> parse_conf_uint(std::string_view text, std::uint64_t infinity) {
  if (is_unlimited_word(text)) return infinity;
  std::uint64_t scale = 1;
  if (!text.empty() && lower(text.back()) == 'k') {
    scale = 1024;
    text.remove_suffix(1);
  }
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);  // strtoul takes a sign
  unsigned base = 10;
  if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;  // `010` is eight (formats.md §1.3)
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    unsigned digit = base;
    if (is_digit(c)) digit = static_cast<unsigned>(c - '0');
    if (lower(c) >= 'a' && lower(c) <= 'f') digit = static_cast<unsigned>(lower(c) - 'a') + 10;
    if (digit >= base) return std::nullopt;
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  if (value > std::numeric_limits<std::uint64_t>::max() / scale) return std::nullopt;
  return value * scale;
}

std::optional<std::uint64_t> parse_memory_mib(std::string_view text) {
  std::uint64_t unit_kib = 1024;  // a bare number is MiB
  if (!text.empty() && lower(text.back()) == 'b') {
    text.remove_suffix(1);
    if (text.empty() || is_digit(text.back())) return std::nullopt;  // `4B` is no unit of Slurm
  }
  if (!text.empty() && !is_digit(text.back())) {
    constexpr std::string_view kUnits = "kmgtp";
    const std::size_t power = kUnits.find(lower(text.back()));
    if (power == std::string_view::npos) return std::nullopt;
    unit_kib = std::uint64_t{1} << (10 * power);
    text.remove_suffix(1);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::optional<std::int64_t> whole = take_digits(text.substr(0, point));
  if (!whole) return std::nullopt;
  std::uint64_t kib = 0;
  if (point < text.size()) {
    const std::string_view digits = text.substr(point + 1);
    if (!take_digits(digits)) return std::nullopt;
    std::uint64_t numerator = 0, denominator = 1;
    for (const char c : digits.substr(0, 6)) {  // 10^6 × 2^40 still fits 64 bits
      numerator = numerator * 10 + static_cast<std::uint64_t>(c - '0');
      denominator *= 10;
    }
    kib = (numerator * unit_kib + denominator - 1) / denominator;
  }
  const auto units = static_cast<std::uint64_t>(*whole);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  if (units > kMost / unit_kib) return std::nullopt;
  return (units * unit_kib + kib + 1023) / 1024;
}

std::string format_memory_mib(std::uint64_t mib) {
  constexpr std::string_view kUnits = "MGTPE";
  if (mib == 0) return "0";
  std::size_t unit = 0;
  while (mib >= 1024 && mib % 512 == 0 && unit + 1 < kUnits.size()) {
    ++unit;
    if (mib % 1024 != 0) return fmt::format("{}.50{}", mib / 1024, kUnits[unit]);
    mib /= 1024;
  }
  return fmt::format("{}{}", mib, kUnits[unit]);
}

std::string format_elapsed(Seconds span) {
  const std::int64_t total = span.count();
  if (total < 0) return "INVALID";
  if (span >= kUnlimitedSeconds) return "UNLIMITED";
  const std::int64_t days = total / kSecondsPerDay, rest = total % kSecondsPerDay;
  const std::string clock =
      fmt::format("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
  return days > 0 ? fmt::format("{}-{}", days, clock) : clock;
}

std::optional<bool> parse_conf_bool(std::string_view text) {
  for (const std::string_view word : {"yes", "up", "true", "1"}) {
    if (equals_ignoring_case(text, word)) return true;
  }
  for (const std::string_view word : {"no", "down", "false", "0"}) {
    if (equals_ignoring_case(text, word)) return false;
  }
  return std::nullopt;
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

}  // namespace rehearse

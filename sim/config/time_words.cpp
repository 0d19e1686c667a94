// sim/config/time_words.cpp — words, clock times and dates, put together as local time.
#include "sim/config/time_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;

struct Named {
  std::string_view word;
  std::int64_t seconds;
};
constexpr std::array<Named, 5> kClockWords = {{{"midnight", 0},
                                               {"elevenses", 11 * kHour},
                                               {"noon", 12 * kHour},
                                               {"fika", 15 * kHour},
                                               {"teatime", 16 * kHour}}};
constexpr std::array<Named, 5> kUnits = {
    {{"seconds", 1}, {"minutes", 60}, {"hours", kHour}, {"days", kDay}, {"weeks", 7 * kDay}}};

/// `now`, `now+90`, `now-2hours`: seconds from now.
std::optional<std::int64_t> from_now(std::string_view text) {
  if (text == "now") return 0;
  if (!text.starts_with("now")) return std::nullopt;
  const char sign = text[3];
  if (sign != '+' && sign != '-') return std::nullopt;
  std::string_view rest = text.substr(4);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto count = text::parse_decimal32(rest.substr(0, digits));
  if (!count) return std::nullopt;
  rest.remove_prefix(digits);
  std::int64_t unit = rest.empty() ? 1 : 0;
  for (const Named& each : kUnits) {
    if (!rest.empty() && each.word.starts_with(rest)) unit = each.seconds;
  }
  if (unit == 0) return std::nullopt;
  return (sign == '-' ? -1 : 1) * std::int64_t{*count} * unit;
}

/// Seconds after midnight of `HH:MM[:SS][AM|PM]`, or of a word.
std::optional<std::int64_t> clock_of(std::string text) {
  for (const Named& each : kClockWords) {
    if (text == each.word) return each.seconds;
  }
  bool afternoon = false, halves = false;
  if (text.ends_with("am") || text.ends_with("pm")) {
    halves = true;
    afternoon = text.ends_with("pm");
    text.resize(text.size() - 2);
  }
  const auto parts = text::split_at(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  std::array<std::int64_t, 3> value{};
  constexpr std::array<std::int64_t, 3> kMost = {23, 59, 59};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = text::parse_decimal32(parts[i].text);
    if (!number || parts[i].text.size() > 2 || *number > kMost[i]) return std::nullopt;
    value[i] = *number;
  }
  if (halves) {
    if (value[0] < 1 || value[0] > 12) return std::nullopt;
    value[0] = value[0] % 12 + (afternoon ? 12 : 0);
  }
  return value[0] * 3600 + value[1] * 60 + value[2];
}

/// The `YYYY-MM-DD` of a date without a year (this one's next such day), or with one.
std::optional<std::string> date_of(std::string_view text, std::string_view today) {
  if (text.size() == 10 && text[4] == '-' && text[7] == '-') return std::string(text);
  std::string digits;
  const char between = text.find('/') != std::string_view::npos ? '/' : '.';
  const auto parts = text::split_at(text, between);
  if (parts.size() > 1) {
    for (const auto& part : parts) {
      const bool is_year = &part == &parts.back() && parts.size() == 3;
      if (is_year && part.text.size() == 4 && part.text.starts_with("20")) {
        digits += part.text.substr(2);
        continue;
      }
      if (part.text.empty() || part.text.size() > 2) return std::nullopt;
      digits += (part.text.size() == 1 ? "0" : "") + std::string(part.text);
    }
  } else {
    digits = text;
  }
  if ((digits.size() != 4 && digits.size() != 6) || !text::parse_decimal32(digits)) {
    return std::nullopt;
  }
  const std::string month_day = digits.substr(0, 2) + "-" + digits.substr(2, 2);
  if (digits.size() == 6) return "20" + digits.substr(4, 2) + "-" + month_day;
  int year = 0;
  for (const char c : today.substr(0, 4)) year = year * 10 + (c - '0');
  if (month_day < today.substr(5, 5)) ++year;
  return fmt::format("{:04}-{}", year, month_day);
}

}  // namespace

std::optional<SlurmTime> read_time_words(std::string_view given, SlurmTime now,
                                         const TimeZone& zone) {
  const std::string text = to_lower(trimmed(given));
  if (const auto span = from_now(text)) return now + Seconds{*span};
  if (text.starts_with("uts")) {
    const auto seconds = text::parse_decimal(std::string_view(text).substr(3));
    if (!seconds || *seconds > std::uint64_t{UINT32_MAX}) return std::nullopt;
    return from_epoch_seconds(static_cast<std::int64_t>(*seconds));
  }
  // Blanks, or the T of an ISO date, part the words.
  std::string parted = text;
  if (parted.size() > 10 && parted[4] == '-' && parted[10] == 't') parted[10] = ' ';
  const std::string today = zone.print(now).substr(0, 10);
  std::string date;
  std::optional<std::int64_t> clock;
  for (const std::string_view word : split_list(parted, ' ')) {
    if (word == "today" && date.empty()) {
      date = today;
    } else if (word == "tomorrow" && date.empty()) {
      const auto noon = zone.read(today + "T12:00:00");
      date = zone.print(*noon + Seconds{kDay}).substr(0, 10);
    } else if (const auto seconds = clock_of(std::string(word)); seconds && !clock) {
      clock = seconds;
    } else if (const auto day = date_of(word, today); day && date.empty()) {
      date = *day;
    } else {
      return std::nullopt;
    }
  }
  if (date.empty() && !clock) return std::nullopt;
  const std::int64_t at = clock.value_or(0);
  const auto on = [&](const std::string& day) {
    return zone.read(fmt::format("{}T{:02}:{:02}:{:02}", day, at / 3600, at / 60 % 60, at % 60));
  };
  if (!date.empty()) return date == today && !clock ? std::optional(now) : on(date);
  const auto moment = on(today);
  if (!moment || *moment > now) return moment;
  const auto noon = zone.read(today + "T12:00:00");
  return on(zone.print(*noon + Seconds{kDay}).substr(0, 10));
}

}  // namespace rehearse

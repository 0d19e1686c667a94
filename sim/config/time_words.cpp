// sim/config/time_words.cpp — words, clock times and dates, put together as local time.
#include "sim/config/time_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
// The manual's `elevenses` is refused (formats.md §17, item 4b).
constexpr std::array<Named, 4> kClockWords = {
    {{"midnight", 0}, {"noon", 12 * kHour}, {"fika", 15 * kHour}, {"teatime", 16 * kHour}}};
constexpr std::array<Named, 5> kUnits = {
    {{"second", 1}, {"minute", 60}, {"hour", kHour}, {"day", kDay}, {"week", 7 * kDay}}};

/// `now`, `now+90`, `now-2hours`, `now +1day`: seconds from now.
std::optional<std::int64_t> from_now(std::string_view text) {
  if (text == "now") return 0;
  if (!text.starts_with("now")) return std::nullopt;
  std::string_view rest = trimmed(text.substr(3));
  const char sign = rest.empty() ? ' ' : rest.front();
  if (sign != '+' && sign != '-') return std::nullopt;
  rest.remove_prefix(1);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto count = text::parse_decimal32(rest.substr(0, digits));
  if (!count) return std::nullopt;
  rest.remove_prefix(digits);
  if (rest.size() > 1 && rest.ends_with('s')) rest.remove_suffix(1);
  std::int64_t unit = rest.empty() ? 1 : 0;
  for (const Named& each : kUnits) {
    if (each.word == rest) unit = each.seconds;
  }
  if (unit == 0) return std::nullopt;
  return (sign == '-' ? -1 : 1) * std::int64_t{*count} * unit;
}

/// Seconds after midnight of `H[H]:MM[:SS]` in one of the halves of a day, `am` or `pm`, or in
/// none.
std::optional<std::int64_t> clock_of(std::string_view text, std::string_view half) {
  const auto parts = text::split_at(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  std::array<std::int64_t, 3> value{};
  constexpr std::array<std::int64_t, 3> kMost = {23, 59, 59};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = text::parse_decimal32(parts[i].text);
    const std::size_t digits = parts[i].text.size();
    if (!number || digits > 2 || (i > 0 && digits < 2) || *number > kMost[i]) return std::nullopt;
    value[i] = *number;
  }
  if (!half.empty()) {
    if (value[0] > 12) return std::nullopt;
    value[0] = value[0] % 12 + (half == "pm" ? 12 : 0);
  }
  return value[0] * 3600 + value[1] * 60 + value[2];
}

struct Date {
  int year = 0;  ///< 0: not told
  unsigned month = 0, day = 0;
};

bool is_iso_date(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text[7] == '-';
}

/// A date as three numbers, the day up to 31 in any month.
std::optional<Date> date_of(std::string_view text) {
  const bool is_iso = is_iso_date(text);
  const char between = is_iso                                     ? '-'
                       : text.find('/') != std::string_view::npos ? '/'
                       : text.find('.') != std::string_view::npos ? '.'
                                                                  : '\0';
  std::vector<std::string_view> parts;
  if (between != '\0') {
    for (const auto& part : text::split_at(text, between)) parts.push_back(part.text);
  } else if (text.size() == 4 || text.size() == 6) {
    for (std::size_t i = 0; i < text.size(); i += 2) parts.push_back(text.substr(i, 2));
  }
  if (parts.size() != 2 && parts.size() != 3) return std::nullopt;
  if (is_iso) std::rotate(parts.begin(), parts.begin() + 1, parts.end());  // the year comes last
  std::array<unsigned, 3> value{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = text::parse_decimal32(parts[i]);
    if (!number || parts[i].size() > (is_iso && i == 2 ? 4 : 2)) return std::nullopt;
    value[i] = *number;
  }
  const Date date{static_cast<int>(value[2]) + (is_iso || parts.size() == 2 ? 0 : 2000), value[0],
                  value[1]};
  constexpr unsigned kMonths = 12, kDays = 31;
  if (date.month < 1 || date.month > kMonths || date.day < 1 || date.day > kDays) {
    return std::nullopt;
  }
  return date;
}

/// That day in this zone; the 31st of June is the first of July.
std::optional<SlurmTime> moment_of(const Date& date, std::int64_t clock, const TimeZone& zone) {
  namespace chr = std::chrono;
  const chr::sys_days day =
      chr::sys_days{chr::year{date.year} / chr::month{date.month} / chr::day{1}} +
      chr::days{date.day - 1};
  const chr::year_month_day real{day};
  return zone.read(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(real.year()),
                               static_cast<unsigned>(real.month()),
                               static_cast<unsigned>(real.day()), clock / kHour, clock / 60 % 60,
                               clock % 60));
}

/// Parted by blanks, dashes or the T between digits; a date with dashes is one word.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!(text = trimmed(text)).empty()) {
    std::size_t end = 0;
    if (is_iso_date(text)) end = 10;
    const auto parts_here = [&](std::size_t i) {
      return text[i] == ' ' || text[i] == '-' || (text[i] == 'T' && i > 0 && is_digit(text[i - 1]));
    };
    while (end < text.size() && !parts_here(end)) ++end;
    words.push_back(to_lower(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// A date and a time of day as they are told one after the other; the last of either counts [V].
struct Told {
  std::optional<Date> date;
  bool is_today = false;
  std::optional<std::int64_t> clock;
  std::string_view hours = {};  ///< the word of the clock, whose half of the day may follow

  bool take(const std::string& word, const Date& today, const Date& tomorrow) {
    const std::string_view before = std::exchange(hours, {});
    if (const bool now = word == "today"; now || word == "tomorrow") {
      date = now ? today : tomorrow;
      is_today = now;
      return true;
    }
    for (const Named& each : kClockWords) {
      if (word == each.word) {
        clock = each.seconds;
        return true;
      }
    }
    const bool ends_in_half = word.ends_with("am") || word.ends_with("pm");
    const std::string_view half =
        ends_in_half ? std::string_view(word).substr(word.size() - 2) : std::string_view();
    const std::string_view digits = std::string_view(word).substr(0, word.size() - half.size());
    const bool is_half = ends_in_half && digits.empty();
    if (const auto at = clock_of(is_half ? before : digits, half)) {
      clock = at;
      if (half.empty()) hours = word;
      return true;
    }
    const auto day = date_of(word);
    if (day) {
      date = day;
      is_today = false;
    }
    return day.has_value();
  }
};

Date date_at(SlurmTime at, const TimeZone& zone) {
  return date_of(zone.print(at).substr(0, 10)).value_or(Date{});
}

}  // namespace

std::optional<SlurmTime> read_time_words(std::string_view given, SlurmTime now,
                                         const TimeZone& zone) {
  const std::string text = to_lower(trimmed(given));
  if (const auto span = from_now(text)) return now + Seconds{*span};
  if (text.starts_with("uts")) {
    const auto seconds = text::parse_decimal(std::string_view(text).substr(3));
    if (!seconds || *seconds == 0 || *seconds > std::uint64_t{UINT32_MAX}) return std::nullopt;
    return from_epoch_seconds(static_cast<std::int64_t>(*seconds));
  }
  const Date today = date_at(now, zone);
  Date tomorrow = today;
  ++tomorrow.day;
  Told told;
  const std::vector<std::string> words = words_of(given);
  for (const std::string& word : words) {
    if (!told.take(word, today, tomorrow)) return std::nullopt;
  }
  if (words.empty()) return std::nullopt;
  const std::int64_t clock = told.clock.value_or(0);
  if (told.is_today && !told.clock) return now;
  Date date = told.date.value_or(today);
  const bool has_year = date.year != 0;
  if (!has_year) date.year = today.year;
  const auto moment = moment_of(date, clock, zone);
  if (!moment || *moment > now || (told.date && has_year)) return moment;
  if (told.date) ++date.year;  // without a year: the next such moment
  return moment_of(told.date ? date : tomorrow, clock, zone);
}

}  // namespace rehearse

// workloads/begin_time.cpp — the times that people type after --begin and --deadline.
//
// A clock time that has passed today means tomorrow; a date alone means its midnight (sbatch(1)).
#include <algorithm>
#include <charconv>
#include <vector>

#include "sim/config/units.hpp"
#include "workloads/local_time.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kDay = 86'400;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// `now`, `now+30`, `now+2hours`: seconds from now.
std::optional<std::int64_t> parse_relative(std::string_view text) {
  text.remove_prefix(3);
  if (text.empty()) return 0;
  const bool minus = text.front() == '-';
  if (!minus && text.front() != '+') return std::nullopt;
  text.remove_prefix(1);
  const std::size_t unit_at = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = number(text.substr(0, unit_at));
  constexpr std::int64_t kMost = 1LL << 32U;
  if (!count || *count > kMost) return std::nullopt;
  const std::string_view unit = text.substr(unit_at);
  struct Unit {
    std::string_view name;
    std::int64_t seconds;
  };
  constexpr Unit kUnits[] = {
      {"seconds", 1}, {"minutes", 60}, {"hours", 3600}, {"days", kDay}, {"weeks", 7 * kDay}};
  for (const Unit& known : kUnits) {
    // Slurm takes any beginning of the word.
    if (unit.size() <= known.name.size() &&
        equals_ignoring_case(unit, known.name.substr(0, unit.size()))) {
      return (minus ? -1 : 1) * *count * known.seconds;
    }
  }
  return std::nullopt;
}

/// Seconds after midnight of `16:00`, `16:00:30`, `4:00pm`, `noon` …
std::optional<std::int64_t> parse_clock(std::string_view text) {
  if (text == "midnight") return 0;
  if (text == "noon") return 12 * 3600;
  if (text == "fika") return 15 * 3600;
  if (text == "teatime" || text == "elevenses") return (text == "teatime" ? 16 : 11) * 3600;
  std::int64_t add = 0;
  bool half_day = false;
  if (text.size() > 2 &&
      (text.substr(text.size() - 2) == "am" || text.substr(text.size() - 2) == "pm")) {
    half_day = true;
    if (text[text.size() - 2] == 'p') add = 12 * 3600;
    text.remove_suffix(2);
  }
  std::int64_t parts[3] = {0, 0, 0};
  std::size_t count = 0;
  while (count < 3) {
    const std::size_t colon = text.find(':');
    const auto part = number(text.substr(0, colon));
    if (!part || *part < 0) return std::nullopt;
    parts[count++] = *part;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (count < 2 || parts[0] > (half_day ? 12 : 23) || parts[1] > 59 || parts[2] > 59) {
    return std::nullopt;
  }
  if (half_day && parts[0] == 12) parts[0] = 0;
  return parts[0] * 3600 + parts[1] * 60 + parts[2] + add;
}

/// Days since the epoch of `MM/DD`, `MM/DD/YY`, `MM.DD.YYYY`, `MMDDYY`, `YYYY-MM-DD`.
std::optional<std::int64_t> parse_date(std::string_view text, std::int64_t year_now) {
  std::vector<std::int64_t> parts;
  const bool dashed = text.find('-') != std::string_view::npos;
  if (text.size() == 6 && number(text)) {
    parts = {*number(text.substr(0, 2)), *number(text.substr(2, 2)), *number(text.substr(4, 2))};
  } else {
    while (true) {
      const std::size_t at = text.find_first_of("/.-");
      const auto part = number(text.substr(0, at));
      if (!part) return std::nullopt;
      parts.push_back(*part);
      if (at == std::string_view::npos) break;
      text.remove_prefix(at + 1);
    }
  }
  if (parts.size() == 2) parts.push_back(year_now);
  if (parts.size() != 3) return std::nullopt;
  if (dashed) return days_from_civil(parts[0], parts[1], parts[2]);
  if (parts[2] < 100) parts[2] += 2000;
  return days_from_civil(parts[2], parts[0], parts[1]);
}

std::int64_t year_of_days(std::int64_t days) {
  std::int64_t year = 1970 + days / 366;
  while (days_from_civil(year + 1, 1, 1).value_or(days + 1) <= days) ++year;
  return year;
}

}  // namespace

std::optional<SlurmTime> parse_begin_time(std::string_view raw, SlurmTime submit,
                                          LocalClock& clock) {
  const std::string lower = to_lower(raw);
  const std::string_view text = lower;
  if (text.substr(0, 3) == "now") {
    const auto span = parse_relative(text);
    if (!span) return std::nullopt;
    return submit + Seconds{*span};
  }
  // The local clock at the submit: the offset that maps its own neighbourhood back to it.
  const std::int64_t utc = epoch_seconds(submit);
  const std::int64_t offset = utc - epoch_seconds(clock.to_utc(utc).time);
  const std::int64_t local = utc + offset;
  const std::int64_t today = (local - (local % kDay + kDay) % kDay) / kDay;
  if (text == "today") return submit;
  if (text == "tomorrow") return clock.to_utc((today + 1) * kDay).time;
  if (const auto time = parse_clock(text)) {
    const std::int64_t at = today * kDay + *time;
    return clock.to_utc(at <= local ? at + kDay : at).time;
  }
  const std::size_t split = text.find_first_of("t ");
  const auto days = parse_date(text.substr(0, split), year_of_days(today));
  if (!days) return std::nullopt;
  if (split == std::string_view::npos) return clock.to_utc(*days * kDay).time;
  const auto time = parse_clock(text.substr(split + 1));
  if (!time) return std::nullopt;
  return clock.to_utc(*days * kDay + *time).time;
}

}  // namespace rehearse

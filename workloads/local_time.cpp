// workloads/local_time.cpp — Howard Hinnant's date library, asked only when the offset may change.
#include "workloads/local_time.hpp"

#include <date/tz.h>

#include <charconv>
#include <stdexcept>

#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kDay = 86'400;

/// The digits of text[at, at+count), or -1.
std::int64_t digits(std::string_view text, std::size_t at, std::size_t count) {
  std::int64_t value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    const char c = text[i];
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// `+02:00`, `-0530`, `+02`: seconds east.
std::optional<std::int64_t> zone_offset(std::string_view text) {
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::int64_t hours = digits(text, 1, 2);
  std::string_view rest = text.substr(3);
  if (!rest.empty() && rest.front() == ':') rest.remove_prefix(1);
  if (!rest.empty() && rest.size() != 2) return std::nullopt;
  const std::int64_t minutes = rest.empty() ? 0 : digits(rest, 0, 2);
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = hours * 3600 + minutes * 60;
  return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> days_from_civil(std::int64_t year, std::int64_t month,
                                            std::int64_t day) {
  // 32 bits of seconds end in 2106: what is later is a mistake, and would be simulated minute by
  // minute.
  if (year < 1900 || year > 2105 || month < 1 || month > 12 || day < 1 || day > 31) {
    return std::nullopt;
  }
  const date::year_month_day date{date::year{static_cast<int>(year)},
                                  date::month{static_cast<unsigned>(month)},
                                  date::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return date::sys_days{date}.time_since_epoch().count();
}

LocalClock::LocalClock(const std::string& iana_name) {
  if (iana_name.empty() || iana_name == "UTC" || iana_name == "Etc/UTC") return;
  try {
    zone_ = date::locate_zone(iana_name);
  } catch (const std::runtime_error&) {
    throw InputError({}, "time zone '" + iana_name + "' is not known",
                     "use a name of the IANA data base, as Europe/Oslo or America/Denver");
  }
}

UtcTime LocalClock::to_utc(std::int64_t local_seconds) {
  was_asked_ = true;
  if (zone_ == nullptr) return {from_epoch_seconds(local_seconds), std::nullopt, false};
  if (local_seconds >= from_ && local_seconds < until_) {
    return {from_epoch_seconds(local_seconds - offset_), std::nullopt, false};
  }
  const date::local_info info =
      zone_->get_info(date::local_seconds{std::chrono::seconds{local_seconds}});
  const std::int64_t first = info.first.offset.count();
  if (info.result == date::local_info::unique) {
    // Keep the part of the period whose local times no neighbouring period can share.
    offset_ = first;
    from_ = info.first.begin.time_since_epoch().count() + first + kDay;
    until_ = info.first.end.time_since_epoch().count() + first - kDay;
    return {from_epoch_seconds(local_seconds - first), std::nullopt, false};
  }
  const SlurmTime early = from_epoch_seconds(local_seconds - first);
  if (info.result == date::local_info::nonexistent) return {early, std::nullopt, true};
  return {early, from_epoch_seconds(local_seconds - info.second.offset.count()), false};
}

std::optional<std::int64_t> LocalClock::days_of(std::string_view date) {
  if (date == date_) return days_;
  if (date[4] != '-' || date[7] != '-') return std::nullopt;
  const auto days = days_from_civil(digits(date, 0, 4), digits(date, 5, 2), digits(date, 8, 2));
  if (!days) return std::nullopt;
  date_ = date;
  days_ = *days;
  return days;
}

ParsedTime parse_sacct_time(std::string_view text, LocalClock& clock) {
  constexpr std::size_t kLength = 19;  // YYYY-MM-DDTHH:MM:SS
  if (text.size() < kLength) {
    if (text.empty() || text == "Unknown" || text == "None" || text == "N/A") return {};
    if (all_digits(text) && text.size() <= 11) {
      const std::int64_t seconds = digits(text, 0, text.size());
      if (seconds == 0) return {};
      if (seconds > std::int64_t{UINT32_MAX}) return {TimeWord::Bad, {}};
      return {TimeWord::Told, {from_epoch_seconds(seconds), std::nullopt, false}};
    }
    return {TimeWord::Bad, {}};
  }
  const std::int64_t hour = digits(text, 11, 2), minute = digits(text, 14, 2),
                     second = digits(text, 17, 2);
  const bool framed = (text[10] == 'T' || text[10] == ' ') && text[13] == ':' && text[16] == ':';
  if (!framed || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) {
    return {TimeWord::Bad, {}};
  }
  constexpr std::size_t kDateLength = 10;
  const auto days = clock.days_of(text.substr(0, kDateLength));
  if (!days) return {TimeWord::Bad, {}};
  const std::int64_t local = *days * kDay + hour * 3600 + minute * 60 + second;
  std::string_view rest = text.substr(kLength);
  if (!rest.empty() && rest.front() == '.') {
    const std::size_t end = rest.find_first_not_of("0123456789", 1);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
  }
  if (rest.empty()) return {TimeWord::Told, clock.to_utc(local)};
  if (rest == "Z") return {TimeWord::Told, {from_epoch_seconds(local), std::nullopt, false}};
  const auto offset = zone_offset(rest);
  if (!offset) return {TimeWord::Bad, {}};
  return {TimeWord::Told, {from_epoch_seconds(local - *offset), std::nullopt, false}};
}

}  // namespace rehearse

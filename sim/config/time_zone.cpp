// sim/config/time_zone.cpp — zone rules from the system's data, by Howard Hinnant's date.
#include "sim/config/time_zone.hpp"

#include <date/tz.h>
#include <fmt/format.h>

#include <array>
#include <exception>

namespace rehearse {
namespace {

using SystemSeconds = date::sys_seconds;

SystemSeconds to_system(SlurmTime at) {
  return SystemSeconds{Seconds{epoch_seconds(at)}};
}

/// Exactly `width` digits at the front of `text`, taken off it.
std::optional<int> take_digits(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, width)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(width);
  return number;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// `Z`, `+02`, `+0200`, `+02:00`; none with `text` not empty: not an offset.
std::optional<Seconds> take_offset(std::string_view& text) {
  if (take(text, "Zz")) return Seconds{0};
  const bool west = text.starts_with('-');
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_digits(text, 2);
  if (!hours) return std::nullopt;
  take(text, ":");
  const auto minutes = text.empty() ? std::optional<int>(0) : take_digits(text, 2);
  if (!minutes) return std::nullopt;
  const Seconds east{*hours * 3600 + *minutes * 60};
  return west ? -east : east;
}

}  // namespace

std::optional<TimeZone> TimeZone::find(std::string_view name) {
  if (name == "UTC") return utc();
  TimeZone zone;
  zone.name_ = name;
  try {
    zone.zone_ = date::locate_zone(zone.name_);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return zone;
}

TimeZone TimeZone::utc() {
  TimeZone zone;
  zone.name_ = "UTC";
  return zone;
}

std::optional<SlurmTime> TimeZone::read(std::string_view text,
                                        std::optional<SlurmTime> earliest) const {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, "-/")) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, "-/")) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day || !take(text, "T ")) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  int second = 0;
  if (take(text, ":")) {
    const auto given = take_digits(text, 2);
    if (!given || *given > 60) return std::nullopt;
    second = *given;
    if (take(text, ".")) {
      while (take(text, "0123456789")) {
      }
    }
  }
  const date::year_month_day day_of{date::year{*year}, date::month{static_cast<unsigned>(*month)},
                                    date::day{static_cast<unsigned>(*day)}};
  if (!day_of.ok()) return std::nullopt;
  const date::local_seconds local =
      date::local_days{day_of} + Seconds{*hour * 3600 + *minute * 60 + second};
  if (!text.empty()) {
    const auto offset = take_offset(text);
    if (!offset || !text.empty()) return std::nullopt;
    return from_epoch_seconds((local.time_since_epoch() - *offset).count());
  }
  if (zone_ == nullptr) return from_epoch_seconds(local.time_since_epoch().count());
  const auto info = static_cast<const date::time_zone*>(zone_)->get_info(local);
  const SlurmTime first =
      from_epoch_seconds((local.time_since_epoch() - info.first.offset).count());
  if (info.result == date::local_info::ambiguous && earliest && first < *earliest) {
    return from_epoch_seconds((local.time_since_epoch() - info.second.offset).count());
  }
  return first;
}

std::optional<Time> TimeZone::read_instant(std::string_view text) const {
  const auto second = read(text);
  if (!second) return std::nullopt;
  Duration part{0};
  const std::size_t dot = text.find('.');
  std::string_view digits = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  for (Duration unit{100'000}; unit.count() > 0; unit /= 10) {
    const auto digit = take_digits(digits, 1);
    if (!digit) break;
    part += unit * *digit;
  }
  return Time{*second} + part;
}

std::string TimeZone::print(SlurmTime at) const {
  const Seconds local = Seconds{epoch_seconds(at)} + offset_at(at);
  const auto days = date::floor<date::days>(local);
  const date::year_month_day day_of{date::sys_days{days}};
  const date::hh_mm_ss clock{local - days};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(day_of.year()),
                     static_cast<unsigned>(day_of.month()), static_cast<unsigned>(day_of.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Seconds TimeZone::offset_at(SlurmTime at) const {
  if (zone_ == nullptr) return Seconds{0};
  return static_cast<const date::time_zone*>(zone_)->get_info(to_system(at)).offset;
}

}  // namespace rehearse

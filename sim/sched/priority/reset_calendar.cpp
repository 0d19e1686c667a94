// sim/sched/priority/reset_calendar.cpp — when usage is next set to nothing.
#include "sim/sched/priority/reset_calendar.hpp"

#include <chrono>

namespace rehearse {
namespace {

using Days = std::chrono::duration<std::int64_t, std::ratio<86400>>;
using LocalSeconds = std::chrono::sys_seconds;  // a wall clock reading, counted as if it were UTC

LocalSeconds to_local(SlurmTime at, const TimeZone& zone) {
  return LocalSeconds{at.time_since_epoch() + zone.offset_at(at)};
}

/// The instant of a local reading. The second look settles readings near a change of clocks.
SlurmTime to_utc(LocalSeconds local, const TimeZone& zone) {
  SlurmTime guess{local.time_since_epoch()};
  guess = SlurmTime{local.time_since_epoch() - zone.offset_at(guess)};
  return SlurmTime{local.time_since_epoch() - zone.offset_at(guess)};
}

SlurmTime skip_forward(SlurmTime next, SlurmTime now, Seconds period) {
  if (now <= next) return next;
  return next + (now - next) / period * period;
}

/// The first day of the month that is `step` months or fewer after `day`'s, at a multiple of
/// `step`.
std::chrono::year_month_day first_of_next(std::chrono::year_month_day day, unsigned step) {
  const unsigned month = static_cast<unsigned>(day.month()) - 1;
  const unsigned ahead = step - month % step;
  return (day.year() / day.month() + std::chrono::months{ahead}) / std::chrono::day{1};
}

}  // namespace

std::optional<SlurmTime> next_usage_reset(UsageResetPeriod period, SlurmTime last, SlurmTime now,
                                          const TimeZone& zone) {
  const LocalSeconds local = to_local(last, zone);
  const auto today = std::chrono::floor<std::chrono::days>(local);
  const SlurmTime midnight = to_utc(today, zone);
  const std::chrono::year_month_day date{today};
  const auto month_start = [&](unsigned step) {
    return to_utc(std::chrono::sys_days{first_of_next(date, step)}, zone);
  };
  switch (period) {
    case UsageResetPeriod::None:
    case UsageResetPeriod::Now:
      return std::nullopt;
    case UsageResetPeriod::Daily:
      return skip_forward(midnight + Days{1}, now, Days{1});
    case UsageResetPeriod::Weekly: {
      const unsigned weekday = std::chrono::weekday{today}.c_encoding();  // Sunday is 0
      return skip_forward(midnight + Days{7 - weekday}, now, Days{7});
    }
    case UsageResetPeriod::Monthly:
      return month_start(1);
    case UsageResetPeriod::Quarterly:
      return month_start(3);
    case UsageResetPeriod::Yearly:
      return month_start(12);
  }
  return std::nullopt;
}

}  // namespace rehearse

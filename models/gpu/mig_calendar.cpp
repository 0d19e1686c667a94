// models/gpu/mig_calendar.cpp — days of the week and dates, each looked at for itself.
#include "models/gpu/mig_calendar.hpp"

#include <chrono>

namespace rehearse {
namespace {

using LocalSeconds = std::chrono::sys_seconds;  // a wall clock reading, counted as if it were UTC

/// The instant of a local reading. The second look settles readings near a change of clocks.
SlurmTime to_utc(LocalSeconds local, const TimeZone& zone) {
  const SlurmTime reading{local.time_since_epoch()};
  const SlurmTime guess = reading - zone.offset_at(reading);
  return reading - zone.offset_at(guess);
}

}  // namespace

std::optional<SlurmTime> next_change(const MigChangeLine& line, SlurmTime now,
                                     const TimeZone& zone) {
  if (!line.time_of_day) {
    const auto at = zone.read(line.date);
    return at && *at > now ? at : std::nullopt;
  }
  constexpr int kDaysAhead = 8;  // a week, and today's reading may be over
  const LocalSeconds local{now.time_since_epoch() + zone.offset_at(now)};
  auto day = std::chrono::floor<std::chrono::days>(local);
  for (int ahead = 0; ahead <= kDaysAhead; ++ahead, day += std::chrono::days{1}) {
    if (!line.days[std::chrono::weekday{day}.c_encoding()]) continue;
    const SlurmTime at = to_utc(LocalSeconds{day} + *line.time_of_day, zone);
    if (at > now) return at;
  }
  return std::nullopt;
}

bool coincide(const MigChangeLine& a, const MigChangeLine& b, const TimeZone& zone) {
  if (a.time_of_day != b.time_of_day) return false;
  if (!a.time_of_day) return zone.read(a.date) == zone.read(b.date);
  for (std::size_t day = 0; day < a.days.size(); ++day) {
    if (a.days[day] && b.days[day]) return true;
  }
  return false;
}

}  // namespace rehearse

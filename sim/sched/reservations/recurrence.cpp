// sim/sched/reservations/recurrence.cpp — an hour, or days on the local calendar.
#include "sim/sched/reservations/recurrence.hpp"

#include <cstdint>

namespace rehearse {
namespace {

constexpr std::int64_t kDay{24 * 3600};

/// 0: Sunday, on the local calendar.
std::int64_t weekday_of(SlurmTime at, const TimeZone& zone) {
  const std::int64_t local = epoch_seconds(at) + zone.offset_at(at).count();
  const std::int64_t day = local >= 0 ? local / kDay : (local - kDay + 1) / kDay;
  constexpr std::int64_t kThursday = 4;  // 1970-01-01
  return ((day + kThursday) % 7 + 7) % 7;
}

std::int64_t days_until_next(SlurmTime start, ReservationFlags flags, const TimeZone& zone) {
  const std::int64_t weekday = weekday_of(start, zone);
  constexpr std::int64_t kSunday = 0, kFriday = 5, kSaturday = 6;
  if (flags.has(ReservationFlag::Daily)) return 1;
  if (flags.has(ReservationFlag::Weekly)) return 7;
  if (flags.has(ReservationFlag::Weekday)) {
    return weekday == kFriday ? 3 : weekday == kSaturday ? 2 : 1;
  }
  if (flags.has(ReservationFlag::Weekend)) {
    return weekday == kSunday ? 6 : kSaturday - weekday + (weekday == kSaturday ? 1 : 0);
  }
  return 0;
}

SlurmTime days_later(SlurmTime at, std::int64_t days, const TimeZone& zone) {
  const SlurmTime plain = at + Seconds{days * kDay};
  return plain + (zone.offset_at(at) - zone.offset_at(plain));
}

}  // namespace

ReservationSpan next_occurrence(const ReservationSpan& span, ReservationFlags flags,
                                const TimeZone& zone) {
  if (flags.has(ReservationFlag::Hourly)) {
    return {span.start + Seconds{3600}, span.end + Seconds{3600}};
  }
  const std::int64_t days = days_until_next(span.start, flags, zone);
  return {days_later(span.start, days, zone), days_later(span.end, days, zone)};
}

}  // namespace rehearse

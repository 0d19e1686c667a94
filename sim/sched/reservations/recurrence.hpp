// sim/sched/reservations/recurrence.hpp — when a reservation comes again (lifecycle.md §13).
#pragma once

#include "sim/cluster/reservation.hpp"
#include "sim/config/time_zone.hpp"

namespace rehearse {

/// Start and end of the next occurrence: the clock of the zone is kept over a change of clocks.
/// `span` itself if the reservation does not recur.
[[nodiscard]] ReservationSpan next_occurrence(const ReservationSpan& span, ReservationFlags flags,
                                              const TimeZone& zone);

}  // namespace rehearse

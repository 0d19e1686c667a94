// sim/sched/preempt/borrowed.cpp — a job that runs on nodes of a reservation with MaxStartDelay
// gives them back to a member, whatever the rule of the pair (preemption.md §2).
#include <algorithm>

#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/reservations/view.hpp"

namespace rehearse {

bool Preemption::borrows_from(const Job& victim, const Job& preemptor) const {
  if (preemptor.reservations.empty() || victim.reservation) return false;
  const auto signal = warned_before(victim, 'R');
  return signal && std::any_of(preemptor.reservations.begin(), preemptor.reservations.end(),
                               [&](ReservationId id) {
                                 const Reservation& lent = cluster_.reservations[id];
                                 return lent.max_start_delay && *signal <= *lent.max_start_delay &&
                                        victim.allocated_nodes.intersects(lent.nodes);
                               });
}

}  // namespace rehearse

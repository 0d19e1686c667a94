// sim/sched/reservations/access.hpp — whose jobs may use a reservation (lifecycle.md §13).
#pragma once

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// Resolves the lists of `words` into `access`: names, and associations where slurmctld enforces
/// them. What it would refuse (unknown accounts, users without association) is told in `found`.
void resolve_access(const ReservationWords& words, const Cluster& cluster, NamePool& names,
                    ReservationAccess& access, Diagnostics& found);

/// True if the job may use the reservation. A floating one admits nobody.
[[nodiscard]] bool may_use(const Reservation& reservation, const Job& job, const Cluster& cluster);

}  // namespace rehearse

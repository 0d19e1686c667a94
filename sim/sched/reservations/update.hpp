// sim/sched/reservations/update.hpp — `scontrol update reservation`, and nodes that are exchanged.
#pragma once

#include <optional>
#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/config/time_zone.hpp"

namespace rehearse {

/// Changes `reservation`; the words with which slurmctld refuses, and then nothing is changed.
[[nodiscard]] std::optional<std::string> update_reservation(const ReservationWords& words,
                                                            Reservation& reservation,
                                                            Cluster& cluster, const TimeZone& zone,
                                                            SlurmTime now);

/// True if its nodes were chosen by count, or are the one on which its cores were found, and others
/// may take their place (lifecycle.md §13).
[[nodiscard]] bool may_be_exchanged(const Reservation& reservation);

/// Nodes of such a reservation that are down (REPLACE: or allocated) are exchanged where others can
/// be had; one of cores then has the whole of the other node. True if there was one.
bool exchange_nodes(Reservation& reservation, const Cluster& cluster, SlurmTime now);

}  // namespace rehearse

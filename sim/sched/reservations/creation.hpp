// sim/sched/reservations/creation.hpp — from words to a reservation, or Slurm's refusal.
#pragma once

#include <string>
#include <variant>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// What can be judged before the run: nodes, partitions, licences, users and accounts that do not
/// exist are errors in `found`. Names of features and licences are interned.
void check_names(const ReservationWords& words, const Cluster& cluster, NamePool& names,
                 Diagnostics& found);

/// What `scontrol show reservation` printed: taken as it is, but for nodes that a change took away
/// or made (told). None: there are no others.
[[nodiscard]] std::optional<Reservation> recorded_reservation(const ReservationWords& words,
                                                              const Cluster& cluster,
                                                              NamePool& names, Diagnostics& found);

/// `scontrol create reservation` at `now`: the reservation (not in the table yet), or the words
/// with which slurmctld refuses it.
[[nodiscard]] std::variant<Reservation, std::string> create_reservation(
    const ReservationWords& words, Cluster& cluster, SlurmTime now);

/// The named nodes, or all.
[[nodiscard]] NodeSet named_nodes(const ReservationWords& words, const Cluster& cluster);

}  // namespace rehearse

// sim/controller/core_tables.hpp — whose cores the select tables know, where jobs run beside each
// other because one of them was resumed.
#pragma once

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/controller/admin_command.hpp"

namespace rehearse {

/// True if a job asks to share cores (--oversubscribe), or a command may have it do so or find
/// cores taken: one that changes what a job asks for, and `scontrol resume`.
[[nodiscard]] bool may_ask_to_share(const RequestTable& requests,
                                    const std::vector<AdminCommandAt>& commands);

/// True if a command lays a FORCE partition over the nodes of another.
[[nodiscard]] bool lays_force_over(const SlurmConf& conf,
                                   const std::vector<AdminCommandAt>& commands);

/// True if others hold some of these cores, where jobs do not share any by themselves.
[[nodiscard]] bool cores_are_taken(const Allocation& allocation, const Ledger& ledger);

/// An update of a partition has slurmctld enter all jobs anew, in the order of its list: whose
/// cores an earlier one has is not entered, and its cores on all of its nodes are free for others,
/// as those of a job are that an admin has stopped (lifecycle.md §10).
void enter_cores_anew(Cluster& cluster);

/// So are their shards and mps: a GPU that looked free, as one of several holders had ended, is
/// marked as held again (gres.md §4.5).
void mark_devices_anew(Cluster& cluster);

}  // namespace rehearse

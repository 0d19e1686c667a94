// sim/sched/relative_limits.hpp — the limits of a QOS with the flag Relative, as amounts.
#pragma once

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// From 23.11 on the TRES limits of such a QOS are percentages, 100 at most, of what the partition
/// has whose QOS it is, else of what the cluster has, whatever the state of its nodes; fractions
/// are cut (limits.md §13). Limits on jobs and on wall time are none. To be called again where
/// limits or partitions have changed: it starts from what sacctmgr tells.
void settle_relative_limits(Cluster& cluster);

}  // namespace rehearse

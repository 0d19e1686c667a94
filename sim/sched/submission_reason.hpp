// sim/sched/submission_reason.hpp — why a batch job waits before any pass has looked at it
// (scheduling.md §2.3).
#pragma once

#include <span>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/reason.hpp"

namespace rehearse {

/// The Reason that its submission gives `job`, which is no array, depends on nothing and may begin.
/// `pending`: the others; `configured`: nodes whose configuration can serve it. None: the next pass
/// decides.
[[nodiscard]] Reason submission_reason(const Cluster& cluster, const Job& job,
                                       std::span<const JobIndex> pending, const NodeSet& configured,
                                       SlurmTime now);

}  // namespace rehearse

// sim/sched/job_totals.hpp — what a job asks of all its nodes together (--gpus, -n without -N),
// against what is free on them and what running jobs will give back.
//
// Such a job needs no certain number of nodes, nor a certain number of devices on any of them: only
// the sum tells that it cannot start yet.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/departures.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// True if the request counts some GRES, or its CPUs, over all nodes.
[[nodiscard]] bool asks_for_totals(const EffectiveRequest& request);

/// How many jobs must leave, in the order of `leaving`, before as many of the candidates as the
/// request allows together have all that it counts so; none: they never have. Fewer never do;
/// whether as many suffice is not said.
[[nodiscard]] std::optional<std::size_t> ends_for_totals(const Cluster& cluster,
                                                         const EffectiveRequest& request,
                                                         const NodeSet& candidates,
                                                         const std::vector<Departure>& leaving);

}  // namespace rehearse

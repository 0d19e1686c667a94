// sim/sched/select/quick_test.hpp — a necessary condition, cheap enough to ask before each
// placement.
#pragma once

#include <cstdint>

#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// False only if fewer than `query.min_nodes` of the candidates have the free CPUs, memory and
/// devices that every node of the job must give: then no layout exists. True says nothing.
[[nodiscard]] bool may_fit(const PlacementQuery& query, const EffectiveRequest& request,
                           const IdVector<NodeId, Node>& nodes);

}  // namespace rehearse

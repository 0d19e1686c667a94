// sim/sched/select/quick_test.hpp — a necessary condition, cheap enough to ask before each
// placement.
#pragma once

#include <cstdint>

#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// The candidates that have the free memory and devices that every node of the job must give, and
/// no job where it wants whole nodes. The others are in no layout; of these, nothing is said.
[[nodiscard]] NodeSet may_serve(const PlacementQuery& query, const EffectiveRequest& request,
                                const IdVector<NodeId, Node>& nodes);

}  // namespace rehearse

// sim/sched/select/on_nodes.hpp — a question of placement, asked of other nodes.
#pragma once

#include "sim/sched/policy.hpp"

namespace rehearse {

/// The same question on other candidates, which must outlive it.
[[nodiscard]] PlacementQuery on_nodes(const PlacementQuery& query, const NodeSet& candidates);

}  // namespace rehearse

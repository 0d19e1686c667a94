// sim/sched/reservations/leaf_pick.hpp — nodes of a reservation under topology/tree: of one leaf
// where they suffice (lifecycle.md §13).
#pragma once

#include <cstdint>

#include "sim/cluster/topology.hpp"

namespace rehearse {

/// `count` of `free`: those of the leaf with the fewest that suffice, else of the lowest switch
/// below which there are enough, its largest leaf first. Empty: no switch has enough.
[[nodiscard]] NodeSet pick_by_leaves(const Topology& tree, const NodeSet& free,
                                     std::uint32_t count);

}  // namespace rehearse

// sim/sched/allocated_nodes.hpp — the nodes of an allocation, as a set.
#pragma once

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/ids.hpp"

namespace rehearse {

/// The nodes that `allocation` is on, among `node_count` of the cluster.
[[nodiscard]] inline NodeSet nodes_of(const Allocation& allocation, std::size_t node_count) {
  NodeSet nodes(node_count);
  for (const NodeShare& share : allocation.nodes) nodes.set(index_of(share.node));
  return nodes;
}

}  // namespace rehearse

// sim/sched/allocated_nodes.hpp — the nodes of an allocation, or of a list, as a set.
#pragma once

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/cluster/ids.hpp"

namespace rehearse {

/// The nodes that `allocation` is on, among `node_count` of the cluster.
[[nodiscard]] inline NodeSet nodes_of(const Allocation& allocation, std::size_t node_count) {
  NodeSet nodes(node_count);
  for (const NodeShare& share : allocation.nodes) nodes.set(index_of(share.node));
  return nodes;
}

/// The nodes of these names that there are.
[[nodiscard]] inline NodeSet nodes_named(const Cluster& cluster, const std::vector<NameId>& names) {
  NodeSet nodes(cluster.nodes.size());
  for (const NameId name : names) {
    if (const auto node = cluster.find_node(name)) nodes.set(index_of(*node));
  }
  return nodes;
}

}  // namespace rehearse

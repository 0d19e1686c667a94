// sim/sched/reservations/node_pick.hpp — which nodes and cores a reservation of counts gets
// (lifecycle.md §13).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// What is asked for. The reservation itself is not looked at, so that it can be picked for anew.
struct NodePick {
  const Reservation& reservation;
  std::vector<std::uint32_t> node_counts, core_counts;  ///< empty: not asked for
  std::optional<NodeSet> among;  ///< of nodes that were named; else the partition's
};

struct PickedNodes {
  NodeSet nodes;
  CoresByNode cores;  ///< empty: whole nodes
};

/// Nodes that are free when it begins, in index order or close to each other under topology/tree.
/// None: there are not enough.
[[nodiscard]] std::optional<PickedNodes> pick_nodes(const Cluster& cluster, const NodePick& pick,
                                                    SlurmTime now);

/// Nodes with the features, as -C has them; all for an empty expression.
[[nodiscard]] NodeSet nodes_with(const Cluster& cluster, std::string_view expression);

/// True if the reservation would meet one of the others that it must not, now or (for those that
/// recur) within a week.
[[nodiscard]] bool meets_another(const Cluster& cluster, const Reservation& reservation,
                                 const NodeSet& nodes, const CoresByNode& cores);

/// True if a running job holds one of `nodes` beyond the begin of the reservation.
[[nodiscard]] bool meets_jobs(const Cluster& cluster, const Reservation& reservation,
                              const NodeSet& nodes);

}  // namespace rehearse

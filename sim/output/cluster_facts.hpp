// sim/output/cluster_facts.hpp — what a result keeps of the cluster itself, and small readings of
// it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/output/result.hpp"

namespace rehearse {

/// Nodes, partitions, QOS, associations and priority weights, by the indexes of the cluster.
[[nodiscard]] ClusterFacts facts_of(const Cluster& cluster);
/// The settings of its priorities, as they are now.
[[nodiscard]] PriorityFacts priority_facts_of(const Cluster& cluster);

/// GPUs of a node in thousandths: the units of its GRES `gpu`.
[[nodiscard]] std::int64_t gpu_milli_of(const Node& node, const NamePool& names);
/// GPUs that a job holds of a node in thousandths; of an mps or shard device its part, rounded
/// down.
[[nodiscard]] std::int64_t gpu_milli_of(const NodeShare& share, const Node& node,
                                        const NamePool& names);
/// `gres:gpu:a100:8`, the requested GRES of each node as squeue's %b prints it; empty: none.
[[nodiscard]] std::string tres_per_node_text(const Request& request, const NamePool& names,
                                             SlurmVersion version);
[[nodiscard]] std::uint16_t flags_of(const NodeState& state);

}  // namespace rehearse

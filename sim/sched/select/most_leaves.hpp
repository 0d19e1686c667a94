// sim/sched/select/most_leaves.hpp — `--switches=n` before its wait is over (scheduling.md §6.6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sim/cluster/topology.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"
#include "sim/sched/select/registry.hpp"

namespace rehearse {

/// True while the job waits for as few leaf switches as it asks for.
[[nodiscard]] inline bool heeds_switches(const Job& job, const Request& request) {
  return request.switches.value_or(0) > 0 && !job.any_switches;
}

/// Of how many leaf switches a placement may have nodes; none: of any number.
[[nodiscard]] inline std::optional<std::uint32_t> most_leaves(const PlacementQuery& query,
                                                              const EffectiveRequest& request,
                                                              const SelectContext& context) {
  if (!heeds_switches(query.job, query.request) || query.ignore_use) return std::nullopt;
  const auto& most = query.request.switches;
  if (context.conf.select_type == SelectType::Linear) return most;
  const bool busy_first = query.without_jobs != nullptr && query.on_copy;  // bf_busy_nodes
  const bool tree_chooses = !busy_first && !request.lln && !request.spread && !request.contiguous;
  return tree_chooses ? most : std::nullopt;
}

/// Leaf switches that these nodes touch; 0: no topology/tree.
[[nodiscard]] inline std::uint32_t count_leaves(const Topology* topology, const NodeSet& nodes) {
  if (topology == nullptr) return 0;
  const auto& switches = topology->switches;
  const auto leaves = std::count_if(switches.begin(), switches.end(), [&](const Switch& leaf) {
    return leaf.level == 0 && leaf.nodes.intersects(nodes);
  });
  return static_cast<std::uint32_t>(leaves);
}

}  // namespace rehearse

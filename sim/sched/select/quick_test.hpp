// sim/sched/select/quick_test.hpp — a necessary condition, cheap enough to ask before each
// placement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// Takes from `nodes` those without the free memory, CPUs and devices that every node of the job
/// must give, or with a job where it wants whole nodes. They are in no layout; of the others
/// nothing is said.
void drop_unable(NodeSet& nodes, const Ledger& ledger, const EffectiveRequest& request,
                 const IdVector<NodeId, Node>& all);

/// True if nodes that leaves_needed() rules out, and drop_unable() does not, may decide which of
/// the others the job gets.
[[nodiscard]] inline bool decide_who_is_chosen(const EffectiveRequest& request) {
  return request.tests_all_cores_first || request.cpus_left_for_one > request.cpus_of_each_node;
}

/// SelectPlugin::leaves_needed by the same condition, and by the CPUs that are left for one node.
[[nodiscard]] std::optional<std::size_t> leaves_needed(const Node& node, const Ledger& ledger,
                                                       const EffectiveRequest& request,
                                                       std::span<const LeavingJob> leaving);

/// CPUs of the node, as many of a core as the job may use, where so many of its cores are held: no
/// fewer than a placement finds.
[[nodiscard]] std::uint64_t free_cpus_of(const Node& node, std::size_t held_cores,
                                         const EffectiveRequest& request);

/// Units of it that no job holds on the node: no fewer than a placement finds. Those of GRES that
/// are not counted by device: UINT64_MAX.
[[nodiscard]] std::uint64_t free_units_of(const Node& node, const Ledger& ledger,
                                          const EffectiveGres& wanted);
/// Units of it that a job holds there.
[[nodiscard]] std::uint64_t units_held(const Node& node, const NodeShare& share,
                                       const EffectiveGres& wanted);

}  // namespace rehearse

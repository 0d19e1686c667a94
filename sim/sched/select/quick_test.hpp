// sim/sched/select/quick_test.hpp — a necessary condition, cheap enough to ask before each
// placement.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// Takes from `nodes` those without the free memory and devices that every node of the job must
/// give, or with a job where it wants whole nodes. They are in no layout; of the others nothing is
/// said.
void drop_unable(NodeSet& nodes, const Ledger& ledger, const EffectiveRequest& request,
                 const IdVector<NodeId, Node>& all);

/// SelectPlugin::leaves_needed by the same condition.
[[nodiscard]] std::optional<std::size_t> leaves_needed(const Node& node, const Ledger& ledger,
                                                       const EffectiveRequest& request,
                                                       std::span<const LeavingJob> leaving);

}  // namespace rehearse

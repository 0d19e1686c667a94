// sim/sched/select/certain_cpus.hpp — how many CPUs a request gets wherever it is placed.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/sched/policy.hpp"
#include "sim/sched/select/context.hpp"
#include "sim/sched/select/prepared_request.hpp"

namespace rehearse {

/// Of every allocation of the request on `min_nodes` to `max_nodes` nodes of the partition,
/// whatever else is held (scheduling.md §6.7); none: it depends on the nodes, or may.
[[nodiscard]] std::optional<CertainCpus> certain_cpus(const PreparedRequest& prepared,
                                                      const SelectContext& context,
                                                      const Partition& partition,
                                                      std::uint32_t min_nodes,
                                                      std::uint32_t max_nodes);

}  // namespace rehearse

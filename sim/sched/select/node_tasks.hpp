// sim/sched/select/node_tasks.hpp — what a node must have, and may count for, by the tasks of a
// job.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// [MiB]; 0: memory is not asked for by CPU.
[[nodiscard]] inline std::uint64_t memory_of_cpu(const Scene& scene) {
  const EffectiveRequest& request = scene.request;
  if (request.memory_mode == MemoryMode::PerCpu) return request.memory_mib;
  return scene.first ? request.first_cpu_mib : 0;
}

/// Tasks of the job on one node, as far as the request says.
struct NodeTasks {
  std::uint32_t min = 1;
  std::optional<std::uint32_t> max;  ///< none: open, and no core is trimmed
};
[[nodiscard]] NodeTasks tasks_on_node(const Scene& scene, const Node& node);

/// One task a core: the node counts for as many tasks as fit, of a job of one task too.
[[nodiscard]] bool fills_node(const EffectiveRequest& request);

/// That the tasks of a node need. With -O it is one of them, or those of --ntasks-per-node, but of
/// those of GPUs each, and under select/cons_res (scheduling.md §6.7).
[[nodiscard]] std::uint64_t least_cpus(const Scene& scene, const Node& node);

/// With GRES a node counts for whole tasks only (scheduling.md §6.2), and with GPUs per task for no
/// more than its free GPUs have, whatever the job's total (recording `mixed`: two and two tasks on
/// nodes with two free GPUs each; of two nodes with enough GPUs the one with fewer is the better
/// fit); `near`: than those beside free cores. Under CR_Core with memory by CPU what is too much
/// goes core by core, and may take a task with it; so it does, with all its threads, where tasks
/// leave some idle (gres.md §3.2).
[[nodiscard]] std::uint32_t limit_by_tasks(const Scene& scene, const Node& node,
                                           const NodeOffer& offer, const Offers& offers, bool near);

}  // namespace rehearse

// sim/sched/select/distribution.hpp — from taken nodes to CPUs and cores (scheduling.md §6.7).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sched/select/choose.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// What one node of the allocation gets.
struct NodeLayout {
  std::uint32_t offer = 0;  ///< position in Offers::nodes
  std::uint32_t tasks = 0;
  std::uint32_t cpus = 0;  ///< charged
  CoreSet cores;
  std::uint32_t used_cpus = 0;  ///< by its tasks, before cores are counted
};

/// In the order of `taken`.
[[nodiscard]] std::vector<NodeLayout> distribute(const Scene& scene, const Offers& offers,
                                                 const std::vector<TakenNode>& taken);

/// The cores that a job gets of a node that it takes whole.
[[nodiscard]] CoreSet whole_node(const EffectiveRequest& request, const Node& node);

/// How many CPUs each node's tasks use, before cores are counted.
struct TaskShare {
  std::uint32_t tasks = 0;
  std::uint32_t cpus = 0;
};
[[nodiscard]] std::vector<TaskShare> deal_tasks(const Scene& scene, const Offers& offers,
                                                const std::vector<TakenNode>& taken);

/// What to take of one node's cores.
struct CoreWish {
  std::uint32_t cores = 0;
  std::uint32_t tasks = 0;
  std::uint16_t cpus_per_core = 1;
  std::vector<bool> required_sockets;  ///< must give a core first; empty: none
};
/// Cyclic over sockets, packed by task, or socket by socket.
[[nodiscard]] CoreSet pick_cores(const Scene& scene, const Node& node, const CoreSet& from,
                                 const CoreWish& wish);

}  // namespace rehearse

// sim/sched/select/placement_layout.cpp — what a job gets of each node that was chosen: cores,
// devices, memory.
#include <algorithm>

#include "sim/sched/select/distribution.hpp"
#include "sim/sched/select/gres_pick.hpp"
#include "sim/sched/select/placement.hpp"

namespace rehearse {
namespace {

/// Of a node that counted for threads which its tasks leave idle.
bool has_too_few(const Scene& scene, const Offers& offers, const NodeLayout& layout) {
  const EffectiveRequest& request = scene.request;
  const OfferedNode& offered = offers.nodes[layout.offer];
  if (!request.may_lack_cores) return false;
  if (!counts_idle_threads(request, scene.nodes[offered.node], offers.of(offered))) return false;
  return layout.cores.count() * offers.of(offered).cpus_per_core < layout.used_cpus;
}

}  // namespace

bool Placement::has_layout(const Scene& test) {
  switch (layout_) {
    case Layout::Unasked:
      return true;
    case Layout::Exists:
      if (query_.future && surely_picks_gres(test, offers_, taken_)) return true;
      break;
    case Layout::Made:
      break;
  }
  return lay_out(test);
}

/// With all threads of their cores.
std::uint32_t Placement::cpus_of_taken() {
  for (const TakenNode& node : taken_) query_.complete(offers_.nodes[node.offer].node);
  std::uint32_t cpus = 0;
  for (const NodeLayout& layout : distribute(scene(), offers_, taken_)) cpus += layout.cpus;
  return cpus;
}

std::uint64_t Placement::memory_of(const Node& node, const NodeShare& share) const {
  switch (request_->memory_mode) {
    case MemoryMode::None:
      return 0;
    case MemoryMode::PerNode:
      return request_->memory_mib == 0 ? node.memory_mib : request_->memory_mib;
    case MemoryMode::PerCpu: {
      const std::uint32_t of_core = memory_cpus_per_core(*request_, node);
      // Threads that the job cannot use are charged, but for its memory (§6.1), and so are cores of
      // its sockets that it does not have (§6.7) and those that a higher tier holds (§6.3).
      const bool fewer = of_core < node.cpus_per_core && share.cpus == node.cpus_of(share.cores);
      const CoreSet cores = view_->beside_overlaid(query_.ledger, share);
      const bool by_cores = fewer || cores != share.cores || scene().unit == ConsumableUnit::Socket;
      return request_->memory_mib * (by_cores ? cores.count() * of_core : share.cpus);
    }
    case MemoryMode::PerGpu:
      break;
  }
  std::uint64_t gpus = 0;
  for (const DeviceShare& device : share.devices) {
    const NameId name = node.gres[device.gres].name;
    const bool tied = std::any_of(
        request_->gres.begin(), request_->gres.end(),
        [&](const EffectiveGres& gres) { return gres.name == name && gres.mem_per_gres_mib > 0; });
    if (tied) gpus += device.units;
  }
  return gpus * request_->memory_mib;
}

bool Placement::lay_out(const Scene& test) {
  for (const TakenNode& node : taken_) query_.complete(offers_.nodes[node.offer].node);
  const std::vector<NodeLayout> layouts = distribute(test, offers_, taken_);
  allocation_ = {};
  allocation_.whole_nodes = request_->whole_nodes;
  allocation_.reserves_nodes = request_->reserves_nodes;
  allocation_.shares_cores = request_->shares_cores;
  const bool is_start = !query_.future && !query_.ignore_use;
  for (const NodeLayout& layout : layouts) {
    // Also of times to come tasks have the cores that they were counted for (gres.md §3.2).
    if (!query_.ignore_use && has_too_few(test, offers_, layout)) {
      lacks_cores_ = true;
      return false;
    }
    NodeShare share;
    share.node = offers_.nodes[layout.offer].node;
    share.cpus = layout.cpus;
    share.cores = layout.cores;
    allocation_.cpus += layout.cpus;
    allocation_.nodes.push_back(std::move(share));
  }
  // The "ever run" test counts, it does not pick: mps and shard may pass it and never start.
  if (!pick_gres(test, offers_, layouts, allocation_.nodes) && !query_.ignore_use) return false;
  for (NodeShare& share : allocation_.nodes) {
    const Node& node = context_.nodes[share.node];
    share.memory_mib = memory_of(node, share);
    // Only a start asks whether all is there, not the choice of victims (preemption.md §4): cores
    // that one task has for itself were not counted (scheduling.md §6.2). Nobody asks it of GPUs,
    // whose memory may exceed the node's (gres.md §3.3).
    const bool is_asked = is_start && !query_.on_copy;
    if (!is_asked || request_->memory_mode == MemoryMode::PerGpu ||
        share.memory_mib <= free_memory(test, node)) {
      continue;
    }
    refused_cpus_ = allocation_.cpus;
    return false;
  }
  return true;
}

}  // namespace rehearse

// sim/sched/select/node_tasks.cpp — what a node must have, and may count for, by the tasks of a
// job.
#include "sim/sched/select/node_tasks.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// That GPUs bring to a node: all of those that it gives itself, or of the job's as many as if each
/// of the fewest nodes had its share (gres.md §2.4). -O lets nodes that have not all GPUs share.
std::uint64_t tasks_of_gpus(const EffectiveRequest& request, const Node& node) {
  std::uint64_t of_node = 1, nodes = request.min_nodes;
  for (const EffectiveGres& wanted : request.gres) {
    if (!wanted.is_gpu) continue;
    of_node = std::max(of_node, wanted.per_node * request.ntasks_per_gpu);
    for (const NodeGres& own : node.gres) {
      if (!request.overcommit || own.name != wanted.name || own.total == 0) continue;
      nodes = std::max(nodes, (wanted.per_job + own.total - 1) / own.total);
    }
  }
  return request.per_job_gres ? (request.num_tasks + nodes - 1) / nodes : of_node;
}

/// As many as one socket, or one core, may have: with fewer no node is of use (scheduling.md §6.2).
std::uint64_t tasks_of_part(const EffectiveRequest& request) {
  if (request.ntasks_per_socket > 0) return request.ntasks_per_socket;
  return std::max<std::uint64_t>(request.ntasks_per_core, 1);
}

/// `cpus`, of which as many cores of `each` threads go as are too many for `most`.
std::uint32_t less_by_whole_cores(std::uint32_t cpus, std::uint64_t most, std::uint32_t each) {
  if (cpus <= most) return cpus;
  const std::uint64_t surplus = (cpus - most + each - 1) / each * each;
  return static_cast<std::uint32_t>(cpus - std::min<std::uint64_t>(cpus, surplus));
}

bool is_fixed(const Scene& scene) {
  return scene.request.max_nodes == scene.request.min_nodes;
}

}  // namespace

bool fills_node(const EffectiveRequest& request) {
  if (!request.one_task_per_core || request.ntasks_per_core > 0) return false;
  if (request.ntasks_per_node > 0) return request.cpus_per_task == 1;
  return request.ntasks_per_socket == 0;
}

NodeTasks tasks_on_node(const Scene& scene, const Node& node) {
  const EffectiveRequest& request = scene.request;
  NodeTasks tasks;
  if (request.ntasks_per_node > 0) {
    tasks = {request.ntasks_per_node, request.ntasks_per_node};
  } else if (request.ntasks_per_socket > 0) {
    const std::uint16_t of_socket = request.ntasks_per_socket;
    tasks = {scene.is_cons_res ? 1U : of_socket, std::uint32_t{of_socket} * node.sockets};
  } else if (request.ntasks_per_core > 0) {
    tasks = {request.ntasks_per_core, request.ntasks_per_core * node.core_count()};
  } else if (request.max_nodes == 1U && request.num_tasks > 0) {
    tasks = {request.num_tasks, request.num_tasks};
  } else if (request.num_tasks == 1 ||
             (request.num_tasks > 0 && is_fixed(scene) && request.num_tasks == request.min_nodes &&
              !request.gives_for_all_tasks)) {
    tasks = {1, 1};
  }
  if (tasks.max && fills_node(request)) tasks.max = node.core_count() * node.cpus_per_core;
  return tasks;
}

std::uint64_t least_cpus(const Scene& scene, const Node& node) {
  const EffectiveRequest& request = scene.request;
  const bool by_gpu =
      request.ntasks_per_gpu > 0 && request.ntasks_per_socket + request.ntasks_per_core == 0;
  if (request.overcommit && !by_gpu) {
    const std::uint64_t tasks = scene.is_cons_res ? 1 : request.ntasks_per_node;
    return std::max<std::uint64_t>(1, tasks) * request.cpus_per_task;
  }
  std::uint64_t tasks = 1;
  if (request.ntasks_per_node > 0) {
    tasks = request.ntasks_per_node;
  } else {
    if (!scene.is_cons_res) tasks = tasks_of_part(request);
    if (request.max_nodes == 1U && request.num_tasks > 0 && !scene.is_cons_res) {
      tasks = std::max<std::uint64_t>(tasks, request.num_tasks);
    } else if (by_gpu) {
      tasks = tasks_of_gpus(request, node);
    }
  }
  return std::max<std::uint64_t>(1, tasks * request.cpus_per_task);
}

std::uint32_t limit_by_tasks(const Scene& scene, const Node& node, const NodeOffer& offer,
                             const Offers& offers, bool near) {
  const EffectiveRequest& request = scene.request;
  std::uint32_t cpus = offer.cpus;
  if (request.whole_nodes || request.gres.empty()) return cpus;
  const auto whole_tasks = [&](std::uint32_t amount) {
    return request.overcommit ? amount : amount / request.cpus_per_task * request.cpus_per_task;
  };
  cpus = whole_tasks(cpus);
  const bool memory_by_cpu = memory_of_cpu(scene) > 0;
  const bool by_core = scene.unit == ConsumableUnit::Core && memory_by_cpu;
  // Those whose memory is counted by CPU have been cut to whole tasks before.
  std::uint32_t before = memory_by_cpu ? cpus : offer.cpus;
  const std::uint64_t each = offer.cpus_per_core;
  const std::uint64_t least = (least_cpus(scene, node) + each - 1U) / each * each;
  for (std::size_t i = 0; i < request.gres.size(); ++i) {
    const std::uint64_t per_task = request.gres[i].per_task;
    if (per_task == 0) continue;
    const GresOffer& gres = offers.gres[offer.gres_at + i];
    const std::uint64_t tasks = (near ? gres.beside : gres.total) / per_task;
    std::uint64_t most = tasks * request.cpus_per_task;
    if (request.gres[i].cpus_for_job_alone) {
      most = tasks * per_task * request.gres[i].cpus_per_gres;
    }
    if (counts_idle_threads(request, node, offer)) {
      cpus = less_by_whole_cores(cpus, tasks * node.cpus_per_core, node.cpus_per_core);
      continue;
    }
    if (cpus <= most) continue;
    if (!by_core || tasks == 0) {
      cpus = static_cast<std::uint32_t>(most);
      continue;
    }
    // Those that the job has stay, where there are GPUs for all of them.
    const std::uint64_t all =
        request.num_tasks <= tasks ? std::uint64_t{request.num_tasks} * request.cpus_per_task : 0;
    const std::uint64_t kept = std::max({most, least, (all + each - 1U) / each * each});
    const std::uint64_t surplus = (std::max<std::uint64_t>(before, kept) - kept + each - 1U) / each;
    before -= static_cast<std::uint32_t>(std::min<std::uint64_t>(before, surplus * each));
    cpus = before = whole_tasks(before);
  }
  return cpus;
}

}  // namespace rehearse

// sim/sched/select/capacity.cpp — how many CPUs of a node a request could use (scheduling.md §6.2).
#include <algorithm>

#include "sim/sched/select/gres_nodes.hpp"
#include "sim/sched/select/node_tasks.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {
namespace {

std::uint32_t cores_of(const CoreSet& cores, const Node& node, std::uint32_t socket) {
  const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
  return static_cast<std::uint32_t>(cores.count_between(begin, begin + node.cores_per_socket));
}

/// Under CR_Socket cores that the job may not have and that spoil no socket: those that
/// reservations keep from it, and of jobs of other partitions. Where its own has had no job there
/// are none (scheduling.md §6.7).
CoreSet spared_cores(const Scene& scene, const Node& node) {
  const Ledger& ledger = scene.ledger;
  if (scene.ignore_use || ledger.shares_cores()) return kept_cores(scene, node);
  if (!ledger.lends_sockets_to(scene.partition)) return {};
  CoreSet spared = kept_cores(scene, node);
  CoreSet of_others = ledger.use(node.id).cores;
  of_others -= ledger.lent_sockets().held(node.id, scene.partition);
  spared |= of_others;
  return spared;
}

/// Withdraws the cores of sockets that cannot serve, counts tasks that fit; false: too few sockets.
bool filter_sockets(const Scene& scene, const Node& node, NodeOffer& offer,
                    std::uint32_t& cores_in_all, std::uint32_t& tasks_that_fit) {
  const EffectiveRequest& request = scene.request;
  const std::uint32_t per_task = std::max(request.cpus_per_task, 1U);
  const bool plain = scene.unit != ConsumableUnit::Socket && request.cores_per_socket == 0 &&
                     request.sockets_per_node == 0 && request.ntasks_per_socket == 0;
  if (plain) {
    cores_in_all = static_cast<std::uint32_t>(offer.cores.count());
    tasks_that_fit = cores_in_all * offer.cpus_per_core / per_task;
    return true;
  }
  const bool whole = scene.unit == ConsumableUnit::Socket;  // a core that is held spoils its socket
  const CoreSet spared = whole ? spared_cores(scene, node) : CoreSet{};
  std::uint32_t sockets = 0;
  for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
    const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
    const std::size_t end = begin + node.cores_per_socket;
    std::uint32_t cores = cores_of(offer.cores, node, socket);
    const std::size_t not_held =
        cores + spared.count_between(begin, end) + node.specialised_cores.count_between(begin, end);
    const bool spoilt = whole && not_held < node.cores_per_socket;
    if (cores == 0 || spoilt || cores < request.cores_per_socket) {
      offer.cores.reset_between(begin, end);
      continue;
    }
    if (request.ntasks_per_socket > 0) {
      const std::uint32_t cpus = request.ntasks_per_socket * per_task;
      const std::uint32_t most = (cpus + offer.cpus_per_core - 1U) / offer.cpus_per_core;
      if (whole) cores = std::min(cores, most);
      for (std::size_t core = end; core-- > begin && cores > most;) {
        if (!offer.cores.test(core)) continue;
        offer.cores.reset(core);
        --cores;
      }
    }
    ++sockets;
    cores_in_all += cores;
    std::uint32_t tasks = cores * offer.cpus_per_core / per_task;
    if (request.ntasks_per_socket > 0) {
      tasks = std::min<std::uint32_t>(tasks, request.ntasks_per_socket);
    }
    tasks_that_fit += tasks;
  }
  return sockets >= std::max<std::uint32_t>(request.sockets_per_node, 1);
}

/// Before 22.05.7 and from 23.02.5 on (there without GRES) capacity is cut to whole tasks: the
/// version trap of scheduling.md §6.2. The 22.05 emulated here is 22.05.8, which does not.
bool rounds_to_tasks(const Scene& scene) {
  return scene.request.gres.empty() && has(scene.version, Change::CapacityInWholeTasks);
}

std::uint32_t round_to_tasks(const Scene& scene, std::uint32_t cpus, std::uint32_t tasks) {
  const EffectiveRequest& request = scene.request;
  if (request.ntasks_per_node > 0) {
    tasks = std::min<std::uint32_t>(tasks, request.ntasks_per_node);
  }
  if (request.cpus_per_task >= 2) {
    return std::min(cpus / request.cpus_per_task, tasks) * request.cpus_per_task;
  }
  return std::min(cpus, tasks);
}

/// Memory by CPU: fewer allocation units until the memory of their CPUs is there.
std::uint32_t limit_by_memory(const Scene& scene, const Node& node, const NodeOffer& offer,
                              std::uint64_t cpu_mib, std::uint32_t cpus) {
  const EffectiveRequest& request = scene.request;
  // select/linear asks whether a node has the memory of its CPUs only where others may hold some.
  if (!request.knows_tasks && scene.ignore_use) return cpus;
  const std::uint64_t free = free_memory(scene, node);
  // CPUs that come with GPUs have all threads of their cores, but memory as the tasks would.
  const bool alone = request.one_task_per_core && request.ntasks_per_core == 0;
  const std::uint32_t of_core =
      alone ? std::min<std::uint32_t>(offer.cpus_per_core, request.cpus_per_task)
            : offer.cpus_per_core;
  const auto memory_of = [&](std::uint32_t amount) {
    const std::uint32_t cores = (amount + of_core - 1U) / of_core;
    const bool by_cpu = scene.unit == ConsumableUnit::Cpu || scene.unit == ConsumableUnit::None ||
                        offer.cores_per_task > 0;
    const std::uint64_t charged = by_cpu ? amount : std::uint64_t{cores} * offer.memory_cpus;
    return charged * cpu_mib;
  };
  if (memory_of(cpus) <= free) return cpus;
  // Whole nodes must have it for all CPUs that their tasks use; beyond that they are as others.
  if (request.whole_nodes && std::uint64_t{cpus} * cpu_mib > free) return 0;
  std::uint32_t step = scene.unit == ConsumableUnit::Core ? of_core : 1U;
  if (scene.unit == ConsumableUnit::Socket) {
    step = std::uint32_t{offer.cpus_per_core} * node.cores_per_socket;
  }
  while (cpus > 0 && memory_of(cpus) > free) cpus -= std::min(cpus, step);
  return cpus;
}

/// Slurm: rounded down to whole tasks where memory goes by CPU, also if it is there for all (§6.2).
std::uint32_t whole_tasks(const EffectiveRequest& request, std::uint32_t cpus) {
  return request.knows_tasks ? cpus / request.cpus_per_task * request.cpus_per_task : cpus;
}

/// CPUs of the cores that jobs of the same partition hold and this step leaves out: where they
/// share cores, those of one row. In the step of all cores none (§6.2).
std::uint32_t used_by_partition(const Scene& scene, const Node& node, const NodeOffer& offer) {
  if (scene.ignore_use || scene.all_cores) return 0;
  const Ledger& ledger = scene.ledger;
  if (!ledger.shares_cores()) {
    return ledger.partition_cores(node.id, scene.partition) * node.cpus_per_core;
  }
  CoreSet held = ledger.rows(scene.partition).held(node.id);
  held -= offer.cores;
  return static_cast<std::uint32_t>(held.count()) * node.cpus_per_core;
}

/// MaxCPUsPerNode.
std::uint32_t limit_by_partition(const Scene& scene, std::uint32_t used, std::uint32_t cpus) {
  const std::uint32_t most = scene.request.max_cpus_per_node;
  if (std::uint64_t{cpus} + used <= most) return cpus;
  if (scene.request.takes_no_rest || used >= most) return 0;
  return std::min(cpus, most - used);
}

/// CPUs that come with GPUs, not with tasks, fill their cores (scheduling.md §6.2).
bool has_cpus_of_gpus(const EffectiveRequest& request) {
  return std::any_of(request.gres.begin(), request.gres.end(), [](const EffectiveGres& gres) {
    return gres.cpus_per_gres > 0 && gres.per_task == 0;
  });
}

}  // namespace

bool tests_all_cores_first(const EffectiveRequest& request, const IdVector<NodeId, Node>& nodes) {
  const auto brings_gpus = [](const EffectiveGres& gres) { return gres.per_task > 0; };
  const auto splits_cores = [&](const Node& node) {
    return request.cpus_per_task % node.cpus_per_core != 0;
  };
  const auto counts_in_all = [](const EffectiveGres& gres) {
    return gres.is_gpu && gres.per_job > 0 && gres.per_task == 0;
  };
  const auto asks = [&](const auto& for_such) {
    return std::any_of(request.gres.begin(), request.gres.end(), for_such);
  };
  const bool has_few_nodes = request.max_nodes || request.num_tasks > 0;
  if (has_few_nodes && asks(counts_in_all)) return true;
  return asks(brings_gpus) && std::any_of(nodes.begin(), nodes.end(), splits_cores);
}

bool counts_idle_threads(const EffectiveRequest& request, const Node& node,
                         const NodeOffer& offer) {
  return request.one_task_per_core && !request.enforce_binding &&
         offer.cpus_per_core < node.cpus_per_core;
}

bool may_lack_cores(const EffectiveRequest& request, const IdVector<NodeId, Node>& nodes) {
  if (!request.one_task_per_core || request.enforce_binding || request.gres.empty()) return false;
  if (request.overcommit || request.whole_nodes) return false;
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return usable_cpus_per_core(request, node) < node.cpus_per_core;
  });
}

CoreSet kept_cores(const Scene& scene, const Node& node) {
  if (scene.reserved == nullptr) return {};
  const auto reserved = scene.reserved->find(node.id);
  if (reserved == scene.reserved->end()) return {};
  CoreSet kept = node.usable_cores();
  kept &= reserved->second;
  if (!scene.ignore_use) kept -= scene.ledger.use(node.id).cores;
  return kept;
}

bool memory_there(const Scene& scene, const Node& node) {
  const EffectiveRequest& request = scene.request;
  const std::uint64_t free = free_memory(scene, node);
  if (scene.first && request.first_memory != FirstMemory::Same) {
    const std::uint64_t least = request.first_free_mib;
    if (free < (least == 0 ? node.memory_mib : least)) return false;
    if (request.first_memory == FirstMemory::Instead) return true;
  }
  if (request.memory_mode != MemoryMode::PerNode) return true;
  // No default and --mem=0 mean all memory: of a node where nothing is allocated (§6.1).
  if (request.memory_mib == 0) return free == node.memory_mib;
  return request.memory_mib <= free;
}

std::uint32_t cores_per_task(const EffectiveRequest& request, std::uint32_t cpus_per_core) {
  const bool alone =
      request.ntasks_per_core == 1 || (request.ntasks_per_core == 0 && request.one_task_per_core);
  if (!alone || request.cpus_per_task <= cpus_per_core) return 0;
  return (request.cpus_per_task + cpus_per_core - 1) / cpus_per_core;
}

std::uint64_t free_memory(const Scene& scene, const Node& node) {
  if (scene.ignore_use) return node.memory_mib;
  const std::uint64_t used = scene.ledger.use(node.id).memory_mib;
  return used < node.memory_mib ? node.memory_mib - used : 0;
}

std::uint16_t usable_cpus_per_core(const EffectiveRequest& request, const Node& node) {
  std::uint32_t cpus = node.cpus_per_core;
  std::uint32_t tasks = request.ntasks_per_core;
  if (tasks == 0 && request.one_task_per_core && !has_cpus_of_gpus(request)) tasks = 1;
  if (tasks > 0) cpus = std::min(cpus, tasks * request.cpus_per_task);
  if (request.threads_per_core > 0) cpus = std::min<std::uint32_t>(cpus, request.threads_per_core);
  return static_cast<std::uint16_t>(cpus);
}

std::uint16_t memory_cpus_per_core(const EffectiveRequest& request, const Node& node) {
  if (request.threads_per_core == 0) return node.cpus_per_core;
  return std::min(node.cpus_per_core, request.threads_per_core);
}

bool measure_cpus(const Scene& scene, const Node& node, NodeOffer& offer) {
  const EffectiveRequest& request = scene.request;
  const bool is_limited = request.max_cpus_per_node != UINT32_MAX;
  const std::uint32_t used = is_limited ? used_by_partition(scene, node, offer) : 0;
  std::uint32_t cores = 0;
  std::uint32_t tasks = 0;
  if (!filter_sockets(scene, node, offer, cores, tasks)) return false;
  if (!request.overcommit && tasks < request.ntasks_per_node) return false;
  std::uint32_t cpus = cores * offer.cpus_per_core;
  if (offer.cores_per_task > 0 && !request.whole_nodes) {
    // A core that is left counts for its share of a task's CPUs, but where they are cut to whole
    // tasks.
    const std::uint32_t each = offer.cores_per_task;
    cpus = memory_of_cpu(scene) > 0 ? cores / each * request.cpus_per_task
                                    : (cores * request.cpus_per_task + each - 1) / each;
  }
  if (rounds_to_tasks(scene) && !request.whole_nodes) cpus = round_to_tasks(scene, cpus, tasks);
  // `--mincpus` is asked of the node, and of its memory, but not of what MaxCPUsPerNode leaves.
  const std::uint32_t asked = request.overcommit ? 1 : request.pn_min_cpus;
  if (cpus < asked) return false;
  if (is_limited) cpus = limit_by_partition(scene, used, cpus);
  if (const std::uint64_t cpu_mib = memory_of_cpu(scene); cpu_mib > 0) {
    const std::uint32_t with_memory = limit_by_memory(scene, node, offer, cpu_mib, cpus);
    if (with_memory < cpus && with_memory < asked) return false;
    cpus = whole_tasks(request, with_memory);
    const std::uint32_t each = offer.cpus_per_core;
    offer.missing_cpus = static_cast<std::uint16_t>((each - cpus % each) % each);
  }
  if (cpus < least_cpus(scene, node)) return false;
  offer.cpus = cpus;
  return true;
}

bool measure_node(const Scene& scene, const Node& node, const CoreSet& cores, Offers& offers,
                  std::uint32_t& near) {
  const EffectiveRequest& request = scene.request;
  if (!memory_there(scene, node)) return false;
  NodeOffer offer;
  offer.cores = cores;
  offer.cpus_per_core = usable_cpus_per_core(request, node);
  offer.memory_cpus = memory_cpus_per_core(request, node);
  offer.cores_per_task = cores_per_task(request, offer.cpus_per_core);
  const std::size_t gres_at = offers.gres.size();
  const std::size_t sockets_at = offers.socket_units.size();
  offer.gres_at = static_cast<std::uint32_t>(gres_at);
  const bool fits = count_gres(scene, node, offer, offers) && measure_cpus(scene, node, offer) &&
                    cap_gres(scene, node, offer, offers, near);
  const auto drop = [&] {
    offers.gres.resize(gres_at);
    offers.socket_units.resize(sockets_at);
    return false;
  };
  if (!fits) return drop();
  offer.near_cpus = limit_by_tasks(scene, node, offer, offers, scene.max_nodes > 1);
  offer.cpus = limit_by_tasks(scene, node, offer, offers, false);
  if (offer.cpus == 0) return drop();
  offers.offers.push_back(offer);
  offers.add_node(node.id, static_cast<std::uint32_t>(offers.offers.size() - 1));
  return true;
}

bool offer_node(const Scene& scene, const Node& node, const CoreSet& cores, Offers& offers) {
  std::uint32_t near = 0;
  if (!measure_node(scene, node, cores, offers, near)) return false;
  weigh_last(scene, node, near, offers);
  return true;
}

}  // namespace rehearse

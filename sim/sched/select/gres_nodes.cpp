// sim/sched/select/gres_nodes.cpp — counting free devices by socket, then capping by CPUs and
// memory.
#include "sim/sched/select/gres_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace rehearse {
namespace {

bool in_use(std::span<const std::uint64_t> units, std::size_t device) {
  return device < units.size() && units[device] > 0;
}

/// The copy of a node's GRES that an estimate takes jobs from does not know which names share its
/// GPUs (gres.md §4.5).
bool forgets_partners(const Scene& scene) {
  return scene.on_copy && scene.version < SlurmVersion{23, 11};
}

/// Is the device held through the other name: a GPU through shards, a shard's GPU as a whole?
bool held_by_partner(const Scene& scene, const Node& node, std::size_t gres, std::size_t device) {
  if (forgets_partners(scene)) return false;
  const NodeGres& own = node.gres[gres];
  if (own.shares) return in_use(scene.ledger.units(node.id, *own.shares), device);
  for (std::size_t other = 0; other < node.gres.size(); ++other) {
    if (node.gres[other].shares != gres) continue;
    // Before 23.11 a request for GPUs sees the bit that each ending job clears (gres.md §4.5).
    if (scene.version < SlurmVersion{23, 11}) {
      const auto marks = scene.ledger.marks(node.id, other);
      if (device < marks.size() && marks[device] != 0) return true;
    } else if (in_use(scene.ledger.units(node.id, other), device)) {
      return true;
    }
  }
  return false;
}

/// Another shared name (mps beside shard) on the same GPU.
bool held_by_sibling(const Scene& scene, const Node& node, std::size_t gres, std::size_t device) {
  if (forgets_partners(scene)) return false;
  for (std::size_t other = 0; other < node.gres.size(); ++other) {
    if (other != gres && node.gres[other].shares == node.gres[gres].shares &&
        in_use(scene.ledger.units(node.id, other), device)) {
      return true;
    }
  }
  return false;
}

/// one_sharing: while a unit of the name is in use, only devices in use are eligible.
bool sharing_elsewhere(const Scene& scene, const Node& node, std::size_t gres, std::size_t device) {
  if (!node.gres[gres].one_sharing) return false;
  const auto units = scene.ledger.units(node.id, gres);
  if (units[device] > 0) return false;
  return std::any_of(units.begin(), units.end(), [](std::uint64_t n) { return n > 0; });
}

std::optional<std::size_t> find_gres(const Node& node, NameId name) {
  for (std::size_t i = 0; i < node.gres.size(); ++i) {
    if (node.gres[i].name == name) return i;
  }
  return std::nullopt;
}

/// Free devices into pool and sockets; returns the largest amount on one device.
std::uint64_t count_devices(const Scene& scene, const Node& node, const EffectiveGres& wanted,
                            const CoreSet& cores, GresOffer& offer, Offers& offers) {
  const NodeGres& gres = node.gres[offer.node_gres];
  const bool bind = scene.request.enforce_binding;
  std::uint64_t largest = 0;
  if (gres.count_only) {
    offer.any_socket = free_count(scene, node, offer.node_gres, wanted.type);
    return offer.any_socket;
  }
  for (std::size_t i = 0; i < gres.devices.size(); ++i) {
    const GresDevice& device = gres.devices[i];
    if (wanted.type != kNoName && device.type != wanted.type) continue;
    const std::uint64_t units = free_units(scene, node, offer.node_gres, i);
    if (units == 0) continue;
    largest = std::max(largest, units);
    if (!device.socket) {
      offer.any_socket += units;
      continue;
    }
    const std::size_t begin = std::size_t{*device.socket} * node.cores_per_socket;
    if (bind && cores.count_between(begin, begin + node.cores_per_socket) == 0) continue;
    offers.socket_units[offer.sockets_at + *device.socket] += static_cast<std::uint32_t>(units);
  }
  return largest;
}

/// per_socket: sockets with too few, or without the CPUs of those, give none, surplus is cut off.
void apply_per_socket(const Scene& scene, const Node& node, const EffectiveGres& wanted,
                      NodeOffer& node_offer, std::uint32_t* sockets) {
  for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
    const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
    const std::size_t end = begin + node.cores_per_socket;
    const std::uint64_t cpus =
        node_offer.cores.count_between(begin, end) * node_offer.cpus_per_core;
    const bool serves = cpus >= wanted.per_socket * wanted.cpus_needed();
    if (sockets[socket] >= wanted.per_socket && serves) {
      sockets[socket] = static_cast<std::uint32_t>(wanted.per_socket);
      continue;
    }
    sockets[socket] = 0;
    if (scene.request.enforce_binding) node_offer.cores.reset_between(begin, end);
  }
}

/// enforce-binding with --gpus: of how many sockets of a node the job may have GPUs. One where it
/// asks for at most one CPU a node, by itself and not by its GPUs, else what its tasks fill.
std::uint32_t sockets_for_tasks(const Scene& scene, const Node& node) {
  const EffectiveRequest& request = scene.request;
  const std::uint32_t nodes = std::max(request.min_nodes, 1U);
  const std::uint32_t cpus =
      std::max(request.asked_cpus, request.num_tasks * request.cpus_per_task);
  if (cpus / nodes <= 1 && !has(scene.version, Change::NoSingleSocketForOneCpu)) {
    return 1;
  }
  if (request.ntasks_per_socket == 0) return node.sockets;
  const std::uint32_t tasks =
      std::max<std::uint32_t>(request.num_tasks / nodes, request.ntasks_per_node);
  return (tasks + request.ntasks_per_socket - 1U) / request.ntasks_per_socket;
}

/// Of the sockets with GPUs those with most are kept, of as many the last ones; those that have
/// none keep their cores.
void keep_best_sockets(const Scene& scene, const Node& node, NodeOffer& node_offer,
                       std::uint32_t* sockets) {
  std::uint32_t there = 0;
  for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
    if (sockets[socket] > 0) ++there;
  }
  for (const std::uint32_t keep = sockets_for_tasks(scene, node); there > keep; --there) {
    std::uint32_t least = node.sockets;
    for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
      if (sockets[socket] == 0) continue;
      if (least == node.sockets || sockets[socket] < sockets[least]) least = socket;
    }
    const std::size_t begin = std::size_t{least} * node.cores_per_socket;
    node_offer.cores.reset_between(begin, begin + node.cores_per_socket);
    sockets[least] = 0;
  }
}

}  // namespace

std::uint64_t unused_units(const Scene& scene, const Node& node, std::size_t gres,
                           std::size_t device) {
  const NodeGres& own = node.gres[gres];
  const std::uint64_t all = own.devices[device].units;
  if (own.devices[device].presence == Presence::Unlisted) return 0;
  if (scene.ignore_use || own.no_consume) return all;
  if (own.shares && sharing_elsewhere(scene, node, gres, device)) return 0;
  return all - std::min(all, scene.ledger.units(node.id, gres)[device]);
}

std::uint64_t free_units(const Scene& scene, const Node& node, std::size_t gres,
                         std::size_t device) {
  const NodeGres& own = node.gres[gres];
  const std::uint64_t unused = unused_units(scene, node, gres, device);
  if (unused == 0 || scene.ignore_use || own.no_consume) return unused;
  if (held_by_partner(scene, node, gres, device)) return 0;
  if (own.shares && held_by_sibling(scene, node, gres, device)) return 0;
  return unused;
}

std::uint64_t free_count(const Scene& scene, const Node& node, std::size_t gres, NameId type) {
  const NodeGres& own = node.gres[gres];
  const auto units = scene.ledger.units(node.id, gres);
  const bool all = scene.ignore_use || own.no_consume;
  if (own.devices.empty()) {
    if (type != kNoName) return 0;
    return own.total - (all ? 0 : units[0]);
  }
  std::uint64_t free = 0;
  for (std::size_t i = 0; i < own.devices.size(); ++i) {
    if (type != kNoName && own.devices[i].type != type) continue;
    free += own.devices[i].units - (all ? 0 : units[i]);
  }
  return free;
}

std::uint64_t least_units(const Scene& scene, const EffectiveGres& gres) {
  const EffectiveRequest& request = scene.request;
  // Slurm: one socket that has enough of them will do, but with enforce-binding, and where the
  // tasks of the node need more (gres.md §3.1).
  std::uint64_t sockets = request.enforce_binding ? request.sockets_per_node : 1;
  if (request.ntasks_per_socket > 0 && scene.max_nodes == 1) {
    const std::uint32_t most = request.ntasks_per_socket;
    sockets = std::max<std::uint64_t>(sockets, (request.num_tasks + most - 1) / most);
  }
  return std::max<std::uint64_t>(
      {gres.per_node, gres.per_socket * sockets,
       gres.per_task * std::max<std::uint64_t>(request.ntasks_per_node, 1), 1});
}

bool has_gres(const Scene& scene, const Node& node) {
  return std::all_of(scene.request.gres.begin(), scene.request.gres.end(),
                     [&](const EffectiveGres& wanted) {
                       std::uint64_t units = 0;
                       for (const NodeGres& gres : node.gres) {
                         if (gres.name != wanted.name) continue;
                         if (wanted.type == kNoName || gres.devices.empty()) {
                           units += gres.total;
                           continue;
                         }
                         for (const auto& device : gres.devices) {
                           if (device.type == wanted.type) units += device.units;
                         }
                       }
                       return units >= least_units(scene, wanted);
                     });
}

std::uint64_t least_that_counts(const EffectiveGres& gres, const GresOffer& offer,
                                std::uint64_t least) {
  const bool is_short = gres.per_task > 0 && offer.ceiling < offer.pickable;
  return is_short ? 1 : least;
}

bool count_gres(const Scene& scene, const Node& node, NodeOffer& offer, Offers& offers) {
  for (const EffectiveGres& wanted : scene.request.gres) {
    const auto position = find_gres(node, wanted.name);
    if (!position) return false;
    GresOffer gres;
    gres.node_gres = static_cast<std::uint16_t>(*position);
    gres.has_topology = node.gres[*position].has_topology;
    gres.sockets_at = static_cast<std::uint32_t>(offers.socket_units.size());
    offers.socket_units.resize(offers.socket_units.size() + node.sockets, 0);
    const std::uint64_t largest = count_devices(scene, node, wanted, offer.cores, gres, offers);
    std::uint32_t* sockets = offers.socket_units.data() + gres.sockets_at;
    if (wanted.per_socket > 0) apply_per_socket(scene, node, wanted, offer, sockets);
    if (scene.request.enforce_binding && wanted.per_job > 0 && wanted.per_socket == 0) {
      keep_best_sockets(scene, node, offer, sockets);
    }
    gres.total = std::accumulate(sockets, sockets + node.sockets, gres.any_socket);
    gres.ceiling = gres.total;
    // One device must hold all units of a shared GRES; the "ever run" test forgets it until 23.11
    // (gres.md §2.5).
    const bool forgets = scene.ignore_use && !has(scene.version, Change::SharedGresFitsOneDevice);
    if (node.gres[*position].shares && !forgets) gres.ceiling = largest;
    if (gres.total < std::max<std::uint64_t>({wanted.per_node, wanted.per_task, 1}) ||
        gres.ceiling < wanted.per_node) {
      return false;
    }
    offers.gres.push_back(gres);
  }
  return true;
}

bool cap_gres(const Scene& scene, const Node& node, const NodeOffer& offer, Offers& offers,
              std::uint32_t& near) {
  const EffectiveRequest& request = scene.request;
  std::uint64_t near_in_all = 0;
  for (std::size_t i = 0; i < request.gres.size(); ++i) {
    const EffectiveGres& wanted = request.gres[i];
    GresOffer& gres = offers.gres[offer.gres_at + i];
    gres.pickable = gres.ceiling;
    if (wanted.mem_per_gres_mib > 0 && request.memory_mode == MemoryMode::PerGpu) {
      gres.ceiling = std::min(gres.ceiling, free_memory(scene, node) / wanted.mem_per_gres_mib);
      // Whole nodes come with all of their GPUs, and with the memory of them all.
      if (request.whole_nodes && gres.ceiling < gres.total) return false;
    }
    const std::uint64_t asked = wanted.per_node > 0 ? wanted.per_node : wanted.per_job;
    if (!request.whole_nodes && asked > 0) {
      gres.ceiling = std::min(gres.ceiling, asked);
      gres.pickable = std::min(gres.pickable, asked);
    }
    if (wanted.cpus_beside > 0) {
      const std::uint64_t each = gpus_cpus_per_core(request, node, offer);
      const std::uint64_t cpus =
          each == offer.cpus_per_core ? offer.cpus : offer.cores.count() * each;
      const std::uint64_t by_cpus = cpus / wanted.cpus_beside;
      gres.ceiling = std::min(gres.ceiling, by_cpus);
      if (by_cpus < std::max({wanted.per_node, wanted.per_task, wanted.per_socket})) return false;
    }
    const bool are_for_tasks = request.ntasks_per_gpu > 0 && !request.cpus_per_gpu_asked;
    if (are_for_tasks && !request.whole_nodes && !request.overcommit) {
      const std::uint64_t each = std::uint64_t{request.ntasks_per_gpu} * request.cpus_per_task;
      gres.ceiling = std::min<std::uint64_t>(gres.ceiling, offer.cpus / each);
    }
    std::uint64_t least = least_units(scene, wanted);
    // A whole node is to give all of a shared GRES, of which one device holds the most.
    if (request.whole_nodes && node.gres[gres.node_gres].shares) {
      least = node.gres[gres.node_gres].total;
    }
    if (gres.ceiling < least_that_counts(wanted, gres, least) || gres.total < least) return false;
    gres.beside = gres.any_socket;
    for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
      const std::uint32_t units = offers.socket_units[gres.sockets_at + socket];
      if (units == 0) continue;
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      if (offer.cores.count_between(begin, begin + node.cores_per_socket) > 0) {
        gres.beside += units;
      }
    }
    gres.near = std::min(gres.beside, gres.ceiling);
    near_in_all += std::min<std::uint64_t>(gres.near, 255);
  }
  near = static_cast<std::uint32_t>(std::min<std::uint64_t>(near_in_all, 255));
  return true;
}

}  // namespace rehearse

// sim/sched/select/gres_pick.cpp — devices for a whole allocation: node by node, then what is
// short.
#include "sim/sched/select/gres_pick.hpp"

#include <algorithm>

#include "sim/sched/select/device_pool.hpp"
#include "sim/sched/select/gres_nodes.hpp"

namespace rehearse {
namespace {

/// One GRES of the request over all nodes of the allocation.
class GresPicker {
 public:
  GresPicker(const Scene& scene, const Offers& offers, const std::vector<NodeLayout>& layouts,
             std::size_t request_gres)
      : scene_(scene),
        offers_(offers),
        layouts_(layouts),
        at_(request_gres),
        wanted_(scene.request.gres[request_gres]),
        left_(wanted_.per_job) {}

  bool pick(std::vector<NodeShare>& shares) {
    std::vector<DevicePool> pools;
    pools.reserve(layouts_.size());
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
      const Node& node = node_of(i);
      const NodeGres& gres = node.gres[offer_of(i).node_gres];
      if (gres.no_consume || gives_nothing(i)) continue;
      if (gres.count_only) {
        if (!pick_count(i, shares[i])) return false;
        continue;
      }
      if (gres.shares) {
        if (!pick_shared(i, shares[i])) return false;
        continue;
      }
      const std::uint64_t of_job = is_per_job() ? target(i) : 0;
      if (is_as_last(i) && of_job == of_job_) {
        pools.push_back(pools.back());
      } else {
        pools.emplace_back(scene_, node, offer_of(i).node_gres, wanted_.type, used_sockets(i));
        pick_devices(i, of_job, pools.back());
      }
      of_job_ = of_job;
      left_ -= std::min(left_, pools.back().count());
      by_pool_.push_back(i);
    }
    fill_short(pools);
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
      const std::size_t i = by_pool_[pool];
      const bool may_lack = wanted_.per_socket > 0 && !offer_of(i).has_topology;
      const bool is_short = !is_per_job() && pools[pool].count() < least_units(scene_, wanted_);
      if (is_short && !may_lack) return false;
      shares[i].devices.reserve(shares[i].devices.size() + pools[pool].count());
      pools[pool].picked().for_each([&](std::size_t device) {
        shares[i].devices.push_back({offer_of(i).node_gres, static_cast<std::uint16_t>(device), 1});
      });
    }
    return left_ == 0 || !is_per_job() || by_pool_.empty();
  }

 private:
  [[nodiscard]] const Node& node_of(std::size_t i) const {
    return scene_.nodes[offers_.nodes[layouts_[i].offer].node];
  }
  [[nodiscard]] const GresOffer& offer_of(std::size_t i) const {
    return offers_.gres[offers_.of(offers_.nodes[layouts_[i].offer]).gres_at + at_];
  }
  /// No task was dealt to it, as there are fewer than nodes (lifecycle.md §10.1).
  [[nodiscard]] bool gives_nothing(std::size_t i) const {
    return wanted_.per_node > 0 && layouts_[i].tasks == 0 && layouts_[i].cpus == 0;
  }
  [[nodiscard]] bool is_per_job() const {
    return wanted_.per_node == 0 && wanted_.per_socket == 0 && wanted_.per_task == 0;
  }

  [[nodiscard]] SocketSet used_sockets(std::size_t i) const {
    const Node& node = node_of(i);
    SocketSet used;
    for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      const bool has_core =
          layouts_[i].cores.count_between(begin, begin + node.cores_per_socket) > 0;
      if (has_core || scene_.unit == ConsumableUnit::None) used.set(socket);
    }
    return used;
  }

  [[nodiscard]] std::vector<std::uint32_t> tasks_by_socket(std::size_t i) const {
    const Node& node = node_of(i);
    const std::uint32_t per_core = offers_.of(offers_.nodes[layouts_[i].offer]).cpus_per_core;
    std::vector<std::uint32_t> tasks(node.sockets, 0);
    std::uint32_t left = layouts_[i].tasks;
    std::uint32_t last = 0;  // with cores of the job
    for (std::uint32_t socket = 0; socket < node.sockets && left > 0; ++socket) {
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      const auto cores = static_cast<std::uint32_t>(
          layouts_[i].cores.count_between(begin, begin + node.cores_per_socket));
      tasks[socket] = std::min(left, cores * per_core);
      left -= tasks[socket];
      if (cores > 0) last = socket;
    }
    if (scene_.request.overcommit && !tasks.empty()) tasks[last] += left;
    return tasks;
  }

  /// §4.4: the front is loaded, one device is kept for each later node; with --cpus-per-gpu as far
  /// as the CPUs there go, else with --ntasks-per-gpu as far as the tasks do.
  [[nodiscard]] std::uint64_t target(std::size_t i) const {
    const std::uint64_t later = layouts_.size() - i - 1;
    std::uint64_t units = left_ > later ? left_ - later : 0;
    units = std::min(units, offer_of(i).pickable);
    if (!offer_of(i).has_topology) return units;  // counts only (§4.6)
    if (scene_.request.cpus_per_gpu_asked && wanted_.cpus_per_gres > 0) {
      const std::uint64_t cpus = node_of(i).cpus_of(layouts_[i].cores);  // all of each core
      units = std::min(units, cpus / wanted_.cpus_per_gres);
    } else if (const std::uint64_t each = scene_.request.ntasks_per_gpu; each > 0) {
      units = std::min(units, layouts_[i].tasks / each);
    }
    return units;
  }

  /// Nodes that give the same, of which the job has the same cores for as many tasks, are picked
  /// from alike.
  [[nodiscard]] bool is_as_last(std::size_t i) const {
    if (by_pool_.empty() || by_pool_.back() + 1 != i) return false;
    const NodeLayout& here = layouts_[i];
    const NodeLayout& last = layouts_[i - 1];
    return offers_.nodes[here.offer].offer == offers_.nodes[last.offer].offer &&
           here.tasks == last.tasks && here.cores == last.cores;
  }

  /// `of_job`: units of the job's total that are wanted here.
  void pick_devices(std::size_t i, std::uint64_t of_job, DevicePool& pool) {
    const bool topology = offer_of(i).has_topology;
    if (scene_.request.whole_nodes) {
      pool.pick_all();
    } else if (wanted_.per_node > 0) {
      topology ? pool.pick_per_node(wanted_.per_node) : pool.pick_in_order(wanted_.per_node);
    } else if (wanted_.per_socket > 0) {
      pick_per_socket(i, topology, pool);
    } else if (wanted_.per_task > 0) {
      topology ? pool.pick_per_task(wanted_.per_task, tasks_by_socket(i))
               : pool.pick_in_order(wanted_.per_task * layouts_[i].tasks);
    } else {
      topology ? pool.pick_beside_cores(of_job) : pool.pick_in_order(of_job);
    }
  }

  void pick_per_socket(std::size_t i, bool topology, DevicePool& pool) {
    if (topology) {
      const std::uint64_t sockets =
          std::max<std::uint64_t>(used_sockets(i).count(), scene_.request.sockets_per_node);
      pool.pick_per_socket(wanted_.per_socket, wanted_.per_socket * sockets);
    } else {
      // Cores, as §4.6 says; of more than are free none.
      const std::uint64_t units = wanted_.per_socket * layouts_[i].cores.count();
      if (units <= offer_of(i).total) pool.pick_in_order(units);
    }
  }

  /// §4.4: if the total is short after all nodes, a second walk over them, any socket.
  void fill_short(std::vector<DevicePool>& pools) {
    if (!is_per_job() || scene_.request.whole_nodes) return;
    for (std::size_t pool = 0; pool < pools.size() && left_ > 0; ++pool) {
      const std::uint64_t before = pools[pool].count();
      const std::uint64_t most = offer_of(by_pool_[pool]).pickable;
      pools[pool].pick_anywhere(std::min(before + left_, most));
      left_ -= pools[pool].count() - before;
    }
  }

  [[nodiscard]] std::uint64_t units_here(std::size_t i) const {
    if (wanted_.per_node > 0) return wanted_.per_node;
    if (wanted_.per_socket > 0) return wanted_.per_socket;
    if (wanted_.per_task > 0) return wanted_.per_task * std::max(layouts_[i].tasks, 1U);
    return target(i);
  }

  bool pick_shared(std::size_t i, NodeShare& share) {
    const DevicePool pool{scene_, node_of(i), offer_of(i).node_gres, wanted_.type, used_sockets(i)};
    const std::uint64_t units = units_here(i);
    const std::int32_t device = pool.find_shared(units);
    if (device < 0) return false;
    share.devices.push_back({offer_of(i).node_gres, static_cast<std::uint16_t>(device), units});
    left_ -= std::min(left_, units);
    return true;
  }

  bool pick_count(std::size_t i, NodeShare& share) {
    const Node& node = node_of(i);
    const std::size_t gres = offer_of(i).node_gres;
    std::uint64_t units = units_here(i);
    if (free_count(scene_, node, gres, wanted_.type) < units) return false;
    left_ -= std::min(left_, units);
    const NodeGres& own = node.gres[gres];
    if (own.devices.empty()) {
      share.devices.push_back({offer_of(i).node_gres, DeviceShare::kNoDevice, units});
      return true;
    }
    for (std::size_t type = 0; type < own.devices.size() && units > 0; ++type) {
      if (wanted_.type != kNoName && own.devices[type].type != wanted_.type) continue;
      const std::uint64_t taken =
          std::min(units, free_count(scene_, node, gres, own.devices[type].type));
      if (taken == 0) continue;
      share.devices.push_back({offer_of(i).node_gres, static_cast<std::uint16_t>(type), taken});
      units -= taken;
    }
    return true;
  }

  const Scene& scene_;
  const Offers& offers_;
  const std::vector<NodeLayout>& layouts_;
  std::size_t at_;
  const EffectiveGres& wanted_;
  std::uint64_t left_;        // of per_job
  std::uint64_t of_job_ = 0;  // of it, wanted of the last node
  std::vector<std::size_t> by_pool_;
};

/// Whole nodes come with all of their GPUs, in the place of mps and shard of them (gres.md §2.1).
void add_all_devices(const Scene& scene, const Node& node, NodeShare& share) {
  for (std::size_t gres = 0; gres < node.gres.size(); ++gres) {
    const NodeGres& own = node.gres[gres];
    const auto position = static_cast<std::uint16_t>(gres);
    if (own.shares) {
      erase_if(share.devices, [&](const DeviceShare& held) { return held.gres == gres; });
    }
    if (own.shares || own.no_consume) continue;
    if (own.devices.empty()) {
      erase_if(share.devices, [&](const DeviceShare& held) { return held.gres == gres; });
      share.devices.push_back({position, DeviceShare::kNoDevice, own.total});
    }
    for (std::size_t i = 0; i < own.devices.size(); ++i) {
      const std::uint64_t units = free_units(scene, node, gres, i);
      if (units == 0) continue;
      erase_if(share.devices,
               [&](const DeviceShare& held) { return held.gres == gres && held.device == i; });
      share.devices.push_back({position, static_cast<std::uint16_t>(i), units});
    }
  }
}

}  // namespace

bool pick_gres(const Scene& scene, const Offers& offers, const std::vector<NodeLayout>& layouts,
               std::vector<NodeShare>& shares) {
  for (std::size_t i = 0; i < scene.request.gres.size(); ++i) {
    if (!GresPicker{scene, offers, layouts, i}.pick(shares)) return false;
  }
  for (NodeShare& share : shares) {
    if (scene.request.whole_nodes) add_all_devices(scene, scene.nodes[share.node], share);
    std::sort(share.devices.begin(), share.devices.end(),
              [](const DeviceShare& a, const DeviceShare& b) {
                return a.gres != b.gres ? a.gres < b.gres : a.device < b.device;
              });
  }
  return true;
}

/// Whole devices by node are taken on any socket, and what is short of a job's total is made up on
/// any: each node gives all that it offers.
bool surely_picks_gres(const Scene& scene, const Offers& offers,
                       const std::vector<TakenNode>& taken) {
  if (scene.request.whole_nodes) return scene.request.gres.empty();
  for (std::size_t i = 0; i < scene.request.gres.size(); ++i) {
    const EffectiveGres& wanted = scene.request.gres[i];
    if (wanted.per_socket > 0 || wanted.per_task > 0) return false;
    std::uint64_t units = 0;
    for (const TakenNode& each : taken) {
      const OfferedNode& node = offers.nodes[each.offer];
      const GresOffer& offer = offers.gres[offers.of(node).gres_at + i];
      const NodeGres& gres = scene.nodes[node.node].gres[offer.node_gres];
      if (gres.no_consume || gres.count_only || gres.shares) return false;
      if (wanted.per_node > 0 && offer.total < least_units(scene, wanted)) return false;
      units += offer.pickable;
    }
    if (wanted.per_node == 0 && units < wanted.per_job) return false;
  }
  return true;
}

}  // namespace rehearse

// sim/sched/select/distribution.cpp — tasks dealt over the nodes, CPUs rounded up to cores.
#include "sim/sched/select/distribution.hpp"

#include <algorithm>
#include <limits>

namespace rehearse {
namespace {

/// Deals tasks in Slurm's passes; a node never gets more CPUs than were taken of it.
class Dealer {
 public:
  Dealer(const Scene& scene, const Offers& offers, const std::vector<TakenNode>& taken)
      : request_(scene.request),
        nodes_(scene.nodes),
        offers_(offers),
        taken_(taken),
        shares_(taken.size()),
        shares_cpus_(request_.overcommit && !scene.has_own_cpus),
        per_task_(std::max(request_.cpus_per_task, 1U)) {
    const auto nodes = static_cast<std::uint32_t>(taken.size());
    if (shares_cpus_) {
      left_ = std::max(nodes, tasks_that_bring_gpus());
      return;
    }
    if (scene.has_own_cpus) {
      // As many as CPUs of one, where nothing says how many (scheduling.md §6.7).
      left_ = std::max(nodes, request_.num_tasks > 0 ? request_.num_tasks : per_task_);
      return;
    }
    // Tasks of several CPUs that --ntasks-per-node counts are no more for --mincpus, and those of
    // GPUs that are counted by socket and in all no more for what a node must have.
    const bool are_counted = per_task_ > 1 && request_.ntasks_per_node > 0;
    const bool have_total = std::any_of(
        request_.gres.begin(), request_.gres.end(),
        [](const EffectiveGres& gres) { return gres.per_socket > 0 && gres.per_job > 0; });
    const std::uint32_t by_node = are_counted || have_total ? 0 : nodes * request_.pn_min_cpus;
    const std::uint32_t total =
        std::max({nodes, nodes * request_.ntasks_per_node, request_.min_cpus, by_node});
    left_ = std::max({nodes * request_.ntasks_per_node, total / per_task_, 1U});
    limit_by_memory_of_gpus(scene);
    limit_by_own_gpus();
  }

  std::vector<TaskShare> deal() {
    for (std::size_t i = 0; i < shares_.size() && left_ > 0; ++i) give(i);
    fill_cores();
    bool progress = !shares_cpus_;
    while (left_ > 0 && progress) {
      give_rounds_alike();
      progress = false;
      for (std::size_t i = 0; i < shares_.size() && left_ > 0; ++i) progress |= round(i);
    }
    // What fits nowhere is assigned regardless, without more CPUs than were taken: to each node in
    // turn as many tasks as a round brings (scheduling.md §6.7).
    for (std::size_t i = 0; left_ > 0; i = (i + 1) % shares_.size()) {
      const std::uint32_t tasks = shares_cpus_ ? 1 : tasks_of_round(i);
      for (std::uint32_t n = 0; n < tasks && left_ > 0; ++n) give(i);
    }
    return std::move(shares_);
  }

 private:
  /// Of tasks that bring GPUs, whose memory is to be there, each node has at first no more than it
  /// has memory for.
  void limit_by_memory_of_gpus(const Scene& scene) {
    if (request_.memory_mode != MemoryMode::PerGpu) return;
    for (const EffectiveGres& gres : request_.gres) {
      if (gres.per_task == 0 || gres.mem_per_gres_mib == 0) continue;
      most_.resize(taken_.size(), std::numeric_limits<std::uint64_t>::max());
      for (std::size_t i = 0; i < taken_.size(); ++i) {
        const Node& node = scene.nodes[offers_.nodes[taken_[i].offer].node];
        const std::uint64_t units = free_memory(scene, node) / gres.mem_per_gres_mib;
        most_[i] = std::min(most_[i], units / gres.per_task);
      }
    }
  }
  /// Where there are more tasks to deal than the job has, each node has at first those that its
  /// GPUs are for.
  void limit_by_own_gpus() {
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (taken_[i].tasks == std::numeric_limits<std::uint64_t>::max()) continue;
      most_.resize(taken_.size(), std::numeric_limits<std::uint64_t>::max());
      most_[i] = std::min(most_[i], taken_[i].tasks);
    }
  }
  /// All tasks that bring GPUs, whatever CPUs there are for them: they are dealt in turn.
  [[nodiscard]] std::uint32_t tasks_that_bring_gpus() const {
    const bool bring = std::any_of(request_.gres.begin(), request_.gres.end(),
                                   [](const EffectiveGres& gres) { return gres.per_task > 0; });
    return bring ? request_.num_tasks : 0;
  }
  void give(std::size_t i) {
    ++shares_[i].tasks;
    shares_[i].cpus = std::min(shares_[i].cpus + per_task_, taken_[i].cpus);
    --left_;
  }
  /// Tasks that the node can still be given.
  [[nodiscard]] std::uint64_t room(std::size_t i) const {
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (request_.ntasks_per_node > 0 && !request_.overcommit) most = request_.ntasks_per_node;
    if (!most_.empty()) most = std::min(most, most_[i]);
    const std::uint64_t by_tasks = most - std::min<std::uint64_t>(most, shares_[i].tasks);
    return std::min<std::uint64_t>(by_tasks, (taken_[i].cpus - shares_[i].cpus) / per_task_);
  }
  [[nodiscard]] bool has_room(std::size_t i) const { return room(i) > 0; }
  /// However few of them --ntasks-per-core lets the job have.
  [[nodiscard]] std::uint32_t per_core(std::size_t i) const {
    const OfferedNode& offered = offers_.nodes[taken_[i].offer];
    const Node& node = nodes_[offered.node];
    const NodeOffer& offer = offers_.of(offered);
    const std::uint32_t of_gpus = gpus_cpus_per_core(request_, node, offer);
    return of_gpus != offer.cpus_per_core ? of_gpus : memory_cpus_per_core(request_, node);
  }

  /// A core that is used in part takes a further task first.
  void fill_cores() {
    if (shares_cpus_) return;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const std::uint32_t used = shares_[i].cpus % per_core(i);
      if (left_ > 0 && has_room(i) && used != 0 && per_core(i) - used >= per_task_) give(i);
    }
  }

  /// Of a round the node is given a core's tasks.
  [[nodiscard]] std::uint32_t tasks_of_round(std::size_t i) const {
    return std::max(1U, per_core(i) / per_task_);
  }

  /// As many rounds at once as give the same to each node that has room: thousands of tasks are
  /// dealt in as many steps as nodes fill up.
  void give_rounds_alike() {
    std::uint64_t rounds = left_;
    std::uint64_t tasks = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      if (!has_room(i)) continue;
      rounds = std::min(rounds, room(i) / tasks_of_round(i));
      tasks += tasks_of_round(i);
    }
    if (tasks == 0) return;
    rounds = std::min(rounds, left_ / tasks);
    if (rounds == 0) return;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      if (!has_room(i)) continue;
      const auto given = static_cast<std::uint32_t>(rounds * tasks_of_round(i));
      shares_[i].tasks += given;
      shares_[i].cpus += given * per_task_;
    }
    left_ -= static_cast<std::uint32_t>(rounds * tasks);
  }

  bool round(std::size_t i) {
    const std::uint32_t tasks = tasks_of_round(i);
    bool gave = false;
    for (std::uint32_t n = 0; n < tasks && left_ > 0 && has_room(i); ++n) {
      give(i);
      gave = true;
    }
    return gave;
  }

  const EffectiveRequest& request_;
  const IdVector<NodeId, Node>& nodes_;
  const Offers& offers_;
  const std::vector<TakenNode>& taken_;
  std::vector<TaskShare> shares_;
  bool shares_cpus_;                 ///< tasks of -O: one is dealt for all of a node
  std::vector<std::uint64_t> most_;  ///< tasks by node; empty: no such limit
  std::uint32_t per_task_;
  std::uint32_t left_ = 0;
};

/// An enforced binding tells cores where tasks are counted (gres.md §3.3).
bool is_enforced(const Scene& scene, const Node& node) {
  return scene.request.enforce_binding && tasks_on_node(scene, node).max;
}

/// Sockets that must give a core so that bound devices have one: in their order, whatever they have
/// (gres.md §3.1 has the largest first; a running 22.05.8 gave the first). Where cores are filled
/// block by block, and with CR_CPU, none must but where the binding is enforced.
std::vector<bool> required_sockets(const Scene& scene, const Node& node, const Offers& offers,
                                   const NodeOffer& offer, const CoreSet& from) {
  std::vector<bool> required;
  const bool fills = scene.unit == ConsumableUnit::Cpu || scene.request.block_cores;
  if (fills && !is_enforced(scene, node)) return required;
  for (std::size_t i = 0; i < scene.request.gres.size(); ++i) {
    const EffectiveGres& wanted = scene.request.gres[i];
    const GresOffer& gres = offers.gres[offer.gres_at + i];
    const std::uint64_t goal = std::max(wanted.per_node, wanted.per_task);
    std::uint64_t got = gres.any_socket;
    // An enforced binding to GPUs of no socket wants a core of each, where tasks are counted.
    const bool everywhere = is_enforced(scene, node) && got > 0 && wanted.cpus_per_gres == 0;
    if (everywhere) {
      required.resize(node.sockets, false);
      for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
        const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
        required[socket] =
            required[socket] || from.count_between(begin, begin + node.cores_per_socket) > 0;
      }
    }
    if (got >= goal) continue;
    required.resize(node.sockets, false);
    const std::uint32_t* units = offers.socket_units.data() + gres.sockets_at;
    for (std::uint32_t socket = 0; socket < node.sockets && got < goal; ++socket) {
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      if (units[socket] == 0) continue;
      if (from.count_between(begin, begin + node.cores_per_socket) == 0) continue;
      required[socket] = true;
      got += units[socket];
    }
  }
  return required;
}

/// Every usable core of the sockets of which one was picked.
CoreSet whole_sockets(const Node& node, const CoreSet& picked) {
  CoreSet whole = node.usable_cores();
  for (std::size_t socket = 0; socket < node.sockets; ++socket) {
    const std::size_t begin = socket * node.cores_per_socket;
    const std::size_t end = begin + node.cores_per_socket;
    if (picked.count_between(begin, end) == 0) whole.reset_between(begin, end);
  }
  return whole;
}

/// Cores of a node that its tasks need.
std::uint32_t cores_for(const NodeOffer& offer, const TaskShare& tasks) {
  if (offer.cores_per_task > 0) return tasks.tasks * offer.cores_per_task;
  return (tasks.cpus + offer.cpus_per_core - 1U) / offer.cpus_per_core;
}

/// Where GPUs' CPUs were held against all threads of the cores that are left, and the job may use
/// fewer of each, these can be too few (gres.md §3.3).
bool has_too_few_cores(const Scene& scene, const NodeOffer& offer, const TakenNode& taken,
                       const TaskShare& tasks, const Node& node) {
  if (scene.unit == ConsumableUnit::Socket || scene.unit == ConsumableUnit::None) return false;
  if (scene.request.whole_nodes) return false;
  if (gpus_cpus_per_core(scene.request, node, offer) == offer.cpus_per_core) return false;
  return cores_for(offer, tasks) > taken.cores.count();
}

/// Slurm: with an enforced binding a node gives all CPUs that were taken of it, whatever was dealt
/// (gres.md §3.3).
TaskShare given_by(const Scene& scene, const TakenNode& taken, const TaskShare& dealt) {
  const EffectiveRequest& request = scene.request;
  if (!request.enforce_binding || request.overcommit) return dealt;
  return {std::max(dealt.tasks, taken.cpus / request.cpus_per_task),
          std::max(dealt.cpus, taken.cpus)};
}

NodeLayout lay_out_node(const Scene& scene, const Offers& offers, const TakenNode& taken,
                        const TaskShare& dealt) {
  const TaskShare tasks = given_by(scene, taken, dealt);
  const OfferedNode& offered = offers.nodes[taken.offer];
  const NodeOffer& offer = offers.of(offered);
  const Node& node = scene.nodes[offered.node];
  NodeLayout layout{taken.offer, dealt.tasks, tasks.cpus, {}, tasks.cpus};
  if (scene.request.whole_nodes) {
    layout.cores = whole_node(scene.request, node);
    layout.cpus = node.cpus_of(layout.cores);
    return layout;
  }
  if (scene.unit == ConsumableUnit::None) return layout;
  const bool fills = scene.unit == ConsumableUnit::Cpu || scene.request.block_cores;
  if (tasks.cpus == 0 && fills && scene.unit != ConsumableUnit::Socket) {
    layout.cores = taken.cores;  // of no task: nobody withdraws those that were chosen
    return layout;
  }
  CoreWish wish{cores_for(offer, tasks), tasks.tasks, offer.cpus_per_core,
                required_sockets(scene, node, offers, offer, taken.cores)};
  if (is_enforced(scene, node) && !taken.gives_the_least) {
    const auto each = std::count(wish.required_sockets.begin(), wish.required_sockets.end(), true);
    wish.cores = std::max(wish.cores, static_cast<std::uint32_t>(each));
  }
  layout.cores = pick_cores(scene, node, taken.cores, wish);
  if (scene.unit == ConsumableUnit::Socket) {
    layout.cpus = node.cpus_of(whole_sockets(node, layout.cores));
  } else if (scene.unit == ConsumableUnit::Core) {
    layout.cpus = node.cpus_of(layout.cores);
  } else if (is_enforced(scene, node) && !brings_cpus(scene.request)) {
    layout.cpus = wish.cores * offer.cpus_per_core;
  }
  return layout;
}

}  // namespace

CoreSet whole_node(const EffectiveRequest& request, const Node& node) {
  return request.core_spec ? node.cores_beside(*request.core_spec) : node.usable_cores();
}

std::vector<TaskShare> deal_tasks(const Scene& scene, const Offers& offers,
                                  const std::vector<TakenNode>& taken) {
  return Dealer{scene, offers, taken}.deal();
}

/// Nodes that give the same, of which the same was taken for as many tasks, get the same.
std::vector<NodeLayout> distribute(const Scene& scene, const Offers& offers,
                                   const std::vector<TakenNode>& taken) {
  const std::vector<TaskShare> shares = deal_tasks(scene, offers, taken);
  const auto offer_of = [&](std::size_t i) { return offers.nodes[taken[i].offer].offer; };
  const auto is_as_last = [&](std::size_t i) {
    return i > 0 && offer_of(i) == offer_of(i - 1) && shares[i].tasks == shares[i - 1].tasks &&
           shares[i].cpus == shares[i - 1].cpus && taken[i].cpus == taken[i - 1].cpus &&
           taken[i].cores == taken[i - 1].cores &&
           taken[i].gives_the_least == taken[i - 1].gives_the_least;
  };
  std::vector<NodeLayout> layouts;
  layouts.reserve(taken.size());
  bool stopped = false;  // all that follow keep what they were dealt, and all cores left to them
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const OfferedNode& offered = offers.nodes[taken[i].offer];
    stopped = stopped || has_too_few_cores(scene, offers.of(offered), taken[i], shares[i],
                                           scene.nodes[offered.node]);
    if (stopped) {
      layouts.push_back(
          {taken[i].offer, shares[i].tasks, shares[i].cpus, taken[i].cores, shares[i].cpus});
    } else if (is_as_last(i)) {
      layouts.push_back(layouts.back());
      layouts.back().offer = taken[i].offer;
    } else {
      layouts.push_back(lay_out_node(scene, offers, taken[i], shares[i]));
    }
  }
  return layouts;
}

}  // namespace rehearse

// sim/sched/select/gres_cores.cpp — sockets in descending number of free cores, surplus withdrawn.
#include "sim/sched/select/gres_cores.hpp"

#include <algorithm>
#include <numeric>

#include "sim/core/short_list.hpp"
#include "sim/sched/select/gres_nodes.hpp"

namespace rehearse {
namespace {

std::uint32_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>((a + b - 1) / b);
}

bool counts_tasks_by_gpu(const EffectiveRequest& request) {
  return request.ntasks_per_gpu > 0 ||
         std::any_of(request.gres.begin(), request.gres.end(),
                     [](const EffectiveGres& gres) { return gres.per_task > 0; });
}

/// One value for each socket of a node, few as they are.
using BySocket = ShortList<std::uint32_t, 8>;

/// One GRES on one chosen node.
class SocketFit {
 public:
  SocketFit(const Scene& scene, const OfferedNode& offered, const NodeOffer& offer,
            const NodeTasks& tasks, bool first_attempt, CoreSet& cores)
      : scene_(scene),
        node_(scene.nodes[offered.node]),
        offer_(offer),
        gpus_per_core_(gpus_cpus_per_core(scene.request, node_, offer)),
        cpus_(offered.cpus),
        tasks_(tasks),
        first_(first_attempt),
        strict_(first_attempt || scene.request.enforce_binding),
        cores_(cores) {
    for (std::uint32_t socket = 0; socket < node_.sockets; ++socket) {
      left_.push_back(static_cast<std::uint32_t>(cores.count_between(begin(socket), end(socket))));
    }
  }

  CoreFit fit(const EffectiveGres& wanted, const GresOffer& gres,
              const std::uint32_t* socket_units) {
    // All of a whole node that are the job's, none of which may be beside what is left of it.
    const std::uint64_t all = scene_.request.whole_nodes ? UINT64_MAX : gres.ceiling;
    const std::uint64_t goal = wanted.per_node > 0 ? wanted.per_node : all;
    const BySocket order = by_free_cores();
    const std::uint32_t least_cores =
        ceil_div(std::uint64_t{tasks_.min} * scene_.request.cpus_per_task, offer_.cpus_per_core);
    // A node with devices of no socket, too, binds a job to none, whatever it gets of them.
    const bool binds = gres.any_socket == 0;
    if (binds && gres.any_socket < goal && first_) {
      drop_sockets_without(order, socket_units, least_cores);
    }
    units_ = mark_needed(order, wanted, gres, socket_units, goal);
    if (units_ < least_that_counts(wanted, gres, least_units(scene_, wanted))) {
      return CoreFit::TooFew;
    }
    if (!binds) needed_ = SocketSet{};
    if (!needed_.none() && strict_) withdraw_others(wanted, socket_units);
    if (!brings_cpus(wanted, gres)) return CoreFit::TooFew;
    if (scene_.request.gives_for_all_tasks) {
      const std::uint32_t cpus = cores_left() * offer_.cpus_per_core;
      if (cpus < share_of_tasks() * scene_.request.cpus_per_task) return CoreFit::TooFew;
    }
    return trim(wanted, gres);
  }

  /// That the node gives.
  [[nodiscard]] std::uint64_t units() const { return units_; }

 private:
  [[nodiscard]] std::size_t begin(std::uint32_t socket) const {
    return std::size_t{socket} * node_.cores_per_socket;
  }
  [[nodiscard]] std::size_t end(std::uint32_t socket) const {
    return begin(socket) + node_.cores_per_socket;
  }

  /// How many tasks the node is to have, nobody says.
  [[nodiscard]] bool is_open() const { return !tasks_.max; }

  /// That serve tasks of GPUs: of tasks that leave some idle all threads.
  [[nodiscard]] std::uint32_t cpus_of_core() const {
    return counts_idle_threads(scene_.request, node_, offer_) ? node_.cpus_per_core
                                                              : offer_.cpus_per_core;
  }

  /// That cores are kept for, if the tasks are counted: where their number is open as many as fit,
  /// of those that GPUs bring no more than the job has.
  [[nodiscard]] std::optional<std::uint32_t> most_tasks(const EffectiveGres& wanted,
                                                        const GresOffer& gres) const {
    const EffectiveRequest& request = scene_.request;
    const std::uint32_t fitting = cpus_ / request.cpus_per_task;
    if (wanted.cpus_for_job_alone) {
      // Where CPUs are counted all cores of its tasks stay, of which it has fewer CPUs.
      if (counts_cpus_of_gpus(scene_, wanted)) {
        return static_cast<std::uint32_t>(units_ / wanted.per_task);
      }
      const std::uint64_t whole = units_ * wanted.cpus_per_gres / request.cpus_per_task;
      const bool is_bound = request.ntasks_per_node > 0 && request.cpus_per_task > 1;
      const std::uint32_t bound = is_bound ? tasks_.max.value_or(fitting) : fitting;
      return std::min(bound, static_cast<std::uint32_t>(whole));
    }
    if (fills_node(request) && wanted.per_task > 0 && gres.any_socket == 0) {
      const std::uint64_t of_node = request.ntasks_per_node > 0 ? request.ntasks_per_node : fitting;
      return static_cast<std::uint32_t>(
          std::min({std::uint64_t{fitting}, gres.total / wanted.per_task, of_node}));
    }
    if (!is_open()) return tasks_.max;
    if (!counts_tasks_by_gpu(request)) {
      const bool rounds = request.cpus_per_task > 1 && !request.overcommit;
      return rounds ? std::optional(fitting) : std::nullopt;
    }
    if (request.num_tasks == 0) return std::nullopt;
    if (wanted.per_task > 0 && wanted.cpus_per_gres > 0) {
      return std::min(fitting, static_cast<std::uint32_t>(units_ / wanted.per_task));
    }
    // A task that the node lost with what was too much of it keeps its cores.
    if (wanted.per_task > 0 && gres.any_socket > 0) {
      return std::max(fitting, static_cast<std::uint32_t>(gres.total / wanted.per_task));
    }
    if (request.ntasks_per_gpu == 0 || fills_node(request)) return fitting;
    std::uint64_t most = std::min(request.num_tasks, fitting);
    if (request.gives_for_all_tasks) {
      const std::uint64_t of_units = request.cpus_per_gpu_asked
                                         ? units_ * wanted.cpus_per_gres / request.cpus_per_task
                                         : units_ * request.ntasks_per_gpu;
      most = std::min<std::uint64_t>(most, std::max<std::uint64_t>(share_of_tasks(), of_units));
    }
    return static_cast<std::uint32_t>(most);
  }

  /// Where the job asks for fewer CPUs than its tasks would have (gres.md §2.2 rule 7), one.
  [[nodiscard]] std::uint64_t cpus_counted_for_task() const {
    const EffectiveRequest& request = scene_.request;
    const std::uint64_t all = std::uint64_t{request.num_tasks} * request.cpus_per_task;
    return request.min_cpus >= all ? request.cpus_per_task : 1;
  }

  /// Of each of a fixed number of nodes, where GPUs bring tasks.
  [[nodiscard]] std::uint32_t share_of_tasks() const {
    return scene_.request.num_tasks / scene_.request.min_nodes;
  }

  /// --cpus-per-gpu of --gpus: what the tasks need comes with them, or is a multiple of one GPU's.
  [[nodiscard]] bool brings_cpus(const EffectiveGres& wanted, const GresOffer& gres) const {
    const bool is_asked = scene_.request.cpus_per_gpu_asked && wanted.cpus_per_gres > 0;
    // --ntasks-per-core says how cores are shared, not how many tasks there are.
    const bool is_counted = !is_open() && scene_.request.ntasks_per_core == 0;
    if (!is_asked || wanted.per_job == 0 || !is_counted) return true;
    if (wanted.cpus_for_job_alone) return true;  // fewer of them do
    // Where each task has a core for itself as many as fit are no need.
    const bool fills = fills_node(scene_.request);
    const std::uint64_t tasks = fills ? tasks_.min : *tasks_.max;
    const std::uint64_t need = tasks * scene_.request.cpus_per_task;
    if (units_ * wanted.cpus_per_gres >= need) return true;
    return need % wanted.cpus_per_gres == 0 && gres.total * wanted.cpus_per_gres >= need;
  }

  void drop_highest(std::uint32_t socket) {
    for (std::size_t core = end(socket); core-- > begin(socket);) {
      if (!cores_.test(core)) continue;
      cores_.reset(core);
      --left_[socket];
      return;
    }
  }

  [[nodiscard]] std::uint32_t cores_left() const {
    return std::accumulate(left_.begin(), left_.end(), 0U);
  }

  void drop_sockets_without(const BySocket& order, const std::uint32_t* socket_units,
                            std::uint32_t least_cores) {
    for (const std::uint32_t socket : order) {
      if (socket_units[socket] > 0) continue;
      while (left_[socket] > 0 && cores_left() > least_cores) drop_highest(socket);
    }
  }

  /// The order in which sockets are visited: those with most free cores first.
  [[nodiscard]] BySocket by_free_cores() const {
    BySocket order;
    for (std::uint32_t socket = 0; socket < node_.sockets; ++socket) {
      order.push_back(socket);
      // Of as many the lower number comes first.
      for (std::size_t at = socket; at > 0 && left_[order[at]] > left_[order[at - 1]]; --at) {
        std::swap(order[at], order[at - 1]);
      }
    }
    return order;
  }

  std::uint64_t mark_needed(const BySocket& order, const EffectiveGres& wanted,
                            const GresOffer& gres, const std::uint32_t* socket_units,
                            std::uint64_t goal) {
    std::uint64_t got = gres.any_socket, unserved = 0;
    std::uint64_t cpus = 0, of_tasks = 0;  // of the sockets so far, for devices, and for tasks
    for (const std::uint32_t socket : order) {
      if (got >= goal) break;
      visited_.set(socket);
      std::uint64_t units = socket_units[socket];
      if (strict_ && left_[socket] == 0) {
        // Away from its cores a node gives devices beside others that are not.
        // … but of --gpus with CPUs, where tasks are counted.
        const bool alone = !is_open() && wanted.per_job > 0 && wanted.cpus_needed() > 0;
        const bool counts = !scene_.request.enforce_binding && wanted.per_task == 0 && !alone &&
                            !scene_.request.gives_for_all_tasks && got > 0;
        if (counts) got += units;
        continue;
      }
      if (strict_ && wanted.cpus_needed() > 0 && units > 0) {
        // If nobody counts tasks, the sockets' CPUs serve devices of any socket together; of --gpus
        // without those of sockets that could not serve one alone.
        const bool is_alone = wanted.per_task > 0 || scene_.request.ntasks_per_gpu > 0 ||
                              !is_open() || counts_cpus_of_gpus(scene_, wanted);
        const std::uint64_t here = std::uint64_t{left_[socket]} * gpus_per_core_;
        const bool counts = wanted.per_job == 0 || here >= wanted.cpus_needed();
        cpus = is_alone ? here : cpus + (counts ? here : 0);
        const std::uint64_t served = cpus / wanted.cpus_needed();
        const std::uint64_t free = units + (is_alone ? 0 : unserved);
        units = std::min(free, served - (is_alone ? 0 : std::min(served, got)));
        unserved = free - units;
      }
      if (strict_ && scene_.request.ntasks_per_gpu > 0) {
        // But for several nodes that share them, the sockets' CPUs serve the tasks together.
        const bool alone = scene_.request.gives_for_all_tasks;
        of_tasks = (alone ? 0 : of_tasks) + std::uint64_t{left_[socket]} * cpus_of_core();
        const auto served = of_tasks / (scene_.request.ntasks_per_gpu * cpus_counted_for_task());
        units = std::min(units, served - (alone ? 0 : std::min(served, got)));
      }
      if (units == 0) continue;
      needed_.set(socket);
      got += units;
    }
    return std::min(got, goal);
  }

  /// Sockets without devices that came before the last needed one keep the cores that the tasks
  /// cannot do without; with --gpus-per-socket any.
  void withdraw_others(const EffectiveGres& wanted, const std::uint32_t* socket_units) {
    const bool any = wanted.per_socket > 0 && !scene_.request.enforce_binding;
    for (std::uint32_t socket = 0; socket < node_.sockets; ++socket) {
      const bool spared = socket_units[socket] == 0 && (visited_.test(socket) || any);
      if (needed_.test(socket) || spared) continue;
      cores_.reset_between(begin(socket), end(socket));
      left_[socket] = 0;
    }
  }

  /// That must give a core each to an enforced binding: where GPUs are beside none, all.
  [[nodiscard]] std::uint32_t sockets_of_their_own(const GresOffer& gres) const {
    if (gres.any_socket == 0) {
      return static_cast<std::uint32_t>(needed_.count());
    }
    const auto has_core = [](std::uint32_t left) { return left > 0; };
    return static_cast<std::uint32_t>(std::count_if(left_.begin(), left_.end(), has_core));
  }

  /// One task may go without its cores where a core has one thread and the job does not need them
  /// all: with -O those of one node that `-n` counts, else those of --ntasks-per-node beyond `-n`.
  [[nodiscard]] bool lends_a_task() const {
    const EffectiveRequest& request = scene_.request;
    if (request.ntasks_per_gpu > 0 || offer_.cpus_per_core > 1) return false;
    if (request.overcommit) return request.max_nodes == 1U && request.ntasks_per_node == 0;
    return request.num_tasks > 0 && request.ntasks_per_node > request.num_tasks;
  }

  /// One task a node, as nobody says otherwise, and more cores than those of the GPUs' CPUs.
  [[nodiscard]] bool has_cores_by_gpus(const EffectiveGres& wanted) const {
    return wanted.cpus_per_gres > 0 && gpus_per_core_ != offer_.cpus_per_core &&
           scene_.request.num_tasks == 0 && scene_.request.max_nodes == scene_.request.min_nodes;
  }

  /// Of tasks of an open number there are as many as fit.
  CoreFit trim(const EffectiveGres& wanted, const GresOffer& gres) {
    const std::optional<std::uint32_t> most = most_tasks(wanted, gres);
    const std::uint32_t tasks = most.value_or(tasks_.min);
    const std::uint64_t task_cpus = std::uint64_t{tasks} * scene_.request.cpus_per_task;
    const std::uint32_t by_tasks = offer_.cores_per_task > 0
                                       ? tasks * offer_.cores_per_task
                                       : ceil_div(task_cpus, offer_.cpus_per_core);
    std::uint64_t gres_cpus = wanted.per_task > 0 ? 0 : units_ * wanted.cpus_per_gres;
    // Its tasks do not know them.
    if (wanted.cpus_for_job_alone) {
      gres_cpus = std::min<std::uint64_t>(units_ * wanted.cpus_per_gres, cpus_);
    }
    std::uint32_t cores = ceil_div(gres_cpus, gpus_per_core_);
    if (scene_.request.enforce_binding) cores = std::max(cores, sockets_of_their_own(gres));
    std::uint32_t there = cores_left();
    if (wanted.per_task == 0 && wanted.cpus_needed() < wanted.cpus_per_gres) {
      cores =
          std::min(cores, std::max(there, ceil_div(units_ * wanted.cpus_needed(), gpus_per_core_)));
    }
    if (cores > there) return CoreFit::TooFew;
    cores = std::max(cores, by_tasks);
    // As many tasks a socket or core as there are sockets and cores.
    const bool is_range = is_open() || fills_node(scene_.request) ||
                          scene_.request.ntasks_per_socket + scene_.request.ntasks_per_core > 0;
    const bool lends = lends_a_task() && there + scene_.request.cpus_per_task >= cores;
    if (cores > there && lends) cores = there;
    if (cores > there && !is_range) {
      const bool has_one = there * offer_.cpus_per_core >= scene_.request.cpus_per_task;
      return has_one ? CoreFit::ForFewerTasks : CoreFit::TooFew;
    }
    if (cores > there && is_open() && most) {
      const std::uint32_t fit = there * offer_.cpus_per_core / scene_.request.cpus_per_task;
      cores = ceil_div(std::uint64_t{fit} * scene_.request.cpus_per_task, offer_.cpus_per_core);
    }
    if (!most && !has_cores_by_gpus(wanted)) return CoreFit::Enough;
    const bool binds = !needed_.none() && !counts_cpus_of_gpus(scene_, wanted);
    for (std::uint32_t socket = 0; socket < node_.sockets && binds && !strict_; ++socket) {
      while (!needed_.test(socket) && left_[socket] > 0 && there > cores) {
        drop_highest(socket);
        --there;
      }
    }
    for (; there > cores; --there) {
      std::uint32_t fullest = 0;
      for (std::uint32_t socket = 1; socket < node_.sockets; ++socket) {
        if (left_[socket] > left_[fullest]) fullest = socket;
      }
      drop_highest(fullest);
    }
    return CoreFit::Enough;
  }

  const Scene& scene_;
  const Node& node_;
  const NodeOffer& offer_;
  std::uint32_t gpus_per_core_;  // CPUs of a core, for those that GPUs bring
  std::uint32_t cpus_;           // that it has in this attempt
  const NodeTasks& tasks_;
  bool first_;
  bool strict_;
  CoreSet& cores_;
  SocketSet needed_;
  SocketSet visited_;        // before there were devices enough
  BySocket left_;            // free cores by socket
  std::uint64_t units_ = 0;  // that the node gives
};

}  // namespace

bool counts_cpus_of_gpus(const Scene& scene, const EffectiveGres& gres) {
  return scene.unit == ConsumableUnit::Cpu && gres.cpus_per_gres > 0;
}

CoreFit fit_cores_to_gres(const Scene& scene, const OfferedNode& offered, const Offers& offers,
                          bool first_attempt, CoreSet& cores, std::vector<std::uint64_t>& units) {
  const EffectiveRequest& request = scene.request;
  const NodeOffer& offer = offers.of(offered);
  const Node& node = scene.nodes[offered.node];
  NodeTasks tasks = tasks_on_node(scene, node);
  const std::uint32_t fitting = offered.cpus / request.cpus_per_task;
  if (!request.overcommit && tasks.max) {
    if (fitting < tasks.min && !has_cpus_for_job_alone(request)) return CoreFit::TooFew;
    tasks.max = std::min(*tasks.max, fitting);
  }
  units.assign(request.gres.size(), 0);
  for (const bool per_socket_first : {true, false}) {
    for (std::size_t i = 0; i < request.gres.size(); ++i) {
      const EffectiveGres& wanted = request.gres[i];
      if ((wanted.per_socket > 0) != per_socket_first) continue;
      const GresOffer& gres = offers.gres[offer.gres_at + i];
      units[i] = gres.ceiling;
      SocketFit fit{scene, offered, offer, tasks, first_attempt, cores};
      const CoreFit found = fit.fit(wanted, gres, offers.socket_units.data() + gres.sockets_at);
      if (found != CoreFit::Enough) return found;
      // Whole nodes count for the cores that they would give, and come with all that they have.
      if (!request.whole_nodes) units[i] = fit.units();
    }
  }
  return CoreFit::Enough;
}

}  // namespace rehearse

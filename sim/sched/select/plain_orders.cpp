// sim/sched/select/plain_orders.cpp — node orders other than best fit: spread, busy first, least
// loaded, serial jobs at the end (scheduling.md §6.4, rules 1 to 4), and select/linear's (§6).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/sched/select/choose.hpp"

namespace rehearse {
namespace {

std::vector<std::uint32_t> by_weight(const Progress& progress, const Alive& alive) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < progress.offers.nodes.size(); ++i) {
    if (alive[i] != 0 && progress.is_open(i)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return progress.offers.nodes[a].weight < progress.offers.nodes[b].weight;
  });
  return order;
}

/// The last node that may be taken has to have all CPUs that are missing.
bool take_in(Progress& progress, const std::vector<std::uint32_t>& order) {
  for (const std::uint32_t offer : order) {
    if (!progress.may_take()) break;
    if (progress.settle(offer) != CoreFit::Enough) continue;
    const bool is_last = progress.nodes_allowed == 1;
    if (is_last && progress.offers.nodes[offer].cpus < progress.cpus_wanted) continue;
    if (progress.take(offer) && progress.is_done()) return true;
  }
  return progress.is_enough();
}

/// CPUs of the cores that the job may use, whatever memory, MaxCPUsPerNode and threads let it have.
std::uint64_t free_cpus(const Progress& progress, const OfferedNode& node) {
  return std::uint64_t{progress.offers.of(node).cores.count()} *
         progress.scene.nodes[node.node].cpus_per_core;
}

/// The next node of a group of equal weight: the highest free ratio, under cons_res the most free
/// CPUs, lowest index on ties. The scan stops early at the first node as free as the one just
/// taken, if it beats the best so far.
std::size_t least_loaded(const Progress& progress, const std::vector<std::uint32_t>& group,
                         std::uint64_t last_free) {
  const auto& offers = progress.offers.nodes;
  const auto& nodes = progress.scene.nodes;
  const auto share_of = [&](const OfferedNode& offer) {  // of how many its free CPUs are
    return progress.scene.is_cons_res ? std::uint64_t{1} : std::uint64_t{nodes[offer.node].cpus};
  };
  std::size_t best = group.size();
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!progress.is_open(group[i])) continue;
    const OfferedNode& offer = offers[group[i]];
    bool better = best == group.size();
    if (!better) {
      const OfferedNode& other = offers[group[best]];
      better = free_cpus(progress, offer) * share_of(other) >
               free_cpus(progress, other) * share_of(offer);
    }
    if (!better) continue;
    best = i;
    if (free_cpus(progress, offer) == last_free) break;
  }
  return best;
}

}  // namespace

/// As many nodes as there are tasks, where no range says less: the last ones get a CPU each. For
/// --gpus and --gpus-per-task the first that have them (gres.md §3.2).
bool choose_spread(Progress& progress, const Alive& alive) {
  if (progress.scene.is_cons_res) progress.take_all();  // scheduling.md §6.4
  if (!take_required(progress, alive)) return false;
  const std::vector<std::uint32_t> order = by_weight(progress, alive);
  const std::int64_t tasks = std::max(progress.scene.request.num_tasks, 1U);
  const std::int64_t more =
      std::min(progress.nodes_allowed, static_cast<std::int64_t>(order.size()));
  const std::int64_t spread = tasks - static_cast<std::int64_t>(progress.taken.size());
  // Of a range the most, unless the job is to have the least of it (lifecycle.md §10.1).
  const auto& most = progress.scene.request.max_nodes;
  const bool wants_least = most && progress.wish.req_nodes < *most;
  if (!progress.scene.request.per_job_gres && !wants_least) {
    progress.nodes_wanted = std::max(progress.nodes_wanted, std::min(more, spread));
  }
  if (progress.is_done()) return true;
  return take_in(progress, order);
}

/// cons_res: busy nodes, then idle ones, until enough is there or the job has as many as it may.
/// Nodes that an attempt leaves out are there all the same if others on both sides are.
bool take_busy_first(Progress& progress, const Alive& alive) {
  const auto is_alive = [](std::uint8_t each) { return each != 0; };
  const auto first = std::find_if(alive.begin(), alive.end(), is_alive) - alive.begin();
  const auto last = alive.rend() - std::find_if(alive.rbegin(), alive.rend(), is_alive);
  for (const bool idle : {false, true}) {
    for (auto i = static_cast<std::uint32_t>(first); i < last; ++i) {
      const NodeId node = progress.offers.nodes[i].node;
      if (progress.wish.without_jobs->test(index_of(node)) != idle || !progress.is_open(i))
        continue;
      if (!progress.may_take()) return progress.is_enough();
      if (progress.settle(i) != CoreFit::Enough) continue;
      if (progress.take(i) && progress.is_done()) return true;
    }
  }
  return progress.is_enough();
}

/// Busy nodes of a weight, then its idle ones, and so on. Such a group ends behind the node with
/// which enough is there or the job has as many nodes as it may, and the next of that weight gives
/// one all the same.
bool choose_busy_first(Progress& progress, const Alive& alive) {
  if (!take_required(progress, alive)) return false;
  if (progress.is_done()) return true;
  if (progress.scene.is_cons_res) return take_busy_first(progress, alive);
  const auto offered = [&](std::uint32_t offer) -> const OfferedNode& {
    return progress.offers.nodes[offer];
  };
  const auto is_idle = [&](std::uint32_t offer) {
    return progress.wish.without_jobs->test(index_of(offered(offer).node));
  };
  std::vector<std::uint32_t> order = by_weight(progress, alive);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (offered(a).weight != offered(b).weight) return offered(a).weight < offered(b).weight;
    return !is_idle(a) && is_idle(b);
  });
  const auto is_full = [&] { return progress.is_done() || !progress.may_take(); };
  bool is_over = false;  // what this weight has of them, busy or idle
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool next_weight = i == 0 || offered(order[i]).weight != offered(order[i - 1]).weight;
    if (next_weight && is_full()) break;
    if (next_weight || is_idle(order[i]) != is_idle(order[i - 1])) is_over = false;
    if (is_over || progress.settle(order[i]) != CoreFit::Enough) continue;
    if (progress.take(order[i])) is_over = is_full();
  }
  return progress.is_done() || progress.is_enough();
}

bool choose_least_loaded(Progress& progress, const Alive& alive) {
  if (progress.scene.is_cons_res) progress.take_all();  // scheduling.md §6.4
  if (!take_required(progress, alive)) return false;
  if (progress.is_done()) return true;
  const std::vector<std::uint32_t> order = by_weight(progress, alive);
  for (std::size_t begin = 0; begin < order.size();) {
    std::vector<std::uint32_t> group;
    const std::uint64_t weight = progress.offers.nodes[order[begin]].weight;
    for (; begin < order.size() && progress.offers.nodes[order[begin]].weight == weight; ++begin) {
      group.push_back(order[begin]);
    }
    std::uint64_t last_free = 0;
    while (progress.may_take()) {
      const std::size_t next = least_loaded(progress, group, last_free);
      if (next == group.size()) break;
      last_free = free_cpus(progress, progress.offers.nodes[group[next]]);
      if (!progress.take(group[next])) continue;
      if (progress.is_done()) return true;
      if (!progress.scene.is_cons_res) progress.count_whole_unit();
    }
  }
  return progress.is_enough();
}

bool choose_in_order(Progress& progress, const Alive& alive) {
  if (!take_required(progress, alive)) return false;
  if (!progress.is_done() && !take_in(progress, by_weight(progress, alive))) return false;
  progress.drop_surplus();
  return true;
}

bool choose_serial_at_end(Progress& progress, const Alive& alive) {
  if (!take_required(progress, alive)) return false;
  if (progress.is_done()) return true;
  std::vector<std::uint32_t> order = by_weight(progress, alive);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const OfferedNode& x = progress.offers.nodes[a];
    const OfferedNode& y = progress.offers.nodes[b];
    return x.weight != y.weight ? x.weight < y.weight : a > b;
  });
  return take_in(progress, order);
}

}  // namespace rehearse

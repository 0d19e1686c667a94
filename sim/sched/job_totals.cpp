// sim/sched/job_totals.cpp — what the nodes that give most have free, while jobs leave.
#include "sim/sched/job_totals.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "sim/sched/select/quick_test.hpp"

namespace rehearse {
namespace {

/// Free units by node, and the sum of the so many nodes that have most.
class MostGiving {
 public:
  MostGiving(const Cluster& cluster, const EffectiveGres& wanted, const NodeSet& candidates,
             std::size_t most_nodes)
      : cluster_(cluster),
        wanted_(wanted),
        candidates_(candidates),
        most_nodes_(most_nodes),
        free_(cluster.nodes.size()) {
    for_each_bit(candidates, [&](std::size_t n) {
      free_[n] = capped(free_units_of(cluster.nodes[id_at<NodeId>(n)], cluster.ledger, wanted));
      ++nodes_with_[free_[n]];
    });
  }

  void leave(const Job& job) {
    for (const NodeShare& share : job.allocation.nodes) {
      const std::size_t n = index_of(share.node);
      if (!candidates_.test(n)) continue;
      const std::uint64_t before = free_[n];
      free_[n] = capped(before + units_held(cluster_.nodes[share.node], share, wanted_));
      if (--nodes_with_[before] == 0) nodes_with_.erase(before);
      ++nodes_with_[free_[n]];
    }
  }

  [[nodiscard]] bool suffice() const {
    std::uint64_t sum = 0;
    std::size_t left = most_nodes_;
    for (const auto& [units, nodes] : nodes_with_) {
      const std::size_t taken = std::min(nodes, left);
      sum += units * taken;
      left -= taken;
      if (left == 0) break;
    }
    return sum >= wanted_.per_job;
  }

 private:
  /// There may be any number.
  [[nodiscard]] std::uint64_t capped(std::uint64_t units) const {
    return std::min(units, wanted_.per_job);
  }

  const Cluster& cluster_;
  const EffectiveGres& wanted_;
  const NodeSet& candidates_;
  std::size_t most_nodes_;
  std::vector<std::uint64_t> free_;  // by node
  std::map<std::uint64_t, std::size_t, std::greater<>> nodes_with_;
};

}  // namespace

bool asks_for_totals(const EffectiveRequest& request) {
  return std::any_of(request.gres.begin(), request.gres.end(),
                     [](const EffectiveGres& gres) { return gres.per_job > 0; });
}

std::optional<std::size_t> ends_for_totals(const Cluster& cluster, const EffectiveRequest& request,
                                           const NodeSet& candidates,
                                           const std::vector<Departure>& leaving) {
  const std::size_t most_nodes = request.max_nodes.value_or(UINT32_MAX);
  std::size_t gone = 0;
  for (const EffectiveGres& wanted : request.gres) {
    if (wanted.per_job == 0) continue;
    MostGiving nodes(cluster, wanted, candidates, most_nodes);
    std::size_t left = 0;
    while (!nodes.suffice()) {
      while (left < leaving.size() && !leaving[left].intersects(candidates.words())) ++left;
      if (left == leaving.size()) return std::nullopt;
      nodes.leave(*leaving[left++].job);
    }
    gone = std::max(gone, left);
  }
  return gone;
}

}  // namespace rehearse

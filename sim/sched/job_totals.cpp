// sim/sched/job_totals.cpp — what the nodes that give most have free, while jobs leave.
#include "sim/sched/job_totals.hpp"

#include <algorithm>

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
      free_[n] = counted(free_units_of(cluster.nodes[id_at<NodeId>(n)], cluster.ledger, wanted));
      ++nodes_with(free_[n]);
    });
  }

  void leave(const Job& job) {
    for (const NodeShare& share : job.allocation.nodes) {
      const std::size_t n = index_of(share.node);
      if (!candidates_.test(n)) continue;
      const std::uint64_t before = free_[n];
      free_[n] = counted(before + units_held(cluster_.nodes[share.node], share, wanted_));
      --nodes_with(before);
      ++nodes_with(free_[n]);
    }
  }

  [[nodiscard]] bool suffice() const {
    if (has_many_) return true;
    std::uint64_t sum = 0;
    std::size_t left = most_nodes_;
    for (std::size_t units = nodes_with_.size(); units-- > 0 && left > 0;) {
      const std::size_t taken = std::min(nodes_with_[units], left);
      sum += units * taken;
      left -= taken;
    }
    return sum >= wanted_.per_job;
  }

 private:
  /// Where a node has many, it may have all: nothing is told.
  [[nodiscard]] std::uint64_t counted(std::uint64_t units) {
    constexpr std::uint64_t kMany = 4096;
    has_many_ = has_many_ || units > kMany;
    return std::min(units, kMany);
  }

  [[nodiscard]] std::size_t& nodes_with(std::uint64_t units) {
    if (units >= nodes_with_.size()) nodes_with_.resize(units + 1);
    return nodes_with_[units];
  }

  const Cluster& cluster_;
  const EffectiveGres& wanted_;
  const NodeSet& candidates_;
  std::size_t most_nodes_;
  std::vector<std::uint64_t> free_;      // by node
  std::vector<std::size_t> nodes_with_;  // by units
  bool has_many_ = false;
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

// sim/sched/job_totals.cpp — what the nodes that give most have free, while jobs leave.
#include "sim/sched/job_totals.hpp"

#include <algorithm>

#include "sim/sched/select/offer.hpp"
#include "sim/sched/select/quick_test.hpp"

namespace rehearse {
namespace {

/// Units of a GRES.
struct GresTotal {
  const Cluster& cluster;
  const EffectiveGres& wanted;

  [[nodiscard]] std::uint64_t in_all() const { return wanted.per_job; }
  [[nodiscard]] std::uint64_t free_on(const Node& node) const {
    return free_units_of(node, cluster.ledger, wanted);
  }
  [[nodiscard]] std::uint64_t held_on(const Node& node, const NodeShare& share) const {
    return units_held(node, share, wanted);
  }
};

/// CPUs, as many of a core as the job may use.
struct CpuTotal {
  const Cluster& cluster;
  const EffectiveRequest& request;

  [[nodiscard]] std::uint64_t in_all() const { return request.min_cpus; }
  [[nodiscard]] std::uint64_t free_on(const Node& node) const {
    return free_cpus_of(node, cluster.ledger.use(node.id).cores.count(), request);
  }
  [[nodiscard]] std::uint64_t held_on(const Node& node, const NodeShare& share) const {
    return share.cores.count() * usable_cpus_per_core(request, node);
  }
};

/// What is free by node, and the sum of the so many nodes that have most.
template <typename Total>
class MostGiving {
 public:
  MostGiving(const Cluster& cluster, const Total& total, const NodeSet& candidates,
             std::size_t most_nodes)
      : cluster_(cluster),
        total_(total),
        candidates_(candidates),
        most_nodes_(most_nodes),
        free_(cluster.nodes.size()) {
    for_each_bit(candidates, [&](std::size_t n) {
      free_[n] = counted(total_.free_on(cluster.nodes[id_at<NodeId>(n)]));
      ++nodes_with(free_[n]);
    });
  }

  void leave(const Job& job) {
    for (const NodeShare& share : job.allocation.nodes) {
      const std::size_t n = index_of(share.node);
      if (!candidates_.test(n)) continue;
      const std::uint64_t before = free_[n];
      free_[n] = counted(before + total_.held_on(cluster_.nodes[share.node], share));
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
    return sum >= total_.in_all();
  }

  /// How many jobs leave, in this order, before they suffice; none: they never do.
  [[nodiscard]] std::optional<std::size_t> ends(const std::vector<Departure>& leaving) {
    std::size_t left = 0;
    while (!suffice()) {
      while (left < leaving.size() && !leaving[left].intersects(candidates_.words())) ++left;
      if (left == leaving.size()) return std::nullopt;
      leave(*leaving[left++].job);
    }
    return left;
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
  Total total_;
  const NodeSet& candidates_;
  std::size_t most_nodes_;
  std::vector<std::uint64_t> free_;      // by node
  std::vector<std::size_t> nodes_with_;  // by units
  bool has_many_ = false;
};

/// Where what each node must have free does not make up the sum. Of jobs with GRES these are short
/// first.
bool asks_for_cpus_in_all(const EffectiveRequest& request) {
  const std::uint64_t each = request.cpus_of_each_node;
  return request.gres.empty() && each > 0 && !request.overcommit &&
         request.min_cpus > each * std::max(request.min_nodes, 1U);
}

}  // namespace

bool asks_for_totals(const EffectiveRequest& request) {
  return asks_for_cpus_in_all(request) ||
         std::any_of(request.gres.begin(), request.gres.end(),
                     [](const EffectiveGres& gres) { return gres.per_job > 0; });
}

std::optional<std::size_t> ends_for_totals(const Cluster& cluster, const EffectiveRequest& request,
                                           const NodeSet& candidates,
                                           const std::vector<Departure>& leaving) {
  const std::size_t most_nodes = request.max_nodes.value_or(UINT32_MAX);
  if (asks_for_cpus_in_all(request)) {
    return MostGiving(cluster, CpuTotal{cluster, request}, candidates, most_nodes).ends(leaving);
  }
  std::size_t gone = 0;
  for (const EffectiveGres& wanted : request.gres) {
    if (wanted.per_job == 0) continue;
    const auto left =
        MostGiving(cluster, GresTotal{cluster, wanted}, candidates, most_nodes).ends(leaving);
    if (!left) return std::nullopt;
    gone = std::max(gone, *left);
  }
  return gone;
}

}  // namespace rehearse

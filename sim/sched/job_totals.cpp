// sim/sched/job_totals.cpp — what the nodes that give most have free, while jobs leave.
#include "sim/sched/job_totals.hpp"

#include <algorithm>

#include "sim/sched/select/offer.hpp"
#include "sim/sched/select/quick_test.hpp"

namespace rehearse {
namespace {

/// Where what each node must have free does not make up the sum. Of jobs with GRES these are short
/// first.
bool asks_for_cpus_in_all(const EffectiveRequest& request) {
  const std::uint64_t each = std::max(request.cpus_of_each_node, request.cpus_left_for_one);
  return request.gres.empty() && each > 0 && !request.overcommit &&
         request.min_cpus > each * std::max(request.min_nodes, 1U);
}

/// Units of all nodes: whichever give most, all of them may be taken.
class SumOfAll {
 public:
  void begin(std::uint32_t /*node*/, std::uint64_t free) { sum_ += free; }
  void add(std::uint32_t /*node*/, std::uint64_t given) { sum_ += given; }
  [[nodiscard]] bool reaches(std::uint64_t wanted) const { return sum_ >= wanted; }

 private:
  std::uint64_t sum_ = 0;
};

/// Of the so many nodes that have most.
class SumOfMost {
 public:
  SumOfMost(std::size_t most_nodes, std::size_t all_nodes)
      : most_nodes_(most_nodes), free_(all_nodes) {}

  void begin(std::uint32_t node, std::uint64_t free) {
    in_all_ += free;
    free_[node] = counted(free);
    ++nodes_with(free_[node]);
  }
  void add(std::uint32_t node, std::uint64_t given) {
    in_all_ += given;
    const std::uint64_t before = free_[node];
    free_[node] = counted(before + given);
    --nodes_with(before);
    ++nodes_with(free_[node]);
  }
  [[nodiscard]] bool reaches(std::uint64_t wanted) const {
    if (has_many_) return true;
    if (in_all_ < wanted) return false;
    std::uint64_t sum = 0;
    std::size_t left = most_nodes_;
    for (std::size_t units = nodes_with_.size(); units-- > 0 && left > 0;) {
      const std::size_t taken = std::min(nodes_with_[units], left);
      sum += units * taken;
      left -= taken;
    }
    return sum >= wanted;
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

  std::size_t most_nodes_;
  std::uint64_t in_all_ = 0;
  std::vector<std::uint64_t> free_;      // by node
  std::vector<std::size_t> nodes_with_;  // by units
  bool has_many_ = false;
};

}  // namespace

bool asks_for_totals(const EffectiveRequest& request) {
  return asks_for_cpus_in_all(request) ||
         std::any_of(request.gres.begin(), request.gres.end(),
                     [](const EffectiveGres& gres) { return gres.per_job > 0; });
}

JobTotals::JobTotals(const Cluster& cluster, const EffectiveRequest& request, const NodeSet& nodes,
                     const std::vector<Departure>& leaving, LeavingUnits& units)
    : leaving_(leaving),
      // Plans by bf_busy_nodes, and over switches, may have more (scheduling.md §6.4, rule 2,
      // §6.6).
      most_nodes_(cluster.conf.scheduler_parameters.bf_busy_nodes ||
                          (cluster.topology && cluster.conf.select_type != SelectType::Linear)
                      ? UINT32_MAX
                      : request.max_nodes.value_or(UINT32_MAX)) {
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 40U;  // the sum of all nodes bears it
  const auto count = [&](std::uint64_t wanted, LeavingUnits::Kind kind, auto&& free_on,
                         auto&& each_on) {
    Total& total = totals_.emplace_back();
    total.wanted = wanted;
    total.given = &units.of(kind);
    total.free.resize(cluster.nodes.size());
    total.each.resize(cluster.nodes.size());
    for_each_bit(nodes, [&](std::size_t n) {
      const Node& node = cluster.nodes[id_at<NodeId>(n)];
      total.free[n] = std::min<std::uint64_t>(free_on(node), kEnough);
      total.each[n] = each_on(node);
    });
  };
  if (asks_for_cpus_in_all(request)) {
    count(
        request.min_cpus, {},
        [&](const Node& node) {
          return free_cpus_of(node, cluster.ledger.use(node.id).cores.count(), request);
        },
        [&](const Node& node) { return usable_cpus_per_core(request, node); });
  }
  for (const EffectiveGres& wanted : request.gres) {
    if (wanted.per_job == 0) continue;
    count(
        wanted.per_job, {wanted.name, wanted.type},
        [&](const Node& node) { return free_units_of(node, cluster.ledger, wanted); },
        [](const Node&) { return 1U; });
  }
}

template <typename Sum>
std::optional<std::size_t> JobTotals::ends_of(const Total& total, const NodeSet& candidates,
                                              Sum sum) {
  for_each_bit(candidates,
               [&](std::size_t n) { sum.begin(static_cast<std::uint32_t>(n), total.free[n]); });
  LeavingUnits::Row& given = *total.given;
  std::size_t gone = 0;
  for (std::size_t i = 0; !sum.reaches(total.wanted);) {
    while (given.has(i) && !candidates.test(given[i].node)) ++i;
    if (!given.has(i)) return std::nullopt;
    const std::uint32_t job = given[i].job;
    for (; given.has(i) && given[i].job == job; ++i) {
      const Given& one = given[i];
      if (candidates.test(one.node)) sum.add(one.node, one.units * total.each[one.node]);
    }
    gone = std::size_t{job} + 1;
  }
  return gone;
}

bool JobTotals::may_suffice_by(SlurmTime at, const NodeSet& candidates) {
  if (most_nodes_ < candidates.count()) return true;
  const bool starts_anew = at < by_ || by_ == SlurmTime::min();
  by_ = at;
  bool suffices = true;
  for (Total& total : totals_) {
    if (starts_anew) {
      total.by = total.free;
      total.given_by = 0;
    }
    for (LeavingUnits::Row& given = *total.given; given.has(total.given_by); ++total.given_by) {
      const Given& one = given[total.given_by];
      if (leaving_[one.job].end > at) break;
      total.by[one.node] += one.units * total.each[one.node];
    }
    std::uint64_t sum = 0;
    for_each_bit(candidates, [&](std::size_t n) { sum += total.by[n]; });
    suffices = suffices && sum >= total.wanted;
  }
  return suffices;
}

std::optional<std::size_t> JobTotals::ends(const NodeSet& candidates) {
  const bool takes_all = most_nodes_ >= candidates.count();
  std::size_t gone = 0;
  for (const Total& total : totals_) {
    const auto left = takes_all
                          ? ends_of(total, candidates, SumOfAll{})
                          : ends_of(total, candidates, SumOfMost(most_nodes_, total.free.size()));
    if (!left) return std::nullopt;
    gone = std::max(gone, *left);
  }
  return gone;
}

}  // namespace rehearse

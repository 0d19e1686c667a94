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
  const std::uint64_t each = request.cpus_of_each_node;
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
                     const std::vector<Departure>& leaving)
    : cluster_(cluster), request_(request), nodes_(nodes), leaving_(leaving) {
  if (asks_for_cpus_in_all(request)) {
    totals_.push_back({.gres = std::nullopt, .wanted = request.min_cpus});
  }
  for (std::size_t i = 0; i < request.gres.size(); ++i) {
    const std::uint64_t wanted = request.gres[i].per_job;
    if (wanted > 0) totals_.push_back({.gres = i, .wanted = wanted});
  }
  for (Total& total : totals_) {
    total.free.resize(cluster.nodes.size());
    for_each_bit(nodes, [&](std::size_t n) {
      total.free[n] = free_on(cluster.nodes[id_at<NodeId>(n)], total);
    });
  }
}

/// No more than the sum of all nodes bears.
std::uint64_t JobTotals::free_on(const Node& node, const Total& total) const {
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 40U;
  const std::uint64_t units =
      total.gres ? free_units_of(node, cluster_.ledger, request_.gres[*total.gres])
                 : free_cpus_of(node, cluster_.ledger.use(node.id).cores.count(), request_);
  return std::min(units, kEnough);
}

std::uint64_t JobTotals::held_on(const NodeShare& share, const Total& total) const {
  const Node& node = cluster_.nodes[share.node];
  if (total.gres) return units_held(node, share, request_.gres[*total.gres]);
  return share.cores.count() * usable_cpus_per_core(request_, node);
}

bool JobTotals::list_more(Total& total, std::size_t count) const {
  for (; total.given.size() <= count && total.listed < leaving_.size(); ++total.listed) {
    for (const NodeShare& share : leaving_[total.listed].job->allocation.nodes) {
      const auto node = static_cast<std::uint32_t>(index_of(share.node));
      if (!nodes_.test(node)) continue;
      const std::uint64_t units = held_on(share, total);
      if (units == 0) continue;
      total.given.push_back({static_cast<std::uint32_t>(total.listed), node, units});
    }
  }
  return count < total.given.size();
}

template <typename Sum>
std::optional<std::size_t> JobTotals::ends_of(Total& total, const NodeSet& candidates,
                                              Sum sum) const {
  for_each_bit(candidates,
               [&](std::size_t n) { sum.begin(static_cast<std::uint32_t>(n), total.free[n]); });
  std::size_t gone = 0;
  for (std::size_t i = 0; !sum.reaches(total.wanted);) {
    while (has_more(total, i) && !candidates.test(total.given[i].node)) ++i;
    if (!has_more(total, i)) return std::nullopt;
    const std::uint32_t job = total.given[i].job;
    for (; has_more(total, i) && total.given[i].job == job; ++i) {
      const Given& given = total.given[i];
      if (candidates.test(given.node)) sum.add(given.node, given.units);
    }
    gone = std::size_t{job} + 1;
  }
  return gone;
}

bool JobTotals::may_suffice_by(SlurmTime at, const NodeSet& candidates) {
  if (request_.max_nodes.value_or(UINT32_MAX) < candidates.count()) return true;
  const bool starts_anew = at < by_ || by_ == SlurmTime::min();
  by_ = at;
  for (Total& total : totals_) {
    if (starts_anew) {
      total.by = total.free;
      total.given_by = 0;
    }
    for (; has_more(total, total.given_by); ++total.given_by) {
      const Given& given = total.given[total.given_by];
      if (leaving_[given.job].end > at) break;
      total.by[given.node] += given.units;
    }
    std::uint64_t sum = 0;
    for_each_bit(candidates, [&](std::size_t n) { sum += total.by[n]; });
    if (sum < total.wanted) return false;
  }
  return true;
}

std::optional<std::size_t> JobTotals::ends(const NodeSet& candidates) {
  const std::size_t most_nodes = request_.max_nodes.value_or(UINT32_MAX);
  const bool takes_all = most_nodes >= candidates.count();
  std::size_t gone = 0;
  for (Total& total : totals_) {
    const auto left = takes_all
                          ? ends_of(total, candidates, SumOfAll{})
                          : ends_of(total, candidates, SumOfMost(most_nodes, total.free.size()));
    if (!left) return std::nullopt;
    gone = std::max(gone, *left);
  }
  return gone;
}

}  // namespace rehearse

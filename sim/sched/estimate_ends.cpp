// sim/sched/estimate_ends.cpp — searches in the states that the ends of running jobs lead to: from
// the nodes alone, how many of them must be gone.
#include <algorithm>
#include <utility>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/estimate.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

/// How many jobs must leave before the nodes of `-w` may serve, without which no placement is
/// tried; none: they never may.
std::optional<std::size_t> until_required(const Cluster& cluster, const Job& job,
                                          const EndsNeeded& needed, const NodeSet& candidates) {
  const NodeSet required = nodes_named(cluster, cluster.request_of(job).required_nodes);
  if (!required.is_subset_of(candidates)) return std::nullopt;
  return needed.until(required.count(), required);
}

}  // namespace

/// A job over its limit is expected to be killed soon (§7 step 4, last part).
SlurmTime Estimator::expected_end(const Job& job, SlurmTime now) const {
  const SlurmTime end = job.end.value_or(now);
  if (end > now) return end;
  if (cluster_.conf.select_type == SelectType::Linear) return now + Seconds{1};
  const std::uint32_t over = cluster_.partitions[job.partition].conf.over_time_limit_min.value_or(
      cluster_.conf.over_time_limit_min);
  SlurmTime expected = end + cluster_.conf.kill_wait;
  if (over == UINT32_MAX) {
    expected = now + job.time_limit.value_or(Minutes{0});
  } else {
    expected += Minutes{over};
  }
  return std::max(expected, now + Seconds{1});
}

bool Estimator::tells_by_nodes(const Job& job, PartitionId partition) {
  if (!asks_only_ends(job, partition) || !cluster_.recalls) return false;
  // Counted features may be planned before all nodes are free, alternatives before the end of a
  // bunch of all of their nodes.
  if (has_searches_of_its_own(job, partition)) return false;
  refresh();
  return true;
}

bool Estimator::starts_after(SlurmTime at, const Job& job, PartitionId partition,
                             const NodeSet& candidates, const NodeCounts& counts) {
  if (!tells_by_nodes(job, partition)) return false;
  // Its start is the end of the last job that leaves before it, or of one that leaves later.
  const bool of_selected = has(cluster_.inputs.site.slurm_version, Change::StartOfSelectedNodes);
  if (!of_selected && tells_by_totals(job, partition) &&
      !totals_of(job, partition).may_suffice_by(at, candidates)) {
    return true;
  }
  EnoughNodes& nodes = enough_nodes(job, partition, candidates, counts.min);
  if (!nodes.enough) return true;
  if (*nodes.enough == 0) return false;
  if (!of_selected && leaving_[*nodes.enough - 1].end > at) return true;
  const auto& bunch = first_bunch(nodes);
  // Of jobs that leave in one bunch, the one to wait for may end first.
  return !bunch || (of_selected ? nodes.end_before : *bunch->last->end) > at;
}

JobTotals& Estimator::totals_of(const Job& job, PartitionId partition) {
  KnownTotals& known = totals_;
  if (!known.totals || known.state != state_ || known.request != job.request ||
      known.partition != partition) {
    const Partition& where = cluster_.partitions[partition];
    known.state = state_;
    known.request = job.request;
    known.partition = partition;
    known.totals.emplace(cluster_, select_.ruled_request(job, where).request, where.nodes, leaving_,
                         leaving_units_);
  }
  return *known.totals;
}

/// Most questions come twice: whether a start is late enough to be passed over, and when it is.
EnoughNodes& Estimator::enough_nodes(const Job& job, PartitionId partition,
                                     const NodeSet& candidates, std::uint32_t least) {
  EnoughNodes& nodes = enough_nodes_;
  if (nodes.state != state_ || nodes.request != job.request || nodes.partition != partition ||
      nodes.least != least || nodes.candidates != candidates) {
    nodes.state = state_;
    nodes.request = job.request;
    nodes.partition = partition;
    nodes.least = least;
    nodes.candidates = candidates;
    nodes.enough = able_.of(job, partition).until(least, candidates);
    if (nodes.enough && tells_by_totals(job, partition)) {
      const auto gone = totals_of(job, partition).ends(candidates);
      nodes.enough = gone ? std::optional(std::max(*nodes.enough, *gone)) : std::nullopt;
    }
    if (nodes.enough && !cluster_.request_of(job).required_nodes.empty()) {
      const auto gone = until_required(cluster_, job, able_.of(job, partition), candidates);
      nodes.enough = gone ? std::optional(std::max(*nodes.enough, *gone)) : std::nullopt;
    }
    nodes.after.reset();
  }
  return nodes;
}

/// Slurm makes the tests that a sum would spare; those for GRES leave weights behind.
bool Estimator::tells_by_totals(const Job& job, PartitionId partition) {
  const EffectiveRequest& request =
      select_.ruled_request(job, cluster_.partitions[partition]).request;
  return asks_for_totals(request) && !leaves_marks(job);
}

const std::optional<Bunch>& Estimator::first_bunch(EnoughNodes& nodes) {
  if (nodes.after) return nodes.bunch;
  nodes.end_before = SlurmTime::min();
  nodes.after.emplace(bunches_of(leaving_, nodes.candidates));
  while ((nodes.bunch = nodes.after->next()) && nodes.bunch->gone < *nodes.enough) {
    nodes.end_before = *nodes.bunch->last->end;
  }
  return nodes.bunch;
}

/// A node serves no earlier than the job on it that it waits for ends, and a start is no earlier
/// than the ends of all jobs that it waits for.
std::optional<NodesInTime> Estimator::nodes_in_time(const Job& job, PartitionId partition) {
  if (!tells_by_nodes(job, partition)) return std::nullopt;
  return NodesInTime(able_.of(job, partition));
}

const NodeSet* Estimator::nodes_at_once(const Job& job, PartitionId partition) {
  return tells_by_nodes(job, partition) ? &able_.at_once(job, partition) : nullptr;
}

/// True if sums tell that it does not fit before somebody has left.
bool Estimator::lacks_totals(const Search& search, const Answer& answer) {
  if (!tells_by_nodes(search.job, search.partition)) return false;
  if (!tells_by_totals(search.job, search.partition)) return false;
  const EnoughNodes& nodes =
      enough_nodes(search.job, search.partition, answer.candidates, search.counts.min);
  return !nodes.enough || *nodes.enough > 0;
}

/// Whoever shares cores, memory and devices are one job's: how many running jobs must end before
/// enough nodes have them. SIZE_MAX: they never have.
std::size_t Estimator::ends_for_devices(const Search& search, const NodeSet& candidates) {
  const Job& job = search.job;
  if (!cluster_.recalls || search.request != nullptr || leaves_marks(job)) return 0;
  return able_.of(job, search.partition).until(search.counts.min, candidates).value_or(SIZE_MAX);
}

/// Tests are spared where too few nodes may serve; the last of those that Slurm makes leaves its
/// marks all the same, over those of the others (scheduling.md §5.5).
void Estimator::mark_in_vain(const Search& search, const Answer& answer) {
  if (!leaves_marks(search.job)) return;
  if (!tells_by_nodes(search.job, search.partition)) return;
  const std::size_t gone = answer.horizon == Horizon::Future ? leaving_.size() : 0;
  if (gone == 0) {
    (void)try_on(cluster_.ledger, search, answer.candidates, Tested::Yes);
    return;
  }
  const LedgerOutline& ahead = ahead_.without_first(gone, answer.candidates);
  (void)try_on(ahead.ledger(), search, answer.candidates, Tested::Yes, &ahead);
}

/// Step 4 in the states that are known, of which the nodes alone rule out the first.
void Estimator::search_known_ends(const Search& search, Answer& answer) {
  const auto serve = [&](std::optional<Bunch> bunch, Bunches after) {
    for (; bunch; bunch = after.next()) {
      auto found = try_without(bunch->gone, search, answer.candidates);
      if (!found) continue;
      settle(search, leaving_, *bunch, std::move(*found), answer);
      return;
    }
  };
  if (!cluster_.recalls) {
    Bunches all = bunches_of(leaving_, answer.candidates);
    const auto first = all.next();
    serve(first, all);
    return;
  }
  EnoughNodes& nodes =
      enough_nodes(search.job, search.partition, answer.candidates, search.counts.min);
  if (!nodes.enough) return;
  const auto& first = first_bunch(nodes);
  serve(first, *nodes.after);
}

}  // namespace rehearse

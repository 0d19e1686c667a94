// sim/sched/estimate_leaves.cpp — a job that waits for nodes on few leaf switches alone, where busy
// nodes are looked at first (scheduling.md §6.6).
#include "sim/sched/estimate.hpp"
#include "sim/sched/select/most_leaves.hpp"

namespace rehearse {

/// Of how many leaves a test in the tree has nodes stands until the next one: busy nodes know no
/// tree. All cores of the candidates are asked each time, but not in a partition of whole nodes,
/// where the test at submission and those of nodes that were free are all.
bool Estimator::waits_for_leaves(const Search& search, const Answer& answer) {
  const bool busy_first = cluster_.conf.scheduler_parameters.bf_busy_nodes && search.busy_first;
  if (!busy_first || search.request != nullptr || !cluster_.topology) return false;
  if (cluster_.conf.select_type == SelectType::Linear) return false;
  const Request& own = cluster_.request_of(search.job);
  if (!heeds_switches(search.job, own)) return false;
  const Partition& partition = cluster_.partitions[search.partition];
  const bool whole = partition.conf.over_subscribe == OverSubscribe::Exclusive;
  if (whole && beyond_leaves_.contains(search.job.id)) return true;
  Request anywhere = own;
  anywhere.switches.reset();
  Search other = search;
  other.request = &anywhere;
  other.certain_cpus = 0;
  const bool waits = try_on(cluster_.ledger, other, answer.candidates, Tested::No).has_value() ||
                     is_beyond_leaves_if_empty(other, whole ? partition.nodes : answer.candidates);
  if (waits && whole) beyond_leaves_.insert(search.job.id);
  return waits;
}

bool Estimator::is_beyond_leaves_if_empty(const Search& search, const NodeSet& nodes) const {
  if (cluster_.conf.select_type != SelectType::ConsTres) return false;
  const auto chosen = select_.choose({.job = search.job,
                                      .request = *search.request,
                                      .partition = cluster_.partitions[search.partition],
                                      .ledger = cluster_.ledger,
                                      .candidates = nodes,
                                      .min_nodes = search.counts.min,
                                      .max_nodes = search.counts.max,
                                      .req_nodes = search.counts.req,
                                      .ignore_use = true});
  const std::uint32_t most = cluster_.request_of(search.job).switches.value_or(0);
  return chosen && count_leaves(&*cluster_.topology, *chosen) > most;
}

}  // namespace rehearse

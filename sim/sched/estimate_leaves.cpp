// sim/sched/estimate_leaves.cpp — a job that waits for nodes on few leaf switches alone, where busy
// nodes are looked at first (scheduling.md §6.6).
#include "sim/sched/estimate.hpp"
#include "sim/sched/select/most_leaves.hpp"

namespace rehearse {

bool Estimator::waits_for_leaves(const Search& search, const Answer& answer) {
  const bool busy_first = cluster_.conf.scheduler_parameters.bf_busy_nodes && search.busy_first;
  if (!busy_first || search.request != nullptr || !cluster_.topology) return false;
  if (cluster_.conf.select_type == SelectType::Linear) return false;
  const Request& own = cluster_.request_of(search.job);
  if (!heeds_switches(search.job, own)) return false;
  Request anywhere = own;
  anywhere.switches.reset();
  Search other = search;
  other.request = &anywhere;
  other.certain_cpus = 0;
  return try_on(cluster_.ledger, other, answer.candidates, Tested::No).has_value();
}

}  // namespace rehearse

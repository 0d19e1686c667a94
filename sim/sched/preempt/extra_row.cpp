// sim/sched/preempt/extra_row.cpp — preempt/qos with SUSPEND: a preemptor is placed over the cores
// of others, and gang scheduling does the rest (preemption.md §4 step 2).
#include <algorithm>

#include "sim/sched/preempt/preemption.hpp"

namespace rehearse {

bool Preemption::has_extra_row() const {
  return enabled_ && cluster_.ledger.shares_cores() &&
         cluster_.conf.preempt_type == PreemptType::Qos;
}

bool Preemption::takes_extra_row(const Job& preemptor, PartitionId partition, SlurmTime now) const {
  if (!has_extra_row()) return false;
  const std::vector<Job*> order = candidates(preemptor, partition, now);
  return !order.empty() && mode_of(*order.front()) == PreemptMode::Suspend;
}

std::vector<Job*> Preemption::suspendable(const Job& preemptor, PartitionId partition,
                                          SlurmTime now) const {
  if (!enabled_ || !cluster_.ledger.shares_cores()) return {};
  std::vector<Job*> found = candidates(preemptor, partition, now);
  std::erase_if(found, [&](const Job* job) { return mode_of(*job) != PreemptMode::Suspend; });
  return found;
}

}  // namespace rehearse

// sim/sched/node_choice_victims.cpp — for which jobs others may have to go, or give up licences.
#include "sim/cluster/licenses.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/preempt/preemption.hpp"

namespace rehearse {

bool NodeChoice::may_preempt(const Job& job, PartitionId partition) const {
  return preemption_ != nullptr && preemption_->may_take(job, partition);
}

bool NodeChoice::is_preemptable(const Job& job) const {
  return preemption_ != nullptr && preemption_->is_preemptable(job);
}

std::vector<std::uint32_t> NodeChoice::reclaimable(const Job& job,
                                                   std::span<const std::uint32_t> reserved) const {
  if (preemption_ == nullptr || !preemption_->reclaims_licenses(job)) return {};
  return lacking_licenses(cluster_, job, reserved);
}

bool NodeChoice::could_reclaim(const Job& job, PartitionId partition,
                               std::span<const std::uint32_t> reserved, SlurmTime now) const {
  const std::vector<std::uint32_t> lacking = reclaimable(job, reserved);
  return !lacking.empty() && preemption_->could_reclaim(job, partition, now, lacking);
}

}  // namespace rehearse

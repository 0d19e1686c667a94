// sim/sched/yields.hpp — who gives way to whom where gang scheduling suspends lower tiers.
#pragma once

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// True if a job of `partition` may be placed over the cores of `other`, which is then suspended
/// (preemption.md §8): preempt/partition_prio, and SUSPEND is the mode of a lower tier.
[[nodiscard]] inline bool yields_cores(const Job& other, PartitionId partition,
                                       const Cluster& cluster) {
  const SlurmConf& conf = cluster.conf;
  if (!conf.preempt_gang || conf.preempt_type != PreemptType::PartitionPrio) return false;
  const PartitionConf& below = cluster.partitions[other.partition].conf;
  return below.priority_tier < cluster.partitions[partition].conf.priority_tier &&
         below.preempt_mode.value_or(conf.preempt_mode) == PreemptMode::Suspend;
}

}  // namespace rehearse

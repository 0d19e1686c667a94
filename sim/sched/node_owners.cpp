// sim/sched/node_owners.cpp — from running jobs to the nodes that they keep from others.
#include "sim/sched/node_owners.hpp"

#include <algorithm>
#include <optional>

#include "sim/cluster/whole_nodes.hpp"

namespace rehearse {

void NodeOwners::starts(const Job& job) {
  if (wants_own(job, job.partition)) owning_.insert(job.index);
}

bool NodeOwners::wants_own(const Job& job, PartitionId partition) const {
  return cluster_.request_of(job).exclusive == ExclusiveRequest::User ||
         cluster_.partitions[partition].conf.exclusive_user;
}

bool NodeOwners::is_whole(const Job& job) const {
  return asks_for_whole_nodes(cluster_.request_of(job), cluster_.partitions[job.partition].conf);
}

/// Slurm: whoever may preempt a whole job has its nodes, also for a user alone; in a plan such a
/// job counts like any (scheduling.md §5.2).
void NodeOwners::withhold(const Job& job, PartitionId partition,
                          const std::function<std::vector<Job*>()>& victims, NodeSet& nodes) const {
  const bool alone = wants_own(job, partition);
  std::optional<std::vector<Job*>> asked;
  const auto may_go = [&](const Job* other) {
    if (!asked) asked = victims();
    return std::find(asked->begin(), asked->end(), other) != asked->end();
  };
  for (const Job* other : running_.by_end()) {
    if (other->spec->user == job.spec->user) continue;
    if (!alone && !owning_.contains(other->index)) continue;
    if (is_whole(*other) && may_go(other)) continue;
    nodes -= other->allocated_nodes;
  }
}

}  // namespace rehearse

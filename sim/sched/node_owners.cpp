// sim/sched/node_owners.cpp — from running jobs to the nodes that they keep from others.
#include "sim/sched/node_owners.hpp"

#include <algorithm>

#include "sim/cluster/whole_nodes.hpp"

namespace rehearse {

/// Most sites have none of it: then nothing is looked at.
bool NodeOwners::matter() {
  for (; seen_requests_ < cluster_.requests.size(); ++seen_requests_) {
    const Request& request = cluster_.requests[id_at<RequestId>(seen_requests_)];
    asked_for_ = asked_for_ || request.exclusive == ExclusiveRequest::User;
  }
  return asked_for_ || !owning_.empty() ||
         std::any_of(cluster_.partitions.begin(), cluster_.partitions.end(),
                     [](const Partition& p) { return p.conf.exclusive_user; });
}

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
void NodeOwners::withhold(const Job& job, PartitionId partition, std::span<Job* const> victims,
                          NodeSet& nodes) const {
  const bool alone = wants_own(job, partition);
  for (const Job* other : running_.by_end()) {
    if (other->spec->user == job.spec->user) continue;
    if (!alone && !owning_.contains(other->index)) continue;
    if (is_whole(*other) && std::find(victims.begin(), victims.end(), other) != victims.end()) {
      continue;
    }
    nodes -= other->allocated_nodes;
  }
}

}  // namespace rehearse

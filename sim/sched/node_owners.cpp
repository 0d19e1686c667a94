// sim/sched/node_owners.cpp — from running jobs to the nodes that they keep from others.
#include "sim/sched/node_owners.hpp"

#include <algorithm>

#include "sim/cluster/whole_nodes.hpp"

namespace rehearse {

/// Most sites have none of it: then nothing is looked at.
bool NodeOwners::matters() {
  for (; seen_requests_ < cluster_.requests.size(); ++seen_requests_) {
    const Request& request = cluster_.requests[id_at<RequestId>(seen_requests_)];
    asked_for_ = asked_for_ || request.exclusive == ExclusiveRequest::User;
  }
  return asked_for_ || std::any_of(cluster_.partitions.begin(), cluster_.partitions.end(),
                                   [](const Partition& p) { return p.conf.exclusive_user; });
}

bool NodeOwners::owns(const Job& job, PartitionId partition) const {
  return cluster_.request_of(job).exclusive == ExclusiveRequest::User ||
         cluster_.partitions[partition].conf.exclusive_user;
}

/// Slurm: it keeps its nodes by itself, and nobody off them who may preempt it.
bool NodeOwners::is_whole(const Job& job) const {
  return asks_for_whole_nodes(cluster_.request_of(job), cluster_.partitions[job.partition].conf);
}

void NodeOwners::withhold(const Job& job, PartitionId partition, NodeSet& nodes) {
  if (!matters()) return;
  const bool alone = owns(job, partition);
  for (const Job* other : running_.by_end()) {
    if (other->spec->user == job.spec->user) continue;
    if (is_whole(*other)) continue;
    if (alone || owns(*other, other->partition)) nodes -= other->allocated_nodes;
  }
}

}  // namespace rehearse

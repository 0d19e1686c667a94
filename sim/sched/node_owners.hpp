// sim/sched/node_owners.hpp — nodes that belong to one user while his jobs run there:
// ExclusiveUser=YES and --exclusive=user (scheduling.md §5.2).
#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class NodeOwners {
 public:
  NodeOwners(const Cluster& cluster, const RunningJobs& running)
      : cluster_(cluster), running_(running) {}

  /// Takes the nodes away that other users keep from the job: those that they own, and for a job
  /// that wants its nodes for its user alone all where somebody else runs but has not all of them.
  void withhold(const Job& job, PartitionId partition, NodeSet& nodes);

 private:
  [[nodiscard]] bool owns(const Job& job, PartitionId partition) const;
  [[nodiscard]] bool is_whole(const Job& job) const;
  [[nodiscard]] bool matters();

  const Cluster& cluster_;
  const RunningJobs& running_;
  std::size_t seen_requests_ = 0;  ///< of the table: those that matters() has looked at
  bool asked_for_ = false;         ///< one of them says --exclusive=user
};

}  // namespace rehearse

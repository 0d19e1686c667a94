// sim/sched/node_owners.hpp — nodes that belong to one user while his jobs run there:
// ExclusiveUser=YES and --exclusive=user (scheduling.md §5.2).
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class NodeOwners {
 public:
  NodeOwners(const Cluster& cluster, const RunningJobs& running)
      : cluster_(cluster), running_(running) {}

  /// A job starts, has ended: what its partition says of ExclusiveUser then counts for its whole
  /// run.
  void starts(const Job& job);
  void ended(const Job& job) { owning_.erase(job.index); }

  /// False: no running job owns a node, nor does this one want to.
  [[nodiscard]] bool concern(const Job& job, PartitionId partition) const {
    return !owning_.empty() || wants_own(job, partition);
  }
  /// Takes the nodes away that other users keep from the job: those that they own, and for a job
  /// that wants its nodes for its user alone all where somebody else runs. `victims`: whom it may
  /// preempt, asked where somebody has his nodes whole; of these such a one keeps none.
  void withhold(const Job& job, PartitionId partition,
                const std::function<std::vector<Job*>()>& victims, NodeSet& nodes) const;

 private:
  [[nodiscard]] bool wants_own(const Job& job, PartitionId partition) const;
  [[nodiscard]] bool is_whole(const Job& job) const;

  const Cluster& cluster_;
  const RunningJobs& running_;
  std::set<JobIndex> owning_;  ///< running jobs
};

}  // namespace rehearse

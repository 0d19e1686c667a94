// sim/sched/node_owners.hpp — nodes that belong to one user while his jobs run there:
// ExclusiveUser=YES and --exclusive=user (scheduling.md §5.2).
#pragma once

#include <set>
#include <span>

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

  /// False: no job owns a node, nor wants to.
  [[nodiscard]] bool matter();
  /// Takes the nodes away that other users keep from the job: those that they own, and for a job
  /// that wants its nodes for its user alone all where somebody else runs. `victims`: whom it may
  /// preempt; of these one that has its nodes whole keeps none.
  void withhold(const Job& job, PartitionId partition, std::span<Job* const> victims,
                NodeSet& nodes) const;

 private:
  [[nodiscard]] bool wants_own(const Job& job, PartitionId partition) const;
  [[nodiscard]] bool is_whole(const Job& job) const;

  const Cluster& cluster_;
  const RunningJobs& running_;
  std::size_t seen_requests_ = 0;  ///< of the table: those that matters() has looked at
  bool asked_for_ = false;         ///< one of them says --exclusive=user
  std::set<JobIndex> owning_;      ///< running jobs
};

}  // namespace rehearse

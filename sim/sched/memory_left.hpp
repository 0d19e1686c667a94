// sim/sched/memory_left.hpp — what a test in one partition leaves of a job's memory for the next
// (gres.md §2.3).
//
// Slurm keeps one memory request for a job, not one for each of its partitions: a test where
// DefMemPerGPU takes the place of it leaves nothing, which the next test elsewhere takes for all
// of the node's, and puts that partition's default back. What is left is part of the request, so
// that whatever is remembered of a request is right for it.
#pragma once

#include <cstdint>
#include <map>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/policy.hpp"

namespace rehearse {

class MemoryLeft {
 public:
  MemoryLeft(Cluster& cluster, const SelectPlugin& select) : cluster_(cluster), select_(select) {}

  /// True if tests of such a job leave different requests in different partitions.
  [[nodiscard]] bool is_concerned(const Job& job) const;
  /// `job`, which is concerned, was tested in `partition`: the next test may go by another request.
  void tested(Job& job, PartitionId partition);

  /// As if its last test had been one of the other kind.
  void turn(Job& job);

  /// How often a request became another one.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  [[nodiscard]] bool partitions_differ() const;

  Cluster& cluster_;
  const SelectPlugin& select_;
  std::map<RequestId, RequestId> other_;  ///< the same request after the other kind of test
  std::uint64_t changes_ = 0;
};

}  // namespace rehearse

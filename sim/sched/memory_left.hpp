// sim/sched/memory_left.hpp — what a test in one partition leaves of a job's memory for the next
// (gres.md §2.3).
//
// Slurm keeps one memory request for a job, not one for each of its partitions, and a test finds
// out about DefMemPerGPU only after it has looked which nodes have room. So a test begins with what
// the last one left, and what a job was submitted with is of use once. What is left is part of the
// request, so that whatever is remembered of a request is right for it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/policy.hpp"

namespace rehearse {

struct EffectiveRequest;  // sim/sched/select/effective_request.hpp
struct LeftMemory;        // sim/sched/select/request_rules.hpp

class MemoryLeft {
 public:
  MemoryLeft(Cluster& cluster, const SelectPlugin& select) : cluster_(cluster), select_(select) {}

  /// True if the next test of the job may leave it another request.
  [[nodiscard]] bool is_concerned(const Job& job) const;
  /// `job`, which is concerned, was tested in `partition`: the next test may go by another request.
  void tested(Job& job, PartitionId partition);
  /// The same, of an estimate that others of the same record may follow: what a job was submitted
  /// with is given back by tested() alone.
  void estimated(Job& job, PartitionId partition);
  /// The same, of an estimate that says "now", as long as no selection has followed it.
  void foretold(Job& job, PartitionId partition);
  /// `job` was submitted, and no partition tested it.
  void not_tested(Job& job);

  /// As if its last test had been one of the other kind.
  void turn(Job& job);

  /// How often a request became another one.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  [[nodiscard]] bool has_default(const Partition& partition) const;
  [[nodiscard]] bool partitions_differ() const;
  [[nodiscard]] bool may_leave(const Request& request) const;
  [[nodiscard]] const EffectiveRequest& ruled(const Job& job, PartitionId partition) const;
  void leave(Job& job, const LeftMemory& left);

  Cluster& cluster_;
  const SelectPlugin& select_;
  /// The same request with another number as its memory.
  std::map<std::pair<RequestId, std::uint64_t>, RequestId> others_;
  std::uint64_t changes_ = 0;
};

}  // namespace rehearse

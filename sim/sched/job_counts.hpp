// sim/sched/job_counts.hpp — how many records of each user, account and partition a backfill cycle
// has come to: bf_max_job_part, _user, _assoc, _user_part (scheduling.md §8.2).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/cluster/job.hpp"
#include "sim/config/scheduler_parameters.hpp"
#include "sim/core/id.hpp"

namespace rehearse {

/// Counters by id, all of them 0 at the begin of a cycle. To begin one costs nothing, however many
/// ids there are.
template <IdType Id>
class CycleCounts {
 public:
  void begin_cycle() { ++cycle_; }
  /// Good until another counter is asked for.
  [[nodiscard]] std::uint32_t& of(Id id) {
    const std::size_t at = index_of(id);
    if (at >= counts_.size()) counts_.resize(at + 1);
    Count& count = counts_[at];
    if (count.cycle != cycle_) count = {cycle_, 0};
    return count.value;
  }

 private:
  struct Count {
    std::uint64_t cycle = 0;
    std::uint32_t value = 0;
  };
  std::vector<Count> counts_;
  std::uint64_t cycle_ = 1;
};

class JobCounts {
 public:
  void begin_cycle();
  /// False: a count is reached, and the record is left out. Who is left out by one count adds to
  /// none (§8.5).
  [[nodiscard]] bool admit(const Job& job, PartitionId partition,
                           const SchedulerParameters& parameters);

 private:
  CycleCounts<NameId> by_user_;
  CycleCounts<AssociationId> by_association_;
  CycleCounts<PartitionId> by_partition_;
  std::map<std::pair<NameId, PartitionId>, std::uint32_t> by_user_partition_;
};

}  // namespace rehearse

// sim/sched/lent_limit.hpp — the time limit that a cycle of backfill leaves to a job of NoReserve.
//
// Slurm: a job of a QOS with NoReserve is planned with another limit and gets its own back behind
// its record. Where a limit of accounting ends the record before its own is noted, what it gets
// back is the limit of the record before it: it runs with another job's (scheduling.md §8.6).
#pragma once

#include <optional>

#include "sim/cluster/job.hpp"

namespace rehearse {

class LentLimit {
 public:
  void begin() { is_noted_ = false; }
  /// Limits before selection let the record of this job go on.
  void note(const Job& job) {
    is_noted_ = true;
    noted_ = job.time_limit;
  }
  /// What another has whose record they stop.
  [[nodiscard]] std::optional<Minutes> left_to(const Job& job) const {
    return is_noted_ ? noted_ : job.time_limit;
  }

 private:
  bool is_noted_ = false;
  std::optional<Minutes> noted_;
};

}  // namespace rehearse

// sim/controller/job_memory.hpp — how many job records slurmctld keeps, against MaxJobCount
// (scheduling.md §2.3, lifecycle.md §1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "sim/core/time.hpp"

namespace rehearse {

/// A record goes MinJobAge after its end.
class JobMemory {
 public:
  explicit JobMemory(Seconds min_job_age) : min_job_age_(min_job_age) {}

  /// A record is finished; calls in order of time.
  void ended(SlurmTime at) { ends_.push_back(at); }

  /// Of `created` records, those that are still there.
  [[nodiscard]] std::size_t kept(std::size_t created, SlurmTime now) {
    while (!ends_.empty() && ends_.front() + min_job_age_ <= now) {
      ends_.pop_front();
      ++purged_;
    }
    return created - purged_;
  }

 private:
  Seconds min_job_age_;
  std::deque<SlurmTime> ends_;  ///< of records that are not purged yet
  std::size_t purged_ = 0;
};

/// sbatch tries again while slurmctld takes no job: after 1 s, then 2 s more, and so on.
constexpr std::uint32_t kMostRetries = 15;

}  // namespace rehearse

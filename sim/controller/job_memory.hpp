// sim/controller/job_memory.hpp — how long slurmctld keeps the record of a finished job, and how
// many it has, against MaxJobCount (scheduling.md §2.3, lifecycle.md §1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/controller/record_purges.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class JobMemory {
 public:
  explicit JobMemory(const RecordPurges& purges) : purges_(purges) {}

  struct Ended {
    JobIndex job{};
    SlurmTime at;
  };
  /// A record is finished; calls in order of time.
  void ended(JobIndex job, SlurmTime at) { ended_.push_back({job, at}); }

  /// Of `created` records, those that are still there.
  [[nodiscard]] std::size_t kept(std::size_t created, SlurmTime now) {
    while (!ended_.empty() && purges_.took(ended_.front().at, now)) {
      over_.push_back(ended_.front());
      ended_.pop_front();
      ++purged_;
    }
    return created - purged_;
  }

  /// Asks `purge(ended)` for each that counts no longer, until it is told that nothing is left to
  /// do for it.
  template <typename Purge>
  void purge_each(Purge purge) {
    std::erase_if(over_, purge);
  }

 private:
  const RecordPurges& purges_;
  std::deque<Ended> ended_;  ///< that still count
  std::vector<Ended> over_;  ///< that count no longer, and may have a record yet
  std::size_t purged_ = 0;
};

/// sbatch tries again while slurmctld takes no job: after 1 s, then 2 s more, and so on.
constexpr std::uint32_t kMostRetries = 15;

}  // namespace rehearse

// sim/sched/running_jobs.hpp — running jobs in the order in which backfill expects them to end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// Running and suspended jobs by (end, position in the job list). "End" is start + limit: the
/// controller knows no run times (scheduling.md §7).
class RunningJobs {
 public:
  void add(Job& job) {
    ++changes_;
    jobs_.insert(place_of(job), &job);
  }

  /// Must be called before job.end changes.
  void remove(Job& job) {
    ++changes_;
    const auto at = place_of(job);
    if (at != jobs_.end() && *at == &job) jobs_.erase(at);
  }

  /// One of them was suspended: it runs on, but stands still.
  void stands_still() { ++changes_; }

  [[nodiscard]] const std::vector<Job*>& by_end() const { return jobs_; }
  /// Another number whenever who runs, until when, or stands still may be others than before.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }

 private:
  [[nodiscard]] std::vector<Job*>::iterator place_of(const Job& job) {
    return std::lower_bound(jobs_.begin(), jobs_.end(), &job, [](const Job* a, const Job* b) {
      return std::tuple(a->end, a->index) < std::tuple(b->end, b->index);
    });
  }

  std::vector<Job*> jobs_;
  std::uint64_t changes_ = 0;
};

}  // namespace rehearse

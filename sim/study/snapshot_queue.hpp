// sim/study/snapshot_queue.hpp — snapshot/squeue.txt: who was in the queue at the instant.
//
// The rows of sacct say what jobs ask for, the queue says who is there. Neither knows all: what is
// in one alone is told, and the simulation follows sacct.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/cluster/job_spec.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// One line of it.
struct QueuedJob {
  std::string reason, dependency;
  std::optional<SlurmTime> start;  ///< Slurm's own estimate, of a pending job
  bool waits = false, is_over = false;
};

/// A job, or a task of an array, by the numbers of JobSpec: an array's own id, and JobIDRaw of a
/// component of a heterogeneous job.
using QueuedTask = std::pair<JobId, std::optional<std::uint32_t>>;

class SnapshotQueue {
 public:
  void add(QueuedJob job, const std::vector<QueuedTask>& tasks, JobId raw);
  /// Its list of tasks was cut short (`0-3,7,...`): it may have others.
  void is_cut(JobId array) { cut_.insert(array); }

  [[nodiscard]] bool empty() const { return records_.empty(); }
  /// Null: not there.
  [[nodiscard]] const QueuedJob* find(const QueuedTask& task) const;
  /// True of a JobIDRaw that it has a line for.
  [[nodiscard]] bool has(JobId raw) const { return by_raw_.contains(raw); }
  /// Those of an array, or of a job, that wait.
  [[nodiscard]] std::vector<const QueuedJob*> waiting(JobId id) const;

  /// What stands here or among `present` alone, by id; those that end at the moment are in neither.
  struct Alone {
    std::vector<std::string> here, there;
  };
  [[nodiscard]] Alone compare(const std::vector<std::pair<QueuedTask, JobId>>& present) const;

 private:
  std::vector<QueuedJob> records_;
  std::map<QueuedTask, std::size_t> record_of_;
  std::map<JobId, QueuedTask> by_raw_;  ///< tasks with a record of their own
  std::set<JobId> cut_;
};

/// Of squeue.txt; empty where there is none.
[[nodiscard]] SnapshotQueue read_queue(const std::filesystem::path& site, const TimeZone& zone,
                                       Diagnostics& found);

/// `12`, or task 3 of it: `12_3`.
[[nodiscard]] std::string printed(const QueuedTask& task);

}  // namespace rehearse

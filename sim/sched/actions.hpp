// sim/sched/actions.hpp — what the loops may ask of the controller: the only way they change jobs.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

class SchedulerActions {
 public:
  virtual ~SchedulerActions() = default;

  /// Starts `job` in `partition` on `allocation`. Of an array's meta record the lowest pending task
  /// starts; the rest goes on as a new record, which is returned (none: the job was no array or
  /// that was its last task).
  virtual Job* start(Job& job, PartitionId partition, Allocation allocation, StartedBy by) = 0;

  /// Sets the Reason, and a description that hides it (lifecycle.md §15).
  virtual void set_reason(Job& job, Reason reason, std::string_view text = {}) = 0;

  /// The first pending task of an array's meta record takes the record; the rest goes on as a new
  /// one, which is returned (null: `job` was no array, or that was its last task).
  virtual Job* split_off(Job& job) = 0;

  /// The independence test of lifecycle.md §3; sets begin and the Reason as it finds them.
  virtual bool is_independent(Job& job, SlurmTime now) = 0;

  /// True for jobs whose independence can change without an event of their own, so that it is asked
  /// at each queue build: unmet dependencies, a future begin time, arrays with %N.
  [[nodiscard]] virtual bool is_volatile(const Job& job, SlurmTime now) const = 0;

  /// From when on a volatile job may be found otherwise without an event; none: never.
  [[nodiscard]] virtual std::optional<SlurmTime> turns_by_time(const Job& /*job*/,
                                                               SlurmTime now) const {
    return now;
  }

  /// A waiting job has another time limit from now on, though nobody asked for it.
  virtual void leave_limit(Job& job, std::optional<Minutes> limit) { job.time_limit = limit; }

  /// slurmctld itself holds a pending job: priority 0, until somebody releases it.
  virtual void hold(Job& job, Reason reason) = 0;

  /// Ends a pending job without a run (DEADLINE).
  virtual void end_pending(Job& job, JobState state, Reason reason) = 0;

  /// `victims` were chosen so that `job` can start: signals them, unless this job's last victims
  /// were signalled a moment ago (preemption.md §5). The job itself stays pending.
  virtual void preempt(Job& job, std::span<Job* const> victims) = 0;

  /// All components of the heterogeneous job that `job` is one of, in the order of their offsets.
  [[nodiscard]] virtual std::vector<Job*> components(Job& job) { return {&job}; }

  /// A component that has just started goes back to the queue, as another of its job could not
  /// start (scheduling.md §11).
  virtual void take_back(Job& /*job*/) {}

  /// Running (and suspended) tasks of the array that `job` belongs to.
  [[nodiscard]] virtual std::uint32_t running_tasks(const Job& job) const = 0;
};

}  // namespace rehearse

// workloads/first_runs.cpp — runs that ended by themselves and were requeued by an admin
// afterwards: sacct dates their ends to the command, a slurmctld.log tells them (lifecycle.md §10).
#include "workloads/controller_log.hpp"
#include "workloads/logged_instants.hpp"

namespace rehearse {
namespace {

std::optional<Time> first_instant(const std::vector<LoggedInstant>& list, JobId id) {
  const auto at = first_of(list, id);
  return at != list.end() && at->id == id ? std::optional(at->at) : std::nullopt;
}

}  // namespace

std::map<JobId, SlurmTime> first_starts(const TraceJobs& jobs) {
  std::map<JobId, SlurmTime> starts;
  for (const JobSpec& spec : jobs.specs()) {
    if (spec.recorded_start) starts.emplace(spec.id, *spec.recorded_start);
    if (!spec.extras) continue;
    for (const ArrayTask& task : spec.extras->array) {
      if (task.recorded_start) starts.insert_or_assign(task.id, *task.recorded_start);
    }
  }
  return starts;
}

std::map<JobId, Duration> first_runs(const TraceJobs& jobs, const ControllerLog& log) {
  std::map<JobId, Duration> runs;
  const auto add = [&](JobId id, const std::optional<SlurmTime>& start) {
    const auto requeued = first_instant(log.requeued, id);
    const auto completed = first_instant(log.completed, id);
    if (!start || !requeued || !completed) return;
    const bool by_itself = completed == first_instant(log.ended, id);
    if (by_itself && Time{*start} <= *completed && *completed < *requeued) {
      runs.emplace(id, *completed - Time{*start});
    }
  };
  for (const JobSpec& spec : jobs.specs()) {
    add(spec.id, spec.recorded_start);
    if (!spec.extras) continue;
    for (const ArrayTask& task : spec.extras->array) add(task.id, task.recorded_start);
  }
  return runs;
}

}  // namespace rehearse

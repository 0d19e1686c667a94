// sim/controller/preemption.cpp — victims are warned, killed or requeued, and the preemptor waits
// (preemption.md §5, §6).
#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

/// The graces of all that still run are over.
bool graces_are_over(const std::vector<Job*>& components, SlurmTime now) {
  return std::none_of(components.begin(), components.end(), [now](const Job* each) {
    return each->has_started() && each->end && *each->end > now;
  });
}

}  // namespace

/// A preemptor does not signal again before its last victims have had time to die; meanwhile the
/// choice is repeated in each pass and only waits. Not so the next tasks of an array in the same
/// cycle of backfill (preemption.md §5).
void Controller::preempt(Job& job, std::span<Job* const> victims) {
  const Seconds patience = cluster_.conf.kill_wait + cluster_.conf.message_timeout;
  const bool is_next_task = job.array_job != JobId{} && job.preempt_in_progress;
  if (job.preempt_launched && now() - *job.preempt_launched < patience && !is_next_task) return;
  for (Job* victim : victims) signal_victim(*victim, job);
  preemption_.clears_for(job);
  job.preempt_launched = now();
  job.preempt_in_progress = true;
  something_changed();
}

/// The components of a heterogeneous victim are warned together, each for the grace time of its own
/// partition or QOS (preemption.md §5).
void Controller::signal_victim(Job& victim, const Job& preemptor) {
  const std::vector<Job*> all = components(victim);
  if (victim.preempt_time) {
    // Warned before: nothing until its grace is over, and then the first attempt that comes.
    if (graces_are_over(all, now())) end_victim(victim);
    return;
  }
  observer_.job_preempted(victim, preemptor, now());
  for (Job* each : all) {
    if (!each->has_started()) continue;
    each->preempt_time = now();
    speeds_.warned(*each);
    running_.remove(*each);
    each->end = std::min(*each->end, now() + preemption_.plugin().grace_of(*each));
    running_.add(*each);
  }
  if (graces_are_over(all, now())) return end_victim(victim);
  // SIGTERM goes to the steps of srun only: a batch script never notices (§5 item 1).
  estimator_.forget();
  for (Job* each : all) {
    if (!each->has_started()) continue;
    schedule(background_->scan_at(Time{*each->end}), GraceEnded{each->index, each->run_number});
  }
}

/// A component ends alone, the leader with all that are left: not before the last of their graces.
void Controller::on(const GraceEnded& event) {
  Job& job = cluster_.jobs[event.job];
  if (!job.is_running() || job.run_number != event.run_number) return;
  const std::vector<Job*> all = components(job);
  if (all.size() == 1 || graces_are_over(all, now())) {
    end_victim(*all.front());
  } else if (&job != all.front() && preemption_.mode_of(job) != PreemptMode::Requeue) {
    end_run(job, JobState::Preempted, Reason::None, AfterEnd::Gone, true);
  }
}

bool Controller::may_requeue(const Job& job) const {
  return job.spec->batch && job.spec->requeue.value_or(cluster_.conf.job_requeue);
}

void Controller::end_victim(Job& victim) {
  const bool requeues = preemption_.mode_of(victim) == PreemptMode::Requeue && may_requeue(victim);
  const AfterEnd after = requeues ? AfterEnd::Requeued : AfterEnd::Gone;
  end_run(victim, JobState::Preempted, Reason::None, after, true);
  end_followers(victim, {JobState::Preempted, Reason::None, after, true});
}

}  // namespace rehearse

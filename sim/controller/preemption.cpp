// sim/controller/preemption.cpp — victims are warned, killed or requeued, and the preemptor waits
// (preemption.md §5, §6).
#include "sim/controller/controller.hpp"

namespace rehearse {

/// A preemptor does not signal again before its last victims have had time to die; meanwhile the
/// choice is repeated in each pass and only waits.
void Controller::preempt(Job& job, std::span<Job* const> victims) {
  const Seconds patience = cluster_.conf.kill_wait + cluster_.conf.message_timeout;
  if (job.preempt_launched && now() - *job.preempt_launched < patience) return;
  for (Job* victim : victims) signal_victim(*victim, job);
  preemption_.clears_for(job);
  job.preempt_launched = now();
  job.preempt_in_progress = true;
  something_changed();
}

void Controller::signal_victim(Job& victim, const Job& preemptor) {
  if (victim.preempt_time) {
    // Warned before: nothing until its grace is over, and then the first attempt that comes.
    if (now() >= *victim.end) end_victim(victim);
    return;
  }
  victim.preempt_time = now();
  speeds_.warned(victim);
  observer_.job_preempted(victim, preemptor, now());
  const Seconds grace = preemption_.plugin().grace_of(victim);
  running_.remove(victim);
  victim.end = std::min(*victim.end, now() + grace);
  running_.add(victim);
  if (grace == Seconds{0}) {
    end_victim(victim);
    return;
  }
  // SIGTERM goes to the steps of srun only: a batch script never notices (§5 item 1).
  estimator_.forget();
  schedule(background_->scan_at(Time{*victim.end}), GraceEnded{victim.index, victim.run_number});
}

void Controller::on(const GraceEnded& event) {
  Job& job = cluster_.jobs[event.job];
  if (!job.is_running() || job.run_number != event.run_number) return;
  end_victim(job);
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

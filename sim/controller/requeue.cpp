// sim/controller/requeue.cpp — a run that is to be repeated: what it keeps, and its record's return
// to the queue (lifecycle.md §10).
#include <algorithm>

#include "models/runtime/checkpoint.hpp"
#include "sim/controller/controller.hpp"

namespace rehearse {

/// What the run that ends has saved for the next (models/runtime/checkpoint.hpp).
void Controller::keep_work(Job& job) {
  const SiteConf::Checkpoint& conf = cluster_.inputs.site.checkpoint;
  const WorkLeft work{job.run.runtime, job.kept_work};
  const Seconds ran = speeds_.worked(job, job.ran_until(*job.end));
  const bool is_sent = cluster_.conf.preempt_parameters.send_user_signal;
  const bool warned = conf.on_signal && is_sent && job.preempt_time &&
                      *job.end > *job.preempt_time && job.spec->extras &&
                      !job.spec->extras->signal.empty();
  const Seconds warned_after =
      warned ? speeds_.worked_until_warning(job, job.ran_until(*job.preempt_time)) : Seconds{0};
  job.kept_work =
      warned ? std::max(work_kept(work, ran, conf), work_kept_by_signal(work, warned_after, conf))
             : work_kept(work, ran, conf);
}

/// After the clean-up of the old run (lifecycle.md §10): a new submission of the same record, with
/// the priority that it had until the next calculation (preemption.md §6).
void Controller::submit_anew(Job& job) {
  const Seconds again = whole_second(job.submit) == now() ? Seconds{1} : Seconds{0};
  job.submit = Time{now() + again};
  if (job.limit_filled) {
    job.time_limit = job.spec->time_limit;
    job.limit_filled = false;
    const auto& usual = cluster_.partitions[job.partitions.front()].conf.default_time;
    if (!job.time_limit && usual) {
      job.time_limit = usual;
      job.limit_filled = true;
    }
  }
  const SlurmTime earliest = now() + cluster_.conf.cred_expire + Seconds{1};
  if (!job.begin || *job.begin < earliest) job.begin = earliest;
}

/// A run's record becomes a pending one, with the priority of the run until the next tick, whatever
/// ended it (priority.md §4).
void Controller::put_back(Job& job) {
  job.state = JobState::Pending;
  job.requeues = false;
  ++job.restarts;
  job.accrue.reset();
  job.start.reset();
  job.end.reset();
  job.total_cpus = 0;  // JobSize goes by the request until the next test (priority.md §3.4)
  // A hold or an admin's suspension of the run took its priority away (lifecycle.md §10).
  job.held = job.priority == 0;
  const bool by_user = job.reason == Reason::JobHeldUser;
  job.reason = Reason::None;
  choice_.preferred().go_by(job, false);
  queue_.add(job);
  observer_.job_submitted(job, now());
  if (job.held) set_reason(job, by_user ? Reason::JobHeldUser : Reason::JobHeldAdmin);
  if (job.requeues_held) job_keeper_.hold_requeued(job);
}

}  // namespace rehearse

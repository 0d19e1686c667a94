// sim/controller/suspension.cpp — stopping and going on: gang scheduling's orders, an admin's
// commands, and what both put off (preemption.md §8, lifecycle.md §6, §10).
#include <algorithm>

#include "sim/controller/controller.hpp"
#include "sim/controller/core_tables.hpp"
#include "sim/core/check.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/reservations/view.hpp"

namespace rehearse {
namespace {

/// A program needs less than this to end once it is awake.
constexpr Seconds kWaking{1};

/// A sleeping program whose hour came while it was stopped ends when it is awake: in a trace, at
/// the part of a second at which its recorded end lies.
Time end_after_waking(Time ends, Time now) {
  if (ends > now) return ends;
  const Time awake = Time{whole_second(now)} + (ends - Time{whole_second(ends)});
  return awake > now ? awake : awake + kWaking;
}

}  // namespace

/// Program end and time limit of the stint that begins now.
void Controller::schedule_ends(Job& job) {
  ++job.stint;
  if (job.configuring) return;  // nothing runs yet
  const std::uint32_t over = cluster_.partitions[job.partition].conf.over_time_limit_min.value_or(
      cluster_.conf.over_time_limit_min);
  const std::optional<Time>& ends = job.program_end;
  if (over != UINT32_MAX) {
    const Time overdue = Time{*job.end + Minutes{over}};
    const Time limit_scan = recorded_.scan_of(job, overdue, background_->scan_at(overdue));
    // A program that ends before the scan never meets it. When within its half minute a scan comes
    // is chance; a recorded run that slipped through does so again.
    const bool slips =
        job.run.outlived_limit && ends && *ends < overdue + BackgroundClock::kScanPeriod;
    // A component's own program ends nothing while the leader runs (lifecycle.md §10.2).
    const auto leader = het_leader(job);
    const bool follows = leader && *leader != job.id;
    if (!ends || follows || keeper_.is_lost(job) || (*ends >= limit_scan && !slips)) {
      schedule(limit_scan, TimeLimitReached{job.index, job.stint});
    }
  }
  if (ends) schedule(*ends, ProgramEnded{job.index, job.stint});
  if (const auto span = warned_before(job, 'B'); span && job.run.exit_code < 0) {
    // Sent once, by the first scan that finds no more than this left (lifecycle.md §6).
    const Time least = Time{*job.end - *span} - BackgroundClock::kScanPeriod;
    const Time warned = background_->scan_at(std::max(least, now_ + Duration{1}));
    schedule(warned, ProgramEnded{job.index, job.stint, true});
  }
}

/// SIGSTOP. Memory and devices stay; the cores too, unless an admin did it.
void Controller::suspend(Job& job, SuspendedBy by) {
  if (by == SuspendedBy::Admin && job.has_started()) {
    job.suspension.by_admin = true;
    job.priority = 0;
    ++suspended_by_admin_;
  }
  if (!job.is_running()) return;
  job.state = JobState::Suspended;
  job.suspension.since = std::max(now_, Time{*job.start});  // a pass starts jobs as it goes on
  // The end of a sleep that is over is under way already: a suspension comes too late for it.
  const bool ends_anyway = job.run.sleeps && job.program_end && *job.program_end <= now_ + kWaking;
  if (!ends_anyway) ++job.stint;
  if (by == SuspendedBy::Admin && !job.suspension.lends_cores) {
    job.suspension.lends_cores = true;
    cluster_.ledger.give_back_cores(job.allocation, job.partition);
  }
  running_.stands_still();
  speeds_.suspended(job);
  note_suspension(job);
  observer_.job_suspended(job, now());
}

/// SIGCONT. The limit has stood still, and so has the program, unless it waits for the clock.
void Controller::resume(Job& job) {
  if (!job.is_suspended()) return;
  Suspension& suspension = job.suspension;
  const Time since = *suspension.since;
  const Seconds ran = job.ran_until(now());
  suspension.total += std::max(now() - whole_second(since), Seconds{0});
  suspension.since.reset();
  job.state = JobState::Running;
  // Where others hold some of them by now, it runs beside them and its cores stay theirs.
  if (suspension.lends_cores && !cores_are_taken(job.allocation, cluster_.ledger)) {
    suspension.lends_cores = false;
    cluster_.ledger.take_cores(job.allocation, job.partition);
  }
  if (std::exchange(suspension.by_admin, false)) {
    --suspended_by_admin_;
    priority_->recompute(job, now());
  }
  running_.remove(job);
  const Minutes limit = job.time_limit.value_or(kUnlimited);
  job.end = now() + (limit == kUnlimited ? Seconds{kUnlimitedRun} : Seconds{limit} - ran);
  running_.add(job);
  if (job.program_end) {
    *job.program_end = job.run.sleeps ? end_after_waking(*job.program_end, now_)
                                      : *job.program_end + (now_ - since);
  }
  speeds_.resumed(job);
  schedule_ends(job);
  note_suspension(job);
  observer_.job_resumed(job, now());
}

void Controller::note_suspension(const Job& job) {
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  event_order_.add(~(static_cast<std::uint64_t>(job.id) << 1U));
  last_activity_ = now_;
  something_changed();
}

/// What a run that ends leaves of its suspension; the time at which it is said to have ended.
SlurmTime Controller::close_suspension(Job& job, bool killed) {
  if (std::exchange(job.suspension.by_admin, false)) --suspended_by_admin_;
  job.suspension.lends_cores = false;
  if (!job.suspension.since) return now();
  const SlurmTime since = whole_second(*job.suspension.since);
  job.suspension.since.reset();
  if (killed) return since;  // lifecycle.md §5
  job.suspension.total += now() - since;
  return now();
}

void Controller::obey(const std::vector<GangOrder>& orders) {
  for (const GangOrder& order : orders) {
    Job& job = cluster_.jobs[order.job];
    switch (order.action) {
      case GangAction::Suspend:
        suspend(job, SuspendedBy::Gang);
        break;
      case GangAction::Resume:
        if (!job.suspension.by_admin) resume(job);
        break;
      case GangAction::Cancel:
      case GangAction::Requeue:
        preempt_by_gang(job, order.action);
        break;
    }
  }
  schedule_slice();
}

/// A job whose cores a higher tier took, where the mode is not SUSPEND.
void Controller::preempt_by_gang(Job& job, GangAction action) {
  if (!job.has_started() || history_ != nullptr) return;
  const bool again = action == GangAction::Requeue && may_requeue(job);
  end_run(job, JobState::Preempted, Reason::None, again ? AfterEnd::Requeued : AfterEnd::Gone,
          true);
}

/// Slices are counted from the controller's start; one that changes nothing is not an event.
void Controller::schedule_slice() {
  if (slice_due_ || !gang_.has_waiting()) return;
  slice_due_ = true;
  const std::vector<Time>& known = recorded_.slices;
  if (const auto next = std::upper_bound(known.begin(), known.end(), now_); next != known.end()) {
    return schedule(*next, SliceEnded{});
  }
  const Duration slice = cluster_.conf.scheduler_time_slice;
  schedule(started_at_ + ((now_ - started_at_) / slice + 1) * slice, SliceEnded{});
}

void Controller::on(const SliceEnded&) {
  slice_due_ = false;
  obey(gang_.end_slice());
}

}  // namespace rehearse

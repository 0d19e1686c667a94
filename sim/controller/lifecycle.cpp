// sim/controller/lifecycle.cpp — start, end, requeue: the only functions that move a job between
// states (lifecycle.md §3–5, §9, §10).
#include <algorithm>
#include <chrono>

#include "models/memory/enforcement.hpp"
#include "models/runtime/checkpoint.hpp"
#include "models/runtime/recorded.hpp"
#include "sim/cluster/holdings.hpp"
#include "sim/controller/controller.hpp"
#include "sim/core/check.hpp"
#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/cpus_per_gpu.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {
namespace {

/// End state and reason of a program that came to its end by itself (lifecycle.md §5).
struct Ending {
  JobState state;
  Reason reason;
  bool killed;
};

Ending ending_of(const TrueRun& run) {
  switch (run.outcome) {
    case RunOutcome::Completed:
      return {JobState::Completed, Reason::None, false};
    case RunOutcome::Failed:
      return {JobState::Failed, Reason::NonZeroExitCode, false};
    case RunOutcome::Cancelled:
      return {JobState::Cancelled, Reason::None, true};
    case RunOutcome::OutOfMemory:
      return {JobState::OutOfMemory, Reason::OutOfMemory, false};
    case RunOutcome::NodeFailure:
      return {JobState::Completed, Reason::None, false};
    case RunOutcome::UntilKilled:
      break;
  }
  return {JobState::Timeout, Reason::TimeLimit, true};
}

/// Reasons that only the user or an admin clears (lifecycle.md §3 item 1).
bool bars_eligibility(Reason reason) {
  switch (reason) {
    case Reason::BurstBufferOperation:
    case Reason::InvalidAccount:
    case Reason::InvalidQOS:
    case Reason::JobHeldAdmin:
    case Reason::JobHeldUser:
    case Reason::JobHoldMaxRequeue:
    case Reason::ReservationDeleted:
    case Reason::DependencyNeverSatisfied:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Controller::set_reason(Job& job, Reason reason, std::string_view text) {
  if (job.reason == reason && job.reason_text == text) return;
  job.reason = reason;
  job.reason_text = text;
  if (reason == Reason::InvalidQOS) limits_.clear_accrual(job);
  main_dirty_ = true;  // the next pass may see it otherwise
  ++changes_;
  observer_.reason_changed(job, now());
}

void Controller::hold(Job& job, Reason reason) {
  set_reason(job, reason);
  job.priority = 0;
  job.held = true;
  queue_.held(job);
}

void Controller::leave_limit(Job& job, std::optional<Minutes> limit) {
  job.time_limit = limit;
  main_dirty_ = true;
  ++changes_;
}

/// A node that completes jobs or is powered up takes no others.
void Controller::settle_completing(NodeId node) {
  const NodeState& state = cluster_.nodes[node].state;
  choice_.set_completing(node, state.completing_jobs > 0 || state.powering_up);
}

bool Controller::is_independent(Job& job, SlurmTime now) {
  if (bars_eligibility(job.reason)) return false;
  if (dependencies_.waits(job)) {
    switch (dependencies_.test(job, now)) {
      case Dependencies::Answer::Fulfilled:
        break;
      case Dependencies::Answer::Waiting:
        set_reason(job, Reason::Dependency);
        limits_.clear_accrual(job);
        if (job.begin && *job.begin <= now) job.begin.reset();
        return false;
      case Dependencies::Answer::Never:
        if (dependencies_.end_where_never(job)) {
          end_pending(job, JobState::Cancelled, Reason::DependencyNeverSatisfied);
        } else {
          set_reason(job, Reason::DependencyNeverSatisfied);
        }
        return false;
    }
    if (job.reason == Reason::Dependency) set_reason(job, Reason::None);
  }
  // Of a task that was requeued too, which has a record of its own (lifecycle.md §9).
  if (const std::uint32_t most = array_task_limit(job); most > 0 && running_tasks(job) >= most) {
    set_reason(job, Reason::JobArrayTaskLimit);
    if (job.begin && *job.begin <= now) job.begin.reset();
    return false;
  }
  if (job.begin && *job.begin > now) {
    set_reason(job, Reason::BeginTime);
    return false;
  }
  if (job.reservations.size() == 1 && !reservations_.admits_now(job)) {
    set_reason(job, Reason::Reservation);
    return false;
  }
  if (!job.begin) {
    job.begin = now;
    if (array_task_limit(job) > 0 && known_cycles_.any()) known_ages_.found_eligible(job, now);
  }
  if (job.reason == Reason::BeginTime) set_reason(job, Reason::None);
  return true;
}

bool Controller::is_volatile(const Job& job, SlurmTime now) const {
  return job.held || !job.reservations.empty() || dependencies_.waits(job) ||
         array_task_limit(job) > 0 || (job.begin && *job.begin > now);
}

std::optional<SlurmTime> Controller::turns_by_time(const Job& job, SlurmTime now) const {
  if (!job.reservations.empty() || dependencies_.turns_by_time(job)) return now;
  return job.begin && *job.begin > now ? job.begin : std::nullopt;
}

std::uint32_t Controller::running_tasks(const Job& job) const {
  const auto running = running_tasks_.find(job.array_job);
  return running == running_tasks_.end() ? 0 : running->second;
}

/// The next pending task takes this record; the rest goes on as a new one (scheduling.md §4.5).
Job* Controller::split_task(Job& job) {
  if (!job.is_array_meta()) return nullptr;
  REHEARSE_CHECK(!job.pending_tasks.empty(), "array {} has no task left",
                 static_cast<std::uint32_t>(job.id));
  Job* rest = nullptr;
  const ArrayTask& task = job.spec->extras->array[job.pending_tasks.next()];
  if (job.pending_tasks.size() > 1) {
    rest = &cluster_.jobs.add();
    const JobIndex index = rest->index;
    *rest = job;
    rest->index = index;
    rest->pending_tasks.drop_next();
    rest->planned_start.reset();
    rest->planned_nodes.clear();
    rest->preempt_launched.reset();  // each task preempts for itself
  }
  job.array_task = task.index;
  job.id = task.id != JobId{} ? task.id : rest != nullptr ? JobId{next_job_id_++} : job.array_job;
  next_job_id_ = std::max(next_job_id_, static_cast<std::uint32_t>(job.id) + 1);
  job.run = task.run;
  job.cancel_at = task.cancel_at;
  job.pending_tasks.clear();
  if (rest != nullptr) {
    dependencies_.inherit(job, *rest);
    dependencies_.know(*rest);
    queue_.add(*rest);
  }
  dependencies_.know(job);
  return rest;
}

Job* Controller::split_off(Job& job) {
  Job* rest = split_task(job);
  if (rest != nullptr) observer_.job_split(job, *rest, now());
  queue_.changed(job);
  return rest;
}

/// A pass decides on the state of its first instant; what it starts, starts when it comes to it.
Time Controller::start_instant(const Job& job, StartedBy by) {
  if (takeover_.start()) return Time{*takeover_.start()};
  if (history_ != nullptr) return now_;
  if (by == StartedBy::Main) {
    return recorded_.start_in_pass(job, now_, costs_.main_pass(main_loop_.tested()));
  }
  if (by != StartedBy::Backfill) return now_;
  const auto known = known_cycles_.tried(job, backfill_.tries());
  if (known) return std::max(*known, now_);
  const std::uint32_t before = backfill_.tries_at_yield();
  return now_ + costs_.backfill_work(backfill_.tries() - before, before == 0);
}

Job* Controller::start(Job& job, PartitionId partition, Allocation allocation, StartedBy by) {
  REHEARSE_CHECK(job.is_pending(), "job {} starts twice", static_cast<std::uint32_t>(job.id));
  job.total_cpus = allocation.cpus;  // what is left of an array goes by it too
  Job* rest = split_task(job);
  if (rest != nullptr) {
    leave_cpus_per_gpu(cluster_, *rest, partition);
    // A limit that let its task start is no Reason any more (scheduling.md §4.5).
    if (is_policy_blocked(rest->reason, cluster_.inputs.site.slurm_version)) {
      set_reason(*rest, Reason::None);
    }
  }
  const Partition& where = cluster_.partitions[partition];
  job.partition = partition;
  // What backfill plans by --time-min keeps its limit, above MaxTime too (scheduling.md §8.7).
  const bool keeps_own = by == StartedBy::Backfill && job.time_limit && planned_time_min(job);
  const Minutes limit = keeps_own ? *job.time_limit : limit_from(now(), job, where, cluster_);
  if (!job.time_limit || limit != *job.time_limit) job.limit_filled = true;
  job.time_limit = limit;
  job.state = JobState::Running;
  job.ranks_by_last_run = false;
  queue_.left();
  const Time started = start_instant(job, by);
  job.start = whole_second(started);
  job.preempt_time.reset();
  job.started_by = by;
  ++job.run_number;
  job.allocation = std::move(allocation);
  job.allocated_nodes = nodes_of(job.allocation, cluster_.nodes.size());
  begin_program(job, started);
  job.alloc_tres = limits_.allocation_vector(job, where, job.allocation, job.billing);
  set_reason(job, Reason::None);
  cluster_.ledger.take(job.allocation, partition);
  take_licenses(cluster_, job);
  limits_.job_started(job);
  running_.add(job);
  owners_.starts(job);
  charged_.insert(std::lower_bound(charged_.begin(), charged_.end(), &job,
                                   [](const Job* a, const Job* b) { return a->index < b->index; }),
                  &job);
  if (job.array_job != JobId{}) ++running_tasks_[job.array_job];

  job.suspension = {};
  job.configuring = power_.wakes(job);
  if (!job.configuring) speeds_.run_began(job);
  schedule_ends(job);
  if (limits_.may_be_killed(job)) schedule_limit_scan();
  reservations_.member_started(job);
  keeper_.job_started(job);
  if (!het_leader(job)) last_activity_ = now_;  // a component may be taken back: its end counts
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  event_order_.add(static_cast<std::uint64_t>(job.id));
  event_order_.add(static_cast<std::uint64_t>(by));
  observer_.job_started(job, now());
  obey(gang_.add(job));
  something_changed();
  return rest;
}

/// Prologs, then the program; the limit counts from the end of CONFIGURING (lifecycle.md §4).
void Controller::begin_program(Job& job, Time at) {
  const PrologTimes prologs = prolog_times(cluster_.conf, cluster_.inputs.site.controller);
  const Minutes limit = job.time_limit.value_or(kUnlimited);
  job.end = whole_second(at + prologs.configuring) + (limit == kUnlimited ? kUnlimitedRun : limit);
  TrueRun rest = job.run;
  const auto first = recorded_.first_runs.find(job.id);
  if (job.restarts == 0 && first != recorded_.first_runs.end()) {
    rest.runtime = std::chrono::floor<Seconds>(first->second);
    rest.last_second = first->second - rest.runtime;
  }
  rest.runtime = run_time({rest.runtime, job.kept_work}, cluster_.inputs.site.checkpoint);
  const TrueRun run = run_within_memory(rest, job.allocation, cluster_.inputs);
  over_memory_.erase(job.index);
  if (run.outcome != job.run.outcome) over_memory_.insert(job.index);
  job.program_end =
      program_end(at + prologs.configuring + prologs.within, run, cluster_.inputs.site.controller);
  speeds_.program_begins(job, run);
}

/// Its nodes are powered up: the run begins now.
void Controller::finish_configuring(Job& job) {
  job.configuring = false;
  running_.remove(job);
  job.start = now();
  begin_program(job, now_);
  running_.add(job);
  speeds_.run_began(job);
  schedule_ends(job);
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  event_order_.add(static_cast<std::uint64_t>(job.id) << 3U);
  observer_.job_configured(job, now());
  something_changed();
}

void Controller::on(const ProgramEnded& event) {
  Job& job = cluster_.jobs[event.job];
  if (history_ != nullptr || !job.has_started() || job.stint != event.stint) return;
  if (keeper_.is_lost(job) || follows_leader(job)) return;
  // A victim in its grace is not warned again (lifecycle.md §6).
  if (event.warned && (job.preempt_time || !job.is_running())) return;
  Ending ending = ending_of(job.run);
  if (event.warned) ending = {JobState::Failed, Reason::NonZeroExitCode, false};
  if (over_memory_.contains(job.index)) {
    ending = {JobState::OutOfMemory, Reason::OutOfMemory, true};
  }
  // Exit 0 beyond the limit is a TIMEOUT all the same (lifecycle.md §5).
  const std::uint32_t over = cluster_.partitions[job.partition].conf.over_time_limit_min.value_or(
      cluster_.conf.over_time_limit_min);
  if (ending.state == JobState::Completed && over != UINT32_MAX &&
      *job.end + Minutes{over} < now()) {
    ending = {JobState::Timeout, Reason::TimeLimit, false};
  }
  end_run(job, ending.state, ending.reason, AfterEnd::Gone, ending.killed);
  end_followers(job, {ending.state, ending.reason, AfterEnd::Gone, ending.killed});
}

void Controller::on(const TimeLimitReached& event) {
  Job& job = cluster_.jobs[event.job];
  if (history_ != nullptr || !job.is_running() || job.stint != event.stint) return;
  ++counts_.time_limit_scans;
  if (job.preempt_time) {
    end_victim(job);  // preempted, not timed out (preemption.md §9)
    return;
  }
  end_run(job, JobState::Timeout, Reason::TimeLimit, AfterEnd::Gone, true);
  end_followers(job, {JobState::Timeout, Reason::TimeLimit, AfterEnd::Gone, true});
}

/// The moment at which the controller learns of the end: everything but the nodes is free again.
void Controller::end_run(Job& job, JobState state, Reason reason, AfterEnd after, bool killed) {
  const bool row_ends_before = killed && job.suspension.since;  // priority.md §6.3
  priority_->job_ended(job, row_ends_before ? whole_second(*job.suspension.since) : now());
  limits_.job_stopped(job, after == AfterEnd::Requeued);
  running_.remove(job);
  owners_.ended(job);
  charged_.erase(std::find(charged_.begin(), charged_.end(), &job));
  if (job.array_job != JobId{}) --running_tasks_[job.array_job];
  give_back_all(cluster_.ledger, job);
  job.state = state;
  job.end = close_suspension(job, killed);
  job.completing = true;
  job.configuring = false;
  if (after == AfterEnd::Gone || job.priority > 0) job.reason = reason;
  job.reason_text.clear();
  completing_.push_back(job.index);
  for (const NodeShare& share : job.allocation.nodes) {
    ++cluster_.nodes[share.node].state.completing_jobs;
    settle_completing(share.node);
  }
  if (after == AfterEnd::Requeued) keep_work(job);
  last_activity_ = now_;
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  event_order_.add(static_cast<std::uint64_t>(job.id) << 1U);
  fold_schedule(job);
  speeds_.run_ended(job);
  observer_.job_ended(job, after == AfterEnd::Requeued, now());
  if (after == AfterEnd::Gone) memory_.ended(job.index, now());
  job.killed = killed;
  job.requeues = after == AfterEnd::Requeued;
  await_clean_up(job);
  something_changed();
  mig_.devices_freed(job.allocation);
}

void Controller::end_pending(Job& job, JobState state, Reason reason) {
  limits_.job_removed(
      job, std::max<std::uint32_t>(1, static_cast<std::uint32_t>(job.pending_tasks.size())));
  job.state = state;
  queue_.left();
  job.reason = reason;
  job.reason_text.clear();
  job.start = job.end = now();
  last_activity_ = now_;
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  event_order_.add(~static_cast<std::uint64_t>(job.id));
  memory_.ended(job.index, now());
  observer_.job_cancelled(job, now());
  something_changed();
}

/// The schedule's fingerprint: job, start, end, nodes, of every run in order of its end.
void Controller::fold_schedule(const Job& job) {
  schedule_.add(static_cast<std::uint64_t>(job.id));
  schedule_.add(static_cast<std::uint64_t>(epoch_seconds(*job.start)));
  schedule_.add(static_cast<std::uint64_t>(epoch_seconds(*job.end)));
  for (const NodeShare& share : job.allocation.nodes) schedule_.add(index_of(share.node));
}

}  // namespace rehearse

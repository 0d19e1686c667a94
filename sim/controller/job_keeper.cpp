// sim/controller/job_keeper.cpp — which records a command means, and scontrol's verbs for jobs.
#include "sim/controller/job_keeper.hpp"

#include <algorithm>
#include <set>

#include "sim/controller/controller.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {
namespace {

constexpr const char* kInvalidId = "Invalid job id specified";
constexpr const char* kFinished = "Job has already finished";
constexpr const char* kNotPending = "Job is no longer pending execution";
constexpr const char* kStillPending = "Job is pending execution";
constexpr const char* kDisabled = "Requested operation is presently disabled";
constexpr const char* kBatchOnly = "Only batch jobs are accepted or processed";
constexpr std::string_view kNotWhole =
    "Operation not permitted on individual component of heterogeneous job";
constexpr std::string_view kHeldAfterRequeue = "job requeued in held state";

template <typename T>
bool is_one_of(const T& value, const std::vector<T>& list) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool runs_on(const Job& job, const std::optional<std::vector<NodeId>>& nodes) {
  return !nodes || std::any_of(nodes->begin(), nodes->end(), [&](NodeId node) {
    return job.has_started() && job.allocated_nodes.test(index_of(node));
  });
}

bool matches(const Job& job, const CancelJobs& cancel, const Cluster& cluster) {
  if (job.is_finished() || !is_one_of(job.state, cancel.states)) return false;
  const auto is = [](NameId wanted, NameId has) { return wanted == kNoName || wanted == has; };
  const NameId account =
      job.association ? cluster.accounts.associations[*job.association].account : job.spec->account;
  if (!is(cancel.user, job.spec->user) || !is(cancel.name, job.spec->name) ||
      !is(cancel.account, account)) {
    return false;
  }
  if (!is(cancel.partition, cluster.partitions[job.partition].name)) return false;
  if (cancel.qos != kNoName && (!job.qos || cluster.accounts.qos[*job.qos].name != cancel.qos)) {
    return false;
  }
  const JobExtras* extras = job.spec->extras.get();
  const auto is_text = [&](NameId wanted, const std::string& has) {
    return wanted == kNoName || cluster.names.text(wanted) == has;
  };
  const std::string none;
  return is_text(cancel.reservation, extras != nullptr ? extras->reservation : none) &&
         is_text(cancel.wckey, extras != nullptr ? extras->wckey : none) &&
         runs_on(job, cancel.nodes);
}

bool has_filters(const CancelJobs& command) {
  const auto names = {command.user, command.account,     command.partition, command.name,
                      command.qos,  command.reservation, command.wckey};
  return !command.states.empty() || command.nodes ||
         std::any_of(names.begin(), names.end(), [](NameId name) { return name != kNoName; });
}

}  // namespace

bool JobKeeper::is_known(const Job& job) const {
  return !c_.dependencies_.is_purged(job, c_.now());
}

Job& JobKeeper::split_off(Job& meta, std::uint32_t position) {
  meta.pending_tasks.choose(position);
  c_.split_off(meta);
  return meta;
}

std::vector<Job*> JobKeeper::records_of(const JobTarget& target) {
  std::vector<Job*> records;
  JobTable& jobs = c_.cluster_.jobs;
  if (target.name != kNoName) {
    for (Job& job : jobs) {
      if (job.spec->name == target.name && is_known(job)) records.push_back(&job);
    }
    return records;
  }
  for (const JobIndex index : c_.dependencies_.records_of(target.id)) {
    if (is_known(jobs[index])) records.push_back(&jobs[index]);
  }
  const bool is_het = std::any_of(records.begin(), records.end(), [&](const Job* job) {
    return job->spec->extras && job->spec->extras->het_leader == target.id;
  });
  if (is_het) {
    std::erase_if(records, [&](const Job* job) {
      return target.component && job->spec->extras->het_offset != *target.component;
    });
    return records;
  }
  if (target.component) return {};
  if (target.tasks.empty()) return records;
  return records_of_tasks(target);
}

/// Of an array all of whose waiting tasks are named their one record is meant (lifecycle.md §10).
std::vector<Job*> JobKeeper::records_of_tasks(const JobTarget& target) {
  JobTable& jobs = c_.cluster_.jobs;
  const std::set<std::uint32_t> named(target.tasks.begin(), target.tasks.end());
  const auto is_meant_whole = [&](const Job& job) {
    const PendingTasks& tasks = job.pending_tasks;
    return job.array_job == target.id && job.is_array_meta() && job.is_pending() &&
           std::all_of(tasks.begin(), tasks.end(), [&](std::uint32_t at) {
             return named.contains(job.spec->extras->array[at].index);
           });
  };
  std::vector<Job*> some;
  for (const JobIndex index : c_.dependencies_.records_of(target.id)) {
    if (is_known(jobs[index]) && is_meant_whole(jobs[index])) some.push_back(&jobs[index]);
  }
  const std::vector<Job*> whole = some;
  for (const std::uint32_t task : target.tasks) {
    for (const JobIndex index : c_.dependencies_.records_of(target.id)) {
      Job& job = jobs[index];
      if (!is_known(job) || job.array_job != target.id) continue;
      if (job.array_task == task) {
        some.push_back(&job);
        break;
      }
      if (!job.is_array_meta() || !job.is_pending()) continue;
      if (std::ranges::find(whole, &job) != whole.end()) continue;
      const auto at = std::find_if(
          job.pending_tasks.begin(), job.pending_tasks.end(),
          [&](std::uint32_t each) { return job.spec->extras->array[each].index == task; });
      if (at == job.pending_tasks.end()) continue;
      some.push_back(&split_off(job, *at));
      break;
    }
  }
  return some;
}

/// Of an array each record is asked; refused is a target of which no record does it.
template <typename Act>
void JobKeeper::for_each_record(const std::vector<JobTarget>& targets, std::string_view text,
                                Act act) {
  for (const JobTarget& target : targets) {
    Refusal first = kInvalidId;
    bool some = false, any = false;
    for (Job* job : records_of(target)) {
      Refusal refusal = act(*job);
      some = some || !refusal;
      if (refusal && !std::exchange(any, true)) first = std::move(refusal);
    }
    if (!some) c_.observer_.command_refused(text, *first, c_.now());
  }
}

void JobKeeper::carry_out(const ActOnJobs& command, std::string_view text) {
  const bool requeues = command.action == JobAction::Requeue ||
                        command.action == JobAction::RequeueHold ||
                        command.action == JobAction::SpecialExit;
  const bool holds = command.action == JobAction::Hold || command.action == JobAction::UserHold ||
                     command.action == JobAction::Release;
  for (const JobTarget& target : command.targets) {
    if (requeues && target.component) {  // [V]
      c_.observer_.command_refused(text, kInvalidId, c_.now());
      continue;
    }
    const JobTarget meant = holds ? whole_of(target) : target;
    for_each_record({meant}, text, [&](Job& job) { return act_on(job, command.action); });
  }
}

/// With whole_hetjob a request about one component is about all.
JobTarget JobKeeper::whole_of(const JobTarget& target) const {
  JobTarget whole = target;
  if (c_.cluster_.conf.scheduler_parameters.whole_hetjob) whole.component.reset();
  return whole;
}

void JobKeeper::carry_out(const UpdateJobs& command, std::string_view text) {
  for_each_record(command.targets, text, [&](Job& job) { return update(job, command); });
}

void JobKeeper::carry_out(const CancelJobs& command, std::string_view text) {
  std::vector<Job*> jobs;
  for (const JobTarget& target : command.targets) {
    for (Job* job : records_of(whole_of(target))) {
      // By ids alone no task of an array is found by its own (lifecycle.md §10).
      const bool by_own_id = job->array_job != JobId{} && job->array_job != target.id;
      if (by_own_id && !has_filters(command)) {
        c_.observer_.command_refused(text, kInvalidId, c_.now());
      } else {
        jobs.push_back(job);
      }
    }
  }
  if (command.targets.empty()) {
    for (Job& job : c_.cluster_.jobs) jobs.push_back(&job);
  }
  std::erase_if(jobs, [&](const Job* job) { return !matches(*job, command, c_.cluster_); });
  const auto is_chosen = [&](JobId id) {
    return std::any_of(jobs.begin(), jobs.end(), [id](const Job* job) { return job->id == id; });
  };
  std::erase_if(jobs, [&](const Job* job) {
    // While it waits a heterogeneous job is cancelled whole, or not at all.
    const auto leader = het_leader(*job);
    const bool alone = leader && job->is_pending() && !is_chosen(*leader);
    if (alone) c_.observer_.command_refused(text, kNotWhole, c_.now());
    return alone;
  });
  for (Job* job : jobs) cancel(*job);
}

void JobKeeper::cancel(Job& job) {
  if (job.has_started()) {
    c_.end_run(job, JobState::Cancelled, Reason::None, AfterEnd::Gone, true);
    return;
  }
  // What waits of an array stays one record (formats.md §10.4).
  if (job.is_pending()) c_.end_pending(job, JobState::Cancelled, Reason::None);
}

void JobKeeper::cancel_if_due(Job& job) {
  if (!job.cancel_at || *job.cancel_at > c_.now()) return;
  if (job.is_pending() || (job.has_started() && job.run.is_unknown)) cancel(job);
}

JobKeeper::Refusal JobKeeper::act_on(Job& job, JobAction action) {
  switch (action) {
    case JobAction::Hold:
    case JobAction::UserHold:
      return hold(job, action);
    case JobAction::Release:
      return release(job);
    case JobAction::Requeue:
    case JobAction::RequeueHold:
    case JobAction::SpecialExit:
      return requeue(job, action);
    case JobAction::Suspend:
    case JobAction::Resume:
      return change_suspension(job, action);
    case JobAction::Top:
      break;
  }
  return top(job);
}

JobKeeper::Refusal JobKeeper::hold(Job& job, JobAction action) {
  if (job.is_finished()) return kFinished;
  const Reason reason = action == JobAction::Hold ? Reason::JobHeldAdmin : Reason::JobHeldUser;
  job.priority = 0;
  if (!job.is_pending()) {  // the run goes on; what is requeued of it is held
    job.reason = reason;
    return std::nullopt;
  }
  if (job.begin && *job.begin <= c_.now()) job.begin.reset();
  job.held = true;
  c_.limits_.clear_accrual(job);
  c_.set_reason(job, reason);
  c_.queue_.changed(job);
  return std::nullopt;
}

JobKeeper::Refusal JobKeeper::release(Job& job) {
  if (job.requeues) {  // on its way back
    job.requeues_held = job.special_exit = false;
    return std::nullopt;
  }
  if (job.is_finished()) return kFinished;
  if (!job.is_pending()) {
    job.reason = Reason::None;
    c_.priority_->recompute(job, c_.now());
    return std::nullopt;
  }
  if (job.held && job.begin && *job.begin <= c_.now()) job.begin.reset();
  job.direct_priority = false;
  if (job.held) {
    job.held = job.reservation_was_deleted = job.special_exit = false;
    c_.set_reason(job, Reason::None);
  } else {
    job.nice = 0;
  }
  c_.priority_->recompute(job, c_.now());
  c_.queue_.changed(job);
  return std::nullopt;
}

/// A finished job that is still in memory starts again in the same way, but does not count as
/// submitted again, though its next end counts (limits.md §4).
JobKeeper::Refusal JobKeeper::requeue(Job& job, JobAction action) {
  const bool then_held = action != JobAction::Requeue;
  const bool is_over = job.is_finished() && !job.completing;
  if (c_.history_ != nullptr &&
      !is_over) {  // runs end when the history says; it may have said so already
    job.special_exit = action == JobAction::SpecialExit;
    if (then_held && job.is_pending() && job.restarts > 0) hold_requeued(job);
    if (then_held && !job.is_pending()) job.requeues_held = true;
    return std::nullopt;
  }
  if (job.is_pending() || job.requeues) return kStillPending;
  if (!job.spec->batch) return kBatchOnly;
  if (!job.spec->requeue.value_or(c_.cluster_.conf.job_requeue)) return kDisabled;
  job.requeues_held = then_held;
  job.special_exit = action == JobAction::SpecialExit;
  if (job.has_started()) {
    c_.end_run(job, JobState::Cancelled, Reason::None, AfterEnd::Requeued, true);
    return std::nullopt;
  }
  if (job.completing) {
    job.requeues = true;
    c_.limits_.job_submitted(job, 1);
    return std::nullopt;
  }
  job.ranks_by_last_run = true;
  c_.submit_anew(job);
  c_.put_back(job);
  c_.something_changed();
  return std::nullopt;
}

void JobKeeper::hold_requeued(Job& job) {
  job.requeues_held = false;
  job.held = true;
  job.priority = 0;
  c_.limits_.clear_accrual(job);
  c_.set_reason(job, Reason::JobHeldUser, kHeldAfterRequeue);
  c_.queue_.changed(job);
}

JobKeeper::Refusal JobKeeper::change_suspension(Job& job, JobAction action) {
  if (job.is_finished()) return kFinished;
  if (job.is_pending()) return kStillPending;
  if (action == JobAction::Suspend) {
    if (!job.suspension.by_admin) {
      c_.suspend(job, Controller::SuspendedBy::Admin);
      c_.obey(c_.gang_.remove(job));
    }
  } else if (job.is_suspended()) {
    const bool by_admin = job.suspension.by_admin;
    c_.resume(job);
    if (by_admin) c_.obey(c_.gang_.add(job));
  }
  return std::nullopt;
}

/// The job gets the highest priority among those of its user, partition, account and QOS; what that
/// takes of its nice value is shared out to the others by id, and each comes to stand below it
/// (lifecycle.md §10.1).
JobKeeper::Refusal JobKeeper::top(Job& job) {
  if (!job.is_pending()) return job.is_finished() ? kFinished : kNotPending;
  if (job.partitions.size() != 1 || job.priority == 0 || job.direct_priority) return std::nullopt;
  std::int64_t highest = job.priority;
  std::vector<Job*> others;
  for (const JobIndex index : c_.queue_.pending()) {
    Job& other = c_.cluster_.jobs[index];
    const bool alike = other.index != job.index && other.is_pending() && other.priority != 0 &&
                       !other.direct_priority && other.spec->user == job.spec->user &&
                       other.association == job.association && other.qos == job.qos &&
                       other.partitions == job.partitions;
    if (!alike) continue;
    others.push_back(&other);
    highest = std::max<std::int64_t>(highest, other.priority);
  }
  std::sort(others.begin(), others.end(), [](const Job* a, const Job* b) { return a->id < b->id; });
  const auto change_nice = [&](Job& each, std::int64_t by) {
    if (by == 0) return;
    each.nice += by;
    c_.priority_->recompute(each, c_.now());
    c_.queue_.changed(each);
  };
  std::int64_t left = highest - job.priority;
  change_nice(job, -left);
  auto count = static_cast<std::int64_t>(others.size());
  for (Job* other : others) {
    const std::int64_t part = std::max(left / count--, other->priority - highest + 1);
    left -= part;
    change_nice(*other, part);
  }
  return std::nullopt;
}

}  // namespace rehearse

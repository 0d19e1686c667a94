// sim/controller/admin.cpp — what an admin's command does to jobs and nodes.
#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

bool matches(const Job& job, const CancelJobs& cancel, const Cluster& cluster) {
  if (job.is_finished()) return false;
  if (cancel.state && job.state != *cancel.state) return false;
  if (cancel.user != kNoName && job.spec->user != cancel.user) return false;
  if (cancel.name != kNoName && job.spec->name != cancel.name) return false;
  if (cancel.account != kNoName &&
      (!job.association ||
       cluster.accounts.associations[*job.association].account != cancel.account)) {
    return false;
  }
  return cancel.partition == kNoName || cluster.partitions[job.partition].name == cancel.partition;
}

}  // namespace

void Controller::on(const CancelRequested& event) {
  Job& job = cluster_.jobs[event.job];
  if (job.array_job != JobId{}) {
    cancel_due_tasks(job.array_job);
  } else if (job.is_pending() && job.cancel_at && *job.cancel_at <= now()) {
    cancel_job(job);
  }
}

/// Tasks of the trace that were cancelled while they pended, at their time.
void Controller::cancel_due_tasks(JobId array) {
  for (const JobIndex index : dependencies_.records_of(array)) {
    Job& meta = cluster_.jobs[index];
    if (!meta.is_pending()) continue;
    if (!meta.is_array_meta()) {
      if (meta.cancel_at && *meta.cancel_at <= now()) cancel_job(meta);
      continue;
    }
    const auto due = [&](std::uint32_t at) {
      const auto& cancel_at = meta.spec->extras->array[at].cancel_at;
      return cancel_at && *cancel_at <= now();
    };
    const std::vector<std::uint32_t> tasks = meta.pending_tasks;
    Job* rest = &meta;
    for (const std::uint32_t at : tasks) {
      if (rest == nullptr || !due(at)) continue;
      // The task to be cancelled is taken to the front, so that it is the one split off.
      auto& pending = rest->pending_tasks;
      std::stable_partition(pending.begin(), pending.end(),
                            [at](std::uint32_t task) { return task == at; });
      Job& task = *rest;
      rest = split_task(task);
      if (rest != nullptr) std::sort(rest->pending_tasks.begin(), rest->pending_tasks.end());
      cancel_job(task);
    }
  }
}

void Controller::cancel_job(Job& job) {
  if (job.is_pending()) {
    if (!job.is_array_meta()) {
      end_pending(job, JobState::Cancelled, Reason::None);
      return;
    }
    // Every task has its own end in the accounts.
    for (Job* rest = &job; rest != nullptr;) {
      Job& task = *rest;
      rest = split_task(task);
      end_pending(task, JobState::Cancelled, Reason::None);
    }
    return;
  }
  if (job.has_started()) end_run(job, JobState::Cancelled, Reason::None, AfterEnd::Gone, true);
}

void Controller::carry_out(const AdminCommandAt& command) {
  last_activity_ = now_;
  if (const auto* daemons = std::get_if<ChangeDaemons>(&command.action)) {
    keeper_.change(*daemons);  // slurmctld does not know of it yet
    return;
  }
  if (const auto* daemon = std::get_if<ChangeController>(&command.action)) {
    return daemon->up ? outage_.end() : outage_.begin();
  }
  if (const auto* partition = std::get_if<UpdatePartition>(&command.action)) {
    change(*partition);
  } else if (const auto* accounts = std::get_if<ChangeAccounts>(&command.action)) {
    change(*accounts);
  } else if (const auto* update = std::get_if<UpdateNodes>(&command.action)) {
    keeper_.update(*update);
  } else if (const auto* cancel = std::get_if<CancelJobs>(&command.action)) {
    std::vector<JobIndex> targets;
    for (const JobId id : cancel->ids) {
      for (const JobIndex job : dependencies_.records_of(id)) targets.push_back(job);
    }
    if (cancel->ids.empty()) {
      for (const Job& job : cluster_.jobs) targets.push_back(job.index);
    }
    for (const JobIndex index : targets) {
      Job& job = cluster_.jobs[index];
      if (matches(job, *cancel, cluster_)) cancel_job(job);
    }
  } else if (const auto* hold = std::get_if<HoldJobs>(&command.action)) {
    for (const JobId id : hold->ids) {
      for (const JobIndex index : dependencies_.records_of(id)) {
        change_hold(cluster_.jobs[index], hold->action);
      }
    }
  } else if (const auto* change = std::get_if<ReservationCommand>(&command.action)) {
    reservations_.carry_out(*change, command.text);
  }
  if (!cluster_.reservations.empty()) reservations_.schedule_scan();
  something_changed();
  request_queued();
}

/// lifecycle.md §10. Commands come from an administrator: JobHeldAdmin.
void Controller::change_hold(Job& job, HoldJobs::Action action) {
  if (action == HoldJobs::Action::Requeue) {
    if (job.has_started()) {
      end_run(job, JobState::Cancelled, Reason::None, AfterEnd::Requeued, true);
    }
    return;
  }
  if (action == HoldJobs::Action::Suspend || action == HoldJobs::Action::Resume) {
    change_suspension(job, action);
    return;
  }
  if (!job.is_pending()) return;
  if (job.begin && *job.begin <= now()) job.begin.reset();
  if (action == HoldJobs::Action::Hold) {
    job.held = true;
    job.priority = 0;
    limits_.clear_accrual(job);
    set_reason(job, Reason::JobHeldAdmin);
  } else if (job.held) {
    job.held = job.reservation_was_deleted = false;
    job.direct_priority = false;
    set_reason(job, Reason::None);
    priority_->recompute(job, now());
  }
  queue_.changed(job);
}

}  // namespace rehearse

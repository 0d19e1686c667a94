// sim/controller/admin.cpp — what an admin's command does to jobs and nodes.
#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

/// scancel, requeue, resume and top ask for no pass; what they free or let go asks when it comes to
/// that (lifecycle.md §10.1). sacctmgr asks for none at all (scheduling.md §2.1).
bool asks_for_a_pass(const AdminAction& action) {
  if (std::holds_alternative<CancelJobs>(action) ||
      std::holds_alternative<ChangeAccounts>(action)) {
    return false;
  }
  const auto* act = std::get_if<ActOnJobs>(&action);
  return act == nullptr || act->action == JobAction::Hold || act->action == JobAction::UserHold ||
         act->action == JobAction::Release || act->action == JobAction::Suspend;
}

}  // namespace

void Controller::on(const CancelRequested& event) {
  Job& job = cluster_.jobs[event.job];
  if (job.array_job != JobId{}) {
    cancel_due_tasks(job.array_job);
  } else {
    job_keeper_.cancel_if_due(job);
  }
}

/// Tasks of the trace that were cancelled while they pended, at their time.
void Controller::cancel_due_tasks(JobId array) {
  for (const JobIndex index : dependencies_.records_of(array)) {
    Job& meta = cluster_.jobs[index];
    if (!meta.is_pending() || !meta.is_array_meta()) {
      job_keeper_.cancel_if_due(meta);
      continue;
    }
    const auto due = [&](std::uint32_t at) {
      const auto& cancel_at = meta.spec->extras->array[at].cancel_at;
      return cancel_at && *cancel_at <= now();
    };
    const PendingTasks tasks = meta.pending_tasks;
    if (std::all_of(tasks.begin(), tasks.end(), due)) {
      job_keeper_.cancel(meta);
      continue;
    }
    Job* rest = &meta;
    for (const std::uint32_t at : tasks) {
      if (rest == nullptr || !due(at)) continue;
      rest->pending_tasks.choose(at);
      Job& task = *rest;
      rest = split_task(task);
      job_keeper_.cancel(task);
    }
  }
}

void Controller::carry_out(const AdminCommandAt& command) {
  last_activity_ = now_;
  if (const auto* daemons = std::get_if<ChangeDaemons>(&command.action)) {
    keeper_.change(*daemons);  // slurmctld does not know of it yet
    return;
  }
  if (const auto* daemon = std::get_if<ChangeController>(&command.action)) {
    return daemon->up ? outage_.end(daemon->again) : outage_.begin(daemon->again);
  }
  if (const auto* partition = std::get_if<UpdatePartition>(&command.action)) {
    change(std::span(partition, 1));
  } else if (const auto* accounts = std::get_if<ChangeAccounts>(&command.action)) {
    change(*accounts);
  } else if (const auto* again = std::get_if<Reconfigure>(&command.action)) {
    change(*again);
  } else if (const auto* update = std::get_if<UpdateNodes>(&command.action)) {
    keeper_.update(*update);
  } else if (const auto* reboot = std::get_if<RebootNodes>(&command.action)) {
    reboots_.order(*reboot);
  } else if (const auto* cancel = std::get_if<CancelJobs>(&command.action)) {
    job_keeper_.carry_out(*cancel, command.text);
  } else if (const auto* act = std::get_if<ActOnJobs>(&command.action)) {
    job_keeper_.carry_out(*act, command.text);
  } else if (const auto* of_jobs = std::get_if<UpdateJobs>(&command.action)) {
    job_keeper_.carry_out(*of_jobs, command.text);
  } else if (const auto* cut = std::get_if<CutGpus>(&command.action)) {
    mig_.carry_out(*cut);
  } else if (const auto* change = std::get_if<ReservationCommand>(&command.action)) {
    reservations_.carry_out(*change, command.text);
  }
  if (!cluster_.reservations.empty()) reservations_.schedule_scan();
  something_changed();
  if (asks_for_a_pass(command.action)) request_queued();
}

}  // namespace rehearse

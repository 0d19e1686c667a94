// sim/controller/forced_history.cpp — starts and ends that a recording dictates.
#include "sim/controller/forced_history.hpp"

#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

/// Ends, submissions and starts of a second happen here; a pass of unknown instant just before.
constexpr Duration kEndOfSecond{999'998};

}  // namespace

Time end_of(SlurmTime second) {
  return Time{second} + kEndOfSecond;
}

void Controller::follow(const ForcedHistory& history, PassAsker& asker) {
  history_ = &history;
  asker_ = &asker;
  forced_jobs_.assign(history.runs.size(), std::nullopt);
}

void Controller::begin_history() {
  for (std::size_t i = 0; i < history_->asked.size(); ++i) {
    schedule(history_->asked[i], PassReached{static_cast<std::uint32_t>(i)});
  }
  for (std::size_t i = 0; i < history_->runs.size(); ++i) {
    schedule(end_of(history_->runs[i].start), RunForced{static_cast<std::uint32_t>(i)});
  }
  forced_left_ = history_->runs.size();
}

void Controller::on(const PassReached& event) {
  asker_->ask(event.pass, *this);
}

void Controller::on(const RunForced& event) {
  const ForcedRun& run = history_->runs[event.run];
  --forced_left_;
  if (force_start(event.run) && run.end) {
    schedule(end_of(*run.end), RunForcedToEnd{event.run});
  }
}

void Controller::on(const RunForcedToEnd& event) {
  force_end(event.run);
}

const Job* Controller::forced_job(std::size_t run) const {
  return forced_jobs_[run] ? &cluster_.jobs[forced_jobs_[run]->job] : nullptr;
}

/// The pending record of a recorded job; an array's task is brought to the front of its record, so
/// that it is the one split off.
Job* Controller::pending_record(JobId id) {
  for (const JobIndex index : queue_.pending()) {
    Job& job = cluster_.jobs[index];
    if (!job.is_pending()) continue;
    if (!job.is_array_meta()) {
      if (job.id == id) return &job;
      continue;
    }
    const std::vector<ArrayTask>& tasks = job.spec->extras->array;
    const auto at = std::find_if(job.pending_tasks.begin(), job.pending_tasks.end(),
                                 [&](std::uint32_t task) { return tasks[task].id == id; });
    if (at == job.pending_tasks.end()) continue;
    std::rotate(job.pending_tasks.begin(), at, at + 1);
    return &job;
  }
  return nullptr;
}

bool Controller::force_start(std::size_t number) {
  const ForcedRun& run = history_->runs[number];
  Job* job = pending_record(run.job);
  for (std::size_t i = 0; i < number && job == nullptr; ++i) {
    // A requeued job leaves COMPLETING first.
    const Job* earlier = forced_job(i);
    if (earlier == nullptr || !earlier->completing || history_->runs[i].job != run.job) continue;
    on(NodesCleaned{earlier->index, earlier->run_number});
    job = pending_record(run.job);
  }
  if (job == nullptr) {
    asker_->not_placed(number, "it does not pend here", now());
    return false;
  }
  NodeSet nodes(cluster_.nodes.size());
  for (const NodeId node : run.nodes) nodes.set(index_of(node));
  std::optional<Allocation> allocation;
  PartitionId partition = job->partition;
  for (const PartitionId each : job->partitions) {
    const NodeSet& all = cluster_.partitions[each].nodes;
    if (!nodes.is_subset_of(all)) continue;
    allocation = select_->place({.job = *job,
                                 .request = cluster_.request_of(*job),
                                 .partition = cluster_.partitions[each],
                                 .ledger = cluster_.ledger,
                                 .candidates = nodes,
                                 .min_nodes = static_cast<std::uint32_t>(run.nodes.size()),
                                 .max_nodes = static_cast<std::uint32_t>(run.nodes.size()),
                                 .req_nodes = static_cast<std::uint32_t>(run.nodes.size())});
    partition = each;
    if (allocation) break;
  }
  if (!allocation) {
    asker_->not_placed(number, "it does not fit on these nodes beside what runs there", now());
    return false;
  }
  if (Job* rest = start(*job, partition, std::move(*allocation), run.by); rest != nullptr) {
    std::sort(rest->pending_tasks.begin(), rest->pending_tasks.end());
  }
  forced_jobs_[number] = ForcedJob{job->index, job->run_number};
  return true;
}

void Controller::force_end(std::size_t number) {
  const auto& forced = forced_jobs_[number];
  if (!forced) return;
  Job& job = cluster_.jobs[forced->job];
  if (!job.is_running() || job.run_number != forced->run_number) return;
  const ForcedRun& run = history_->runs[number];
  const bool killed = run.outcome == JobState::Cancelled || run.outcome == JobState::Timeout ||
                      run.outcome == JobState::Preempted;
  end_run(job, run.outcome, run.outcome == JobState::Timeout ? Reason::TimeLimit : Reason::None,
          run.requeued ? AfterEnd::Requeued : AfterEnd::Gone, killed);
}

void Controller::hold_nodes(bool held) {
  for (const Node& node : cluster_.nodes) {
    choice_.set_completing(node.id, held || node.state.completing_jobs > 0);
  }
}

void Controller::apply(const PassQuestion& question) {
  for (const std::size_t run : question.ended) force_end(run);
  for (const std::size_t run : question.cleaned) {
    const Job* job = forced_job(run);
    if (job != nullptr && job->completing) on(NodesCleaned{job->index, job->run_number});
  }
  for (std::size_t i = 0; i < question.submitted && next_spec_; ++i) {
    specs_.push_back(std::move(*next_spec_));
    next_spec_ = source_.next();
    submit(specs_.back());
  }
  for (const std::size_t run : question.started) force_start(run);
}

void Controller::decide(StartedBy loop) {
  if (loop == StartedBy::Backfill) {
    backfill_.run(now());
  } else {
    main_loop_.run(now(), PassDepth::Full);
  }
}

}  // namespace rehearse

// sim/controller/forced_history.cpp — starts and ends that a recording dictates.
#include "sim/controller/forced_history.hpp"

#include <algorithm>
#include <utility>

#include "sim/controller/controller.hpp"
#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/cpus_per_gpu.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/preemption_order.hpp"
#include "sim/sched/queue_record.hpp"

namespace rehearse {
namespace {

/// Ends, submissions and starts of a second happen here; a pass of unknown instant just before.
constexpr Duration kEndOfSecond{999'999};
/// From a pass's begin to its last decision.
constexpr Seconds kLongestPass{3};

/// True if the allocation has the memory that the recording tells. A job without memory options may
/// have held all of its nodes' (gres.md §2.3).
bool holds_as_recorded(const std::optional<Allocation>& allocation, const ForcedRun& run) {
  if (!allocation || !run.memory_mib) return allocation.has_value();
  std::uint64_t mib = 0;
  for (const NodeShare& share : allocation->nodes) mib += share.memory_mib;
  return mib == *run.memory_mib;
}

/// By the queue of a pass of `loop`. An array begins to age when it is first found eligible, but by
/// backfill, and keeps its age when %N holds it back later (priority.md §3.1).
void begin_to_age(Job& job, StartedBy loop, Limits& limits, SlurmTime now) {
  if (job.is_array_meta() && !job.accrue && !job.begin) job.begin = now;
  const bool is_found_now = job.is_array_meta() && job.begin == now;
  if (!is_found_now || loop != StartedBy::Backfill) limits.update_accrual(job, now);
}

/// The job for which another is warned or ends waits before it preempts again.
void note_preemptor(const ForcedSignal& signal, SlurmTime at, const PendingQueue& queue,
                    Cluster& cluster) {
  for (const JobIndex index : queue.pending()) {
    Job& preemptor = cluster.jobs[index];
    if (preemptor.id == signal.preemptor) preemptor.preempt_launched = at;
  }
}

}  // namespace

Time end_of(SlurmTime second) {
  return Time{second} + kEndOfSecond;
}

void Controller::follow(const ForcedHistory& history, PassAsker& asker) {
  history_ = &history;
  asker_ = &asker;
  forced_jobs_.assign(history.runs.size(), std::nullopt);
}

/// Ends of a second come at its end. A tick of that second which came after one of them waits for
/// it: usage is charged up to the end first, and decays then (priority.md §7).
bool Controller::tick_waits_for_ends() const {
  if (history_ == nullptr || now_ >= end_of(now())) return false;
  const std::vector<Time>& ended = history_->ended_at;
  const auto first = std::lower_bound(ended.begin(), ended.end(), Time{now()});
  return first != ended.end() && *first < now_;
}

void Controller::begin_history() {
  for (std::size_t i = 0; i < history_->asked.size(); ++i) {
    schedule(history_->asked[i].at, PassReached{static_cast<std::uint32_t>(i)});
  }
  const std::vector<ForcedRun>& runs = history_->runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0 && runs[i].start == runs[i - 1].start) continue;
    schedule(end_of(runs[i].start), RunsForced{static_cast<std::uint32_t>(i)});
  }
  forced_left_ = runs.size();
}

/// The pass is asked for in a copy; that arrays begin to age there is so in the state all the same,
/// and so are the warnings of passes before.
void Controller::on(const PassReached& event) {
  for (const ForcedSignal& signal : history_->signals) {
    const SlurmTime at = whole_second(signal.at);
    if (!signal.warned || at >= now()) continue;
    for (Job* victim : charged_) {
      if (victim->id != signal.victim || victim->preempt_time || *victim->start > at) continue;
      victim->preempt_time = at;
      running_.remove(*victim);
      victim->end = std::min(*victim->end, at + preemption_.plugin().grace_of(*victim));
      running_.add(*victim);
      estimator_.forget();
      note_preemptor(signal, at, queue_, cluster_);
    }
  }
  const StartedBy loop = history_->asked[event.pass].loop;
  for (const JobIndex index : queue_.pending()) {
    Job& job = cluster_.jobs[index];
    const std::uint32_t most = array_task_limit(job);
    if (!job.is_array_meta() || dependencies_.waits(job) ||
        (most > 0 && running_tasks(job) >= most))
      continue;
    const bool is_found_first = !job.accrue && !job.begin;  // by the queue of the cycle itself
    if (loop != StartedBy::Backfill || !is_found_first) begin_to_age(job, loop, limits_, now());
  }
  queue_.let_age(now());
  asker_->ask(event.pass, *this);
}

/// All starts of a second.
void Controller::on(const RunsForced& event) {
  const std::vector<ForcedRun>& runs = history_->runs;
  std::vector<std::size_t> numbers;
  for (std::size_t i = event.first; i < runs.size() && runs[i].start == runs[event.first].start;
       ++i) {
    numbers.push_back(i);
  }
  forced_left_ -= numbers.size();
  force_starts(numbers);
  for (std::size_t i = 0; i < event.first; ++i) {
    if (runs[i].ends_late && *runs[i].end == runs[event.first].start) force_end(i);
  }
  for (const std::size_t number : numbers) {
    if (runs[number].end) {
      schedule(end_of(*runs[number].end), RunForcedToEnd{static_cast<std::uint32_t>(number)});
    }
  }
}

void Controller::on(const RunForcedToEnd& event) {
  if (!history_->runs[event.run].ends_late) force_end(event.run);
}

const Job* Controller::forced_job(std::size_t run) const {
  return forced_jobs_[run] ? &cluster_.jobs[forced_jobs_[run]->job] : nullptr;
}

/// The pending record of a recorded job; an array's task is chosen, so that it is the one split
/// off.
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
    job.pending_tasks.choose(*at);
    return &job;
  }
  return nullptr;
}

/// Whole seconds do not tell who came first: the order of a pass does (scheduling.md §3.2).
void Controller::force_starts(std::span<const std::size_t> numbers) {
  std::vector<QueueRecord> records;
  std::vector<std::size_t> others;
  for (const std::size_t number : numbers) {
    const ForcedRun& run = history_->runs[number];
    const Job* job = pending_record(run.job);
    if (job == nullptr) {  // it may pend once it has left COMPLETING
      others.push_back(number);
      continue;
    }
    QueueRecord& record = records.emplace_back(plain_record(cluster_, *job, run.partition));
    record.reserved = !job->reservations.empty();
    if (job->is_array_meta()) record.task = job->pending_tasks.next();
    record.place = static_cast<std::uint32_t>(number);
  }
  std::stable_sort(records.begin(), records.end(), ranks_before);
  PreemptionOrder order;
  for (const QueueRecord& record : order.of(records, cluster_, preemption_)) {
    force_start(record.place);
  }
  for (const std::size_t number : others) force_start(number);
}

/// The job on its recorded nodes, beside what runs there or as on idle nodes. What it takes of each
/// is shaped by all that it could choose from (over a tree the leaf with the fewest of them is
/// filled first) and by how many nodes it may have, so all nodes and its own counts are tried
/// first; an allocation on other nodes than recorded is not the recorded one.
std::optional<Allocation> Controller::place_on(const Job& job, const ForcedRun& run,
                                               PlacedBeside use) {
  NodeSet nodes(cluster_.nodes.size());
  for (const NodeId node : run.nodes) nodes.set(index_of(node));
  const auto count = static_cast<std::uint32_t>(run.nodes.size());
  // Reserved cores are kept from who may not use them; a member prefers its reservation's nodes.
  const ReservedView reserved = reserved_view(
      cluster_, {.job = job,
                 .partition = run.partition,
                 .reservation = job.reservation,
                 .now = now(),
                 .start = now(),
                 .limit = effective_limit(job, cluster_.partitions[run.partition], cluster_)});
  Selection failure;
  const NodeCounts exactly{count, count, count};
  const NodeCounts own = choice_.counts(job, run.partition, failure).value_or(exactly);
  const bool extra_row =
      use == PlacedBeside::Others && preemption_.takes_extra_row(job, run.partition, now());
  NodeSet open = choice_.configured(job, run.partition) & choice_.available_nodes();
  open &= reserved.nodes;
  if (use == PlacedBeside::Nothing || !nodes.is_subset_of(open)) open = nodes;
  struct Choice {
    const NodeSet& candidates;
    NodeCounts counts;
  };
  std::optional<Allocation> found;
  for (const Choice& attempt :
       {Choice{open, own}, {nodes, own}, {nodes, {own.min, count, count}}, {nodes, exactly}}) {
    auto allocation =
        select_->place({.job = job,
                        .request = cluster_.request_of(job),
                        .partition = cluster_.partitions[run.partition],
                        .ledger = cluster_.ledger,
                        .candidates = attempt.candidates,
                        .min_nodes = attempt.counts.min,
                        .max_nodes = attempt.counts.max,
                        .req_nodes = attempt.counts.req,
                        .ignore_use = use == PlacedBeside::Nothing,
                        .reserved_cores = &reserved.taken,
                        .preferred = reserved.preferred.empty() ? nullptr : &reserved.preferred,
                        .extra_row = extra_row});
    if (!allocation || nodes_of(*allocation, nodes.size()) != nodes) continue;
    if (!run.cpus || allocation->cpus == *run.cpus) return allocation;
    if (!found) found = std::move(allocation);
  }
  return found;
}

/// No test precedes a forced start, so which partition's DefCpuPerGPU stays with a job of several
/// (gres.md §2.3) is not known: the CPUs that it held tell. None: no partition's leads to them, and
/// the request is as it was.
std::optional<Allocation> Controller::place_as_tested_elsewhere(Job& job, const ForcedRun& run) {
  if (job.partitions.size() < 2 || cluster_.request_of(job).gres.empty()) return std::nullopt;
  const RequestId as_it_was = job.request;
  for (const PartitionId partition : job.partitions) {
    keep_cpus_per_gpu(cluster_, job, partition);
    auto found = place_on(job, run, PlacedBeside::Others);
    if (found && found->cpus == *run.cpus) return found;
    job.request = as_it_was;
  }
  return std::nullopt;
}

/// The run of the row before goes on, on the nodes that this one tells.
void Controller::force_resize(std::size_t number) {
  const ForcedRun& run = history_->runs[number];
  for (std::size_t i = number; i-- > 0;) {
    const auto& before = forced_jobs_[i];
    if (history_->runs[i].job != run.job || !before) continue;
    Job& job = cluster_.jobs[before->job];
    if (!job.has_started() || job.run_number != before->run_number) return;
    std::vector<NodeId> gone;
    for (const NodeShare& share : job.allocation.nodes) {
      const bool stays =
          std::find(run.nodes.begin(), run.nodes.end(), share.node) != run.nodes.end();
      if (!stays) gone.push_back(share.node);
    }
    if (gone.size() < job.allocation.nodes.size()) shrink(job, gone);
    forced_jobs_[number] = before;
    return;
  }
}

void Controller::force_start(std::size_t number) {
  const ForcedRun& run = history_->runs[number];
  if (run.resized) return force_resize(number);
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
    return;
  }
  begin_to_age(*job, run.by, limits_, now());
  // Of several that it named no row tells which it started in: the first that has room.
  std::optional<Allocation> allocation;
  for (std::size_t i = 0; i < std::max<std::size_t>(job->reservations.size(), 1); ++i) {
    job->reservation.reset();
    if (!job->reservations.empty()) job->reservation = job->reservations[i];
    allocation = place_on(*job, run, PlacedBeside::Others);
    if (allocation) break;
  }
  if (allocation && run.cpus && allocation->cpus != *run.cpus) {
    if (auto other = place_as_tested_elsewhere(*job, run)) allocation = std::move(other);
  }
  if (!holds_as_recorded(allocation, run) && choice_.turn_request(*job)) {
    auto other = place_on(*job, run, PlacedBeside::Others);
    if (holds_as_recorded(other, run)) {
      allocation = std::move(other);
    } else {
      choice_.turn_request(*job);
    }
  }
  if (!allocation) {
    asker_->not_placed(number, "it does not fit on these nodes beside what runs there", now());
    allocation = place_on(*job, run, PlacedBeside::Nothing);
    if (!allocation) return;
    // It runs all the same; what it holds is not known, so it holds nothing.
    for (NodeShare& share : allocation->nodes) {
      const NodeId node = share.node;
      share = {};
      share.node = node;
    }
  } else {
    asker_->placed(number, allocation->cpus, now());
  }
  start(*job, run.partition, std::move(*allocation), run.by);
  choice_.tested(*job, run.partition);
  forced_jobs_[number] = ForcedJob{job->index, job->run_number};
}

void Controller::force_end(std::size_t number) {
  const auto& forced = forced_jobs_[number];
  if (!forced || history_->runs[number].resizes) return;
  Job& job = cluster_.jobs[forced->job];
  if (!job.has_started() || job.run_number != forced->run_number) return;
  const ForcedRun& run = history_->runs[number];
  const bool killed = run.outcome == JobState::Cancelled || run.outcome == JobState::Timeout ||
                      run.outcome == JobState::Preempted;
  end_run(job, run.outcome, run.outcome == JobState::Timeout ? Reason::TimeLimit : Reason::None,
          run.requeued ? AfterEnd::Requeued : AfterEnd::Gone, killed);
  // A submission that is older than the end: the old one stands.
  if (run.requeued && *run.requeued < *run.end) keeper_.leave_unnoticed(job);
  if (run.requeued) schedule(end_of(*run.requeued), NodesCleaned{job.index, job.run_number});
  for (const ForcedSignal& signal : history_->signals) {
    if (signal.victim != run.job) continue;
    const Seconds apart = *run.end - whole_second(signal.at);
    if (apart < -kLongestPass || apart > kLongestPass) continue;
    note_preemptor(signal, now(), queue_, cluster_);
  }
}

void Controller::hold_nodes(bool held) {
  for (const Node& node : cluster_.nodes) {
    choice_.set_completing(node.id,
                           held || node.state.completing_jobs > 0 || node.state.powering_up);
  }
}

void Controller::apply(const PassQuestion& question) {
  for (const std::size_t run : question.ended) force_end(run);
  for (const std::size_t run : question.cleaned) {
    const Job* job = forced_job(run);
    if (job != nullptr && job->completing) on(NodesCleaned{job->index, job->run_number});
  }
  for (std::size_t i = 0; i < question.submitted && next_spec_ != nullptr; ++i) {
    submit(*std::exchange(next_spec_, source_.next()));
  }
  force_starts(question.started);
}

void Controller::decide(StartedBy loop) {
  split_waiting_arrays();
  if (loop == StartedBy::Backfill) {
    backfill_.run(now());
  } else {
    main_loop_.run(now(), PassDepth::Full);
  }
}

}  // namespace rehearse

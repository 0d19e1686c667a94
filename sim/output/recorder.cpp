// sim/output/recorder.cpp — job records become rows, Reasons become intervals.
//
// An unsplit array is one row until its tasks start: then the task keeps the row, and what is left
// of the array gets a new one whose earlier waits are those of the row it was split from.
#include "sim/output/recorder.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/output/cluster_facts.hpp"

namespace rehearse {
namespace {

std::uint32_t limit_of(const std::optional<Minutes>& limit) {
  if (!limit) return kLimitNone;
  return *limit == kUnlimited ? kLimitUnlimited : static_cast<std::uint32_t>(limit->count());
}

/// `%2` of `--array=0-9%2`; a task's row keeps it for squeue.
std::string throttle_text(const Job& job) {
  const JobExtras* extras = job.spec->extras.get();
  if (extras == nullptr || extras->array_max_running == 0) return {};
  return fmt::format("%{}", extras->array_max_running);
}

std::uint32_t tasks_of(const Job& job) {
  return job.is_array_meta() ? static_cast<std::uint32_t>(job.pending_tasks.size()) : 1;
}

/// sacct's Reason is the last one that was more than waiting for resources or its turn (the
/// recordings: Priority and Resources never appear).
bool is_kept_by_sacct(Reason reason) {
  return reason != Reason::None && reason != Reason::Priority && reason != Reason::Resources;
}

}  // namespace

Recorder::Recorder(RecorderOptions options)
    : options_(options), series_(options.series_period), fair_share_next_(kNoTime) {}

void Recorder::run_started(const Cluster& cluster, SlurmTime now) {
  cluster_ = &cluster;
  parts_.begin(cluster, result_);
  settings_ = priority_facts_of(cluster);
  result_.begin = result_.end = epoch_seconds(now);
  series_.begin(now);
  gpus_.begin(cluster, options_.gpus, now, result_.names.text);
  result_.speeds.kept = cluster.inputs.site.performance.enabled;
  node_use_.assign(cluster.nodes.size(), {});
  node_total_.assign(cluster.nodes.size(), {});
  node_flags_.assign(cluster.nodes.size(), 0);
  available_.assign(cluster.nodes.size(), false);
  withheld_.assign(cluster.nodes.size(), 0);
  for (const Node& node : cluster.nodes) {
    if (node.state.future) {  // it is not there: no capacity, but what `show node` says of it
      note_node(node, now);
      continue;
    }
    NodeUse& total = node_total_[index_of(node.id)];
    total = {gpu_milli_of(node, cluster.names), node.effective_cpus,
             static_cast<std::int64_t>(node.memory_mib), 0};
    series_.add(Follow::GpusExisting, total.gpu_milli);
    series_.add(Follow::CpusExisting, total.cpus);
    series_.add(Follow::MemoryExisting, total.memory_mib);
    series_.add(Follow::NodesExisting, 1);
    count_available(node.id, 1);
    note_node(node, now);
  }
}

void Recorder::count_available(NodeId node, std::int64_t sign) {
  // A node that takes no jobs offers no more than what it is still busy with.
  const std::size_t at = index_of(node);
  const NodeUse& counted = available_[at] ? node_total_[at] : node_use_[at];
  const std::int64_t withheld = available_[at] ? withheld_[at] : 0;
  series_.add(Follow::GpusAvailable, sign * (counted.gpu_milli - withheld));
  series_.add(Follow::CpusAvailable, sign * (available_[at] ? counted.cpus : busy_cpus(at)));
  series_.add(Follow::MemoryAvailable, sign * counted.memory_mib);
}

void Recorder::note_node(const Node& node, SlurmTime now) {
  const std::size_t at = index_of(node.id);
  const auto count = [&](std::int64_t sign) {
    const std::uint16_t flags = node_flags_[at];
    const bool down = (flags & (kNodeDown | kNodeFail | kNodeNoRespond)) != 0;
    if (down) series_.add(Follow::NodesDown, sign);
    if (!down && (flags & kNodeDrain) != 0) series_.add(Follow::NodesDrained, sign);
    if ((flags & kNodePoweredDown) != 0) series_.add(Follow::NodesPoweredDown, sign);
  };
  count(-1);
  count_available(node.id, -1);
  node_flags_[at] = flags_of(node.state);
  // Under a MAINT reservation a node is up, and takes nobody's jobs (lifecycle.md §13).
  available_[at] = node.state.is_available() && !node.state.maint;
  gpus_.available(node.id, available_[at]);
  count_available(node.id, 1);
  count(1);
  NodeEventColumns& events = result_.node_events;
  events.time.push_back(epoch_seconds(now));
  events.node.push_back(static_cast<std::uint32_t>(node.id));
  events.state.push_back(node_flags_[at]);
  events.text.push_back(code_of(result_.names.text, node.state.reason));
}

void Recorder::node_changed(const Node& node, SlurmTime now) {
  advance(now);
  note_node(node, now);
}

void Recorder::gpu_recut(const Cluster& cluster, const GpuRecut& recut, SlurmTime now) {
  advance(now);
  held_.nodes_changed();
  gpus_.recut(cluster, recut, now, result_.names.text);
}

void Recorder::job_submitted(const Job& job, SlurmTime now) {
  advance(now);
  const std::uint32_t row = add_row(job);
  if (job.is_array_meta()) array_priorities_[job.array_job] = job.priority;
  open_wait(job, row, now);
  if (!job.is_pending()) {  // a dependency that can never be satisfied ended it at once
    open_of(job).tasks = 0;
    end_unstarted(job, row, now);
    return;
  }
  const OpenWait& open = open_of(job);
  gpus_.wanted(job, open.tasks);
  series_.add(Follow::JobsPending, open.tasks);
  series_.add(Follow::GpusWanted,
              std::int64_t{result_.runs.requested_gpus[row]} * 1000 * open.tasks);
}

void Recorder::open_wait(const Job& job, std::uint32_t row, SlurmTime now) {
  if (open_.size() <= index_of(job.index)) open_.resize(index_of(job.index) + 1);
  open_of(job) = {row, tasks_of(job), code_of(result_.names.text, job.reason_text), job.reason,
                  epoch_seconds(now)};
  parts_.waits(job, row, now);
}

void Recorder::close_wait(OpenWait& open, SlurmTime now) {
  const std::int64_t end = epoch_seconds(now);
  if (is_kept_by_sacct(open.reason)) {
    result_.runs.reason[open.row] = static_cast<std::uint16_t>(open.reason);
  }
  if (open.since >= end) return;
  WaitColumns& waits = result_.waits;
  waits.run.push_back(open.row);
  waits.reason.push_back(static_cast<std::uint16_t>(open.reason));
  waits.text.push_back(open.text);
  waits.tasks.push_back(open.tasks);
  waits.begin.push_back(open.since);
  waits.end.push_back(end);
}

void Recorder::job_split(const Job& task, const Job& rest, SlurmTime now) {
  if (open_.size() <= index_of(task.index)) return;
  OpenWait& open = open_of(task);
  close_wait(open, now);
  const std::uint32_t parent = open.row;
  open.tasks = 1;
  open.since = epoch_seconds(now);
  name_task(task, parent);
  add_rest(rest, parent, now);
}

/// What is left of an array: a row of its own, and still its array's record in accounting.
void Recorder::add_rest(const Job& rest, std::uint32_t parent, SlurmTime now) {
  const std::uint32_t row = add_row(rest);
  result_.runs.split_from[row] = parent;
  result_.runs.priority_recorded[row] = array_priorities_[rest.array_job];
  open_wait(rest, row, now);
}

void Recorder::reason_changed(const Job& job, SlurmTime now) {
  if (!job.is_pending() || open_.size() <= index_of(job.index)) return;  // not yet submitted
  OpenWait& open = open_of(job);
  if (open.tasks == 0) return;
  close_wait(open, now);
  open.reason = job.reason;
  open.text = code_of(result_.names.text, job.reason_text);
  open.since = epoch_seconds(now);
}

void Recorder::leave_queue(OpenWait& open, const Job& job, SlurmTime now) {
  close_wait(open, now);
  parts_.left(job, now);
  const std::uint32_t left = job.is_array_meta() ? open.tasks : 1;
  gpus_.wanted(job, -std::int64_t{left});
  series_.add(Follow::JobsPending, -std::int64_t{left});
  series_.add(Follow::GpusWanted,
              -std::int64_t{result_.runs.requested_gpus[open.row]} * 1000 * left);
}

void Recorder::adopt_new_records(const Cluster& cluster, std::uint32_t parent, SlurmTime now) {
  const JobId array = JobId{result_.runs.array_job[parent]};
  for (std::size_t at = open_.size(); at < cluster.jobs.size(); ++at) {
    const Job& rest = cluster.jobs[id_at<JobIndex>(at)];
    // Others are submissions that were refused.
    if (!rest.is_array_meta() || rest.array_job != array || !rest.is_pending()) continue;
    add_rest(rest, parent, now);
  }
}

void Recorder::job_started(const Job& job, SlurmTime now) {
  advance(now);
  OpenWait& open = open_of(job);
  const std::uint32_t row = open.row;
  leave_queue(open, job, now);
  const bool was_array = open.tasks > 1;
  open.tasks = 0;
  RunColumns& runs = result_.runs;
  name_task(job, row);
  runs.eligible[row] = seconds_or_none(job.begin);
  runs.accrue[row] = seconds_or_none(job.accrue);
  runs.start[row] = seconds_or_none(job.start);
  runs.limit_min[row] = limit_of(job.time_limit);
  runs.kept_s[row] = static_cast<std::uint32_t>(job.kept_work.count());
  runs.state[row] = static_cast<std::uint8_t>(JobState::Running);
  runs.started_by[row] = static_cast<std::uint8_t>(job.started_by);
  runs.partition[row] = static_cast<std::uint16_t>(job.partition);
  parts_.note_end_of_wait(job, row);
  parts_.runs(job, row, now);
  hold(job, row);
  for (const NodeShare& share : job.allocation.nodes) use_node(share, 1);
  series_.add(Follow::JobsRunning, 1);
  if (was_array) adopt_new_records(*cluster_, row, now);
}

/// A row of an unsplit array becomes that of its first task.
void Recorder::name_task(const Job& job, std::uint32_t row) {
  if (!job.array_task) return;
  RunColumns& runs = result_.runs;
  // Accounting has a record of a task from now on, but for that of the array itself (priority.md
  // §4.3).
  if (job.id != job.array_job && runs.restarts[row] == 0 && runs.array_task[row] < 0) {
    runs.priority_recorded[row] = job.priority;
  }
  runs.job_id[row] = static_cast<std::uint32_t>(job.id);
  runs.array_task[row] = static_cast<std::int32_t>(*job.array_task);
  runs.tasks[row] = 1;
  runs.array_text[row] = code_of(result_.names.text, throttle_text(job));
}

void Recorder::hold(const Job& job, std::uint32_t row) {
  RunColumns& runs = result_.runs;
  HoldingColumns& holdings = result_.holdings;
  std::uint64_t memory = 0;
  std::uint32_t gpus = 0;
  std::vector<std::string> hosts;
  for (const NodeShare& share : job.allocation.nodes) {
    const Node& node = cluster_->nodes[share.node];
    const auto milli = static_cast<std::uint32_t>(gpu_milli_of(share, node, cluster_->names));
    hosts.push_back(cluster_->names.text(node.name));
    holdings.run.push_back(row);
    holdings.node.push_back(static_cast<std::uint32_t>(share.node));
    holdings.cpus.push_back(share.cpus);
    holdings.gpu_milli.push_back(milli);
    holdings.memory_mib.push_back(share.memory_mib);
    const HeldTexts::Devices texts = held_.devices(share, *cluster_, result_.names.text);
    holdings.devices.push_back(texts.devices);
    holdings.cuda_visible.push_back(texts.visible);
    memory += share.memory_mib;
    gpus += milli;
  }
  gpus_.hold(job.allocation, row);
  runs.cpus[row] = job.allocation.cpus;
  runs.nodes[row] = static_cast<std::uint32_t>(hosts.size());
  runs.memory_mib[row] = memory;
  runs.gpu_milli[row] = gpus;
  runs.node_list[row] = code_of(result_.names.node_list, compress_hostlist(hosts));
  runs.held_tres[row] = held_.tres(job.alloc_tres, *cluster_, result_.names.tres_set);
}

void Recorder::use_node(const NodeShare& share, std::int64_t sign) {
  const Node& node = cluster_->nodes[share.node];
  NodeUse& use = node_use_[index_of(share.node)];
  const std::int64_t gpus = sign * gpu_milli_of(share, node, cluster_->names);
  const std::int64_t memory = sign * static_cast<std::int64_t>(share.memory_mib);
  gpus_.use(share, sign);
  count_available(share.node, -1);
  if (use.jobs > 0) series_.add(Follow::NodesBusy, -1);
  use.gpu_milli += gpus;
  use.memory_mib += memory;
  use.jobs += sign;
  if (use.jobs > 0) series_.add(Follow::NodesBusy, 1);
  count_available(share.node, 1);
  series_.add(Follow::GpusBusy, gpus);
  series_.add(Follow::MemoryBusy, memory);
  use_cpus(share.node, sign * std::int64_t{share.cpus});
}

void Recorder::use_cpus(NodeId node, std::int64_t more) {
  const std::size_t at = index_of(node);
  count_available(node, -1);
  const std::int64_t before = busy_cpus(at);
  node_use_[at].cpus += more;
  series_.add(Follow::CpusBusy, busy_cpus(at) - before);
  count_available(node, 1);
}

void Recorder::lend_cores(const Allocation& allocation, std::int64_t sign) {
  for (const NodeShare& share : allocation.nodes) {
    use_cpus(share.node, sign * std::int64_t{share.cpus});
  }
}

void Recorder::job_ended(const Job& job, bool requeued, SlurmTime now) {
  advance(now);
  parts_.left(job, now);
  const std::uint32_t row = open_of(job).row;
  RunColumns& runs = result_.runs;
  runs.end[row] = seconds_or_none(job.end);
  const auto kept = static_cast<std::uint32_t>(job.kept_work.count());
  runs.kept_s[row] = requeued ? kept - runs.kept_s[row] : 0;
  // sacct: a plain requeue is REQUEUED; PREEMPTED and NODE_FAIL keep their word.
  const bool plain =
      requeued && job.state != JobState::Preempted && job.state != JobState::NodeFail;
  runs.state[row] = plain ? kStateRequeued : static_cast<std::uint8_t>(job.state);
  const bool died = job.state == JobState::Failed;
  if (died || (job.state == JobState::Completed && job.run.exit_code > 0)) {
    runs.exit_code[row] = job.run.exit_code;
  }
  for (const NodeShare& share : job.allocation.nodes) use_node(share, -1);
  if (suspended_.contains(row)) {
    close_suspension(job, job.allocation, row, now);
  } else {
    series_.add(Follow::JobsRunning, -1);
  }
}

void Recorder::job_cancelled(const Job& job, SlurmTime now) {
  advance(now);
  if (open_.size() <= index_of(job.index)) return;  // ended before it was told of: see submitted
  OpenWait& open = open_of(job);
  if (open.tasks == 0) return;
  const std::uint32_t row = open.row;
  leave_queue(open, job, now);
  const bool was_split = open.tasks > 1 && !job.is_array_meta();
  open.tasks = 0;
  name_task(job, row);
  end_unstarted(job, row, now);
  if (was_split) adopt_new_records(*cluster_, row, now);
}

void Recorder::end_unstarted(const Job& job, std::uint32_t row, SlurmTime now) {
  RunColumns& runs = result_.runs;
  runs.eligible[row] = seconds_or_none(job.begin);
  runs.accrue[row] = seconds_or_none(job.accrue);
  runs.end[row] = epoch_seconds(now);
  tell_waiting_tasks(job, row);
  runs.state[row] = static_cast<std::uint8_t>(job.state);
  if (job.state == JobState::Failed) runs.exit_code[row] = job.run.exit_code;
  if (is_kept_by_sacct(job.reason)) runs.reason[row] = static_cast<std::uint16_t>(job.reason);
  parts_.note_end_of_wait(job, row);
}

void Recorder::run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) {
  for (const Job& job : cluster.jobs) {
    if (open_.size() <= index_of(job.index)) break;
    OpenWait& open = open_of(job);
    if (job.completing) {
      result_.completing.run.push_back(open.row);
      result_.completing.end.push_back(kNoTime);
    }
    if (open.tasks == 0) continue;  // ran, runs, or was never in the queue
    close_wait(open, now);
    open.since = epoch_seconds(now);
    RunColumns& runs = result_.runs;
    runs.tasks[open.row] = open.tasks;
    tell_waiting_tasks(job, open.row);
    runs.eligible[open.row] = seconds_or_none(job.begin);
    runs.accrue[open.row] = seconds_or_none(job.accrue);
    runs.reason[open.row] = static_cast<std::uint16_t>(job.reason);
    parts_.left(job, now);
    parts_.note(job, open.row);
  }
  for (const auto& [row, open] : suspended_) {
    const std::int64_t since = result_.suspensions.begin[open];
    result_.runs.suspended_s[row] += static_cast<std::uint32_t>(epoch_seconds(now) - since);
  }
  result_.series = series_.finish(now);
  result_.end = epoch_seconds(now);
  gpus_.advance(now);
  result_.gpu = gpus_.take(result_.runs.size());
  result_.loops = counts;
  hour_passed(counts, now);
  result_.loops_by_hour.kept = result_.completing.kept = true;
  result_.cluster = facts_of(cluster);
}

Result Recorder::take(bool complete) {
  result_.complete = complete;
  return std::exchange(result_, Result{});
}

}  // namespace rehearse

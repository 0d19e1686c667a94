// sim/sched/main_loop.cpp — the checks of a record in Slurm's order, and what each outcome blocks.
#include "sim/sched/main_loop.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/config/hostlist.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kNodesDown =
    "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";
constexpr std::string_view kMaybeReserved = "ReqNodeNotAvail, May be reserved for other job";

/// Nodes of the partition that the pass cannot use (down, drained, or set aside for jobs ahead) are
/// named; where there are none a reservation is to blame (scheduling.md §4.3).
std::string unavailable_text(const Cluster& cluster, PartitionId partition,
                             const NodeSet& available) {
  std::vector<std::string> names;
  for_each_bit(cluster.partitions[partition].nodes - available, [&](std::size_t node) {
    names.push_back(cluster.names.text(cluster.nodes[id_at<NodeId>(node)].name));
  });
  if (names.empty()) return std::string(kMaybeReserved);
  return "ReqNodeNotAvail, UnavailableNodes:" + compress_hostlist(names);
}

/// Nodes that it names are not to be had in this pass (§4.2 item 12).
bool lacks_its_nodes(const Cluster& cluster, const Request& request, const NodeSet& available) {
  return std::any_of(request.required_nodes.begin(), request.required_nodes.end(),
                     [&](NameId name) {
                       const auto node = cluster.find_node(name);
                       return !node || !available.test(index_of(*node));
                     });
}

}  // namespace

PassResult MainLoop::run(SlurmTime now, PassDepth depth, std::uint32_t most_records,
                         const NodeSet* completing) {
  run_records(now, depth, most_records, completing);
  hold_what_was_not_taken_back();
  return result_;
}

void MainLoop::run_records(SlurmTime now, PassDepth depth, std::uint32_t most_records,
                           const NodeSet* completing) {
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  result_ = {};
  queue_.requests_replaced(choice_.requests_replaced());
  const std::span<const QueueRecord> records = queue_.build(now);
  result_.queued = static_cast<std::uint32_t>(records.size());
  if (records.empty()) return;

  available_ = choice_.available_nodes();
  failed_.assign(cluster_.partitions.size(), 0);
  for (const Partition& partition : cluster_.partitions) {
    if (completing != nullptr && partition.nodes.intersects(*completing)) {
      fail_partition(partition.id);
    }
  }
  rejected_.reset();
  failed_reservations_.clear();
  std::vector<std::uint32_t> partition_depth(cluster_.partitions.size(), 0);
  for (const QueueRecord& record : records) {
    if (record.of_backfill) continue;
    Job* job = &queue_.job_of(record);
    std::erase(held_by_magnets_, job->index);  // with its record comes its priority
    while (job != nullptr) {
      Job* rest = nullptr;
      if (result_.tested >= most_records) return;
      if (!job->is_pending() || job->preempt_in_progress) break;
      if (!has_room_in_reservation(record, *job, now)) break;
      if (record.is_component) {  // never started here (§4.2 item 4)
        fail_partition(record.partition);
        break;
      }
      if (!passes_array_tests(*job, record)) break;
      // scheduling.md §2.2: both counters see every record that arrives here.
      if (parameters.partition_job_depth > 0 &&
          partition_depth[index_of(record.partition)]++ >= parameters.partition_job_depth) {
        if (job->reason == Reason::None) actions_.set_reason(*job, Reason::Priority);
        break;
      }
      if (depth == PassDepth::Partial && result_.tested++ > parameters.default_queue_depth) {
        return;
      }
      if (depth == PassDepth::Full) ++result_.tested;
      const RecordsRequest request(choice_.preferred(), *job, record.prefers);
      const Verdict verdict = consider(record, *job, now, rest);
      if (rest != nullptr) choice_.preferred().go_by(*rest, false);
      if (verdict == Verdict::EndPass) return;
      if (verdict == Verdict::Next) break;
      job = rest;
    }
  }
}

bool MainLoop::passes_array_tests(Job& job, const QueueRecord& record) {
  if (job.array_job == JobId{}) return true;
  if (rejected_ == array_key(job, record)) {
    if (rejected_task_ != job.index) {
      actions_.set_reason(job, cluster_.jobs[rejected_task_].reason);
    }
    return false;
  }
  if (const auto limit = array_task_limit(job); limit > 0 && actions_.running_tasks(job) >= limit) {
    actions_.set_reason(job, Reason::JobArrayTaskLimit);
    if (job.is_array_meta()) job.begin.reset();
    reject_array(job, record);
    return false;
  }
  return true;
}

/// The next tasks of its array are not tried with this partition and reservation, up to those of
/// another array that is rejected (§4.2).
void MainLoop::reject_array(const Job& job, const QueueRecord& record) {
  if (job.array_job == JobId{}) return;
  rejected_ = array_key(job, record);
  rejected_task_ = job.index;
}

MainLoop::Verdict MainLoop::consider(const QueueRecord& record, Job& job, SlurmTime now,
                                     Job*& rest) {
  if (record.reservation && failed_reservations_.contains(*record.reservation)) {
    actions_.set_reason(job, Reason::Priority);
    return Verdict::Next;
  }
  if (!record.reservation && failed_[index_of(record.partition)] != 0) {
    if (job.reason == Reason::None || job.reason == Reason::Resources) {
      actions_.set_reason(job, Reason::Priority);
    }
    return Verdict::Next;
  }
  if (record.place > 0 || job.partitions.size() > 1) result_.some_have_several = true;
  if (choice_.may_preempt(job, record.partition)) result_.some_may_preempt = true;
  job.partition = record.partition;
  job.priority = record.priority;
  job.reservation = record.reservation;
  job.magnetic = record.magnetic;
  if (const auto reason = limits_.invalid(job)) {
    actions_.set_reason(job, *reason);
    return Verdict::Next;
  }
  if (misses_deadline(job, now)) {
    actions_.end_pending(job, JobState::Deadline, Reason::DeadLine);
    return Verdict::Next;
  }
  if (const auto missed = deadline_missed_at(job)) note_stands_until(*missed);
  // A limit that was its Reason is tested first, and never blocks; others are tested where nodes
  // are chosen, after their number and licences (§4.2 items 11, 13, 14).
  const bool was_limited = is_policy_blocked(job.reason, cluster_.inputs.site.slurm_version);
  if (was_limited && is_over_limit(record, job)) return Verdict::Next;
  const Request& request = cluster_.request_of(job);
  if (job.reason == Reason::ReqNodeNotAvail && lacks_its_nodes(cluster_, request, available_))
    return Verdict::Next;
  const NodeSet in_partition = available_ & cluster_.partitions[record.partition].nodes;
  if (request.min_nodes > in_partition.count()) {
    actions_.set_reason(job, Reason::Resources, kNodesDown);
    fail_partition(record.partition);
    return Verdict::Next;
  }
  const ReservedQuestion question = reserved_question(record, job, now);
  note_time(question);
  if (!licenses_free(cluster_, question) &&
      choice_.reclaimable(job, reserved_licenses(cluster_, question)).empty()) {
    actions_.set_reason(job, Reason::Licenses);
    return cluster_.conf.scheduler_parameters.bf_licenses ? Verdict::EndPass : Verdict::Next;
  }
  if (!was_limited && is_over_limit(record, job)) {
    const bool stops = cluster_.conf.scheduler_parameters.assoc_limit_stop;
    if (!withhold_required(job) && stops) block(record, job, now);
    return Verdict::Next;
  }
  if (!limits_.admits_account(job, record.partition)) {
    constexpr Reason kReason = Reason::AccountNotAllowed;
    actions_.set_reason(job, kReason, limits_.sentence_of(kReason, job, record.partition));
    reject_array(job, record);
    return Verdict::Next;
  }
  ++result_.selections;
  note_switch_wait(job, now, cluster_);
  ReservedView view = reserved_view(cluster_, question);
  if (!passes_reservations(record, job, view)) return Verdict::Next;
  Selection selection = choice_.select_now(job, record.partition, available_, view, now);
  if (!selection.victims.empty()) actions_.preempt(job, selection.victims);
  if (selection.attempt != Attempt::Success) return judge(record, job, selection, now);

  rest = actions_.start(job, record.partition, std::move(selection.allocation), StartedBy::Main);
  ++result_.started;
  const std::uint32_t most = cluster_.conf.scheduler_parameters.sched_max_job_start;
  if (most > 0 && result_.started >= most) return Verdict::EndPass;
  return rest != nullptr ? Verdict::AnotherTask : Verdict::Next;
}

bool MainLoop::is_over_limit(const QueueRecord& record, Job& job) {
  const auto reason = limits_.before_selection(job, record.partition);
  if (!reason) return false;
  actions_.set_reason(job, *reason);
  reject_array(job, record);
  return true;
}

MainLoop::Verdict MainLoop::judge(const QueueRecord& record, Job& job, const Selection& selection,
                                  SlurmTime now) {
  reject_array(job, record);
  // Records of one job come in the order of their reservations' begins (§3.2 rule 8).
  const auto is_tested_later = [&](ReservationId id) {
    QueueRecord later = record;
    later.reservation = id;
    return record.reservation &&
           cluster_.reservations[id].start > cluster_.reservations[*record.reservation].start &&
           has_room_in_reservation(later, job, now);
  };
  switch (selection.attempt) {
    case Attempt::Busy:
      actions_.set_reason(job, Reason::Resources);
      block(record, job, now);
      if (selection.lacks_cores) actions_.hold(job, Reason::JobHeldAdmin);
      break;
    case Attempt::NotAvailable:
      actions_.set_reason(job, Reason::ReqNodeNotAvail,
                          unavailable_text(cluster_, record.partition, available_));
      withhold_required(job);
      break;
    case Attempt::PartitionConfig:
      actions_.set_reason(job, Reason::PartitionNodeLimit);
      break;
    case Attempt::Policy:
      actions_.set_reason(job, selection.reason);
      if (withhold_required(job)) break;
      if (cluster_.conf.scheduler_parameters.assoc_limit_stop) block(record, job, now);
      break;
    case Attempt::Never:
      // Of several partitions another may do; of a single one the job is held (§4.3). That a
      // magnetic reservation is too small holds nobody [V: recording `reservations`]; what one of
      // several would hold is taken back by the next (§4.2 item 2).
      if (job.partitions.size() == 1 && !record.magnetic && !record.prefers &&
          std::none_of(job.reservations.begin(), job.reservations.end(), is_tested_later)) {
        actions_.hold(job, Reason::BadConstraints);
      }
      break;
    case Attempt::ReservationBusy:
      actions_.set_reason(job, Reason::Reservation);
      if (record.reservation) set_aside(*record.reservation);
      break;
    case Attempt::Licenses:
      actions_.set_reason(job, Reason::Licenses);
      if (cluster_.conf.scheduler_parameters.bf_licenses) return Verdict::EndPass;
      break;
    case Attempt::Success:
      break;
  }
  return Verdict::Next;
}

/// scheduling.md §4.4: what a blocking outcome is downgraded to, in this order.
void MainLoop::block(const QueueRecord& record, const Job& job, SlurmTime now) {
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  if (withhold_required(job)) return;
  if (record.reservation) {
    fail_reservation(*record.reservation);
    return;
  }
  if (parameters.bf_min_age_reserve > Seconds{0} &&
      (!job.begin || now - *job.begin < parameters.bf_min_age_reserve)) {
    result_.some_are_young = true;
    return;
  }
  if (job.priority < least_reserving_priority(job, record.partition, cluster_, limits_)) return;
  fail_partition(record.partition);
}

/// False: the job names fewer nodes than it must have (§4.4 item 1).
bool MainLoop::withhold_required(const Job& job) {
  const Request& request = cluster_.request_of(job);
  if (request.required_nodes.empty() || request.required_nodes.size() < request.min_nodes) {
    return false;
  }
  for (const NameId name : request.required_nodes) {
    if (const auto node = cluster_.find_node(name)) available_.reset(index_of(*node));
  }
  return true;
}

void MainLoop::fail_partition(PartitionId partition) {
  failed_[index_of(partition)] = 1;
  available_ -= cluster_.partitions[partition].nodes;
}

}  // namespace rehearse

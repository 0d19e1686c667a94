// sim/sched/pending_queue.cpp — eligibility tests and the order of records.
//
// Invariant: a pending job is in exactly one of fresh_, volatile_ or (if it passed its tests) the
// source of records in records_; jobs that failed a partition's test wait in volatile_.
#include "sim/sched/pending_queue.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/sched/job_tests.hpp"
#include "sim/sched/reservations/access.hpp"

namespace rehearse {
namespace {

/// Among those whose age is looked at by each build, if it does not age yet.
void look_for_age(const Job& job, std::vector<JobIndex>& unaged) {
  if (job.accrue) return;
  const auto at = std::lower_bound(unaged.begin(), unaged.end(), job.index);
  if (at == unaged.end() || *at != job.index) unaged.insert(at, job.index);
}

/// A Reason that the partition's test (§3.1 item 4) gave, and takes back.
bool is_of_partition(Reason reason) {
  return reason == Reason::PartitionDown || reason == Reason::PartitionInactive ||
         reason == Reason::PartitionTimeLimit || reason == Reason::MaxMemPerLimit;
}

bool ranks_in_group(const Job& job, const Cluster& cluster) {
  const auto how = cluster.conf.scheduler_parameters.bf_hetjob_prio;
  return how != SchedulerParameters::HetjobPrio::None && het_leader(job).has_value();
}

std::uint32_t priority_in(const Job& job, PartitionId partition) {
  for (std::size_t i = 0; i < job.partition_priority.size(); ++i) {
    if (job.partitions[i] == partition) return job.partition_priority[i];
  }
  return job.priority;
}

void erase_job(std::vector<JobIndex>& jobs, JobIndex job) {
  std::erase(jobs, job);
}

}  // namespace

QueueRecord plain_record(const Cluster& cluster, const Job& job, PartitionId partition) {
  QueueRecord record;
  record.tier = cluster.partitions[partition].conf.priority_tier;
  record.priority = record.rank = priority_in(job, partition);
  record.submit = whole_second(job.submit);
  const bool of_array = job.array_job != JobId{};
  record.order_id = static_cast<std::uint32_t>(of_array ? job.array_job : job.id);
  record.group = record.order_id;
  record.task = job.array_task.value_or(of_array ? UINT32_MAX : 0);
  record.job = job.index;
  record.partition = partition;
  record.is_component = het_leader(job).has_value();
  return record;
}

bool ranks_before(const QueueRecord& a, const QueueRecord& b) {
  if (a.reserved != b.reserved) return a.reserved;
  return std::tuple(b.tier, b.rank, a.submit, a.group, b.priority, a.order_id, a.task,
                    a.reservation_start, a.place) < std::tuple(a.tier, a.rank, b.submit, b.group,
                                                               a.priority, b.order_id, b.task,
                                                               b.reservation_start, b.place);
}

void PendingQueue::add(const Job& job) {
  const auto at = std::lower_bound(pending_.begin(), pending_.end(), job.index);
  if (at != pending_.end() && *at == job.index) {  // back before a build noticed that it had left
    changed(job);
    return;
  }
  pending_.insert(at, job.index);
  look_for_age(job, unaged_);
  fresh_.push_back(job.index);
}

void PendingQueue::changed(const Job& job) {
  if (!job.is_pending()) return;
  by_preemption_.forget();
  std::erase_if(records_, [&](const QueueRecord& record) { return record.job == job.index; });
  erase_job(fresh_, job.index);
  erase_job(volatile_, job.index);
  fresh_.push_back(job.index);
  look_for_age(job, unaged_);
}

Job& PendingQueue::job_of(const QueueRecord& record) const {
  Job& job = cluster_.jobs[record.job];
  if (job.array_job == JobId{} || job.array_task.value_or(UINT32_MAX) == record.task) return job;
  const auto left = std::find_if(pending_.rbegin(), pending_.rend(), [&](JobIndex index) {
    return cluster_.jobs[index].id == job.array_job && cluster_.jobs[index].is_array_meta();
  });
  return left != pending_.rend() ? cluster_.jobs[*left] : job;
}

void PendingQueue::drop_departed() {
  if (!some_left_) return;
  some_left_ = false;
  const auto departed = [this](JobIndex job) { return !cluster_.jobs[job].is_pending(); };
  std::erase_if(pending_, departed);
  std::erase_if(unaged_, departed);
  std::erase_if(fresh_, departed);
  std::erase_if(volatile_, departed);
  std::erase_if(records_, [&](const QueueRecord& record) { return departed(record.job); });
  std::erase_if(groups_, [&](const auto& group) { return departed(group.first); });
}

/// True if the job is eligible, and no partition has anything against it.
bool PendingQueue::collect(Job& job, SlurmTime now, std::vector<QueueRecord>& records) {
  if (job.priority == 0) return false;
  if (!actions_.is_independent(job, now)) {
    // A dependency that came later stops its clock.
    if (job.is_pending()) look_for_age(job, unaged_);
    return false;
  }
  // An array is first found eligible here. Before a pass something else has mostly found it so, and
  // it has begun to age before its %N clears that again; before a cycle nothing has (priority.md
  // §3.1).
  if (job.is_array_meta() && !of_backfill_) limits_.update_accrual(job, now);
  const std::size_t first = records.size();
  bool all_pass = true;
  for (std::size_t i = 0; i < job.partitions.size(); ++i) {
    const PartitionId partition = job.partitions[i];
    bool of_backfill = false;
    if (const auto reason = limits_.partition_test(job, partition)) {
      all_pass = false;
      some_have_two_reasons_ = some_have_two_reasons_ || job.partitions.size() > 1;
      actions_.set_reason(job, *reason, limits_.sentence_of(*reason, job, partition));
      of_backfill = reason == Reason::PartitionTimeLimit && job.spec->time_min &&
                    !limits_.partition_test(job, partition, TestedTime::TimeMin);
      if (!of_backfill) continue;
    } else if (is_of_partition(job.reason)) {
      actions_.set_reason(job, Reason::None);
    }
    QueueRecord record = plain_record(cluster_, job, partition);
    record.of_backfill = of_backfill;
    add_records(job, record, records);
  }
  for (std::size_t i = first; i < records.size(); ++i) {
    records[i].place = static_cast<std::uint32_t>(i - first);
  }
  if (ranks_in_group(job, cluster_)) rank_with_group(job, records, first);
  return all_pass;
}

/// bf_hetjob_prio: tier, priority and reservation of all components together, from the first cycle
/// of backfill that comes to them, and until the next one (§3.2).
void PendingQueue::rank_with_group(Job& job, std::vector<QueueRecord>& records, std::size_t from) {
  using enum SchedulerParameters::HetjobPrio;
  if (of_backfill_) {
    const auto how = cluster_.conf.scheduler_parameters.bf_hetjob_prio;
    std::vector<std::uint64_t> tiers, priorities;
    GroupRank group;
    for (const Job* each : actions_.components(job)) {
      tiers.push_back(cluster_.partitions[each->partitions.front()].conf.priority_tier);
      priorities.push_back(each->priority);
      group.reserved = group.reserved || !each->reservations.empty();
      group.submit = std::min(group.submit, whole_second(each->submit));
    }
    const auto of_group = [how](const std::vector<std::uint64_t>& values) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      if (how == Min) return static_cast<std::uint32_t>(*least);
      if (how == Max) return static_cast<std::uint32_t>(*most);
      const std::uint64_t sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      return static_cast<std::uint32_t>(sum / values.size());
    };
    group.tier = of_group(tiers);
    group.rank = of_group(priorities);
    groups_[job.index] = group;
  }
  const auto known = groups_.find(job.index);
  if (known == groups_.end()) return;
  for (std::size_t i = from; i < records.size(); ++i) {
    records[i].tier = known->second.tier;
    records[i].rank = known->second.rank;
    records[i].submit = known->second.submit;
    records[i].reserved = records[i].reserved || known->second.reserved;
    records[i].group = static_cast<std::uint32_t>(het_leader(job).value_or(job.id));
  }
}

/// One record for each reservation that was asked for; else one for each magnetic one that the job
/// may use, and the plain one; before each the one of --prefer (§3.1 item 5).
void PendingQueue::add_records(const Job& job, QueueRecord record,
                               std::vector<QueueRecord>& records) const {
  const bool prefers = cluster_.request_of(job).prefer != kNoName;
  const auto add_both = [&] {
    for (record.prefers = prefers;; record.prefers = false) {
      records.push_back(record);
      if (!record.prefers) return;
    }
  };
  const auto add = [&](const Reservation& reservation) {
    record.reservation = reservation.id;
    record.reservation_start = reservation.start;
    record.reserved = true;
    add_both();
  };
  for (const ReservationId id : job.reservations) add(cluster_.reservations[id]);
  if (!job.reservations.empty()) return;
  for (const ReservationId id : cluster_.reservations.live()) {
    const Reservation& each = cluster_.reservations[id];
    const bool het = job.spec->extras && job.spec->extras->het_leader != JobId{};
    record.magnetic = each.has(ReservationFlag::Magnetic) && !het;
    if (record.magnetic && may_use(each, job, cluster_)) add(each);
  }
  record.reservation.reset();
  record.magnetic = false;
  record.reserved = false;
  add_both();
}

/// As if none of the settled jobs had been tested before.
void PendingQueue::collect_settled(SlurmTime now) {
  std::vector<JobIndex> settled;
  for (const QueueRecord& record : records_) settled.push_back(record.job);
  std::sort(settled.begin(), settled.end());
  settled.erase(std::unique(settled.begin(), settled.end()), settled.end());
  records_.clear();
  for (const JobIndex index : settled) collect(cluster_.jobs[index], now, records_);
  std::stable_sort(records_.begin(), records_.end(), ranks_before);
}

/// Of settled jobs nothing but the priority has changed, unless a test goes by usage; others are
/// asked again whether they have settled.
void PendingQueue::reprioritize() {
  reprioritized_ = false;
  dirty_ = dirty_ || limits_.any_goes_by_usage();
  if (dirty_) return;
  fresh_.insert(fresh_.end(), volatile_.begin(), volatile_.end());
  volatile_.clear();
  std::sort(fresh_.begin(), fresh_.end());
  bool any_other = false;
  for (QueueRecord& record : records_) {
    const Job& job = cluster_.jobs[record.job];
    const std::uint32_t priority = priority_in(job, record.partition);
    any_other = any_other || record.priority != priority;
    record.priority = record.rank = priority;
  }
  if (any_other && !std::is_sorted(records_.begin(), records_.end(), ranks_before)) {
    std::stable_sort(records_.begin(), records_.end(), ranks_before);
  }
}

std::optional<SlurmTime> PendingQueue::turns_by_time(SlurmTime now) const {
  if (some_have_two_reasons_) return now;
  std::optional<SlurmTime> first;
  for (const JobIndex index : volatile_) {
    const Job& job = cluster_.jobs[index];
    const auto at = ranks_in_group(job, cluster_) ? now : actions_.turns_by_time(job, now);
    if (at && (!first || *at < *first)) first = at;
  }
  return first;
}

/// As many of its tasks as there is room for become records of their own, and age, also where its
/// %N has taken the begin time away (limits.md §8).
void PendingQueue::split_for_age(Job& array, SlurmTime now) {
  if (array.priority == 0 || !limits_.limits_age(array)) return;
  const bool was_eligible = array.begin || array.reason == Reason::JobArrayTaskLimit;
  if (!was_eligible && !actions_.is_independent(array, now)) return;  // which may find it eligible
  Job* job = &array;
  for (std::uint32_t room = limits_.tasks_to_age(*job, now); room > 0; --room) {
    Job* rest = actions_.split_off(*job);
    const auto begin = std::exchange(job->begin, now);
    limits_.update_accrual(*job, now);
    job->begin = begin;
    if (rest == nullptr) break;
    job = rest;
  }
}

/// One after the other in the order of the job list: whoever comes first has the room.
void PendingQueue::let_age(SlurmTime now) {
  const std::vector<JobIndex> unaged = unaged_;  // what leaves an array is added to it
  for (const JobIndex index : unaged) {
    Job& job = cluster_.jobs[index];
    limits_.update_accrual(job, now);
    if (!job.accrue && job.is_array_meta()) split_for_age(job, now);
  }
  std::erase_if(unaged_, [&](JobIndex index) { return cluster_.jobs[index].accrue.has_value(); });
}

std::span<const QueueRecord> PendingQueue::build(SlurmTime now, bool of_backfill) {
  of_backfill_ = of_backfill;
  some_have_two_reasons_ = false;
  drop_departed();
  for (const JobIndex index : std::exchange(held_, {})) changed(cluster_.jobs[index]);
  let_age(now);
  if (reprioritized_) reprioritize();
  if (!cluster_.recalls) collect_settled(now);
  if (dirty_) {
    records_.clear();
    volatile_.clear();
    fresh_ = pending_;
    dirty_ = false;
  }
  std::vector<QueueRecord> added;
  for (const JobIndex index : fresh_) {
    Job& job = cluster_.jobs[index];
    const std::size_t before = added.size();
    // What a group ranks by may change with any of its components.
    const bool settles = !actions_.is_volatile(job, now) && !ranks_in_group(job, cluster_) &&
                         collect(job, now, added);
    if (settles) continue;
    added.resize(before);
    volatile_.push_back(index);
  }
  fresh_.clear();
  if (!added.empty()) {
    std::stable_sort(added.begin(), added.end(), ranks_before);
    const auto middle = static_cast<std::ptrdiff_t>(records_.size());
    records_.insert(records_.end(), added.begin(), added.end());
    std::inplace_merge(records_.begin(), records_.begin() + middle, records_.end(), ranks_before);
  }
  const bool preempting = preemption_ != nullptr && preemption_->is_enabled();
  if (volatile_.empty() && !preempting) return records_;

  std::sort(volatile_.begin(), volatile_.end());
  added.clear();
  for (const JobIndex index : volatile_) collect(cluster_.jobs[index], now, added);
  std::stable_sort(added.begin(), added.end(), ranks_before);
  merged_.resize(records_.size() + added.size());
  std::merge(records_.begin(), records_.end(), added.begin(), added.end(), merged_.begin(),
             ranks_before);
  if (!preempting) return merged_;
  for (const JobIndex index : pending_) cluster_.jobs[index].preempt_in_progress = false;
  if (preemption_->quotas() == nullptr) return by_preemption_.of(merged_, cluster_, *preemption_);
  order_by_quota(*preemption_->quotas());
  return merged_;
}

}  // namespace rehearse

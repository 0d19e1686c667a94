// sim/sched/backfill.cpp — the cycle: which records are tried, and the counters that stop it.
#include "sim/sched/backfill.hpp"

#include <algorithm>
#include <utility>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {

CycleResult Backfill::run(SlurmTime now, std::uint32_t most_tries, std::uint32_t yield_after) {
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  now_ = now;
  result_ = {};
  forget_plans();
  queue_.requests_replaced(choice_.requests_replaced());
  records_ = queue_.build(now, true);
  next_ = 0;
  most_tries_ = most_tries;
  yield_after_ = yield_after;
  tries_at_yield_ = 0;
  result_.queued = static_cast<std::uint32_t>(records_.size());
  if (records_.empty()) return result_;

  available_ = choice_.available_nodes();
  map_.reset(floored(now), floored(now + parameters.bf_window), available_,
             parameters.bf_licenses ? cluster_.licenses_total : LicenseCounts{});
  if (parameters.bf_running_job_reserve) bind_running_jobs();
  rejected_.reset();
  lent_limit_.begin();
  stopped_qos_.clear();
  planned_tasks_.clear();
  planned_array_ = {};
  answers_.forget();
  counts_.begin_cycle();
  planned_by_partition_.begin_cycle();

  het_.clear();
  compare_with_last();
  begin_sparing();
  return go_on();
}

/// Searches that reservations, licences or jobs beyond their limit could lead elsewhere are all
/// done anew.
void Backfill::compare_with_last() {
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  const std::vector<Job*>& running = estimator_.running();
  is_comparable_ = cluster_.recalls && !cluster_.ledger.shares_cores() &&
                   cluster_.reservations.empty() && !parameters.bf_licenses &&
                   !parameters.bf_running_job_reserve &&
                   (running.empty() || *running.front()->end > now_);
  state_ = is_comparable_ ? estimator_.state() : 0;
  last_.begin(is_comparable_, state_, available_, map_.end());
  equal_.forget();
  completes_alike_ = completing_ == choice_.completing();
  completing_ = choice_.completing();
  stands_.begin(now_, parameters.bf_window);
  if (!is_comparable_) return stands_.never();
  stands_.with_running(running);
}

bool Backfill::stands(SlurmTime now) const {
  return result_.stands_until && now < *result_.stands_until && queue_.is_settled() &&
         estimator_.state() == state_ && available_ == choice_.available_nodes() &&
         completing_ == choice_.completing();
}

/// Running jobs that hold whole nodes and may not be preempted stand in the map, as those do that
/// the cycle starts (scheduling.md §8.4); with bf_licenses so do licences that a job holds, or a
/// reservation keeps.
void Backfill::bind_running_jobs() {
  for (const Job* job : estimator_.running()) {
    if (job->is_running()) bind(*job, *job->end);
  }
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  if (!parameters.bf_licenses) return;
  for (const ReservationId id : cluster_.reservations.live()) {
    const Reservation& reservation = cluster_.reservations[id];
    if (reservation.licenses.empty() || reservation.end <= now_) continue;
    map_.reserve(std::max(map_.begin(), floored(reservation.start)), floored(reservation.end),
                 parameters.bf_resolution, NodeSet(cluster_.nodes.size()),
                 license_counts(cluster_, reservation.licenses));
  }
}

void Backfill::bind(const Job& job, SlurmTime end) {
  // A job that may be preempted does not bind the map (preemption.md §7), nor do nodes that
  // select/linear gave.
  const bool whole = job.allocation.whole_nodes && !choice_.is_preemptable(job) &&
                     cluster_.conf.select_type != SelectType::Linear;
  const LicenseCounts licenses = licenses_of(job);
  if (!whole && licenses.empty()) return;
  NodeSet nodes(cluster_.nodes.size());
  if (whole) nodes = nodes_of(job.allocation, cluster_.nodes.size());
  equal_.forget();
  map_.reserve(map_.begin(), floored(end), cluster_.conf.scheduler_parameters.bf_resolution, nodes,
               licenses);
}

LicenseCounts Backfill::licenses_of(const Job& job) const {
  const bool any = !cluster_.request_of(job).licenses.empty();
  const bool planned = cluster_.conf.scheduler_parameters.bf_licenses && any;
  return planned ? license_counts(cluster_, rehearse::licenses_of(cluster_, job)) : LicenseCounts{};
}

/// A job has started, or left: what limits and searches said before holds no more.
void Backfill::forget_answers() {
  answers_.forget();
  last_.spoil();
  equal_.forget();
}

/// Jobs may have left, or nodes come back, within the cycle.
void Backfill::compare_no_more() {
  forget_answers();
  is_comparable_ = spares_nothings_ = spares_rest_ = rest_is_spared_ = false;
}

CycleResult Backfill::resume(SlurmTime now) {
  now_ = now;
  compare_no_more();
  available_ &= choice_.available_nodes();
  tries_at_yield_ = result_.tries;
  return go_on();
}

bool Backfill::comes_to_known_yield() {
  if (!yields_after_) return false;
  if (*yields_after_ != JobId{}) {
    if (next_ == 0) return false;
    const Job& last = cluster_.jobs[records_[next_ - 1].job];
    if (last.id != *yields_after_ && last.array_job != *yields_after_) return false;
  }
  yields_after_.reset();
  return true;
}

bool Backfill::must_yield() {
  result_.yields = result_.tries - tries_at_yield_ >= yield_after_ || comes_to_known_yield();
  if (result_.yields && records_.data() != kept_records_.data()) {
    kept_records_.assign(records_.begin(), records_.end());
    records_ = kept_records_;
  }
  return result_.yields;
}

/// To the end of the cycle, or to a yield; at the end heterogeneous jobs start.
CycleResult Backfill::go_on() {
  try_records();
  if (result_.yields) return result_;
  het_.end_tests();
  start_het_jobs();
  result_.slots = static_cast<std::uint32_t>(map_.size());
  stands_.until(queue_.turns_by_time(now_));
  // A record that is free to start on the first slot, but for plans, is not where that has ended.
  stands_.until(map_.end_of(map_.slot_at(now_)));
  if (result_.started == 0) result_.stands_until = stands_.found();
  return result_;
}

void Backfill::try_records() {
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  for (; next_ < records_.size(); ++next_) {
    if (result_.tries >= parameters.bf_max_job_test || result_.tries >= most_tries_) break;
    if (must_yield()) return;
    const QueueRecord& record = records_[next_];
    Job* job = &cluster_.jobs[record.job];
    // Asked of the record: the tasks after one that preempts are tried all the same (§8.7).
    if (job->preempt_in_progress) continue;
    ++result_.depth;
    if (!rest_is_spared_) rest_is_spared_ = rest_changes_nothing();
    // Asked of the record, not of each task: the first that is one too many is searched for (§8.7).
    plans_nothing_ = (parameters.bf_one_resv_per_job && job->planned_start.has_value()) ||
                     has_planned_enough(record.partition);
    const std::optional<SlurmTime> shown = job->planned_start;
    stopped_until_ = stopped_until(*job, record.partition);
    if (record.is_component) stands_.never();
    for (bool is_next_task = false; job != nullptr; is_next_task = true) {
      if (!is_runnable(*job, record) || gives_up(*job)) break;
      const RecordsRequest request(choice_.preferred(), *job, record.prefers);
      auto prepared = prepare(*job, record, is_next_task);
      if (!prepared) break;
      // The record of an array shows what the last of its tests found (§8.9).
      if (is_next_task && !emulates(Change::ArrayShowsFirstPlan)) job->planned_start = shown;
      const std::uint32_t kept = result_.started + result_.planned;
      const Attempted outcome = attempt(*prepared);
      if (result_.started + result_.planned != kept) rejected_.reset();
      if (prepared->is_estimated && job->is_pending()) choice_.tested(*job, record.partition);
      if (outcome.rest != nullptr) choice_.preferred().go_by(*outcome.rest, false);
      forget_old_limit(*prepared);
      if (parameters.bf_hetjob_immediate) start_het_jobs();
      if (outcome.verdict == Verdict::EndCycle) return;
      if (outcome.verdict == Verdict::NextRecord) break;
      // 22.05 tests the count only when it fetches a record (§8.2, bf_max_job_test).
      if (emulates(Change::JobTestCountsStartedTasks) &&
          result_.tries >= parameters.bf_max_job_test) {
        break;
      }
      job = outcome.rest;
    }
  }
}

/// A limit that no longer holds the job back is no Reason any more: the next pass gives it one.
void Backfill::forget_old_limit(const Try& attempt) {
  Job& job = attempt.job;
  if (cluster_.conf.scheduler_parameters.assoc_limit_stop || attempt.is_limited) return;
  if (!job.is_pending() || !is_policy_blocked(job.reason, cluster_.inputs.site.slurm_version)) {
    return;
  }
  actions_.set_reason(job, het_leader(job) ? Reason::Resources : Reason::None);
}

bool Backfill::emulates(Change change) const {
  return has(cluster_.inputs.site.slurm_version, change);
}

SlurmTime Backfill::floored(SlurmTime at) const {
  const std::int64_t resolution = cluster_.conf.scheduler_parameters.bf_resolution.count();
  return from_epoch_seconds(epoch_seconds(at) / resolution * resolution);
}

SlurmTime Backfill::plan_end(SlurmTime end) const {
  const Seconds resolution = cluster_.conf.scheduler_parameters.bf_resolution;
  return emulates(Change::PlanEndsRoundedUp) ? floored(end + resolution - Seconds{1})
                                             : floored(end);
}

void Backfill::forget_plans() {
  for (const JobIndex index : noted_) {
    cluster_.jobs[index].planned_start.reset();
    cluster_.jobs[index].planned_nodes.clear();
  }
  noted_.clear();
}

/// Of an array: not if the one whose record came last is this one, asked with the same partition
/// and reservation, unless anything has been started or planned since (§8.6).
bool Backfill::is_runnable(const Job& job, const QueueRecord& record) {
  if (!job.is_pending() || job.completing || job.held) return false;
  if (job.array_job == JobId{}) return true;
  if (rejected_ == array_key(job, record)) return false;
  rejected_ = array_key(job, record);
  const std::uint32_t limit = array_task_limit(job);
  const auto planned = planned_tasks_.find(job.array_job);
  const bool counts_plans = emulates(Change::PlansWithinArrayLimit);
  const std::uint32_t taken = counts_plans && planned != planned_tasks_.end() ? planned->second : 0;
  return limit == 0 || actions_.running_tasks(job) + taken < limit;
}

/// bf_job_part_count_reserve: what cannot start now is not planned there any more, nor is what a
/// start has found busy (§8.7 steps 9 and 13).
bool Backfill::has_planned_enough(PartitionId partition) {
  const std::uint32_t most = cluster_.conf.scheduler_parameters.bf_job_part_count_reserve;
  return most > 0 && planned_by_partition_.of(partition) >= most;
}

/// `is_next_task`: of an array, behind another that this cycle started or planned: limits before
/// selection are asked of it only where it could start (§8.7 step 15).
std::optional<Backfill::Try> Backfill::prepare(Job& job, const QueueRecord& record,
                                               bool is_next_task) {
  const PartitionId partition = record.partition;
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  if (const auto reason = limits_.invalid(job)) {
    actions_.set_reason(job, *reason);
    return std::nullopt;
  }
  std::optional<Reason> over_before;
  if (!parameters.assoc_limit_stop) {
    if (!cluster_.recalls) answers_.forget();
    over_before = answers_.before_selection(job, partition);
    if (over_before && !is_next_task) {
      actions_.set_reason(job, *over_before);
      lend_limit(job);
      return std::nullopt;
    }
  }
  lent_limit_.note(job);
  if (std::exchange(job.priority, record.priority) != record.priority) stands_.never();
  ++result_.considered;
  if (!record.magnetic && !counts_.admit(job, partition, parameters)) return std::nullopt;
  Try attempt{.job = job,
              .partition = partition,
              .limit = Minutes{0},
              .counts = {},
              .reservation = record.reservation,
              .magnetic = record.magnetic,
              .over_before = over_before};
  attempt.now_only = record.prefers ||
                     job.priority < least_reserving_priority(job, partition, cluster_, limits_) ||
                     (parameters.bf_min_age_reserve > Seconds{0} && job.begin &&
                      now_ - *job.begin < parameters.bf_min_age_reserve) ||
                     plans_nothing_;
  const Minutes usual = effective_limit(job, cluster_.partitions[partition], cluster_);
  const ReservedQuestion soon{.job = job,
                              .partition = partition,
                              .reservation = record.reservation,
                              .now = now_,
                              .start = now_,
                              .limit = usual};
  if (!parameters.bf_licenses && !licenses_free(cluster_, soon) &&
      !choice_.could_reclaim(job, partition, reserved_licenses(cluster_, soon), now_)) {
    return std::nullopt;
  }
  attempt.licenses = licenses_of(job);
  if (misses_deadline(job, now_)) {
    actions_.end_pending(job, JobState::Deadline, Reason::DeadLine);
    return std::nullopt;
  }
  note_switch_wait(job, now_, cluster_);
  stands_.with_record(job, cluster_);
  Selection failure;
  const auto counts = choice_.counts(job, partition, failure);
  if (!counts) return std::nullopt;
  attempt.counts = *counts;

  attempt.limit = planning_limit(job, partition);
  attempt.keeps_plan = !leaves_no_plan(job, cluster_);
  job.reservation = record.reservation;
  job.magnetic = record.magnetic;
  return attempt;
}

/// Of NoReserve a job that limits stop here gets the limit of the record before, where such jobs
/// are planned with a minute (§8.6).
void Backfill::lend_limit(Job& job) {
  if (!leaves_no_plan(job, cluster_) || cluster_.conf.preempt_mode == PreemptMode::Off) return;
  const std::optional<Minutes> left = lent_limit_.left_to(job);
  if (left == job.time_limit) return;
  actions_.leave_limit(job, left);
  stands_.never();
  compare_no_more();
}

/// No longer than MaxTime, whoever lifted the limit above it; an infinite one plans with a year
/// (§8.6).
Minutes Backfill::capped_limit(const Job& job, PartitionId partition) const {
  const Partition& where = cluster_.partitions[partition];
  const Minutes limit =
      std::min(effective_limit(job, where, cluster_), where.conf.max_time.value_or(kUnlimited));
  return limit == kUnlimited ? Minutes{365 * 24 * 60} : limit;
}

/// What is planned otherwise than with its own limit: --time-min with that, unless there is a
/// deadline, and what leaves no plan with a minute, where there is preemption (§8.6).
std::optional<Minutes> Backfill::other_limit(const Job& job, PartitionId partition) const {
  auto least = unreserved_minutes(job, cluster_);
  if (!least) least = planned_time_min(job);
  return least && *least < capped_limit(job, partition) ? least : std::nullopt;
}

Minutes Backfill::planning_limit(const Job& job, PartitionId partition) const {
  return other_limit(job, partition).value_or(capped_limit(job, partition));
}

/// A start that was found, and is no plan: of several partitions the last one's is shown (§8.9).
void Backfill::show_start(Job& job, SlurmTime start) {
  job.planned_start.reset();
  note_start(job, start, nullptr);
}

void Backfill::note_start(Job& job, SlurmTime start, const NodeSet* nodes) {
  if (job.planned_start && *job.planned_start <= start) return;
  job.planned_start = start;
  job.planned_nodes.clear();
  if (nodes != nullptr) {
    for_each_bit(*nodes, [&](std::size_t n) { job.planned_nodes.push_back(id_at<NodeId>(n)); });
  }
  noted_.push_back(job.index);
}

}  // namespace rehearse

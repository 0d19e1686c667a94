// sim/sched/backfill_spared.cpp — searches that could change nothing, and are not made.
//
// One that is known to find nothing leaves its number among the tries, and the CPUs that it would
// have looked back at. Behind the last record that could start now, or show a limit, plans keep
// nobody from anything: unless somebody looks at them, the rest of the cycle needs none.
#include <algorithm>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/backfill.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {
namespace {

/// True if a test that finds these CPUs would tell the job nothing new: untested, it goes by what
/// it asks for (priority.md §3.4, scheduling.md §4.3).
bool is_told(const Job& job, const Request& request, std::uint32_t cpus) {
  if (job.total_cpus != 0) return job.total_cpus == cpus;
  return request.min_cpus == cpus && !request.max_cpus && request.memory_mode != MemoryMode::PerCpu;
}

}  // namespace

void Backfill::begin_sparing() {
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  bounds_.begin_cycle(choice_.configurations());
  rest_is_spared_ = false;
  look_at_rest_anew();
  rest_seen_ = map_changes_++;
  const auto& running = estimator_.running();
  // A start beyond the window is noted, and nothing else.
  const bool all_within = running.empty() || *running.back()->end <= now_ + parameters.bf_window;
  spares_nothings_ = is_comparable_ && (all_within || !keeps_plans_);
  const std::uint64_t tries = most_tries_to_come();
  counts_tries_ = most_tries_ != UINT32_MAX || yield_after_ != UINT32_MAX || yields_after_ ||
                  tries >= parameters.bf_max_job_test;
  // Each planned task of an array is counted, and these limits end with the plans.
  const bool counts_jobs = parameters.bf_max_job_part > 0 || parameters.bf_max_job_user > 0 ||
                           parameters.bf_max_job_assoc > 0 || parameters.bf_max_job_user_part > 0;
  const auto is_array = [&](const QueueRecord& record) {
    return cluster_.jobs[record.job].is_array_meta();
  };
  spares_rest_ = is_comparable_ && !keeps_plans_ && !counts_tries_ &&
                 !(counts_jobs && std::any_of(records_.begin(), records_.end(), is_array)) &&
                 !parameters.assoc_limit_stop &&
                 map_.made() + 1 + 2 * tries < parameters.bf_node_space_size;
}

/// Each of them makes no more than two slots. No bound is known where plans decide more than
/// starts: heterogeneous jobs begin at the end of a cycle, on what its plans have left, and
/// from 23.02 on planned tasks count for the %N of their array.
std::uint64_t Backfill::most_tries_to_come() const {
  if (records_.size() >= cluster_.conf.scheduler_parameters.bf_max_job_test) return UINT32_MAX;
  std::uint64_t tries = 0;
  for (const QueueRecord& record : records_) {
    const Job& job = cluster_.jobs[record.job];
    if (het_leader(job)) return UINT32_MAX;
    if (job.is_array_meta() && emulates(Change::PlansWithinArrayLimit)) return UINT32_MAX;
    tries += job.is_array_meta() ? std::max<std::size_t>(job.pending_tasks.size(), 1) : 1;
  }
  return tries;
}

CycleBounds::Known& Backfill::known_of(const Job& job, PartitionId partition,
                                       const NodeCounts& counts) {
  return bounds_.of({job.request, partition, counts.min, counts.max},
                    [&] { return choice_.certain_cpus(job, partition, counts); });
}

/// True if no test would tell the job another number of CPUs than it goes by.
bool Backfill::knows_cpus(const Try& attempt) const {
  if (!attempt.is_comparable() || !attempt.known->certain) return false;
  const Job& job = attempt.job;
  return is_told(job, cluster_.request_of(job), attempt.known->certain->cpus);
}

/// What limits say of the job wherever it is placed; none: that depends on the place.
std::optional<AfterSelection> Backfill::foretold(const Job& job, PartitionId partition,
                                                 CycleBounds::Known& known) {
  if (!known.certain) return std::nullopt;
  if (!known.amounts) known.amounts = limits_.certain_amounts(job, *known.certain);
  return limits_.foretold(job, partition, *known.amounts);
}

/// A search has found nothing: does that hold for the rest of the cycle?
void Backfill::note_nothing(const Try& attempt) {
  if (!spares_nothings_ || !attempt.is_comparable()) return;
  const Job& job = attempt.job;
  CycleBounds::Known& known = *attempt.known;
  if (attempt.limit >= known.no_room || !known.certain) return;
  const auto in_time = estimator_.nodes_in_time(job, attempt.partition);
  if (!in_time) return;
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  const NodeSet usable = choice_.configured(job, attempt.partition) & available_;
  const RoomQuestion question{.usable = usable,
                              .least = attempt.counts.min,
                              .length = attempt.limit,
                              .resolution = parameters.bf_resolution};
  const auto& running = estimator_.running();
  const auto last_end = running.empty() ? std::nullopt : running.back()->end;
  if (!may_have_room(map_, question, *in_time, now_ + parameters.bf_window, last_end, walk_)) {
    known.no_room = attempt.limit;
  }
}

/// True if the search for it would find nothing, and all that it would leave behind is done.
bool Backfill::finds_nothing(const Try& attempt, const NodeSet& up) {
  if (!spares_nothings_ || estimator_.leaves_marks(attempt.job)) return false;
  const CycleBounds::Known& known = *attempt.known;
  if (attempt.limit < known.no_room || !known.certain) return false;
  // Looked back at, it would be told its CPUs.
  const bool is_known = knows_cpus(attempt);
  if (!is_known || counts_tries_) {
    stands_.until(map_.seen_alike_before(now_, attempt.limit));
    if (!is_known && comes_by_enough(attempt, up)) return false;
    if (counts_tries_ && is_a_try(attempt)) ++result_.tries;
  }
  ++result_.spared;
  return true;
}

/// True if the search would come by an instant with enough of these nodes.
bool Backfill::comes_by_enough(const Try& attempt, const NodeSet& up) {
  CycleBounds::Known::Counted& counted = attempt.known->counted;
  if (counted.map != map_changes_ || counted.limit != attempt.limit || counted.usable != up) {
    const NodeSet base = up_of(attempt);
    walk_.begin(map_, attempt.limit, base, up);
    counted = {map_changes_, attempt.limit, up, walk_.has_enough(now_, attempt.counts.min)};
  }
  return counted.is_counted;
}

/// True if the search would come by an instant with enough nodes, whatever features and the like
/// leave of them (§8.7 step 5). Not for -w.
bool Backfill::is_a_try(const Try& attempt) {
  const NodeSet base = up_of(attempt);
  NodeSet asked = base;
  asked -= nodes_named(cluster_, cluster_.request_of(attempt.job).excluded_nodes);
  if (attempt.is_comparable()) return comes_by_enough(attempt, asked);
  walk_.begin(map_, attempt.limit, base, asked);
  return walk_.has_enough(stopped_until_, attempt.counts.min);
}

/// True if no record from the present one on can start in this cycle, nor show another Reason for a
/// search. What is true of a record stays true, but after a start.
bool Backfill::rest_changes_nothing() {
  if (!spares_rest_) return false;
  if (std::exchange(rest_seen_, map_changes_) != map_changes_ && !is_still_to_search()) {
    while (last_to_search_ > next_ && !must_search(records_[last_to_search_ - 1])) {
      --last_to_search_;
    }
  }
  return last_to_search_ <= next_;
}

void Backfill::look_at_rest_anew() {
  last_to_search_ = records_.size();
  last_start_.known = nullptr;
}

/// `start`: of the slot that the plan begins in.
void Backfill::note_plan(SlurmTime start, const NodeSet& nodes) {
  if (last_start_.known != nullptr && start <= now_ + last_start_.limit) last_start_.nodes -= nodes;
}

/// As plans were added, and nothing else, the last record that had to be searched goes on to have
/// to be.
bool Backfill::is_still_to_search() const {
  return last_start_.known != nullptr && last_start_.limit < last_start_.known->no_room &&
         last_start_.nodes.count() >= last_start_.least;
}

bool Backfill::must_search(const QueueRecord& record) {
  last_start_.known = nullptr;
  const Job& job = cluster_.jobs[record.job];
  if (!job.is_pending() || job.completing || job.held) return false;
  if (record.prefers || het_leader(job) || choice_.is_changed_by_tests(job, record.partition) ||
      estimator_.leaves_marks(job) || !estimator_.asks_only_ends(job, record.partition)) {
    return true;
  }
  Selection failure;
  const auto counts = choice_.counts(job, record.partition, failure);
  if (!counts) return false;
  CycleBounds::Known& known = known_of(job, record.partition, *counts);
  if (!known.certain || !is_told(job, cluster_.request_of(job), known.certain->cpus)) return true;
  const Minutes limit = planning_limit(job, record.partition);
  if (limit >= known.no_room) return false;
  const auto limits = foretold(job, record.partition, known);
  if (!limits || limits->over) return true;
  if (limit >= known.no_start) return false;
  auto nodes = free_now(job, record.partition, limit);
  if (!nodes) return true;
  if (nodes->count() < counts->min) {
    known.no_start = limit;
    return false;
  }
  last_start_ = {&known, limit, counts->min, std::move(*nodes)};
  return true;
}

/// Where it might start now; none: nobody knows. No limit of a running job is over
/// (compare_with_last()).
std::optional<NodeSet> Backfill::free_now(const Job& job, PartitionId partition, Minutes limit) {
  const NodeSet* at_once = estimator_.nodes_at_once(job, partition);
  if (at_once == nullptr) return std::nullopt;
  NodeSet nodes = *at_once & available_;
  for (std::size_t i = map_.slot_at(now_); i < map_.size() && map_.begin_of(i) <= now_ + limit;
       ++i) {
    nodes &= map_.nodes_of(i);
  }
  return nodes;
}

}  // namespace rehearse

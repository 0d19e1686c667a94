// sim/sched/backfill_try.cpp — the search for one record: now, or a place on the map
// (scheduling.md §8.7, whose step numbers stand in the comments).
#include <algorithm>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/backfill.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/second_estimate.hpp"

namespace rehearse {
namespace {

constexpr SlurmTime kNever = SlurmTime::max();
/// With assoc_limit_stop: when a job could start that does not for a limit, where the map does not
/// change before (§8.7 step 8).
constexpr Seconds kOverLimit{500};

/// What an estimate tells the job: a search that tells nothing leaves it what a pass has told it,
/// also where it is recalled.
void tell_cpus(NodeChoice& choice, Job& job, std::uint32_t cpus, FoundSearch& found) {
  choice.found_cpus(job, cpus);
  found.total_cpus = cpus;
}

}  // namespace

/// Limits are asked of the time that the job is planned with, where that is not its own (§8.6).
Backfill::Attempted Backfill::attempt(Try& attempt) {
  Job& job = attempt.job;
  attempt.own_limit = job.time_limit;
  if (attempt.limit == other_limit(job, attempt.partition)) job.time_limit = attempt.limit;
  const Attempted outcome = attempt_with_limit(attempt);
  if (!attempt.has_started) job.time_limit = attempt.own_limit;
  if (attempt.lacks_cores && !attempt.has_started) actions_.hold(job, Reason::JobHeldAdmin);
  return outcome;
}

Backfill::Attempted Backfill::attempt_with_limit(Try& attempt) {
  Job& job = attempt.job;
  if (rest_is_spared_) {
    ++result_.spared;
    return {};
  }
  NodeSet up = choice_.configured(job, attempt.partition) & available_;
  choice_.withhold_owned(job, attempt.partition, now_, up);
  FoundSearch found;
  if (!is_comparable_ || attempt.now_only || attempt.over_before || het_leader(job) ||
      choice_.is_changed_by_tests(job, attempt.partition) ||
      !estimator_.asks_only_ends(job, attempt.partition) || stopped_until_ > now_) {
    return search(attempt, up, found);
  }
  attempt.known = &known_of(job, attempt.partition, attempt.counts);
  if (finds_nothing(attempt, up)) return {};
  attempt.is_kept = last_.keeps();
  attempt.told = foretold(job, attempt.partition, *attempt.known);
  const std::uint64_t marks = estimator_.marks(job, up);
  found.inputs = {job.index,      attempt.partition, job.request,   attempt.limit,
                  attempt.counts, job.any_switches,  std::move(up), marks};
  const FoundSearch* known = known_search(attempt, found.inputs);
  return known != nullptr ? again(attempt, *known) : search(attempt, found.inputs.nodes, found);
}

/// What was found in the cycle before, or for an equal record before; null: nothing that holds.
const FoundSearch* Backfill::known_search(Try& attempt, const SearchInputs& inputs) {
  const auto holds = [&](const FoundSearch* known) {
    if (known == nullptr || (known->was_told && !knows_cpus(attempt))) return false;
    if (known->forecast != nullptr && !known->forecast->allocation && !attempt.told) return false;
    if (known->end != SearchEnd::OverLimit) return true;
    attempt.over_limit = limit_over(attempt, *known);
    return attempt.over_limit.has_value();
  };
  const SlurmTime latest = now_ + cluster_.conf.scheduler_parameters.bf_window;
  const FoundSearch* last = last_.find(inputs, now_, latest);
  const bool starts = last != nullptr && last->end == SearchEnd::OverLimit;
  if ((!starts || completes_alike_) && holds(last)) return last;
  const FoundSearch* equal = equal_.find(inputs);
  return holds(equal) ? equal : nullptr;
}

/// The limit that stops this job with what another could have started on. Usage and limits are of
/// now, and may be others' than that job's. Whole nodes count otherwise than in a plan.
std::optional<Reason> Backfill::limit_over(const Try& attempt, const FoundSearch& known) {
  if (!limits_.admits_account(attempt.job, attempt.partition)) return std::nullopt;
  if (attempt.told && !attempt.known->certain->whole) return attempt.told->over;
  if (!known.forecast->allocation) return std::nullopt;
  return limits_.after_selection(attempt.job, attempt.partition, *known.forecast->allocation,
                                 known.forecast->nodes);
}

/// As in the cycle before, or as for an equal record before.
Backfill::Attempted Backfill::again(Try& attempt, FoundSearch known) {
  Job& job = attempt.job;
  known.inputs.job = job.index;
  ++result_.recalled;
  stands_.with_search(known);
  if (known.is_counted) ++result_.tries;
  if (known.total_cpus) choice_.found_cpus(job, *known.total_cpus);
  if (SchedWeights* left = estimator_.left_to_others()) left->note_near(known.left);
  if (attempt.is_kept) last_.keep(known);
  if (known.end == SearchEnd::BeyondWindow) note_start(job, known.start, nullptr);
  if (known.end == SearchEnd::OverLimit) {
    attempt.is_limited = true;
    actions_.set_reason(job, *attempt.over_limit);
  }
  if (known.end != SearchEnd::Planned) return {};
  const Verdict verdict = plan(attempt, known.start, *known.forecast);
  return {verdict, verdict == Verdict::NextTask ? &job : nullptr};
}

/// With assoc_limit_stop: a job of a QOS whose limit has stopped another one looks no earlier than
/// that one is planned (§8.8). Asked once for a record: what stops a task of an array moves others
/// only.
SlurmTime Backfill::stopped_until(const Job& job, PartitionId partition) const {
  SlurmTime until = now_;
  const auto by = [&](const std::optional<QosId>& qos) {
    if (!qos) return;
    const auto stopped = stopped_qos_.find(&cluster_.accounts.qos[*qos]);
    if (stopped != stopped_qos_.end()) until = std::max(until, stopped->second);
  };
  if (stopped_qos_.empty()) return until;
  by(job.qos);
  by(cluster_.partitions[partition].qos);
  return until;
}

ReservedQuestion Backfill::question_at(const Try& attempt, SlurmTime at) const {
  return {.job = attempt.job,
          .partition = attempt.partition,
          .reservation = attempt.reservation,
          .now = now_,
          .start = at,
          .limit = attempt.limit,
          .may_move = true};
}

/// Nodes of the partition that are up, whatever the job asks for.
NodeSet Backfill::up_of(const Try& attempt) const {
  NodeSet up = cluster_.partitions[attempt.partition].nodes & available_;
  choice_.withhold_owned(attempt.job, attempt.partition, now_, up);
  return up;
}

Backfill::Step Backfill::look(const Try& attempt, const NodeSet& up, SlurmTime at) const {
  Step step;
  // 1, 2: the interval that the job would take.
  step.reserved = reserved_view(cluster_, question_at(attempt, at));
  if (step.reserved.verdict != ReservedVerdict::Free) return step;
  const SlurmTime start = step.reserved.start;
  // 3: nodes that no plan takes over that interval. Where another instant is to be tried is told by
  // all nodes of the partition; which of them would do is asked afterwards (step 5).
  const NodeSet base = up_of(attempt) & step.reserved.nodes;
  step.candidates = base;
  LicenseCounts licenses_left;
  step.later = map_.narrow(start, std::max(start, now_) + attempt.limit, base, step.candidates,
                           licenses_left, attempt.licenses)
                   .value_or(kNever);
  NodeSet asked = step.candidates;
  step.candidates &= up;
  // 4: where a reservation took something, its end is another place to try.
  if (step.reserved.overlaps) {
    const Seconds resolution = cluster_.conf.scheduler_parameters.bf_resolution;
    const auto over = next_reservation_end(cluster_, start, resolution);
    if (over && *over < map_.end()) step.later = std::min(step.later, *over);
  }
  const Request& request = cluster_.request_of(attempt.job);
  asked -= nodes_named(cluster_, request.excluded_nodes);
  step.is_tried = asked.count() >= attempt.counts.min &&
                  nodes_named(cluster_, request.required_nodes).is_subset_of(asked) &&
                  covers(licenses_left, attempt.licenses);
  step.suffices = step.is_tried && step.candidates.count() >= attempt.counts.min;
  return step;
}

/// The same along the map alone, where nothing is reserved and no licence planned.
void Backfill::take(const PlanWalk::Interval& interval, const NodeCounts& counts, Step& step) {
  step.reserved.start = interval.start;
  step.candidates = interval.nodes;
  step.later = interval.later.value_or(kNever);
  step.suffices = step.is_tried = step.candidates.count() >= counts.min;
}

/// Of the instants passed over the last with a forecast tells how many CPUs the job would have, and
/// any with enough nodes that it was tried. A job that knows its CPUs needs no forecast for that.
void Backfill::look_back(Try& attempt, const NodeSet& up, FoundSearch& found) {
  if (!passed_.empty() && knows_cpus(attempt)) {
    result_.tries += found.count();
    found.was_told = true;
    return;
  }
  for (; !passed_.empty(); passed_.pop_back()) {
    const Step step = look(attempt, up, passed_.back());
    result_.tries += found.count();
    const Forecast* forecast =
        estimator_.will_run(attempt.job, attempt.partition, step.candidates, attempt.counts, now_,
                            Horizon::Future, step.reserved, attempt.certain_cpus());
    if (forecast == nullptr) continue;
    tell_cpus(choice_, attempt.job, forecast->cpus_left(), found);
    return;
  }
}

Backfill::Attempted Backfill::search(Try& attempt, const NodeSet& up, FoundSearch& found) {
  Job& job = attempt.job;
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  SlurmTime later = stopped_until_;
  // A component starts no earlier than those of its job that were tested before (§11).
  const auto leader = het_leader(job);
  if (leader) later = std::max(later, het_.latest(*leader).value_or(now_));
  // Instants that a bound shows to lead on are passed over. Where none is left that tells how many
  // CPUs the job would have, they are looked at after all, from the last on.
  // Tests leave something to others where they are for GRES.
  const bool may_pass = !attempt.now_only && !leader && !estimator_.leaves_marks(job) &&
                        !choice_.is_changed_by_tests(job, attempt.partition);
  // Without reservations every step asks for some of the nodes that are up.
  std::optional<NodesInTime> in_time;
  if (may_pass && cluster_.reservations.empty() && attempt.licenses.empty() &&
      cluster_.request_of(job).required_nodes.empty()) {
    in_time = estimator_.nodes_in_time(job, attempt.partition);
  }
  const NodeSet all_up = in_time ? up_of(attempt) : NodeSet{};
  Step step;
  if (in_time) {
    step.reserved = reserved_view(cluster_, question_at(attempt, now_));
    walk_.begin(map_, attempt.limit, all_up, up);
  }
  passed_.clear();
  bool is_kept = attempt.is_comparable();
  const NoteTaker notes(is_kept ? estimator_.left_to_others() : nullptr);
  found.is_counted = found.was_told = false;
  found.total_cpus.reset();
  found.good_before = is_kept ? map_.seen_alike_before(now_, attempt.limit) : now_;
  stands_.search_begins();
  const auto keep = [&](SearchEnd end) {
    found.end = end;
    if (!is_kept) return;
    stands_.search_is_known(found);
    found.left = notes.taken();
    equal_.keep(found);
    if (attempt.is_kept) last_.keep(std::move(found));
  };
  const auto give_up = [&]() -> Attempted {
    look_back(attempt, up, found);
    // Where the walk passes over instants that features and the like leave too few nodes.
    if (in_time && !found.is_counted && is_a_try(attempt)) result_.tries += found.count();
    keep(SearchEnd::Nothing);
    note_nothing(attempt);
    return {};
  };
  while (later != kNever) {
    if (in_time) {
      take(walk_.next(later, *in_time, attempt.counts.min, passed_), attempt.counts, step);
    } else {
      step = look(attempt, up, later);
    }
    const SlurmTime at = in_time ? step.reserved.start : later;
    if (step.reserved.verdict != ReservedVerdict::Free) return give_up();
    later = step.later;
    // 5: too few: try where the map changes.
    if (step.is_tried) result_.tries += found.count();
    if (!step.suffices) {
      if (later != kNever && !attempt.now_only) continue;
      return give_up();
    }
    // 6: the estimate.
    if (may_pass && later != kNever &&
        estimator_.starts_after(later, job, attempt.partition, step.candidates, attempt.counts)) {
      passed_.push_back(at);  // no forecast, or one after `later`: both go on from there
      continue;
    }
    const auto estimate = [&] {
      const Forecast* found_start = estimator_.will_run(
          job, attempt.partition, step.candidates, attempt.counts, now_,
          attempt.now_only ? Horizon::Now : Horizon::Future, step.reserved, attempt.certain_cpus());
      attempt.lacks_cores |= estimator_.lacks_cores();
      return found_start;
    };
    const Forecast* forecast = estimate();
    attempt.is_estimated = true;
    if (asks_again(job, attempt.partition, cluster_, choice_, forecast)) {
      forecast = estimate();
      note_test(job, attempt.partition, choice_, forecast);
    }
    if (forecast == nullptr) {
      if (later != kNever && !attempt.now_only) continue;
      return give_up();
    }
    tell_cpus(choice_, job, forecast->cpus_left(), found);
    passed_.clear();
    // 7: never before the time asked for; a completing node delays by a second.
    SlurmTime start = std::max(forecast->immediate ? now_ : forecast->start, step.reserved.start);
    if (start <= now_ && forecast->nodes.intersects(choice_.completing())) {
      start = now_ + Seconds{1};
      later = kNever;
    }
    note_component(attempt, start);
    // 8: now.
    found.start = start;
    const bool is_later = start > now_;
    if (is_later) found.good_before = std::min(found.good_before, start);
    if (start <= now_ && leader) {
      // with the others, at the end of the cycle
    } else if (start <= now_ &&
               (licenses_free(cluster_, question_at(attempt, at)) ||
                choice_.could_reclaim(job, attempt.partition, step.reserved.licenses, now_))) {
      if (auto outcome = start_now(attempt, step, *forecast)) {
        found.forecast = forecast;
        if (attempt.is_limited && attempt.is_foretold) keep(SearchEnd::OverLimit);
        return *outcome;
      }
      if (attempt.is_limited) start = later != kNever ? later : now_ + kOverLimit;
      if (attempt.is_limited && attempt.stopping != nullptr) {
        SlurmTime& until = stopped_qos_[attempt.stopping];
        until = std::max(until, start);
      }
    }
    if (start > now_ && attempt.now_only) {  // 9
      note_start(job, start, nullptr);
      return {};
    }
    is_kept = is_kept && is_later;
    // 10: nodes that planned jobs give back may allow an earlier start.
    if (start > later) continue;
    // 11: beyond the window there is no map.
    if (start > now_ + parameters.bf_window) {
      note_start(job, start, nullptr);
      keep(SearchEnd::BeyondWindow);
      return {};
    }
    // 12: against the plans at that time; here the bounds are strict.
    SlurmTime until = plan_end(start + attempt.limit);
    if (emulates(Change::PlanIsAtLeastOneSlot)) {
      until = std::max(until, floored(start) + parameters.bf_resolution);
    }
    if (start > now_ && map_.conflicts(floored(start), until, forecast->nodes, attempt.licenses)) {
      later = start;
      continue;
    }
    found.forecast = forecast;
    is_kept = is_kept && floored(start) < map_.end();  // there nothing conflicts
    keep(SearchEnd::Planned);
    const Verdict verdict = plan(attempt, start, *forecast);
    return {verdict, verdict == Verdict::NextTask ? &job : nullptr};
  }
  return {};
}

}  // namespace rehearse

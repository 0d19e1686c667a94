// sim/sched/backfill_outcome.cpp — what the search for one record leads to: a start, or a plan
// (scheduling.md §8.7 steps 8 and 13 to 15).
#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/backfill.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {

/// Step 8. None: the nodes are busy after all, so a plan is made from now on.
std::optional<Backfill::Attempted> Backfill::start_now(Try& attempt, const Step& step,
                                                       const Forecast& forecast) {
  Job& job = attempt.job;
  const bool assoc_limit_stop = cluster_.conf.scheduler_parameters.assoc_limit_stop;
  if (attempt.over_before) {
    actions_.set_reason(job, *attempt.over_before);
    return Attempted{};
  }
  if (assoc_limit_stop) {  // not tested before
    if (const auto reason = limits_.before_selection(job, attempt.partition)) {
      attempt.is_limited = true;
      attempt.stopping = limits_.stopping_qos(job, attempt.partition, {}, forecast.nodes);
      actions_.set_reason(job, *reason);
      return std::nullopt;
    }
  }
  if (!limits_.admits_account(job, attempt.partition)) {
    constexpr Reason kReason = Reason::AccountNotAllowed;
    actions_.set_reason(job, kReason, limits_.sentence_of(kReason, job, attempt.partition));
    return std::nullopt;  // and keeps others from what it may not have
  }
  Selection selection =
      choice_.select_now(job, attempt.partition, step.candidates, step.reserved, now_);
  if (!selection.victims.empty()) {
    actions_.preempt(job, selection.victims);
    compare_no_more();
  }
  if (selection.attempt == Attempt::Policy) {
    attempt.is_limited = true;
    // Of licences it is a matter of the moment which of several the job takes.
    attempt.is_foretold =
        forecast.agrees_with(selection.allocation) && cluster_.request_of(job).licenses.empty();
    actions_.set_reason(job, selection.reason);
    // With assoc_limit_stop it keeps others from what it would have, a little later.
    if (assoc_limit_stop) {
      attempt.stopping =
          selection.allocation.nodes.empty()
              ? selection.stopping
              : limits_.stopping_qos(job, attempt.partition, selection.allocation, forecast.nodes);
      return std::nullopt;
    }
    return Attempted{};
  }
  if (selection.attempt == Attempt::Busy) actions_.set_reason(job, Reason::Resources);
  attempt.lacks_cores |= selection.lacks_cores;
  if (selection.has_nothing) return fail_to_begin(attempt, forecast.nodes);
  if (selection.attempt == Attempt::Licenses) return Attempted{};
  if (selection.attempt != Attempt::Success) {
    // Its plan is held against limits with the job's own time limit.
    job.time_limit = attempt.own_limit;
    if (attempt.told) attempt.told = foretold(job, attempt.partition, *attempt.known);
    return std::nullopt;
  }
  // Of NoReserve a job has its own limit, whatever it was planned with.
  job.time_limit = attempt.own_limit;
  attempt.has_started = true;
  if (planned_time_min(job) == attempt.limit && attempt.keeps_plan) {
    job.time_limit = raised_limit(attempt, selection.allocation);
  }
  Job* rest =
      actions_.start(job, attempt.partition, std::move(selection.allocation), StartedBy::Backfill);
  if (rest != nullptr) rest->time_limit = attempt.own_limit;
  ++result_.started;
  forget_answers();
  ++map_changes_;
  look_at_rest_anew();  // limits are nearer than they were
  if (attempt.limit > Minutes{0}) bind(job, job.end.value_or(now_ + attempt.limit));
  const std::uint32_t most = cluster_.conf.scheduler_parameters.bf_max_job_start;
  if (most > 0 && result_.started >= most) return Attempted{Verdict::EndCycle, nullptr};
  return Attempted{rest != nullptr ? Verdict::NextTask : Verdict::NextRecord, rest};
}

/// What would be planned then ends the cycle instead (§8.4).
bool Backfill::map_is_full() const {
  return map_.made() >= cluster_.conf.scheduler_parameters.bf_node_space_size;
}

/// Slurm: with victims at hand nodes are chosen on a copy, which knows neither which names share a
/// GPU nor the memory of the cores to be picked; a job that needs none of the victims then does not
/// begin. A task has left its array, and the plan from time 0 on keeps the nodes for one step of
/// the map (§8.7 step 8).
Backfill::Attempted Backfill::fail_to_begin(Try& attempt, const NodeSet& nodes) {
  Job& job = attempt.job;
  if (job.is_array_meta()) (void)actions_.split_off(job);
  compare_no_more();
  if (!attempt.keeps_plan || attempt.magnetic || has_planned_enough(attempt.partition)) return {};
  if (map_is_full()) return {.verdict = Verdict::EndCycle};
  equal_.forget();
  ++map_changes_;
  map_.reserve(map_.begin(), map_.begin(), cluster_.conf.scheduler_parameters.bf_resolution, nodes,
               attempt.licenses);
  ++planned_by_partition_.of(attempt.partition);
  ++result_.planned;
  return {};
}

/// The limit of a job started with --time-min: it keeps that (§8.7), or from 25.05 on gets its own
/// back, up to where a plan needs one of its nodes.
Minutes Backfill::raised_limit(const Try& attempt, const Allocation& allocation) const {
  const Minutes least = *attempt.job.spec->time_min;
  if (!emulates(Change::TimeMinRaisedAgain)) return least;
  Minutes limit = effective_limit(attempt.job, cluster_.partitions[attempt.partition], cluster_);
  if (limit == kUnlimited) limit = Minutes{365 * 24 * 60};
  const NodeSet nodes = nodes_of(allocation, cluster_.nodes.size());
  if (const auto wall = map_.first_without(nodes, now_, now_ + limit)) {
    limit = std::min(limit, std::chrono::floor<Minutes>(*wall - now_));
  }
  return std::max(limit, least);
}

/// What most limits look at is known wherever a job is placed: that needs no sum of what it gets.
std::optional<Reason> Backfill::limit_of_plan(const Try& attempt, const Forecast& forecast) {
  if (attempt.told) return attempt.told->over;
  if (forecast.last_cpus == 0) {
    return limits_.after_planning(attempt.job, attempt.partition, *forecast.allocation);
  }
  // Of terms and of alternatives the last one's CPUs count.
  Allocation planned = *forecast.allocation;
  planned.cpus = forecast.cpus_left();
  return limits_.after_planning(attempt.job, attempt.partition, planned);
}

/// Steps 13 to 15.
Backfill::Verdict Backfill::plan(Try& attempt, SlurmTime start, const Forecast& forecast) {
  Job& job = attempt.job;
  const SchedulerParameters& parameters = cluster_.conf.scheduler_parameters;
  if (!parameters.assoc_limit_stop) {
    if (const auto reason = limit_of_plan(attempt, forecast)) {
      attempt.is_limited = true;
      actions_.set_reason(job, *reason);
      show_start(job, start);
      return Verdict::NextRecord;
    }
  }
  if (!attempt.keeps_plan) {
    show_start(job, start);
    return Verdict::NextRecord;
  }
  if (has_planned_enough(attempt.partition)) {
    show_start(job, start);
    return Verdict::NextRecord;
  }
  const auto leader = het_leader(job);
  if (leader && het_.crosses(*leader, attempt.partition, std::max(start, now_))) {
    note_start(job, start, nullptr);
    return Verdict::NextRecord;
  }
  if (map_is_full() && !attempt.magnetic) {
    note_start(job, start, nullptr);
    return Verdict::EndCycle;
  }

  equal_.forget();
  ++map_changes_;
  ++planned_by_partition_.of(attempt.partition);
  // A magnetic record keeps its nodes from nobody, and is a plan all the same (step 14).
  if (!attempt.magnetic) {
    map_.reserve(floored(start), plan_end(start + attempt.limit), parameters.bf_resolution,
                 forecast.nodes, attempt.licenses);
    last_.planned(floored(start), plan_end(start + attempt.limit), forecast.nodes);
    stands_.with_plan(floored(start), plan_end(start + attempt.limit), map_.end());
    note_plan(floored(start), forecast.nodes);
  }
  ++result_.planned;
  if (!job.is_array_meta()) {
    note_start(job, start, &forecast.nodes);
    return Verdict::NextRecord;
  }
  note_start(job, start, &forecast.nodes);
  ++planned_tasks_[job.array_job];
  // Counted over its records, but anew behind a plan of another array (step 15).
  if (std::exchange(planned_array_, job.array_job) != job.array_job) planned_in_turn_ = 0;
  ++planned_in_turn_;
  const bool more = planned_in_turn_ < parameters.bf_max_job_array_resv &&
                    planned_in_turn_ < job.pending_tasks.size();
  return more ? Verdict::NextTask : Verdict::NextRecord;
}

}  // namespace rehearse

// sim/controller/backfill_cycle.cpp — a backfill cycle, its yields, and what others do in them
// (scheduling.md §8.3).
#include <algorithm>
#include <optional>
#include <utility>

#include "sim/controller/controller.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {

void Controller::on(const BackfillWoken& event) {
  if (event.generation != backfill_generation_) return;
  const std::optional<BackfillYield> slept = std::exchange(yield_, std::nullopt);
  const bool waits = !slept && lately_completing().has_value();
  const bool ends = slept && slept->changed && !cluster_.conf.scheduler_parameters.bf_continue;
  CycleResult result = slept ? slept->so_far : CycleResult{};
  result.yields = false;
  const CycleResult before = result;
  if (!slept) {
    split_waiting_arrays();
    known_cycles_.began(now_);
    follow_ages(false);
  }
  const KnownCycle::Slept* sleep = history_ == nullptr ? known_cycles_.next_sleep() : nullptr;
  const std::vector<KnownCycle::Slept> ticks = slept || waits || history_ != nullptr
                                                   ? std::vector<KnownCycle::Slept>{}
                                                   : known_cycles_.ticks();
  auto tick = ticks.begin();
  const auto stop_at_tick = [&] {
    backfill_.yields_after(tick != ticks.end() ? std::optional(tick->after) : std::nullopt);
  };
  stop_at_tick();
  if (sleep != nullptr) backfill_.yields_after(sleep->after);
  if (history_ != nullptr) hold_nodes(true);
  if (slept && !ends) {
    result = backfill_.resume(now());
    cycle_marks_.reset();
  } else if (!slept && !waits) {
    result = run_cycle(sleep != nullptr || !ticks.empty());
    while (result.yields && tick != ticks.end()) {
      const SlurmTime second = whole_second(tick++->awake);
      stop_at_tick();
      result = backfill_.resume(second);
    }
  }
  if (history_ != nullptr) hold_nodes(false);
  counts_.backfill_depth += result.depth - before.depth;
  counts_.backfill_starts += result.started - before.started;
  const Duration work =
      waits || ends ? Duration{0} : costs_.backfill_work(result.tries - before.tries, !slept);
  // While a reservation is active each check of reservations is a change of nodes.
  const auto reservation_checked = [&](Time from, Time to) {
    const auto& live = cluster_.reservations.live();
    return background_->reservation_check_at(from + Duration{1}) <= to &&
           std::any_of(live.begin(), live.end(), [&](ReservationId id) {
             return cluster_.reservations[id].is_active(now());
           });
  };
  if (sleep != nullptr && sleep->awake == Time::max()) result.yields = false;
  if (result.yields) {
    const Duration asleep = cluster_.conf.scheduler_parameters.bf_yield_sleep;
    const Time awake =
        sleep != nullptr ? std::max(sleep->awake, now_ + Duration{1}) : now_ + work + asleep;
    if (sleep != nullptr) known_cycles_.slept();
    yield_ = BackfillYield{result, sleep == nullptr && reservation_checked(awake - asleep, awake)};
    backfill_due_ = awake;
    schedule(awake, BackfillWoken{++backfill_generation_});
    return;
  }
  ++counts_.backfill_cycles;
  if (!waits) observer_.plans_made(cluster_, backfill_.planned(), now());
  backfill_clock_->cycle_ended(now_ + work, waits || result.queued > 0);
  backfill_due_.reset();  // not before: what the cycle itself changes does not ask for another
  reschedule_backfill();
  mig_.pass_ended();
}

/// The recorded cycle that begins now has tested arrays under %N with the ages that they had there;
/// what the next ones tell before a tick holds for a pass.
void Controller::follow_ages(bool in_pass) {
  if (!known_cycles_.any()) return;
  for (const JobIndex index : queue_.pending()) {
    Job& job = cluster_.jobs[index];
    if (!job.is_pending() || !job.accrue || array_task_limit(job) == 0) continue;
    if (in_pass && running_tasks(job) >= array_task_limit(job)) continue;
    const std::uint32_t told = in_pass ? known_cycles_.priority_to_come(job.id, now_, next_tick_)
                                       : known_cycles_.priority_of(job.id);
    const auto since = known_ages_.later(job, told, cluster_.conf.priority);
    if (!since) continue;
    if (since->accrue) {
      job.accrue = since->accrue;
    } else {
      limits_.clear_accrual(job);
    }
    priority_->recompute(job, now());
    queue_.changed(job);
    ++changes_;
  }
}

/// A cycle over an unchanged state that would find again what the last one found is not made: its
/// plans and its counts stand. `yields`: at an instant that a recording knows.
CycleResult Controller::run_cycle(bool yields) {
  const auto present_marks = [&]() -> CycleMarks {
    return {changes_, estimator_.left_behind(), choice_.requests_changed()};
  };
  const CycleMarks before = present_marks();
  const bool decides = !yields && history_ == nullptr;
  if (decides && cycle_marks_ == before && backfill_.stands(now())) return last_cycle_;
  const CycleResult result =
      backfill_.run(now(), costs_.most_backfill_tries(), costs_.tries_before_yield());
  cycle_marks_.reset();
  if (decides && present_marks() == before) cycle_marks_ = before;
  return last_cycle_ = result;
}

}  // namespace rehearse

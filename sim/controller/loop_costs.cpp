// sim/controller/loop_costs.cpp — what the loops take, and what they get done in their time.
#include "sim/controller/loop_costs.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// How often `step` may be done after `first` until `most` has gone by: the step that crosses it is
/// still done, as the time is looked at between two.
std::uint32_t steps_within(Duration most, Duration first, Duration step) {
  if (step <= Duration{0}) return UINT32_MAX;
  const auto left = std::max(most - first, Duration{0});
  const auto steps = (left + step - Duration{1}) / step;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(steps, UINT32_MAX));
}

}  // namespace

Duration LoopCosts::main_pass(std::uint32_t records) const {
  return site_.main_cost_per_pass + site_.main_cost_per_record * std::int64_t{records};
}

std::uint32_t LoopCosts::tries_before_yield() const {
  return steps_within(parameters_.bf_yield_interval, Duration{0}, site_.backfill_cost_per_try);
}

Duration LoopCosts::backfill_work(std::uint32_t tries, bool first) const {
  return (first ? site_.backfill_cost_per_cycle : Duration{0}) +
         site_.backfill_cost_per_try * std::int64_t{tries};
}

std::uint32_t LoopCosts::most_main_records() const {
  return steps_within(parameters_.max_sched_time, site_.main_cost_per_pass,
                      site_.main_cost_per_record);
}

std::uint32_t LoopCosts::most_backfill_tries() const {
  if (site_.backfill_cost_per_try <= Duration{0}) return UINT32_MAX;
  // Of each turn of work and sleep only the work counts as tries.
  const Duration turn = parameters_.bf_yield_interval + parameters_.bf_yield_sleep;
  const Duration most = parameters_.bf_max_time;
  const Duration work = most / turn * parameters_.bf_yield_interval +
                        std::min<Duration>(most % turn, parameters_.bf_yield_interval);
  return steps_within(work, site_.backfill_cost_per_cycle, site_.backfill_cost_per_try);
}

}  // namespace rehearse

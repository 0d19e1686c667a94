// sim/output/kpi/run_time.hpp — for how long a run held what it held, and whether that was for
// nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/cluster/job.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// Seconds of a run that has started within the simulated period: it may have begun before
/// (--start-from).
[[nodiscard]] inline std::int64_t seconds_within(const Result& result, std::size_t row) {
  const RunColumns& r = result.runs;
  const std::int64_t end = r.end[row] == kNoTime ? result.end : r.end[row];
  return std::max<std::int64_t>(end - std::max(r.start[row], result.begin), 0);
}

/// True of a run whose work is done again: PREEMPTED, NODE_FAIL, REQUEUED.
[[nodiscard]] inline bool was_lost(std::uint8_t state) {
  return state == kStateRequeued || state == static_cast<std::uint8_t>(JobState::Preempted) ||
         state == static_cast<std::uint8_t>(JobState::NodeFail);
}

/// True of a state from which a run does not go on.
[[nodiscard]] inline bool has_ended(std::uint8_t state) {
  return state > static_cast<std::uint8_t>(JobState::Suspended);
}

/// True of a run that has ended, and whose work is not done again.
[[nodiscard]] inline bool ended_for_good(const RunColumns& runs, std::size_t row) {
  return runs.start[row] != kNoTime && runs.end[row] != kNoTime && has_ended(runs.state[row]) &&
         !was_lost(runs.state[row]);
}

}  // namespace rehearse

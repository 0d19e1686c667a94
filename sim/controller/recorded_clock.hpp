// sim/controller/recorded_clock.hpp — when a recording's loops ran: instants that a replay follows.
#pragma once

#include <vector>

#include "sim/controller/loop_clock.hpp"
#include "sim/controller/loop_costs.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Each list ascending; empty: not known, the simulated clock keeps its own time. Facts of the
/// daemon and its machine, not of its decisions.
struct RecordedClock {
  std::vector<Time> backfill;  ///< cycles began
  std::vector<Time> limit_scans;
  std::vector<BackgroundClock::KnownPass> main_passes;
  std::vector<LoopCosts::KnownCycle> cycles;  ///< what backfill cycles took
};

}  // namespace rehearse

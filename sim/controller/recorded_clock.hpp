// sim/controller/recorded_clock.hpp — when a recording's loops ran: instants that a replay follows.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/cluster/job.hpp"
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
  /// How long the nodes of a job that was preempted took to be clean, run by run; none: not known.
  std::map<JobId, std::vector<std::optional<Duration>>> clean_ups;

  /// Of a run that has just ended.
  [[nodiscard]] std::optional<Duration> clean_up_of(const Job& job) const {
    const auto known = clean_ups.find(job.id);
    const bool is_known = job.state == JobState::Preempted && known != clean_ups.end() &&
                          job.restarts < known->second.size();
    return is_known ? known->second[job.restarts] : std::nullopt;
  }
};

}  // namespace rehearse

// sim/controller/known_instants.hpp — what a recording tells of its daemons: no decisions, but when
// they had a chance to decide.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/cluster/job.hpp"
#include "sim/controller/loop_clock.hpp"
#include "sim/controller/loop_costs.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

struct KnownInstants {
  /// Cycles of backfill begin at these instants, ascending, as long as there are some.
  std::vector<Time> backfill;
  std::vector<Time> limit_scans;                        ///< ascending
  std::vector<BackgroundClock::KnownPass> main_passes;  ///< ascending
  std::vector<LoopCosts::KnownCycle> cycles;            ///< of backfill, ascending: what they took
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

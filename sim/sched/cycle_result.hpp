// sim/sched/cycle_result.hpp — what a backfill cycle has come to, by the counters of sdiag.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/time.hpp"

namespace rehearse {

struct CycleResult {
  std::uint32_t queued = 0;
  std::uint32_t depth = 0;       ///< records that the cycle came to
  std::uint32_t considered = 0;  ///< records and tasks that reached the counters
  std::uint32_t tries = 0;       ///< of them: with an estimate; those spared only if it ends cycles
  std::uint32_t started = 0;
  std::uint32_t planned = 0;
  std::uint32_t slots = 0;
  std::uint32_t recalled = 0;  ///< of those considered: as in the cycle before, or as one before
  std::uint32_t spared = 0;    ///< of those considered: a search could have changed nothing
  bool yields = false;         ///< the locks are released for bf_yield_sleep; resume() goes on
  /// A cycle before that, over the same state, finds what this one has found; none: it may not.
  std::optional<SlurmTime> stands_until;
};

}  // namespace rehearse

// sim/cluster/suspension.hpp — how a running job stands still: since when, how long, by whom.
#pragma once

#include <optional>

#include "sim/core/time.hpp"

namespace rehearse {

/// What Slurm adds for the end of a run without a limit.
inline constexpr Minutes kUnlimitedRun{365 * 24 * 60};

/// Of one run (preemption.md §8, lifecycle.md §10). All at its default: never suspended.
struct Suspension {
  std::optional<Time> since;  ///< set while SUSPENDED
  Seconds total{0};           ///< of the suspensions that are over, each in whole seconds
  bool by_admin = false;      ///< priority 0: gang scheduling does not resume it
  bool lends_cores = false;   ///< its cores are free for others; memory and devices are not
};

}  // namespace rehearse

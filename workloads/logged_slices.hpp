// workloads/logged_slices.hpp — when time slices of gang scheduling ended, from whom a log says
// that they were stopped and went on.
#pragma once

#include <vector>

#include "sim/core/time.hpp"

namespace rehearse {

/// Lines within a moment of each other. Starts stop jobs, ends let some go on; a slice does both.
struct LoggedTurn {
  Time at;
  bool some_stopped = false, some_went_on = false;
};

/// One more line of a log that is read from its begin.
void put_gang_turn(std::vector<LoggedTurn>& turns, Time at, bool stopped);

/// The ends of the slices from the first of `turns` on, ascending: those that a log shows, and
/// between and around them those that changed nothing. Empty: it shows none.
[[nodiscard]] std::vector<Time> slices_of(const std::vector<LoggedTurn>& turns, Seconds slice);

}  // namespace rehearse

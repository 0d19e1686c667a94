// sim/core/time.hpp — simulated time. It never meets the wall clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace rehearse {

/// The clock of the simulated world: microseconds since the Unix epoch, UTC. It has no now(): ask
/// the engine.
struct SimClock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

using Time = SimClock::time_point;    ///< an instant, to the microsecond
using Duration = SimClock::duration;  ///< a span, written with its unit: 30s, 5min, 36h
using Seconds = std::chrono::seconds;
using Minutes = std::chrono::duration<std::int64_t, std::ratio<60>>;

/// The whole-second instants in which slurmctld decides (scheduling.md §1).
using SlurmTime = std::chrono::time_point<SimClock, Seconds>;

/// The second that slurmctld's time() would return at `at`.
[[nodiscard]] constexpr SlurmTime whole_second(Time at) {
  return std::chrono::floor<Seconds>(at);
}

/// Seconds since the epoch, for output and arithmetic that Slurm does on integers.
[[nodiscard]] constexpr std::int64_t epoch_seconds(SlurmTime at) {
  return at.time_since_epoch().count();
}
[[nodiscard]] constexpr std::int64_t epoch_seconds(Time at) {
  return epoch_seconds(whole_second(at));
}
[[nodiscard]] constexpr SlurmTime from_epoch_seconds(std::int64_t seconds) {
  return SlurmTime{Seconds{seconds}};
}

/// A time limit that was asked for as UNLIMITED, which is not the same as one that was not given.
inline constexpr Minutes kUnlimited{std::numeric_limits<std::int32_t>::max()};

}  // namespace rehearse

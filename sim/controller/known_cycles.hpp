// sim/controller/known_cycles.hpp — backfill cycles of a recording: when they came to each job, and
// when they slept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/cluster/job.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

struct KnownCycle {
  struct Tried {
    JobId job{};  ///< of an array's record: the array
    Time at;
  };
  /// A yield (scheduling.md §8.3).
  struct Slept {
    JobId after{};  ///< the last that it had tried; 0: none yet
    Time awake;     ///< Time::max(): it ended the cycle
  };
  Time began;
  std::vector<Tried> tries;   ///< ascending
  std::vector<Slept> sleeps;  ///< ascending
};

/// Follows the recorded cycle that the present one is.
class KnownCycles {
 public:
  void follow(std::vector<KnownCycle> known) { known_ = std::move(known); }
  /// A cycle began at `now`, whether or not the recording knows of it.
  void began(Time now);
  /// When the recorded cycle came to `job`, from the last one that was asked for on; where it did
  /// not: to its n-th try, of those that it had. Heterogeneous jobs start at its end. None: this
  /// cycle is not known.
  [[nodiscard]] std::optional<Time> tried(const Job& job, std::uint32_t tries);
  /// The next of its sleeps.
  [[nodiscard]] const KnownCycle::Slept* next_sleep() const;
  void slept() { ++sleeps_; }
  /// Of a cycle without sleeps: behind whom its clock had come to another second.
  [[nodiscard]] std::vector<KnownCycle::Slept> ticks() const;

 private:
  std::vector<KnownCycle> known_;  // ascending
  const KnownCycle* present_ = nullptr;
  std::size_t asked_ = 0, sleeps_ = 0;
};

}  // namespace rehearse

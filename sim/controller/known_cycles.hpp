// sim/controller/known_cycles.hpp — backfill cycles of a recording: when they came to each job,
// with which priority, and when they slept.
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
    std::uint32_t priority = 0;  ///< of its record; 0: not told
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
  [[nodiscard]] bool any() const { return !known_.empty(); }
  /// A cycle began at `now`, whether or not the recording knows of it.
  void began(Time now);
  /// When the recorded cycle came to `job`, from the last one that was asked for on; where it did
  /// not: to its n-th try, of those that it had. Heterogeneous jobs start at its end. None: this
  /// cycle is not known.
  [[nodiscard]] std::optional<Time> tried(const Job& job, std::uint32_t tries);
  /// With which priority it tested the records of the job that is told by `id` first; 0: none.
  [[nodiscard]] std::uint32_t priority_of(JobId id) const;
  /// With which the cycles after `now`, and before `end`, first test it; 0: none does.
  [[nodiscard]] std::uint32_t priority_to_come(JobId id, Time now, Time end) const;
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

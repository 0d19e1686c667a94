// sim/controller/ping_clock.hpp — when slurmctld asks its nodes whether they live, and when it
// stops waiting for an answer (lifecycle.md §11): arithmetic, no state of nodes.
#pragma once

#include <cstdint>

#include "sim/core/time.hpp"

namespace rehearse {

class PingClock {
 public:
  /// From the ping of a dead node to its flag NOT_RESPONDING [V: 11 to 13 s].
  static constexpr Seconds kGivesUp{12};
  /// Every so many rounds nodes are asked to register, all of them [V].
  static constexpr std::int64_t kRegistrations = 20;

  /// Rounds lie SlurmdTimeout/3 apart, on turns of the background loop, counted from `start`.
  /// A timeout of 0: no rounds, a silent node is never set DOWN.
  PingClock(Seconds slurmd_timeout, Time start, Duration turn);

  [[nodiscard]] bool is_on() const { return period_ > Duration{0}; }
  /// The first turn of the background loop after `at`.
  [[nodiscard]] Time turn_after(Time at) const;
  /// A node was resumed: a round at that turn, and the others counted from there.
  void restart(Time turn);

  /// The first round after `at`.
  [[nodiscard]] Time round_after(Time at) const;
  /// The round before `round`.
  [[nodiscard]] Time round_before(Time round) const;
  /// True if the round leaves out a node that was last heard from at `heard`.
  [[nodiscard]] bool leaves_out(Time heard, Time round) const {
    return heard >= round - period_ && !asks_to_register(round);
  }
  /// True if the round sets a node DOWN that was last heard from at `heard`.
  [[nodiscard]] bool is_given_up(Time heard, Time round) const {
    return heard <= round_before(round) - timeout_;
  }
  /// When a healthy node, heard from at `heard` for another reason, was last heard from at `now`.
  [[nodiscard]] Time last_heard(Time heard, Time now) const;

 private:
  /// Of all rounds since the start, which is round 0.
  [[nodiscard]] std::int64_t number_of(Time round) const;
  [[nodiscard]] bool asks_to_register(Time round) const;

  Duration timeout_, period_, turn_;
  std::int64_t base_number_ = 0;
  Time start_, base_, before_base_;
};

}  // namespace rehearse

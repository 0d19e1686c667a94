// sim/controller/loop_clock.hpp — when the loops run: the counters of slurmctld's background loop
// and of its backfill thread (scheduling.md §2.1, §8.1), as arithmetic instead of polling.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/config/scheduler_parameters.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// The background loop turns every `turn`; at a turn it starts a full pass, a partial one or none.
class BackgroundClock {
 public:
  /// Between two time-limit scans (scheduling.md §1).
  static constexpr Seconds kScanPeriod{30};

  BackgroundClock(const SchedulerParameters& parameters, Time start, Duration turn);

  /// SchedulerParameters are others from now on.
  void change(const SchedulerParameters& parameters);

  /// A queued request: a partial pass at the next turn that allows it.
  void request() { requested_ = true; }
  [[nodiscard]] bool is_requested() const { return requested_; }
  /// The turn at which the next pass is due, not before `now`; none: the main scheduler is off.
  [[nodiscard]] std::optional<Time> next_due(Time now) const;
  /// At a turn: what is to be run. Advances the counters.
  enum class Due : std::uint8_t { Nothing, Partial, Full };
  [[nodiscard]] Due at_turn(Time now);

  /// A pass that a recording knows.
  struct KnownPass {
    Time at;
    Due depth = Due::Partial;
  };
  /// These passes, ascending, are run at their instants; one of the clock's own that would be due
  /// up to four seconds before a known one waits for it.
  void follow_passes(std::vector<KnownPass> known) { known_passes_ = std::move(known); }
  /// A turn that took long: as long as it does no pass of the clock's own is due.
  struct KnownTurn {
    Time began, ended;
  };
  /// Ascending; of a recording that knows its passes too.
  void follow_turns(std::vector<KnownTurn> known) { known_turns_ = std::move(known); }
  [[nodiscard]] bool follows_passes() const { return !known_passes_.empty(); }
  /// True if `now` is that of a known partial pass: something has asked for it.
  [[nodiscard]] bool knows_partial_pass_at(Time now) const;
  /// The first known partial pass in [from, to].
  [[nodiscard]] std::optional<Time> known_partial_pass(Time from, Time to) const;
  /// True if a known pass lies in (now, now + span].
  [[nodiscard]] bool knows_pass_within(Time now, Duration span) const;

  /// The first time-limit scan at or after `at`: every 30 s, on a turn.
  [[nodiscard]] Time scan_at(Time at) const;
  /// The first check of reservations at or after `at`: every 5 s, on a turn (scheduling.md §1).
  [[nodiscard]] Time reservation_check_at(Time at) const;
  /// These scans, ascending, are known from a recording. Those between two of them are spread
  /// evenly: a turn takes a little more than a second, so that the period is 30.1 s.
  void follow_scans(std::vector<Time> known) { known_scans_ = std::move(known); }

 private:
  [[nodiscard]] Time turn_at(Time at) const;  ///< first turn at or after
  [[nodiscard]] Time turn_when(SlurmTime since, Seconds span) const;
  [[nodiscard]] std::optional<Time> own_due(Time now) const;
  [[nodiscard]] Time after_long_turn(Time at) const;
  [[nodiscard]] std::vector<KnownPass>::const_iterator first_known(Time at) const;

  std::optional<Seconds> full_interval_;
  Seconds partial_delay_;
  Time start_;
  Duration turn_;
  SlurmTime last_full_, last_background_;
  bool requested_ = false;
  std::vector<Time> known_scans_;
  std::vector<KnownPass> known_passes_;
  std::vector<KnownTurn> known_turns_;
};

/// The backfill thread sleeps bf_interval after each cycle, then polls each second for a change.
class BackfillClock {
 public:
  BackfillClock(std::optional<Seconds> interval, Time start);

  /// bf_interval is another: a sleep that is under way goes on, and then the rest of a longer one.
  void change(std::optional<Seconds> interval);
  /// Something that the thread looks at was changed.
  void changed(Time now);
  /// When the next cycle is due; none: backfill is off, or nothing has changed.
  [[nodiscard]] std::optional<Time> next_due() const;
  /// Cycles begin at these instants instead, as long as there are some: those of a recording.
  void follow(std::vector<Time> instants) { instants_ = std::move(instants); }
  /// A cycle ended. `touched`: it changed jobs itself, so that the next one is due without more.
  void cycle_ended(Time now, bool touched);

 private:
  std::optional<Seconds> interval_;
  Seconds sleep_;  ///< since the last cycle
  Time last_end_;
  std::optional<Time> changed_at_;
  std::vector<Time> instants_;  ///< ascending
};

}  // namespace rehearse

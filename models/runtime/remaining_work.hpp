// models/runtime/remaining_work.hpp — what is left of a run whose speed changes while it runs: in
// nanoseconds of its run time on the reference, exact to one of them at each change.
#pragma once

#include <cstdint>
#include <optional>

#include "models/runtime/slowdown.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Where the time of a run went. The sum is the time that its program was awake.
struct RunPace {
  Duration reference{0};      ///< the work that it did, as time on the reference
  Duration by_device{0};      ///< what the device took longer; less than 0: it was quicker
  Duration by_neighbours{0};  ///< what others on the device took
};

/// Rounding: what was done in a span is rounded down to a nanosecond of work, the end up to a
/// microsecond of time. So a run at one speed ends at the microsecond at which all is done, one
/// whose speed changes n times at most n microseconds later, and never earlier than its work takes.
class RemainingWork {
 public:
  /// A program that begins at `begins` and has `work` to do; none: it ends by other means.
  RemainingWork(std::optional<Duration> work, Time begins);

  /// All until `now` is done at the speed so far.
  void advance(Time now);
  /// From the last advance on. Slow-downs outside 1e-3 .. 1e3 are taken as these.
  void go_at(const Stretch& stretch);
  /// It stands still from `now`, after which advance() does nothing, and goes on.
  void pause(Time now);
  void resume(Time now);

  [[nodiscard]] Millionths slowdown() const { return stretch_.in_all; }
  [[nodiscard]] bool is_paused() const { return paused_; }
  /// When all will be, or was, done at the present speed; none: no work to end with, or paused.
  [[nodiscard]] std::optional<Time> end() const;
  /// Work done so far, rounded down.
  [[nodiscard]] Duration done() const;
  [[nodiscard]] RunPace pace() const;

 private:
  std::optional<std::int64_t> left_ns_;
  std::int64_t done_ns_ = 0, alone_ns_ = 0, awake_ns_ = 0;
  Time since_;  // the instant until which all is accounted; later than now: not begun
  Stretch stretch_;
  bool paused_ = false;
  Time paused_at_;
  Duration lead_{0};              // while paused: what lay before its begin
  std::optional<Time> finished_;  // all is done since then
};

}  // namespace rehearse

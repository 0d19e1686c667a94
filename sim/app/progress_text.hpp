// sim/app/progress_text.hpp — the one writer of how far something is.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sim/app/pace.hpp"

namespace rehearse {

/// `17s`, `4min05s`, `3h10min`.
[[nodiscard]] std::string time_left_text(double seconds);

/// A line on stderr: on a terminal drawn anew and cleared at the end, elsewhere one after the
/// other, each with the time of day. Wall time stays in here.
class ProgressText {
 public:
  ProgressText();

  /// Is it time to show() something? (pace.hpp)
  [[nodiscard]] bool is_due() { return pace_.is_due(elapsed()); }
  void show(std::string_view text);
  /// Room for another message, or the end.
  void clear();
  /// Wall time since the start [s].
  [[nodiscard]] double elapsed_s() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::chrono::milliseconds elapsed() const;

  bool is_terminal_;
  bool drawn_ = false;
  Pace pace_;
  Clock::time_point started_ = Clock::now();
};

}  // namespace rehearse

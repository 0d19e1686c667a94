// sim/app/sweep_progress.hpp — how far a sweep is, on the terminal of who waits for it.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/study/point.hpp"

namespace rehearse {

/// One line on stderr, drawn anew with every point: points done, points/s, time left. Nothing is
/// drawn within the first two seconds, nor ever where stderr is no terminal. Points that failed are
/// told as they come, on a pipe too. Wall time stays in here.
class SweepProgress {
 public:
  /// `points` are to run, `done` have run before.
  SweepProgress(std::uint64_t points, std::uint64_t done);
  void ended(const PointOutcome& outcome);
  /// Clears the line.
  void close();
  [[nodiscard]] double elapsed_s() const;
  [[nodiscard]] std::uint64_t run() const { return run_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t points_, done_, run_ = 0, failed_ = 0;
  bool is_terminal_, drawn_ = false;
  Clock::time_point started_ = Clock::now();
};

}  // namespace rehearse

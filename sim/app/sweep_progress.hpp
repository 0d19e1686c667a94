// sim/app/sweep_progress.hpp — how far a sweep is, for who waits for it.
#pragma once

#include <cstdint>

#include "sim/app/progress_text.hpp"
#include "sim/study/point.hpp"

namespace rehearse {

/// Points done, points/s, time left. Points that failed are told as they come.
class SweepProgress {
 public:
  /// `points` are to run, `done` have run before.
  SweepProgress(std::uint64_t points, std::uint64_t done) : points_(points), done_(done) {}
  void ended(const PointOutcome& outcome);
  /// Clears the line.
  void close() { text_.clear(); }
  [[nodiscard]] double elapsed_s() const { return text_.elapsed_s(); }
  [[nodiscard]] std::uint64_t run() const { return run_; }

 private:
  std::uint64_t points_, done_, run_ = 0, failed_ = 0;
  ProgressText text_;
};

}  // namespace rehearse

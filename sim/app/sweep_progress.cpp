// sim/app/sweep_progress.cpp — how far a sweep is, for who waits for it.
#include "sim/app/sweep_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace rehearse {

void SweepProgress::ended(const PointOutcome& outcome) {
  ++run_;
  if (outcome.status == PointStatus::Failed) {
    ++failed_;
    close();
    const std::string first = outcome.error.substr(0, outcome.error.find('\n'));
    fmt::print(stderr, "point {} failed: {}\n", outcome.point, first);
  }
  if (!text_.is_due()) return;
  const double rate = static_cast<double>(run_) / elapsed_s();
  const std::uint64_t left = points_ - std::min(points_, run_);
  text_.show(fmt::format("{} of {} points  {} failed  {:.3g} points/s  {} left", done_ + run_,
                         done_ + points_, failed_, rate,
                         time_left_text(static_cast<double>(left) / rate)));
}

}  // namespace rehearse

// sim/app/sweep_progress.cpp — how far a sweep is, on the terminal of who waits for it.
#include "sim/app/sweep_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "sim/app/progress.hpp"

namespace rehearse {
namespace {

constexpr double kSilence = 2.0;  // [s]
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

SweepProgress::SweepProgress(std::uint64_t points, std::uint64_t done)
    : points_(points), done_(done), is_terminal_(isatty(STDERR_FILENO) == 1) {}

double SweepProgress::elapsed_s() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

void SweepProgress::close() {
  if (drawn_) std::fputs(kClearLine, stderr);
  drawn_ = false;
}

void SweepProgress::ended(const PointOutcome& outcome) {
  ++run_;
  if (outcome.status == PointStatus::Failed) {
    ++failed_;
    close();
    const std::string first = outcome.error.substr(0, outcome.error.find('\n'));
    fmt::print(stderr, "point {} failed: {}\n", outcome.point, first);
  }
  const double elapsed = elapsed_s();
  if (!is_terminal_ || elapsed < kSilence) return;
  const double rate = static_cast<double>(run_) / elapsed;
  const std::uint64_t left = points_ - std::min(points_, run_);
  fmt::print(stderr, "{}{} of {} points  {} failed  {:.3g} points/s  {} left", kClearLine,
             done_ + run_, done_ + points_, failed_, rate,
             time_left_text(static_cast<double>(left) / rate));
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace rehearse

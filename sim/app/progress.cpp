// sim/app/progress.cpp — how far a run is, on the terminal of who waits for it.
#include "sim/app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace rehearse {
namespace {

constexpr std::chrono::seconds kSilence{2};
constexpr std::chrono::milliseconds kBetweenLines{200};
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

std::string time_left_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole >= 3600) return fmt::format("{}h{:02}min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{}min{:02}s", whole / 60, whole % 60);
  return fmt::format("{}s", whole);
}

std::uint64_t runs_of(const TraceJobs& jobs) {
  std::uint64_t runs = 0;
  for (const JobSpec& spec : jobs.specs())
    runs += spec.extras ? std::max<std::size_t>(1, spec.extras->array.size()) : 1;
  return runs;
}

ProgressLine::ProgressLine(TimeZone zone, std::uint64_t runs)
    : zone_(std::move(zone)),
      runs_(runs),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      next_draw_(started_ + kSilence) {}

double ProgressLine::elapsed_s() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

void ProgressLine::job_rejected(const JobSpec& /*spec*/, std::string_view /*message*/,
                                SlurmTime /*now*/) {
  ++done_;
}

void ProgressLine::job_ended(const Job& /*job*/, bool requeued, SlurmTime /*now*/) {
  if (!requeued) ++done_;
}

void ProgressLine::job_cancelled(const Job& /*job*/, SlurmTime /*now*/) {
  ++done_;
}

void ProgressLine::progressed(SlurmTime now, std::size_t pending, std::size_t running) {
  if (!is_terminal_) return;
  const auto at = Clock::now();
  if (at < next_draw_) return;
  draw(now, pending, running, at);
  next_draw_ = at + kBetweenLines;
}

void ProgressLine::draw(SlurmTime now, std::size_t pending, std::size_t running,
                        Clock::time_point at) {
  const double elapsed = std::chrono::duration<double>(at - started_).count();
  const double rate = static_cast<double>(done_) / elapsed;
  std::string left = "?";
  if (runs_ >= done_ && done_ > 0) left = time_left_text(static_cast<double>(runs_ - done_) / rate);
  fmt::print(stderr, "{}{}  {} of {} jobs  {:.0f} jobs/s  {} pending  {} running  {} left",
             kClearLine, zone_.print(now), done_, runs_, rate, pending, running, left);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::run_ended(const Cluster& /*cluster*/, SlurmTime /*now*/,
                             const LoopCounts& /*counts*/) {
  if (drawn_) std::fputs(kClearLine, stderr);
}

}  // namespace rehearse

// sim/study/comparison/outcomes.hpp — what became of each job of a run: all its rows in one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// Which input job: the same on both sides of a comparison.
struct JobKey {
  std::uint32_t id = 0;     ///< JobIDRaw; of a task the id of its array
  std::int32_t task = -1;   ///< −1: not a task
  std::int64_t submit = 0;  ///< first submission in the record [s since the epoch]
  friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

/// Seconds since the epoch: [from, to).
struct Window {
  std::int64_t from = 0, to = 0;
  [[nodiscard]] std::int64_t length() const { return to > from ? to - from : 0; }
};

/// Times in seconds since the epoch, or kNoTime.
struct JobOutcome {
  JobKey key;
  std::uint32_t row = 0;    ///< of its first run in /jobs
  std::int64_t submit = 0;  ///< first submission: of this run where users wait for their jobs
  std::int64_t eligible = kNoTime, start = kNoTime;  ///< of the first run
  double slowdown = 0;                               ///< bounded; 0: it has not ended for good
  bool is_killed = false;         ///< preempted, or its nodes lost, and not requeued
  std::uint64_t gpu_milli_s = 0;  ///< held, over all runs
  std::uint64_t window_gpu_milli_s = 0, window_cpu_s = 0;  ///< … of it inside of the window
  bool ended_in_window = false;                            ///< its last run, for good
  std::uint64_t lost_gpu_milli_s = 0;  ///< of runs that were preempted, requeued or lost a node
  std::uint32_t preemptions = 0;

  [[nodiscard]] bool has_started() const { return start != kNoTime; }
  [[nodiscard]] std::int64_t wait() const { return start - submit; }
};

/// One for each job, in order of key; tasks of an unsplit array are jobs of their own.
[[nodiscard]] std::vector<JobOutcome> outcomes_of(const Result& result, const Window& window);

/// From the first submission to the last, of all jobs of both runs that both were given: while jobs
/// arrived. What comes after depends on a few last jobs.
[[nodiscard]] Window arrival_window(const Result& a, const Result& b);

}  // namespace rehearse

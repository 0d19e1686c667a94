// workloads/generator/goodness.hpp — how near drawn jobs are to those of the trace.
//
// A marginal is told by the Kolmogorov-Smirnov distance of two samples: the largest difference of
// their cumulative shares, 0 .. 1. Its scale is what the two halves of the trace itself differ by.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "workloads/generator/workload_job.hpp"

namespace rehearse {

/// One figure of each job (or user, session): in the trace, and in the draws.
struct MarginalFit {
  std::string_view name, units;
  std::size_t count = 0;  ///< in the trace
  double median = 0, median_drawn = 0;
  double mean = 0, mean_drawn = 0;
  double p95 = 0, p95_drawn = 0;
  double distance = 0;         ///< mean over the draws; NaN: nothing to compare
  double distance_halves = 0;  ///< of the trace's first half of submissions to its second
};

/// The part of one user in the whole.
struct UserFit {
  std::string user;
  double jobs = 0, jobs_drawn = 0;  ///< share of submissions
  double work = 0, work_drawn = 0;  ///< share of GPU-hours, of CPU-hours where few have GPUs
};

struct Goodness {
  std::size_t draws = 0;
  std::size_t jobs = 0;   ///< submissions of the trace
  double jobs_drawn = 0;  ///< mean of the draws
  std::size_t jobs_least = 0, jobs_most = 0;
  double gpu_hours = 0, gpu_hours_drawn = 0, cpu_hours = 0, cpu_hours_drawn = 0;
  bool of_gpus = false;                  ///< a tenth of the submissions or more ask for GPUs
  double work_least = 0, work_most = 0;  ///< of the draws: GPU-hours, else CPU-hours
  std::vector<MarginalFit> marginals;
  static constexpr std::array<std::size_t, 4> kLags{1, 24, 48, 168};  ///< [h]
  /// Of hourly submissions; NaN: the trace is too short.
  std::array<double, 4> autocorrelation{}, autocorrelation_drawn{};
  std::vector<UserFit> users;                             ///< by share of submissions, most first
  double user_jobs_distance = 0, user_work_distance = 0;  ///< total variation of the shares, 0 .. 1
};

/// Holds `draws` (each a list of jobs) against the trace. Neither is empty.
[[nodiscard]] Goodness goodness_of(const std::vector<WorkloadJob>& trace,
                                   const std::vector<std::vector<WorkloadJob>>& draws,
                                   Seconds session_gap);

/// The two-sample distance; NaN where one is empty.
[[nodiscard]] double ks_distance(std::vector<double> a, std::vector<double> b);

}  // namespace rehearse

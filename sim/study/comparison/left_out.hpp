// sim/study/comparison/left_out.hpp — the work that one side does not do: jobs that it refuses,
// never starts or kills for good, and the other side runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/output/result.hpp"
#include "sim/study/comparison/job_pairs.hpp"

namespace rehearse {

/// Above this share of the other side's jobs, or of its GPU-hours, a side that leaves work out is
/// never called the better one. Its mean and quantiles are of the jobs that are left, and the P99
/// wait looks past one job in a hundred: a setting that refuses more than that can better every
/// wait there is by refusing alone.
inline constexpr double kLeftOutShare = 0.01;

/// What one side leaves out.
struct LeftOut {
  std::size_t refused = 0, never_started = 0;  ///< jobs that run on the other side
  std::size_t killed = 0;                ///< … preempted and not requeued, or with their node
  double job_share = 0;                  ///< of the jobs that run on the other side
  std::optional<double> gpu_hour_share;  ///< of its GPU-hours; none: no job held a GPU
  std::string account;                   ///< that has most of them, by GPU-hours, then jobs
  std::size_t account_jobs = 0;

  [[nodiscard]] std::size_t jobs() const { return refused + never_started + killed; }
  [[nodiscard]] bool is_much() const {
    return job_share > kLeftOutShare || gpu_hour_share.value_or(0) > kLeftOutShare;
  }
};

enum class PairSide : std::uint8_t { A, B };

/// What `side` leaves out; `result` is its own. Jobs that it was not given are not counted.
[[nodiscard]] LeftOut left_out_by(PairSide side, const JobPairs& pairs, const Result& result);

/// `B refuses, never starts or kills 255 jobs that A runs (1.1 % of its jobs, 31.1 % of its
/// GPU-hours)`.
[[nodiscard]] std::string left_out_words(PairSide side, const LeftOut& left_out);

}  // namespace rehearse

// sim/study/calibration/waits.hpp — simulated waits held against recorded ones: how far off, for
// whom, and what may be behind it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/comparison/job_pairs.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

/// Mean, P50, P90, P95, P99 [s].
inline constexpr std::size_t kWaitFigureCount = 5;
inline constexpr std::array<std::string_view, kWaitFigureCount> kWaitFigures{"mean", "P50", "P90",
                                                                             "P95", "P99"};
using WaitFigures = std::array<double, kWaitFigureCount>;

/// The waits of one group of jobs, recorded and simulated.
struct WaitGroup {
  std::string scope, name;  ///< scope: `all`, `partition`, `qos`, `account`, `size`, `week`
  std::size_t jobs = 0;
  WaitFigures recorded{}, simulated{};
  [[nodiscard]] double error(std::size_t figure) const {
    return simulated[figure] - recorded[figure];
  }
  /// Of the mean, in shares of the recorded one; a mean below a minute counts as a minute.
  [[nodiscard]] double relative_error() const;
  /// Job-hours of wait too many or too few.
  [[nodiscard]] double wrong_hours() const { return error(0) * static_cast<double>(jobs) / 3600; }
};

/// An input that would make the baseline truer.
struct MissingInput {
  std::string what, explains, remedy;
};

enum class BaselineVerdict : std::uint8_t { NoWaits, Good, Fair, Poor };
[[nodiscard]] std::string_view to_text(BaselineVerdict verdict);

/// Stated, so that they can be held against the answer: what a baseline must keep to.
struct BaselineLimits {
  double mean_good = 0.10, mean_fair = 0.25;  ///< relative error of the mean wait of all
  double p95_good = 0.15, p95_fair = 0.35;    ///< … of P95
  double rank_good = 0.8, rank_fair = 0.5;    ///< rank correlation of waits, at least
};

struct WaitCalibration {
  std::vector<WaitGroup> groups;        ///< the first is all jobs; then scope by scope, by name
  std::vector<const WaitGroup*> worst;  ///< at most ten, by wrong job-hours
  std::size_t jobs = 0;                 ///< started in both
  std::size_t started_only_recorded = 0, started_only_simulated = 0;
  double within_minute = 0;      ///< share of starts within 60 s of the recorded ones
  double rank = 0;               ///< Spearman's, of waits; NaN: those of a side are all alike
  bool simulated_alike = false;  ///< every simulated wait is the same
  std::vector<MissingInput> missing;
  BaselineVerdict verdict = BaselineVerdict::NoWaits;
  std::string sentence;
};

/// `simulated` is of the loaded site, run as it is.
[[nodiscard]] std::unique_ptr<WaitCalibration> calibrate_waits(const LoadedSite& site,
                                                               const Result& simulated);

/// Spearman's rank correlation; ties share their mean rank. NaN where one side is all alike.
[[nodiscard]] double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace rehearse

// sim/study/forecast/backtest.hpp — forecasts of the recorded past, held against what happened.
//
// Instants at which somebody waits are spread evenly over the waiting of the last two thirds of the
// recording; what a forecast at such an instant may know is what was recorded before it. Jobs that
// never started, or were held or had a begin time ahead, are not asked. Jobs of one instant share
// their fate: how far instants differ says more about sureness than the number of jobs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/forecast/forecast.hpp"

namespace rehearse {

struct BacktestRequest {
  ForecastRequest forecast;  ///< without start_from
  std::size_t instants = 12;
};

/// Forecasts and facts of some jobs. NaN where there are none.
struct BacktestScore {
  std::size_t jobs = 0, users = 0;
  double coverage = 0;          ///< share whose start lay in [P10, P90]
  double below = 0, above = 0;  ///< shares before P10, after P90
  double error_median = 0;      ///< |P50 − fact|, median [s]
  double error_by_limits = 0;   ///< |start if all ran to their limits − fact|, median [s]
  double width_median = 0;      ///< P90 − P10, median [s]
};

struct BacktestInstant {
  SlurmTime at;
  std::size_t running = 0, waiting = 0, asked = 0;
  BacktestScore score;
};

/// How often "within a span" was said, and how often it was so.
struct BacktestPromise {
  Seconds span{0};
  double said = 0, came = 0;  ///< mean probability; share of jobs
};

struct BacktestAnswer {
  std::vector<BacktestInstant> instants;
  BacktestScore all;
  std::vector<std::pair<std::string, BacktestScore>> by_wait;  ///< by how long was still to wait
  std::vector<BacktestPromise> promises;
  /// Of later instants: the band as drawn, and as calibrated on the earlier ones (calibrated_band).
  std::size_t calibrated_instants = 0;
  BacktestScore drawn, calibrated;
  std::size_t never_started = 0;  ///< waited at an instant, and were cancelled or still wait
  std::size_t not_asked = 0;      ///< held, or with a begin time ahead
  std::size_t replications = 0;
  std::string time_zone;  ///< of the site
};

/// Throws InputError. None: interrupted. There must be one thread only. `told`: before each
/// instant.
[[nodiscard]] std::optional<BacktestAnswer> backtest(
    const BacktestRequest& request, const std::function<void(const std::string&)>& told,
    Diagnostics& found, const std::atomic<bool>* interrupted);

/// Instants at which some recorded job waits, evenly over that waiting, in the last two thirds of
/// what is recorded; fewer than wanted where less waiting is recorded.
[[nodiscard]] std::vector<SlurmTime> waiting_instants(const TraceJobs& jobs, std::size_t wanted);

}  // namespace rehearse

// sim/study/forecast/arrivals.hpp — who will come: each user's own stream of some past week again.
//
// The past is cut into stretches of one length (a week; a day, an hour, ten minutes where less is
// recorded), counted back from the instant, so that hours of the day and days of the week stay what
// they are. For each stretch of the future each user draws one of his own, with all that he
// submitted in it: users come and go independently, a user's jobs stay together.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/study/forecast/run_times.hpp"

namespace rehearse {

class Arrivals {
 public:
  /// Jobs submitted before `at` are looked at, later ones are not. The others must outlive it.
  Arrivals(const LoadedSite& site, SlurmTime at, const RunTimes& run_times);

  /// Jobs of [at, at + horizon), without ids, by submission. Dependencies are left out: they name
  /// other jobs. Runs that had not ended by then are drawn anew.
  [[nodiscard]] std::vector<JobSpec> draw(Seconds horizon, std::uint64_t future, Rng& rng) const;

  /// Of one stretch; 0: too little is recorded, nobody comes.
  [[nodiscard]] Seconds stretch() const { return stretch_; }
  /// To draw from.
  [[nodiscard]] std::int64_t stretches() const { return stretches_; }

  static constexpr std::int64_t kMost = 8;

 private:
  [[nodiscard]] JobSpec moved(const JobSpec& spec, Seconds by, std::uint64_t future,
                              Rng& rng) const;

  SlurmTime at_;
  const RunTimes& run_times_;
  std::vector<std::vector<const JobSpec*>> users_;  ///< by name id; each by submission
  Seconds stretch_{0};
  std::int64_t stretches_ = 0;
};

}  // namespace rehearse

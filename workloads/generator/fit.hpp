// workloads/generator/fit.hpp — a generator from the jobs of a trace.
//
// Each user with many submissions is a group of its own; the others are one group an account, with
// an exponent of Zipf's law. Sessions end where a user submits nothing for `session_gap` (Zakay and
// Feitelson, 2013, take 20 min). A spread is the simplest of a lognormal, a Weibull and a mixture
// of two lognormals that is near the sample (Kolmogorov-Smirnov distance and mean), else a table of
// quantiles.
#pragma once

#include <string>
#include <vector>

#include "workloads/generator/generator_conf.hpp"
#include "workloads/generator/workload_job.hpp"

namespace rehearse {

struct FitOptions {
  Seconds session_gap{1200};
  std::size_t own_jobs = 50;    ///< submissions from which on a user is a group
  std::size_t sizes_most = 40;  ///< of a kind
  double distance_most = 0.04;  ///< of a formula that replaces a sample
};

struct FittedGenerator {
  GeneratorConf conf;
  std::vector<std::string> notes;  ///< what was left out or pooled
};

/// `jobs` in order of submission, at least one.
[[nodiscard]] FittedGenerator fit_generator(const std::vector<WorkloadJob>& jobs,
                                            const TimeZone& zone, const FitOptions& options);

/// One user's submissions, cut into sessions: first and last place of each in `places`.
struct UserStream {
  std::string user;
  std::vector<std::size_t> places;  ///< in the list of jobs, ascending
  std::vector<std::size_t> begins;  ///< of sessions, places in `places`; the first is 0
};
/// By user, in order of their names.
[[nodiscard]] std::vector<UserStream> streams_of(const std::vector<WorkloadJob>& jobs,
                                                 Seconds session_gap);

/// A spread near the sample [s or counts], which is not empty.
[[nodiscard]] Distribution fit_spread(std::vector<double> sample, double distance_most);
/// What limits are asked for: pairs of run time [s] and limit [min].
struct LimitSample {
  double run = 0, limit = 0;
};
[[nodiscard]] AskedLimit fit_limit(const std::vector<LimitSample>& sample);

/// The normal scores of a sample by mid-ranks: equal values have equal scores.
[[nodiscard]] std::vector<double> normal_scores(const std::vector<double>& sample);
/// Pearson's; 0 for fewer than three pairs or where nothing varies.
[[nodiscard]] double correlation_of(const std::vector<double>& a, const std::vector<double>& b);

/// The kinds of a group of users, and what ties a session's jobs together.
struct FittedKinds {
  std::vector<JobKind> kinds;
  double repeat = 0, run_time_correlation = 0;
  std::size_t rare_sizes = 0;  ///< jobs whose size was replaced by a near one
};
[[nodiscard]] FittedKinds fit_kinds(const std::vector<WorkloadJob>& jobs,
                                    const std::vector<const UserStream*>& streams,
                                    const FitOptions& options);

}  // namespace rehearse

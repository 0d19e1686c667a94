// sim/study/forecast/forecast.hpp — when will the jobs that wait start? Many futures of one state.
//
// Each replication begins with what runs and waits at the instant. How long those jobs run is drawn
// from what jobs like them have done (run_times.hpp), who comes meanwhile is drawn from the past
// (arrivals.hpp), and the loops decide. A job's starts over the replications are its forecast.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/controller/opening.hpp"
#include "sim/study/forecast/arrivals.hpp"
#include "sim/study/forecast/run_times.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

struct ForecastRequest {
  std::filesystem::path site;
  LoadOptions options;  ///< start_from is the instant
  std::size_t replications = 100;
  std::uint64_t seed = 1;
  Seconds horizon{7 * 86400};  ///< later starts are "not within the horizon"
  bool arrivals = true;        ///< false: nobody comes any more
  std::size_t threads = 1;     ///< replications at once; the answer does not depend on it
};

/// A start that is not within the horizon.
inline constexpr std::int64_t kNotWithin = std::int64_t{1} << 40U;

/// One job, or one task of an array, that waits at the instant.
struct WaitingJob {
  JobId id{};  ///< of an array: the array's
  std::optional<std::uint32_t> task;
  JobId het_leader{};  ///< 0: not a component of a heterogeneous job
  std::uint32_t het_offset = 0;
  std::string user, account, partitions;
  Time submit;
  std::optional<SlurmTime> begin;  ///< --begin
  bool held = false;
  std::optional<SlurmTime> recorded_start;  ///< where the recording goes on
  std::optional<SlurmTime> slurm;           ///< Slurm's own estimate, of a snapshot

  /// As squeue prints it: `12`, `12_3`, `12+1`.
  [[nodiscard]] std::string name() const;
};

struct JobForecast {
  WaitingJob job;
  std::vector<std::int64_t> starts;  ///< [s after the instant], ascending; kNotWithin: not by then
  std::int64_t by_limits = kNotWithin;  ///< if all jobs ran to their limits and nobody came

  /// The smallest start that a share `p` of the replications does not exceed.
  [[nodiscard]] std::int64_t quantile(double p) const;
  /// The share of the replications in which it starts within that many seconds.
  [[nodiscard]] double within(Seconds span) const;
};

struct ForecastAnswer {
  SlurmTime at;
  std::vector<JobForecast> jobs;  ///< by P50, then id
  std::size_t running = 0, replications = 0, past_runs = 0;
  Seconds stretch{0};  ///< of arrivals; 0: none were drawn
  std::int64_t stretches = 0;
  OpeningCounts opened;             ///< of the first replication
  std::vector<std::string> doubts;  ///< one sentence each
};

class ForecastStudy {
 public:
  /// Loads the site at its instant. `base`: a loaded site whose jobs are the same, or null. Throws
  /// InputError; warnings are left in `found`.
  ForecastStudy(ForecastRequest request, const LoadedSite* base, Diagnostics& found);

  /// Those that wait at the instant.
  [[nodiscard]] const std::vector<WaitingJob>& waiting() const { return waiting_; }
  [[nodiscard]] const LoadedSite& site() const { return *site_; }

  /// None: interrupted. There must be one thread only (state_copy.hpp).
  [[nodiscard]] std::optional<ForecastAnswer> run(const std::atomic<bool>* interrupted) const;

 private:
  enum class Future : std::uint8_t { Drawn, ToTheLimits };
  void find_waiting();
  [[nodiscard]] std::string replicate(std::uint64_t number, Future future,
                                      const std::atomic<bool>* interrupted) const;
  [[nodiscard]] TraceJobs jobs_of(std::uint64_t number, Future future) const;
  void add_doubts(ForecastAnswer& answer) const;

  ForecastRequest request_;
  std::unique_ptr<LoadedSite> site_;
  std::unique_ptr<RunTimes> run_times_;
  std::unique_ptr<Arrivals> arrivals_;
  std::vector<WaitingJob> waiting_;
};

}  // namespace rehearse

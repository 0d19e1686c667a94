// sim/app/progress.hpp — how far a run is, on the terminal of who waits for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/config/time_zone.hpp"
#include "sim/controller/observer.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// `17s`, `4min05s`, `3h10min`.
[[nodiscard]] std::string time_left_text(double seconds);

/// How many jobs and tasks of arrays there are, drawn ones (--growth) and another site's too.
[[nodiscard]] std::uint64_t runs_of(const TraceJobs& jobs);

/// One line on stderr, drawn anew: simulated date, jobs/s, queue length, time left. Nothing is
/// drawn within the first two seconds, nor ever where stderr is no terminal. Wall time stays in
/// here.
class ProgressLine final : public Observer {
 public:
  /// `runs`: how many job runs the input has (runs_of); 0: not known.
  ProgressLine(TimeZone zone, std::uint64_t runs);

  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void job_cancelled(const Job& job, SlurmTime now) override;
  void progressed(SlurmTime now, std::size_t pending, std::size_t running) override;
  void run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) override;

  /// Wall time since the start [s].
  [[nodiscard]] double elapsed_s() const;

 private:
  using Clock = std::chrono::steady_clock;

  void draw(SlurmTime now, std::size_t pending, std::size_t running, Clock::time_point at);

  TimeZone zone_;
  std::uint64_t runs_;
  std::uint64_t done_ = 0;
  bool is_terminal_;
  bool drawn_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_draw_;
};

}  // namespace rehearse

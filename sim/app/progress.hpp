// sim/app/progress.hpp — how far a run is, for who waits for it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/app/progress_text.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/controller/observer.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// How many jobs and tasks of arrays there are, drawn ones (--growth) and another site's too.
[[nodiscard]] std::uint64_t runs_of(const TraceJobs& jobs);

/// Simulated date, jobs/s, queue length, time left.
class ProgressLine final : public Observer {
 public:
  /// `runs`: how many job runs the input has (runs_of); 0: not known. `label` begins each line.
  ProgressLine(TimeZone zone, std::uint64_t runs, std::string label = {});

  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void job_cancelled(const Job& job, SlurmTime now) override;
  void progressed(SlurmTime now, std::size_t pending, std::size_t running) override;
  void run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) override;

  /// Wall time since the start [s].
  [[nodiscard]] double elapsed_s() const { return text_.elapsed_s(); }

 private:
  TimeZone zone_;
  std::uint64_t runs_;
  std::uint64_t done_ = 0;
  std::string label_;
  ProgressText text_;
};

}  // namespace rehearse

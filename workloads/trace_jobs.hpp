// workloads/trace_jobs.hpp — the jobs of a trace, in order of submission.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/cluster/job_spec.hpp"
#include "sim/controller/job_source.hpp"

namespace rehearse {

/// How often a job ran in the trace, where it ran more than once (requeued, preempted).
struct RecordedRuns {
  JobId id{};  ///< JobIDRaw of the job or array task
  std::uint32_t runs = 0;
};

/// Specs by submit time, then id.
class TraceJobs final : public JobSource {
 public:
  TraceJobs() = default;
  explicit TraceJobs(std::vector<JobSpec> specs, std::vector<RecordedRuns> requeued = {});

  [[nodiscard]] const JobSpec* next() override;
  /// The next next() gives the first job again.
  void rewind() { position_ = 0; }

  /// Gives each spec to `change`, then sorts again. Before the first next().
  void change(const std::function<void(JobSpec&)>& change);

  [[nodiscard]] const std::vector<JobSpec>& specs() const { return specs_; }
  /// Ascending id.
  [[nodiscard]] const std::vector<RecordedRuns>& requeued() const { return requeued_; }

 private:
  void sort();

  std::vector<JobSpec> specs_;
  std::vector<RecordedRuns> requeued_;
  std::size_t position_ = 0;
};

/// Walks jobs that others walk too: one trace, many runs at once. The trace must outlive it.
class TraceReplay final : public JobSource {
 public:
  explicit TraceReplay(const TraceJobs& jobs) : specs_(&jobs.specs()) {}
  [[nodiscard]] const JobSpec* next() override;

 private:
  const std::vector<JobSpec>* specs_;
  std::size_t position_ = 0;
};

}  // namespace rehearse

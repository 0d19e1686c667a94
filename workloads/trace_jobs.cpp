// workloads/trace_jobs.cpp — sorts once, then walks.
#include "workloads/trace_jobs.hpp"

#include <algorithm>
#include <tuple>

namespace rehearse {

TraceJobs::TraceJobs(std::vector<JobSpec> specs, std::vector<RecordedRuns> requeued)
    : specs_(std::move(specs)), requeued_(std::move(requeued)) {
  sort();
  std::sort(requeued_.begin(), requeued_.end(),
            [](const RecordedRuns& a, const RecordedRuns& b) { return a.id < b.id; });
}

void TraceJobs::change(const std::function<void(JobSpec&)>& change) {
  for (JobSpec& spec : specs_) change(spec);
  sort();
}

void TraceJobs::sort() {
  const auto key = [](const JobSpec& spec) {
    return std::make_tuple(spec.submit, spec.id, spec.source_row);
  };
  std::sort(specs_.begin(), specs_.end(),
            [&](const JobSpec& a, const JobSpec& b) { return key(a) < key(b); });
}

std::optional<JobSpec> TraceJobs::next() {
  if (position_ >= specs_.size()) return std::nullopt;
  return specs_[position_++];
}

std::optional<JobSpec> TraceReplay::next() {
  if (position_ >= specs_->size()) return std::nullopt;
  return (*specs_)[position_++];
}

}  // namespace rehearse

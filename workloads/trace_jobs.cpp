// workloads/trace_jobs.cpp — sorts once, then walks.
#include "workloads/trace_jobs.hpp"

#include <algorithm>
#include <tuple>

namespace rehearse {

JobSpec copy_of(const JobSpec& spec) {
  JobSpec copy;
  copy.id = spec.id;
  copy.name = spec.name;
  copy.user = spec.user;
  copy.account = spec.account;
  copy.qos = spec.qos;
  copy.partitions = spec.partitions;
  copy.request = spec.request;
  copy.submit = spec.submit;
  copy.begin = spec.begin;
  copy.time_limit = spec.time_limit;
  copy.time_min = spec.time_min;
  copy.nice = spec.nice;
  copy.requeue = spec.requeue;
  copy.batch = spec.batch;
  copy.held = spec.held;
  copy.run = spec.run;
  copy.cancel_at = spec.cancel_at;
  copy.recorded_start = spec.recorded_start;
  copy.recorded_end = spec.recorded_end;
  copy.source_row = spec.source_row;
  if (spec.extras) copy.extras = std::make_unique<JobExtras>(*spec.extras);
  return copy;
}

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
  return copy_of(specs_[position_++]);
}

std::optional<JobSpec> TraceReplay::next() {
  if (position_ >= specs_->size()) return std::nullopt;
  return copy_of((*specs_)[position_++]);
}

}  // namespace rehearse

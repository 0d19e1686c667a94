// workloads/trace_jobs.cpp — sorts once, then walks.
#include "workloads/trace_jobs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

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
  using Key = std::tuple<Time, JobId, std::uint64_t, std::size_t>;
  const auto before = [](const JobSpec& a, const JobSpec& b) {
    return std::tie(a.submit, a.id, a.source_row) < std::tie(b.submit, b.id, b.source_row);
  };
  if (std::is_sorted(specs_.begin(), specs_.end(), before)) return;
  // A spec is long: small keys are sorted, and each spec moves once, into memory of its own. To
  // follow the circles of the order in place takes no more memory, and waits for each of its steps.
  std::vector<Key> keys;
  keys.reserve(specs_.size());
  for (const JobSpec& spec : specs_) {
    keys.emplace_back(spec.submit, spec.id, spec.source_row, keys.size());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<JobSpec> sorted;
  sorted.reserve(specs_.size());
  for (const Key& key : keys) sorted.push_back(std::move(specs_[std::get<3>(key)]));
  specs_ = std::move(sorted);
}

const JobSpec* TraceJobs::next() {
  return position_ < specs_.size() ? &specs_[position_++] : nullptr;
}

const JobSpec* TraceReplay::next() {
  return position_ < specs_->size() ? &(*specs_)[position_++] : nullptr;
}

}  // namespace rehearse

// sim/study/sizing/sized_jobs.cpp — a merge of two lists in order of key.
#include "sim/study/sizing/sized_jobs.hpp"

#include <algorithm>
#include <limits>

#include "sim/output/result_derived.hpp"

namespace rehearse {
namespace {

/// The job as it fared at this count.
JobOutcome outcome_at(const JobOutcome& at_most, const JobOutcome* found, const Result& result,
                      std::size_t& gave_up) {
  if (found == nullptr) {  // refused
    JobOutcome none;
    none.key = at_most.key;
    return none;
  }
  JobOutcome job = *found;
  const std::int64_t end = result.runs.end[job.row];
  // Refused at submission it is FAILED; cancelled, its user gave up.
  const bool is_cancelled =
      result.runs.state[job.row] == static_cast<std::uint8_t>(JobState::Cancelled);
  if (!job.has_started() && is_cancelled && end != kNoTime) {
    job.start = std::max(end, job.submit);
    ++gave_up;
  }
  return job;
}

}  // namespace

JobsAtMost jobs_at_most(const Result& largest, const Window& window) {
  JobsAtMost most;
  for (const JobOutcome& job : outcomes_of(largest, window)) {
    if (!job.has_started()) {
      ++most.never_started;
      continue;
    }
    most.groups.push_back(groups_of(largest, job.row, most.names));
    most.jobs.push_back(job);
  }
  most.never_started += refused_without_a_row(largest).size();
  return most;
}

JobsAtCount jobs_at_count(const JobsAtMost& most, const Result& result, const Window& window) {
  JobsAtCount at;
  at.pairs.window = window;
  for (std::size_t i = 1; i < most.names.size(); ++i) {  // the same ids
    (void)at.pairs.names.intern(most.names.text(id_at<NameId>(i)));
  }
  const std::vector<JobOutcome> here = outcomes_of(result, window);
  std::size_t next = 0;
  for (std::size_t i = 0; i < most.jobs.size(); ++i) {
    const JobKey& key = most.jobs[i].key;
    while (next < here.size() && here[next].key < key) ++next;
    const bool is_here = next < here.size() && here[next].key == key;
    const JobOutcome job =
        outcome_at(most.jobs[i], is_here ? &here[next] : nullptr, result, at.gave_up);
    at.pairs.pairs.push_back({job, job, most.groups[i]});
    if (!job.has_started()) ++at.pairs.never_started;
  }
  number_users(at.pairs);
  return at;
}

Window submission_window(const LoadedSite& site) {
  Window window{std::numeric_limits<std::int64_t>::max(), kNoTime};
  for (const JobSpec& spec : site.jobs().specs()) {
    window.from = std::min(window.from, epoch_seconds(spec.submit));
    window.to = std::max(window.to, epoch_seconds(spec.submit));
  }
  if (site.start) window.from = std::max(window.from, epoch_seconds(site.start->at));
  return window.to >= window.from ? window : Window{};
}

}  // namespace rehearse

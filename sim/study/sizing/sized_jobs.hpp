// sim/study/sizing/sized_jobs.hpp — the same jobs at every count: who they are is asked of the run
// at the largest one.
//
// A figure over "jobs that started" would call a small cluster good for the jobs that it never
// starts. So the jobs are those that start at the largest count, whoever they belong to there. One
// that its user cancels while it waits has waited until then, at least; one that is refused, or
// waits for ever, cannot run at that count.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/study/comparison/job_pairs.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

/// The jobs of the run at the largest count.
struct JobsAtMost {
  std::vector<JobOutcome> jobs;                             ///< that started, in order of key
  std::vector<std::array<NameId, kPairScopeCount>> groups;  ///< of each
  NamePool names;
  std::size_t never_started = 0;  ///< there: at no count that was tried to its end
};

[[nodiscard]] JobsAtMost jobs_at_most(const Result& largest, const Window& window);

/// The jobs at some count, each paired with itself; what never started there has no start.
struct JobsAtCount {
  JobPairs pairs;           ///< users are numbered alike at every count
  std::size_t gave_up = 0;  ///< cancelled while pending: their wait is what it was by then
};
[[nodiscard]] JobsAtCount jobs_at_count(const JobsAtMost& most, const Result& result,
                                        const Window& window);

/// From the first submission of the site's jobs to the last.
[[nodiscard]] Window submission_window(const LoadedSite& site);

}  // namespace rehearse

// sim/output/kpi/job_fates.hpp — what became of each job over all of its runs.
#pragma once

#include <limits>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

struct JobFate {
  /// Bounded slowdown (Feitelson and Rudolph, 1998): max(1, response / max(work, 10 s)). Response:
  /// from the first submission to the end of the last run. Work: what the runs took without
  /// suspensions, of one that was lost only what the next went on from. NaN: it has not ended.
  double slowdown = std::numeric_limits<double>::quiet_NaN();
  /// Its last run was preempted or lost its nodes, and it did not come back into the queue.
  bool is_killed = false;
  /// It ran, and its last run has ended for good; `has_failed`: as FAILED, NODE_FAIL, BOOT_FAIL or
  /// OUT_OF_MEMORY.
  bool has_ended = false, has_failed = false;
};

/// By row of runs, of the job whose first run that is; nothing in the other rows.
[[nodiscard]] std::vector<JobFate> job_fates(const Result& result);

}  // namespace rehearse

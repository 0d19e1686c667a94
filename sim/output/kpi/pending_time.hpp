// sim/output/kpi/pending_time.hpp — for how long jobs pended, by Reason; those that pend to the end
// of the run apart.
//
// A run goes on until nothing more can happen: what pends then would for ever, and its hours tell
// how long the run was, not how busy the cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// Job-seconds pending for one Reason.
struct PendingTime {
  std::uint64_t over = 0;  ///< of jobs that started, or were cancelled [s]
  std::uint64_t left = 0;  ///< of jobs that still pend at the end of the run [s]
};

/// By the number of the Reason.
[[nodiscard]] std::map<std::uint16_t, PendingTime> pending_time(const Result& result);

/// Does the run end before this row of jobs starts or is cancelled?
[[nodiscard]] bool pends_at_the_end(const RunColumns& runs, std::size_t row);
/// Of the jobs of each row of waits, how many do. What is left of an array has waited with the
/// tasks that it was split from.
[[nodiscard]] std::vector<std::uint32_t> jobs_left(const Result& result);

}  // namespace rehearse

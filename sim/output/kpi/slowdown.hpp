// sim/output/kpi/slowdown.hpp — what waiting, suspensions and lost runs cost a job beside the time
// that its work took.
#pragma once

#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// Bounded slowdown of the job of each row that is its first run (Feitelson and Rudolph, 1998):
/// max(1, response / max(work, 10 s)). Response: from its first submission to the end of its last
/// run. Work: what its runs took without suspensions, of one that was lost only what the next went
/// on from. NaN: another row, or the job has not ended for good.
[[nodiscard]] std::vector<double> bounded_slowdowns(const Result& result);

}  // namespace rehearse

// sim/output/kpi/idle_sweep.hpp — why GPUs stood idle, from one change of the cluster to the next.
//
// Idle GPUs count as wanted as far as jobs that wait ask for them and could use their nodes
// (gpu_reach.hpp): those with the least choice first, each on the nodes that the fewest others can
// use. Of what is wanted in a pool of nodes, what stands on nodes without a free CPU or free memory
// is held by that, and the rest by the Reasons of the jobs that want it, as many GPUs as they ask
// for. What none but jobs that pend to the end of the run want stands apart.
#pragma once

#include <cstdint>

#include "sim/output/kpi/idle_causes.hpp"

namespace rehearse {

/// GPU-seconds that were idle in [from, to) by cause; Busy and Unavailable stay zero.
[[nodiscard]] GpuHoursByCause idle_gpu_seconds(const Result& result, std::int64_t from,
                                               std::int64_t to);

}  // namespace rehearse

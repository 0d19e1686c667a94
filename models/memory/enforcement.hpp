// models/memory/enforcement.hpp — what becomes of a program that uses more memory than its job
// holds.
#pragma once

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/cluster/job_spec.hpp"

namespace rehearse {

/// The truth of a run on that allocation. Where memory is enforced (cgroup.conf ConstrainRAMSpace
/// under TaskPlugin=task/cgroup, or JobAcctGatherParams=OverMemoryKill) and the recorded MaxRSS
/// [MiB] is more than the run may use on the node where it holds least, the run ends as
/// OUT_OF_MEMORY after memory.peak_at of its run time [site.yaml]; else it is unchanged. MaxRSS is
/// that of one task, so this finds too few such runs, never too many.
[[nodiscard]] TrueRun run_within_memory(const TrueRun& run, const Allocation& allocation,
                                        const SiteInputs& inputs);

}  // namespace rehearse

// workloads/recorded_history.hpp — sacct text as a history: which runs started where, by which
// loop.
#pragma once

#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/controller/forced_history.hpp"
#include "sim/core/error.hpp"
#include "workloads/input.hpp"
#include "workloads/sacct_options.hpp"

namespace rehearse {

/// The runs of sacct text (`-P`, with Flags and NodeList), by start, then line; jobs that never ran
/// are left out. Hosts that `cluster` does not have, unreadable node lists and missing columns are
/// errors in `found`.
[[nodiscard]] std::vector<ForcedRun> read_recorded_runs(const InputText& input,
                                                        const SacctOptions& options,
                                                        const Cluster& cluster, Diagnostics& found);

}  // namespace rehearse

// workloads/recorded_history.hpp — sacct text as a history: which runs started where, by which
// loop.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/controller/forced_history.hpp"
#include "sim/core/error.hpp"
#include "workloads/input.hpp"
#include "workloads/sacct_options.hpp"

namespace rehearse {

/// What the reader of a history needs of its rows.
enum class HistoryUse : std::uint8_t {
  Decisions,  ///< by which loop and on which nodes: a row without is an error
  Places,     ///< the nodes, where they are told and exist; Flags are not looked at
};

/// The runs of sacct text (`-P`), by start, then line; jobs that never ran are left out. For
/// Decisions, hosts that `cluster` does not have, unreadable node lists and missing columns are
/// errors in `found`.
[[nodiscard]] std::vector<ForcedRun> read_recorded_runs(InputStream input,
                                                        const SacctOptions& options,
                                                        const Cluster& cluster, Diagnostics& found,
                                                        HistoryUse use = HistoryUse::Decisions);

}  // namespace rehearse

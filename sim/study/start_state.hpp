// sim/study/start_state.hpp — what pends and runs at an instant of a site's recorded time, as the
// beginning of a run: `--start-from`.
//
// Two kinds of instants. `snapshot` is that of the site's snapshot/ (collect): usage, nodes,
// reservations, holds and dependencies are what Slurm printed then. Any other lies in the recorded
// past: usage is summed up from the runs before it, nodes are as events tell, and the rest is not
// known.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/controller/forced_history.hpp"
#include "sim/controller/opening.hpp"
#include "sim/core/error.hpp"
#include "sim/study/snapshot_queue.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

struct LoadedSite;

/// The word for the instant of the site's snapshot/.
inline constexpr std::string_view kSnapshotWord = "snapshot";

struct StartState {
  SlurmTime at;
  bool is_snapshot = false;
  Opening opening;
  TraceJobs jobs;  ///< what is there at `at`, arrays without the tasks that are over; then the rest
  std::size_t running = 0, pending = 0;  ///< tasks
  std::size_t stale = 0;  ///< RUNNING in sacct, and beyond their limits by hours: taken for gone
  SnapshotQueue queue;    ///< of a snapshot
};

/// The instant that `text` names: `snapshot`, or a time of the site's zone. None: told in `found`.
[[nodiscard]] std::optional<SlurmTime> start_instant_of(const LoadedSite& site,
                                                        const std::string& text,
                                                        Diagnostics& found);

/// The state at `at`; `runs` say where jobs ran. Who is in `queue` runs, however far beyond a
/// limit.
[[nodiscard]] StartState state_at(const LoadedSite& site, SlurmTime at,
                                  const std::vector<ForcedRun>& runs, SnapshotQueue queue = {});

/// Makes the loaded site begin at the instant that `text` names: LoadedSite::start, the usage of
/// its accounts, its reservations and the commands for its nodes.
void begin_at(LoadedSite& site, const std::string& text, Diagnostics& found);

}  // namespace rehearse

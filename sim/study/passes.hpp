// sim/study/passes.hpp — recorded starts as passes of the loops that made them, and how a pass of
// ours compares.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/controller/forced_history.hpp"
#include "workloads/controller_log.hpp"

namespace rehearse {

/// The starts that one pass of a loop made, and the victims that it chose.
struct RecordedPass {
  StartedBy loop = StartedBy::Main;
  Time at;                        ///< begin of a known cycle; else the end of the starts' second
  std::vector<std::size_t> runs;  ///< positions in the history, ascending
  std::vector<std::size_t> signals = {};  ///< likewise
};

/// The logged victims; each belongs to the loop that had begun last.
[[nodiscard]] std::vector<ForcedSignal> recorded_signals(const ControllerLog& log,
                                                         const std::vector<Time>& cycles);

/// Which loop started the runs of which sacct does not tell it (ForcedRun::keeps_loop): the one
/// that was at work in that second and, of both, backfill if it tried a job then.
void settle_loops(std::vector<ForcedRun>& runs, const ControllerLog& log);

/// The requeue of a finished job ends its row in the accounts anew, at the requeue: the log knows
/// when its program ended, and that its nodes were free from then on (lifecycle.md §10). The row of
/// a run that is cancelled while it is suspended ends where the suspension began: the log knows
/// when.
void end_when_logged(std::vector<ForcedRun>& runs, const ControllerLog& log);

/// Marks the runs that ended after all starts of their last second (ForcedRun::ends_late): the log
/// knows when the end came in, when passes of the main loop began, and when backfill came to a job.
void find_late_ends(std::vector<ForcedRun>& runs, const ControllerLog& log);

/// Groups starts by loop and second. Where the instants at which backfill cycles began are known
/// (`cycles`, ascending), a backfill start belongs to the last cycle that began in its second or
/// within the three before, and the pass is at that instant. Starts of the main loop on nodes where
/// it killed victims in that very second, or of the jobs for which it did, are a second pass of
/// that second. Runs that neither the main loop nor backfill started belong to no pass. So with
/// `signals`. By instant.
[[nodiscard]] std::vector<RecordedPass> group_passes(const std::vector<ForcedRun>& runs,
                                                     const std::vector<Time>& cycles,
                                                     const std::vector<ForcedSignal>& signals = {});

/// A job's start as one side has it.
struct DecidedStart {
  JobId job{};
  std::vector<NodeId> nodes;  ///< ascending
};

/// A victim and for whom, as one side has it.
struct DecidedSignal {
  JobId victim{}, preemptor{};
  friend bool operator==(const DecidedSignal&, const DecidedSignal&) = default;
};

/// What two sides have in common: counts of starts, or of victims (which have no nodes of their
/// own: all that are the same are on the same).
struct Agreement {
  std::size_t recorded = 0, made = 0;
  std::size_t same_job = 0;    ///< made by both
  std::size_t same_nodes = 0;  ///< of these: on the same nodes

  /// More in common, fewer surplus starts.
  [[nodiscard]] bool is_better_than(const Agreement& other) const;
  [[nodiscard]] bool is_whole() const { return same_nodes == recorded && made == recorded; }
  Agreement& operator+=(const Agreement& other);
};

[[nodiscard]] Agreement compare_starts(const std::vector<DecidedStart>& recorded,
                                       const std::vector<DecidedStart>& made);
[[nodiscard]] Agreement compare_signals(const std::vector<DecidedSignal>& recorded,
                                        const std::vector<DecidedSignal>& made);

}  // namespace rehearse

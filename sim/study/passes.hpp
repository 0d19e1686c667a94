// sim/study/passes.hpp — recorded starts as passes of the loops that made them, and how a pass of
// ours compares.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/controller/forced_history.hpp"

namespace rehearse {

/// The starts that one pass of a loop made.
struct RecordedPass {
  StartedBy loop = StartedBy::Main;
  Time at;                        ///< begin of a known cycle; else the end of the starts' second
  std::vector<std::size_t> runs;  ///< positions in the history, ascending
};

/// Groups starts by loop and second. Where the instants at which backfill cycles began are known
/// (`cycles`, ascending), a backfill start belongs to the last cycle that began in its second or
/// within the three before, and the pass is at that instant. Runs that neither the main loop nor
/// backfill started belong to no pass. By instant.
[[nodiscard]] std::vector<RecordedPass> group_passes(const std::vector<ForcedRun>& runs,
                                                     const std::vector<Time>& cycles);

/// A job's start as one side has it.
struct DecidedStart {
  JobId job{};
  std::vector<NodeId> nodes;  ///< ascending
};

/// What two sides have in common: counts of starts.
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

}  // namespace rehearse

// sim/study/decisions.hpp — does each loop decide as the recorded one did, on the recorded state?
//
// The recorded history is forced on the controller; at each recorded pass the loop that made its
// starts is run on a copy of that state, and what it starts is compared. One disagreement does not
// spoil the next pass.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/load_site.hpp"
#include "sim/study/passes.hpp"
#include "sim/study/table_agreement.hpp"

namespace rehearse {

struct DecisionOptions {
  std::size_t passes_max = 2000;  ///< of more, an even sample is asked
};

/// The figures of one loop.
struct LoopDecisions {
  std::size_t passes = 0;
  std::size_t ties = 0;  ///< passes that agree more in another order of the facts of their second
  Agreement starts;
  Agreement victims;  ///< where the recording's log tells whom it preempted
};

struct Disagreement {
  Time at;
  StartedBy loop = StartedBy::Main;
  JobId job{};
  std::string what, ours, theirs;  ///< the kind, and the reason of each side
};

/// A recorded run that does not fit on its recorded nodes; it is left out of the state.
struct NotPlaced {
  JobId job{};
  SlurmTime start;
  std::string why;
};

/// A recorded run that holds another number of CPUs on its recorded nodes than it did.
struct OtherCpus {
  JobId job{};
  SlurmTime start;
  std::uint64_t ours = 0, theirs = 0;
};

struct Decisions {
  LoopDecisions main, backfill;
  std::size_t passes_recorded = 0;
  std::size_t runs_of_no_loop = 0;          ///< SchedSubmit, or no flag that tells
  std::vector<Disagreement> disagreements;  ///< by instant
  std::vector<NotPlaced> not_placed;        ///< by instant
  std::size_t runs_of_known_cpus = 0;       ///< placed, and the recording tells their CPUs
  std::vector<OtherCpus> other_cpus;        ///< of them; by instant
  TableAgreement tables;                    ///< of the folder samples/, where there is one
};

/// Whole seconds leave the order of a pass and of the ends, submissions and starts of its second
/// open. The loop is asked in the orders that are possible until one agrees in full; the best
/// counts, and is a tie where it is not the first: ends first and their nodes clean, then
/// submissions, then the pass, then another loop's starts.
/// A pass of which only the second is known may go on into the next: where ours starts all that
/// both seconds recorded, the two are one pass. Throws InputError. Uses the site up.
[[nodiscard]] Decisions compare_decisions(LoadedSite& site, const LoadOptions& load,
                                          const DecisionOptions& options);

}  // namespace rehearse

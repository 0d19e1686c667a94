// sim/sched/future_ledgers.hpp — what is held once the jobs that end first are gone.
//
// Every search of an estimate asks for such states, and on an unchanged cluster most ask for the
// same ones: jobs are counted off one list, in the order of their ends. A few states are kept; in
// each, a node is made up when somebody looks at it: from the present one, and the jobs on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster/ledger.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class FutureLedgers {
 public:
  FutureLedgers(const Ledger& present, const RunningJobs& running)
      : present_(present), running_(running) {}

  /// `present` without the first `gone` jobs of `running.by_end()`; gone ≤ their number. Of these
  /// `nodes` only: the others are anything. Good until the next call. Not for ledgers whose cores
  /// are shared: their rows remember an order.
  [[nodiscard]] const Ledger& without_first(std::size_t gone, const NodeSet& nodes);

  /// The present ledger, or the list of ends, has changed.
  void forget() { known_ = 0; }
  /// Nothing of what was known before is used again; nodes may be made otherwise.
  void start_anew() {
    forget();
    states_.clear();
  }

 private:
  struct State {
    std::size_t gone = 0;
    std::uint64_t asked = 0;  ///< when last: the longest unasked makes room
    Ledger ledger;
    NodeSet made_up;  ///< its nodes that are as they would be
  };
  [[nodiscard]] State& state_of(std::size_t gone);
  [[nodiscard]] State& room();

  const Ledger& present_;
  const RunningJobs& running_;
  std::vector<State> states_;  ///< the first known_ are good; the rest is memory to use again
  std::size_t known_ = 0;
  std::uint64_t asked_ = 0;
};

}  // namespace rehearse

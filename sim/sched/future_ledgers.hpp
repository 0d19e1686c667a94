// sim/sched/future_ledgers.hpp — what is held once the jobs that end first are gone.
//
// Every search of an estimate asks for such states, and on an unchanged cluster most ask for the
// same ones: jobs are counted off one list, in the order of their ends. A few states are kept, each
// made from the one before it, so that a cycle takes each job out a few times and not once for each
// question. From one state of the cluster to the next a few nodes change: a ledger that is to be
// another takes over these, and those that its own jobs had left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster/content_watch.hpp"
#include "sim/cluster/ledger.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class FutureLedgers {
 public:
  FutureLedgers(const Ledger& present, const RunningJobs& running)
      : present_(present), running_(running) {}

  /// `present` without the first `gone` jobs of `running.by_end()`; gone ≤ their number. Good until
  /// the next call. Not for ledgers whose cores are shared: their rows remember an order.
  [[nodiscard]] const Ledger& without_first(std::size_t gone);

  /// The present ledger, or the list of ends, has changed.
  void forget() {
    known_ = 0;
    is_seen_ = false;
  }
  /// Nothing of what was known before is used again, not even where it is the same.
  void start_anew() {
    forget();
    states_.clear();
  }

 private:
  struct State {
    std::size_t gone = 0;
    std::uint64_t asked = 0;  ///< when last: the longest unasked makes room
    Ledger ledger;
    NodeSet others;  ///< nodes that are not as in the present ledger; there may be more of them
  };
  [[nodiscard]] State& room();
  void see_present();

  const Ledger& present_;
  const RunningJobs& running_;
  std::vector<State> states_;  ///< the first known_ are good; the rest is memory to use again
  std::size_t known_ = 0;
  std::uint64_t asked_ = 0;
  bool is_seen_ = false;  ///< the present ledger, since it changed
  ContentWatch watch_;
};

}  // namespace rehearse

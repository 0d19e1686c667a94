// sim/sched/future_ledgers.hpp — what is held once the jobs that end first are gone.
//
// Every search of an estimate asks for such states, and on an unchanged cluster most ask for the
// same ones: jobs are counted off one list, in the order of their ends. A few states are kept. What
// a node looks like once the first of its own jobs are gone is the same in all of them, and as long
// as nothing changes there: it is worked out once. All that is held of it, only where that look is
// new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/cluster/ledger.hpp"
#include "sim/sched/ledger_outline.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class FutureLedgers {
 public:
  FutureLedgers(const Ledger& present, const RunningJobs& running)
      : present_(present), running_(running) {}

  /// `present` without the first `gone` jobs of `running.by_end()`; gone ≤ their number. Of these
  /// `nodes` only: the others are anything. Good until the next call. Not for ledgers whose cores
  /// are shared: their rows remember an order.
  [[nodiscard]] const LedgerOutline& without_first(std::size_t gone, const NodeSet& nodes);

  /// The present ledger, or the list of ends, has changed.
  void forget() { known_ = 0; }
  /// Nothing of what was known before is used again; nodes may be made otherwise.
  void start_anew() {
    forget();
    states_.clear();
    looks_.clear();
  }

 private:
  class State final : public LedgerOutline {
   public:
    explicit State(FutureLedgers& all)
        : LedgerOutline(ledger_),
          all_(&all),
          present_(&all.present_),
          running_(&all.running_),
          ledger_(*present_) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void complete(NodeId node) const override;

   private:
    friend class FutureLedgers;
    void outline(const NodeSet& nodes);
    template <typename Use>
    void for_each_gone(NodeId node, Use use) const;

    FutureLedgers* all_;
    const Ledger* present_;
    const RunningJobs* running_;
    std::size_t gone_ = 0;
    std::uint64_t asked_ = 0;  ///< when last: the longest unasked makes room
    NodeSet outlined_;         ///< nodes with their contents
    mutable Ledger ledger_;
    mutable NodeSet completed_;  ///< of them: with all that is held
  };
  /// What a node looks like once the first of its jobs are gone, by their number.
  struct Looks {
    NodeContent present;     ///< good for this one
    std::uint64_t jobs = 0;  ///< and RunningJobs::look_of()
    std::vector<NodeContent> without;
  };
  [[nodiscard]] const Looks& looks_of(NodeId node);
  [[nodiscard]] State& state_of(std::size_t gone);
  [[nodiscard]] State& room();

  const Ledger& present_;
  const RunningJobs& running_;
  std::vector<std::unique_ptr<State>> states_;  ///< the first known_ are good
  std::size_t known_ = 0;
  std::uint64_t asked_ = 0;
  std::vector<Looks> looks_;  ///< by node
};

}  // namespace rehearse

// sim/sched/ledger_outline.hpp — a ledger of which what a node looks like is known before what is
// held of it.
#pragma once

#include "sim/cluster/ledger.hpp"

namespace rehearse {

/// Of its nodes Ledger::content() is right, and shares_cores(); all else once they are completed.
class LedgerOutline {
 public:
  LedgerOutline(const LedgerOutline&) = delete;
  LedgerOutline& operator=(const LedgerOutline&) = delete;

  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// Works out all that is held of the node; of one that has been, nothing.
  virtual void complete(NodeId node) const = 0;

 protected:
  explicit LedgerOutline(const Ledger& ledger) : ledger_(ledger) {}
  ~LedgerOutline() = default;

 private:
  const Ledger& ledger_;
};

}  // namespace rehearse

// sim/sched/select/able_now.hpp — the nodes that may serve a request as things stand, looked at
// again only where what jobs hold of a node has changed.
//
// Most selections of a pass fail, and the next one finds the cluster as it was, or a node or two
// that are other than before.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/cluster/content_watch.hpp"
#include "sim/sched/select/quick_test.hpp"

namespace rehearse {

class AbleNow {
 public:
  using Key = std::pair<RequestId, PartitionId>;

  /// Takes from `nodes` those that cannot serve the request as its partition rules it
  /// (drop_unable). `ledger`: not a copy, whose stamps may repeat.
  void narrow(NodeSet& nodes, const Ledger& ledger, const Key& key, const EffectiveRequest& request,
              const IdVector<NodeId, Node>& all) {
    see(ledger);
    Known& known = known_[key];
    forget_changed(known, all.size());
    NodeSet fresh = nodes - known.asked;
    if (fresh.any()) {
      known.asked |= fresh;
      drop_unable(fresh, ledger, request, all);
      known.able |= fresh;
    }
    nodes &= known.able;
  }

  /// To be called after nodes or partitions were changed.
  void forget() { known_.clear(); }

 private:
  struct Known {
    std::uint64_t state = 0;  ///< 0: nothing was asked
    NodeSet asked, able;
  };

  /// Finds out which nodes have changed, once for each state of the ledger.
  void see(const Ledger& ledger) {
    if (ledger_ == &ledger && stamp_ == ledger.stamp()) return;
    ledger_ = &ledger;
    stamp_ = ledger.stamp();
    ++state_;
    changed_[state_ % changed_.size()] = watch_.changed(ledger);
  }

  void forget_changed(Known& known, std::size_t nodes) {
    if (known.state == 0 || state_ - known.state > changed_.size()) {
      known.asked = known.able = NodeSet(nodes);
    } else {
      while (known.state < state_) known.asked -= changed_[++known.state % changed_.size()];
    }
    known.state = state_;
    known.able &= known.asked;
  }

  std::map<Key, Known> known_;
  std::uint64_t state_ = 0;         ///< counts the states seen
  const Ledger* ledger_ = nullptr;  ///< of the last
  std::uint64_t stamp_ = 0;         ///< of the last
  ContentWatch watch_;
  std::array<NodeSet, 64> changed_;  ///< by state, of the last few: nodes other than before it
};

}  // namespace rehearse

// sim/sched/select/able_now.hpp — the nodes that may serve a request as things stand, looked at
// once for each state of the ledger.
//
// Most selections of a pass fail, and the next one finds the cluster as it was.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sim/sched/select/quick_test.hpp"

namespace rehearse {

class AbleNow {
 public:
  using Key = std::pair<RequestId, PartitionId>;

  /// Takes from `nodes` those that cannot serve the request as its partition rules it
  /// (drop_unable). `ledger`: not a copy, whose stamps may repeat.
  void narrow(NodeSet& nodes, const Ledger& ledger, const Key& key, const EffectiveRequest& request,
              const IdVector<NodeId, Node>& all) {
    Known& known = known_[key];
    if (known.ledger != &ledger || known.stamp != ledger.stamp()) {
      known = {&ledger, ledger.stamp(), NodeSet(all.size()), NodeSet(all.size())};
    }
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
    const Ledger* ledger = nullptr;
    std::uint64_t stamp = 0;
    NodeSet asked, able;
  };

  std::map<Key, Known> known_;
};

}  // namespace rehearse

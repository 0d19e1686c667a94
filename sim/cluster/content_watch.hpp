// sim/cluster/content_watch.hpp — which nodes are held otherwise than when it was asked last: a
// few, from one state of a cluster to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/ledger.hpp"
#include "sim/cluster/node_content.hpp"

namespace rehearse {

class ContentWatch {
 public:
  /// Before the first question nothing was held of any node.
  [[nodiscard]] NodeSet changed(const Ledger& ledger) {
    const std::size_t nodes = ledger.idle().size();
    seen_.resize(nodes);
    NodeSet changed(nodes);
    std::size_t n = 0;
    for (; n + kBlock <= nodes; n += kBlock) {
      if (!is_as_seen(ledger, n)) look(ledger, n, n + kBlock, changed);
    }
    look(ledger, n, nodes, changed);
    return changed;
  }

 private:
  /// Nodes that are compared at once: most blocks of them have not changed.
  static constexpr std::size_t kBlock = 8;

  [[nodiscard]] bool is_as_seen(const Ledger& ledger, std::size_t first) const {
    const NodeContent* now = &ledger.content(id_at<NodeId>(first));
    const NodeContent* seen = &seen_[first];
    std::uint64_t differs = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      differs |= (now[i].high ^ seen[i].high) | (now[i].low ^ seen[i].low);
    }
    return differs == 0;
  }
  void look(const Ledger& ledger, std::size_t n, std::size_t end, NodeSet& changed) {
    for (; n < end; ++n) {
      const NodeContent& content = ledger.content(id_at<NodeId>(n));
      if (std::exchange(seen_[n], content) != content) changed.set(n);
    }
  }

  std::vector<NodeContent> seen_;  // by node
};

}  // namespace rehearse

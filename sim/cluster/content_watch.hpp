// sim/cluster/content_watch.hpp — which nodes are held otherwise than when it was asked last: a
// few, from one state of a cluster to the next.
#pragma once

#include <cstddef>
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
    for (std::size_t n = 0; n < nodes; ++n) {
      const NodeContent& content = ledger.content(id_at<NodeId>(n));
      if (std::exchange(seen_[n], content) != content) changed.set(n);
    }
    return changed;
  }

 private:
  std::vector<NodeContent> seen_;  // by node
};

}  // namespace rehearse

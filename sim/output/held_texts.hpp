// sim/output/held_texts.hpp — the texts of what runs hold, each made once.
//
// Nodes are made alike and jobs ask for the same few amounts: of most starts the texts have been
// made before.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/node_classes.hpp"

namespace rehearse {

class HeldTexts {
 public:
  /// Positions among the texts.
  struct Devices {
    std::uint32_t devices = 0;  ///< device_text()
    std::uint32_t visible = 0;  ///< cuda_visible_text()
  };

  /// Of one node's share; new ones are added to `texts`.
  [[nodiscard]] Devices devices(const NodeShare& share, const Cluster& cluster, NamePool& texts);
  /// format_tres_sacct() among `texts`.
  [[nodiscard]] std::uint32_t tres(const TresVector& amounts, const Cluster& cluster,
                                   NamePool& texts);
  /// To be called after devices of nodes were changed.
  void nodes_changed() {
    classes_ = {};
    devices_.clear();
  }

 private:
  using Key = std::vector<std::uint64_t>;  ///< the class of the node, and each device held

  IdVector<NodeId, std::uint32_t> classes_;  ///< nodes made alike; empty: not yet known
  Key key_;                                  ///< memory of devices()
  std::map<Key, Devices> devices_;
  std::map<TresVector, std::uint32_t> tres_;
};

}  // namespace rehearse

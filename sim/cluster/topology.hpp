// sim/cluster/topology.hpp — the switches of topology.conf, as node sets (scheduling.md §6.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/node.hpp"
#include "sim/config/topology_conf.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

struct Switch {
  std::string name;
  std::uint32_t level = 0;   ///< 0: a leaf
  std::int32_t parent = -1;  ///< position in the table; -1: top
  NodeSet nodes;             ///< of all leaves below
};

struct Topology {
  std::vector<Switch> switches;  ///< the table: in the order of topology.conf

  /// Hops between two switches, going up to the first common one.
  [[nodiscard]] std::uint32_t distance(std::size_t a, std::size_t b) const;
};

/// Unknown nodes and switches, and cycles, are errors in `found`.
[[nodiscard]] Topology make_topology(const std::vector<SwitchConf>& conf,
                                     const IdVector<NodeId, Node>& nodes, const NamePool& names,
                                     Diagnostics& found);

}  // namespace rehearse

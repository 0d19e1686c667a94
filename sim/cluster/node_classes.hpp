// sim/cluster/node_classes.hpp — nodes that are made alike: clusters have thousands of nodes and a
// few kinds.
#pragma once

#include <cstdint>

#include "sim/cluster/node.hpp"

namespace rehearse {

/// By node: a number that it shares with every node of the same sockets, cores, memory and devices,
/// whatever their names, weights, features and states. Numbers count up from 0.
[[nodiscard]] IdVector<NodeId, std::uint32_t> classes_of(const IdVector<NodeId, Node>& nodes);

}  // namespace rehearse

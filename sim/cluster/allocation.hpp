// sim/cluster/allocation.hpp — what a job holds: cores, memory and devices, node by node.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/core_set.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/core/short_list.hpp"

namespace rehearse {

/// Units of one device (1 for a whole device). Count-only GRES have no device: kNoDevice.
struct DeviceShare {
  static constexpr std::uint16_t kNoDevice = UINT16_MAX;
  std::uint16_t gres = 0;    ///< position among the node's GRES
  std::uint16_t device = 0;  ///< position among that GRES's devices
  std::uint64_t units = 1;
  friend bool operator==(const DeviceShare&, const DeviceShare&) = default;
};

struct NodeShare {
  NodeId node{};
  std::uint32_t cpus = 0;  ///< CPUs charged
  std::uint64_t memory_mib = 0;
  CoreSet cores;
  ShortList<DeviceShare, 8> devices;  ///< in place: those of a node with eight GPUs
  friend bool operator==(const NodeShare&, const NodeShare&) = default;
};

struct Allocation {
  std::vector<NodeShare> nodes;  ///< ascending node index
  std::uint32_t cpus = 0;        ///< sum over nodes
  bool whole_nodes = false;      ///< --exclusive or an EXCLUSIVE partition
  bool reserves_nodes = false;   ///< the latter: no job beside it, whichever is suspended
  bool shares_cores = false;     ///< other jobs may hold the same cores (scheduling.md §5.3)
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

}  // namespace rehearse

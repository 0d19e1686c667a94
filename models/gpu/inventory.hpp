// models/gpu/inventory.hpp — what each GPU of a cluster is: a model of the catalogue, whole or a
// MIG instance of it, or unknown.
//
// node_hardware of site.yaml says it; else the device's Type, where it names a model or a MIG
// instance of one. A name that several models bear stands for its default, which `rehearse check`
// tells. Nothing is guessed from counts or CPUs: what is unknown stays neutral.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/catalogue.hpp"
#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// One device of GRES `gpu`.
struct GpuDevice {
  const GpuModel* model = nullptr;      ///< null: not known
  const MigProfile* profile = nullptr;  ///< null: the whole device
};

/// Devices that are known (or not) for the same reason, for `rehearse check`.
struct GpuKind {
  std::string type;  ///< as slurm.conf has it; empty: none
  GpuDevice device;
  bool by_node_hardware = false;
  bool assumed = false;  ///< the Type is a name of several models
  std::uint32_t devices = 0;
  NodeId first_node{};
};

class GpuInventory {
 public:
  GpuInventory() = default;
  /// `catalogue` must outlive it. Findings (unknown nodes, models, MIG profiles) go to `found`.
  GpuInventory(const Cluster& cluster, const GpuCatalogue& catalogue, Diagnostics& found);

  /// `device`: index in the node's GRES `gpu`, which is also that of the device under an mps or
  /// shard device. One that the node has not: unknown.
  [[nodiscard]] GpuDevice device(NodeId node, std::size_t device) const;
  /// By first device, in order of nodes.
  [[nodiscard]] const std::vector<GpuKind>& kinds() const { return kinds_; }
  [[nodiscard]] bool knows_any() const;

 private:
  IdVector<NodeId, std::vector<GpuDevice>> devices_;
  std::vector<GpuKind> kinds_;
};

/// The GRES `gpu` of a node, or null.
[[nodiscard]] const NodeGres* gpus_of(const Node& node, const NamePool& names);

}  // namespace rehearse

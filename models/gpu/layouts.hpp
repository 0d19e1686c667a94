// models/gpu/layouts.hpp — which MIG instances of a site share a physical GPU, and where they lie.
//
// `mig:` of site.yaml says it; else gres.conf, where MultipleFiles= names the parent /dev/nvidiaN
// of each instance (gres.md §5.3). A GPU whose instances cannot be together is an error, with the
// nearest layout that can. Where neither tells, nothing is assumed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/gpu/inventory.hpp"
#include "models/gpu/mig_geometry.hpp"

namespace rehearse {

/// A physical GPU in MIG mode.
struct PartitionedGpu {
  NodeId node{};
  std::uint32_t index = 0;  ///< of the physical GPU on its node
  const GpuModel* model = nullptr;
  MigLayout layout;
  /// By instance of `layout`: the device of the node's GRES `gpu` that it is.
  std::vector<std::uint32_t> devices;
};

class GpuLayouts {
 public:
  GpuLayouts() = default;
  GpuLayouts(const Cluster& cluster, const GpuInventory& inventory, Diagnostics& found);

  /// By node, then index.
  [[nodiscard]] const std::vector<PartitionedGpu>& gpus() const { return gpus_; }
  /// Those of one node.
  [[nodiscard]] std::span<const PartitionedGpu> on(NodeId node) const;
  /// MIG devices of which nothing tells on what GPU they are.
  [[nodiscard]] std::uint32_t unplaced_devices() const { return unplaced_; }

 private:
  std::vector<PartitionedGpu> gpus_;
  std::uint32_t unplaced_ = 0;
};

/// Of a GPU's slices, what no instance of the layout has.
struct UnusedSlices {
  std::uint32_t compute = 0, memory = 0, sms = 0;  ///< SMs: against the whole device without MIG
};
[[nodiscard]] UnusedSlices unused_slices(const GpuModel& model, const MigLayout& layout);

}  // namespace rehearse

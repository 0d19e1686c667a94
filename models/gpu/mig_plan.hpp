// models/gpu/mig_plan.hpp — the GPUs of a site whose MIG layout may change while it runs, and every
// device that they may become.
//
// A node's devices keep their index for the whole run: an instance that is not cut now is a device
// that is not there (Presence), and a change of a layout changes which devices are. So the first
// free device of a Type is, as in Slurm, that of the lowest index; indexes are of this list.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/gpu/gpu_cut.hpp"
#include "models/gpu/layouts.hpp"
#include "sim/cluster/allocation.hpp"
#include "sim/config/mig_conf.hpp"

namespace rehearse {

struct ChangingGpu {
  NodeId node{};
  std::uint32_t index = 0;  ///< of the physical GPU on its node
  const GpuModel* model = nullptr;
  GpuCut begin;            ///< when the run begins
  bool by_policy = false;  ///< the policy may cut it
  std::vector<NameId>
      types;  ///< by profile of the model, the whole GPU last; kNoName: never cut so
  /// Beside `types`: the devices of the node's GRES `gpu` that it may be cut into.
  std::vector<std::vector<std::uint32_t>> devices;
  /// Profiles that the policy may cut (positions in `types`), ascending.
  std::vector<std::uint32_t> allowed;

  [[nodiscard]] std::uint32_t whole() const {
    return static_cast<std::uint32_t>(model->profiles.size());
  }
};

/// The devices that exist under a cut, in its order; several instances of a profile take the
/// profile's devices in turn.
[[nodiscard]] std::vector<std::uint32_t> devices_under(const ChangingGpu& gpu, const GpuCut& cut);

class MigPlan {
 public:
  struct Order {
    std::uint32_t gpu = 0;  ///< position in gpus()
    GpuCut cut;
  };

  /// Nothing ever changes.
  MigPlan() = default;
  /// `events`: the lines that events.csv has. Findings are about these, mig.changes and mig.policy.
  MigPlan(const Cluster& cluster, const GpuInventory& inventory, const GpuLayouts& layouts,
          const std::vector<MigLine>& events, Diagnostics& found);

  [[nodiscard]] bool is_static() const { return gpus_.empty(); }
  /// By node, then index.
  [[nodiscard]] const std::vector<ChangingGpu>& gpus() const { return gpus_; }
  /// What the line at that place orders.
  [[nodiscard]] const std::vector<Order>& orders_of(const MigLine& line) const;

  /// Gives the nodes all the devices that they may have, and blocks those that are not there. To be
  /// called once, before anything holds a device.
  void equip(Cluster& cluster);

 private:
  friend class MigPlanBuilder;
  std::vector<ChangingGpu> gpus_;
  std::map<std::string, std::vector<Order>> orders_;  // by the place of the line
};

/// The ledger's holding of one device that is not there or out of service: no job has it.
[[nodiscard]] Allocation block_of(NodeId node, std::size_t gres, std::uint32_t device);

}  // namespace rehearse

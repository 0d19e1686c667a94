// models/gpu/recut.hpp — GPUs cut anew for what the head of the queue asks: who gets what, by a
// policy that says which cuts it would make.
//
// The jobs are dealt out in their order, each to what is there and free first, else to GPUs that
// the policy would cut for it; what a job is dealt is not dealt again. A GPU that was dealt
// instances it does not have is cut anew, and the rest of it into the largest profiles that fit.
// Pure and deterministic: nodes and GPUs in order of their numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/gpu/mig_plan.hpp"

namespace rehearse {

/// A policy of re-partitioning. An implementation is a file recut_*.cpp.
class RecutPolicy {
 public:
  virtual ~RecutPolicy() = default;
  /// A layout with the instances that jobs hold, where they lie, and those that are wanted, in
  /// their order; none: there is none, or the policy does not make it.
  [[nodiscard]] virtual std::optional<MigLayout> fit(
      const GpuModel& model, const MigLayout& held,
      const std::vector<std::uint32_t>& wanted) const = 0;
  /// What cutting costs the jobs to come; less is better, of equals the first GPU is taken.
  [[nodiscard]] virtual std::uint32_t loss(const GpuModel& model, const MigLayout& before,
                                           const MigLayout& after) const = 0;
};

[[nodiscard]] std::unique_ptr<RecutPolicy> make_recut_on_demand();
[[nodiscard]] std::unique_ptr<RecutPolicy> make_recut_packed();
/// None for MigPolicy::None.
[[nodiscard]] std::unique_ptr<RecutPolicy> make_recut_policy(MigPolicy policy);

/// A GPU of MigPlan as it is, or as it will be when its change is over.
struct GpuNow {
  const ChangingGpu* gpu = nullptr;
  GpuCut cut;
  std::vector<bool> held;   ///< beside the instances of `cut`; of a whole GPU one
  bool in_service = true;   ///< jobs may get what is free of it, now or after its change
  bool may_change = false;  ///< the policy may cut what nobody holds
};

/// What a pending job asks: on each of `nodes` nodes, `each` devices of a Type.
struct DeviceWish {
  NameId type = kNoName;
  std::uint64_t each = 1;
  std::uint64_t nodes = 1;
  NodeSet where;  ///< nodes that it may have
};

/// Free devices of GPUs that never change, by node and Type.
using OtherDevices = std::map<std::pair<NodeId, NameId>, std::uint64_t>;

/// The GPUs (positions in `gpus`, ascending) that are to be cut anew for the wishes, and how.
[[nodiscard]] std::vector<std::pair<std::uint32_t, GpuCut>> recut(
    const RecutPolicy& policy, std::span<const GpuNow> gpus, OtherDevices others,
    std::span<const DeviceWish> wishes);

/// Memory slices of the largest profile that can still be created; 0: none.
[[nodiscard]] std::uint32_t largest_free(const GpuModel& model, const MigLayout& layout);

}  // namespace rehearse

// models/runtime/shared_devices.hpp — who is on which device, and what that makes of each: the
// models of sharing (gpu-models.md §6.7) applied to neighbours that come and go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/runtime/slowdown.hpp"

namespace rehearse {

/// How a job holds a device: for itself, or a share of it.
enum class HeldAs : std::uint8_t { Gpu, Shard, Mps };

/// One job on one device.
struct Occupant {
  std::uint32_t job = 0;  ///< whose; of those that are equal only the first counts
  std::uint32_t user = 0;
  HeldAs held_as = HeldAs::Gpu;
  Millionths cap = kOne;        ///< of Mps
  WorkProfile here;             ///< on_device()
  Millionths by_device = kOne;  ///< alone here against the recorded device
  std::int64_t memory_mib = 0;  ///< 0: not known
  bool is_awake = true;         ///< false: suspended: it keeps its memory and computes nothing
  bool has_grown = false;       ///< it holds its memory by now
};

/// Devices are numbers that the caller gives.
class SharedDevices {
 public:
  /// `shard` and `mps`: the rules for devices that are time-sliced, and for those that only MPS
  /// clients share.
  SharedDevices(SharingRules shard, SharingRules mps, std::int64_t context_mib)
      : shard_(shard), mps_(mps), context_mib_(context_mib) {}
  /// A device's MPS server has the clients of one user; those of others wait until its last one has
  /// gone, then come users in the order in which they came (gpu-models.md §6.3). By default one
  /// serves all.
  void serve_one_user() { one_user_ = true; }

  /// How many devices a number stands for: where only their count is known, nobody on them is
  /// another's neighbour.
  enum class Stands : std::uint8_t { ForOne, ForMany };
  std::uint32_t add(const DeviceFigures& figures, Stands stands);
  [[nodiscard]] const DeviceFigures& figures(std::uint32_t device) const {
    return devices_[device].figures;
  }

  void enter(std::uint32_t device, const Occupant& occupant);
  void leave(std::uint32_t device, std::uint32_t job);
  void set_awake(std::uint32_t device, std::uint32_t job, bool is_awake);
  void set_grown(std::uint32_t device, std::uint32_t job);

  /// Those on a device, by ascending job.
  [[nodiscard]] const std::vector<Occupant>& occupants(std::uint32_t device) const {
    return devices_[device].occupants;
  }
  /// False: it waits for the MPS server, and computes nothing.
  [[nodiscard]] bool is_served(std::uint32_t device, std::uint32_t job) const;
  /// Others that compute there.
  [[nodiscard]] std::size_t neighbours(std::uint32_t device, std::uint32_t job) const;
  /// Slow-down of `job`, which is there, against its recorded run.
  [[nodiscard]] Stretch stretch(std::uint32_t device, std::uint32_t job) const;
  /// False if what has grown of `job` and its neighbours wants more memory than the device has.
  [[nodiscard]] bool has_memory(std::uint32_t device, std::uint32_t job) const;

 private:
  struct Device {
    DeviceFigures figures;
    Stands stands = Stands::ForOne;
    std::vector<Occupant> occupants;        // ascending job
    std::vector<std::uint32_t> users = {};  // of MPS clients, as they came; the first is served
  };
  /// True if what `each` does on the device concerns `job`.
  [[nodiscard]] bool concerns(std::uint32_t device, const Occupant& each, std::uint32_t job) const {
    return each.job == job || devices_[device].stands == Stands::ForOne;
  }
  [[nodiscard]] bool computes(std::uint32_t device, const Occupant& each) const;
  Occupant* find(std::uint32_t device, std::uint32_t job);

  SharingRules shard_, mps_;
  std::int64_t context_mib_;
  bool one_user_ = false;
  std::vector<Device> devices_;
};

}  // namespace rehearse

// models/runtime/slowdown.hpp — how much longer work takes on a device, an instance of it, or
// beside others (gpu-models.md §6.1–6.4), as pure functions of whole millionths.
//
// A slow-down multiplies duration: 1'000'000 is the reference, 2'000'000 takes twice as long.
// Everything is an integer, each quotient is rounded half up, and sums do not depend on an order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rehearse {

/// A share, a ratio or a slow-down [1e-6].
using Millionths = std::int64_t;
inline constexpr Millionths kOne = 1'000'000;

/// What the models need to know of a device or of a MIG instance. 0: not known, which is then as
/// the reference has it. Bandwidth of an instance: by memory slices (§6.1).
struct DeviceFigures {
  std::int64_t sms = 0;             ///< 0 .. 10'000
  std::int64_t bandwidth_mb_s = 0;  ///< [MB/s], 0 .. 1e9
  std::int64_t memory_mib = 0;
  Millionths sm_speed = kOne;  ///< of one SM, beside other generations; 1e4 .. 1e8
  friend bool operator==(const DeviceFigures&, const DeviceFigures&) = default;
};

/// The device that the class parameters of §6.1 were measured on: an A100-40GB as 7g.40gb.
inline constexpr DeviceFigures kA100Instance7g{98, 1'555'000, 40'192, kOne};

/// What a program does with its time alone on a device, and with the device.
struct WorkProfile {
  Millionths host = kOne, compute = 0, bandwidth = 0;  ///< shares of its run time: h + c + b = 1
  Millionths sm_use = 0, bandwidth_use = 0;            ///< u and w, 0 .. 1
  friend bool operator==(const WorkProfile&, const WorkProfile&) = default;
};

/// h, c and b as they are on `device`, of run time 1 on `reference`: their sum is the slow-down
/// (§6.1). u and w shrink with a larger device, at most 1 (§6.2).
[[nodiscard]] WorkProfile on_device(const WorkProfile& job, const DeviceFigures& device,
                                    const DeviceFigures& reference);
/// The sum of the three: the slow-down of a job that has the device for itself.
[[nodiscard]] constexpr Millionths alone(const WorkProfile& on_this) {
  return on_this.host + on_this.compute + on_this.bandwidth;
}

/// h and p of Amdahl's law from NVML's utilisation alone: p = clamp(0.93 u − 0.18, 0, 0.9) (§6.1).
[[nodiscard]] WorkProfile profile_of_utilisation(Millionths sm_use);

enum class SharingModel : std::uint8_t {
  None,          ///< neighbours cost nothing
  PairwiseSum,   ///< §6.2, time slices
  Proportional,  ///< §6.2: the lower bound of speed, for kernels that fill the device
  Mps,           ///< §6.3
  FixedPenalty,  ///< §6.3: the same for every further job
};

struct SharingRules {
  SharingModel model = SharingModel::PairwiseSum;
  Millionths fixed_penalty = 150'000;  ///< of FixedPenalty, for each further job
  Millionths interference = kOne;      ///< scales what neighbours cost: 0 is nothing
};

/// One of several jobs on a device: `job` as on_device() gave it.
struct Sharer {
  WorkProfile job;
  Millionths cap = kOne;  ///< of MPS: the part of the SMs that it may use at most
};

/// CUDA_MPS_ACTIVE_THREAD_PERCENTAGE of `mps:units` on a GPU of `count` (gres.md §5.1): whole
/// percent, at least 1.
[[nodiscard]] Millionths mps_cap(std::uint64_t units, std::uint64_t count);

/// Max-min fair parts of 1 among demands: who wants less than an equal part gets it, the others
/// share the rest equally.
[[nodiscard]] std::vector<Millionths> fair_parts(std::span<const Millionths> demands);

/// Slow-downs against run time 1 on the reference, in the order of `sharers`.
struct Stretch {
  Millionths by_device = kOne;  ///< alone on this device, within its cap
  Millionths in_all = kOne;     ///< beside the others
};
/// u × speed of all of them is at most 1.30 (§6.2), then `interference` is applied.
[[nodiscard]] std::vector<Stretch> stretches(std::span<const Sharer> sharers,
                                             const SharingRules& rules);

/// True if processes that want `wanted_mib` in all, with `contexts` contexts of `context_mib`,
/// have room in the device's memory (§6.4). Not known: they have.
[[nodiscard]] bool fits_memory(std::int64_t wanted_mib, std::int64_t contexts,
                               std::int64_t context_mib, const DeviceFigures& device);

/// part × factor / whole, rounded half up. All positive, part × factor below 2^62.
[[nodiscard]] constexpr std::int64_t scaled(std::int64_t part, std::int64_t factor,
                                            std::int64_t whole) {
  return (part * factor + whole / 2) / whole;
}

}  // namespace rehearse

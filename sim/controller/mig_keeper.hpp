// sim/controller/mig_keeper.hpp — MIG layouts that change while the cluster runs: by the clock, by
// an admin, by a policy (site.yaml `mig`, gpu-models.md §2.5).
//
// Slurm has no part in it but to be told (gres.md §5.3): sites drain the node, cut its GPUs, change
// Gres= and gres.conf, restart slurmd and reconfigure. So: running jobs go on to their end, nothing
// new starts meanwhile on what is drained (the node, or with `drain: gpu` the GPU alone), then the
// change takes `mig.cost`, and then other devices are there than before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/gpu/mig_plan.hpp"
#include "models/gpu/recut.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/controller/admin_command.hpp"
#include "sim/controller/events.hpp"

namespace rehearse {

class Controller;

class MigKeeper {
 public:
  explicit MigKeeper(Controller& controller) : c_(controller) {}

  /// Before the run. `plan` stays the caller's.
  void follow(const MigPlan& plan) { plan_ = &plan; }
  /// The run begins. Nothing ever happens where no GPU may change, or in a forced history.
  void begin();
  void on(const MigFact& fact);
  void carry_out(const CutGpus& cut);
  /// A job has given back what it held.
  void devices_freed(const Allocation& allocation);
  /// A pass of a loop is over, and jobs pend: the policy may cut for them.
  void pass_ended();
  /// What pends now may start by a change to come, though nothing has happened for `idle`.
  [[nodiscard]] bool expects_change(Duration idle) const;
  /// Takes the devices that it keeps from jobs.
  void hold_blocked(Ledger& ledger) const;

 private:
  /// How much of a GPU must be free first.
  enum class Needs : std::uint8_t { AllOfIt, WhatChanges };
  struct Gpu {
    GpuCut cut;
    std::vector<std::uint32_t> devices;  ///< beside its instances
    std::optional<GpuCut> target;
    Needs needs = Needs::AllOfIt;
    bool cutting = false;
    std::optional<GpuCut> after;  ///< ordered while it was being cut
    Time due, idle;
  };
  void begin(const rehearse::Node& node);

  struct Node {
    std::size_t gres = SIZE_MAX;            ///< position of gpu
    std::vector<std::uint32_t> gpus;        ///< positions in the plan
    std::vector<std::uint32_t> unchanging;  ///< its other devices
    std::vector<bool> blocked;              ///< by device: held by nobody but this
    bool drained_here = false;
    std::uint32_t withheld_milli = 0;  ///< as it was told
  };

  void order(std::uint32_t gpu, const GpuCut& cut, Needs needs);
  void settle(NodeId node);
  void drain(NodeId node);
  void release(NodeId node);
  void block_free(NodeId node, const std::vector<std::uint32_t>& devices);
  void unblock(NodeId node, std::uint32_t device);
  void tell_withheld(NodeId node);
  /// Devices that must be free before the GPU is cut.
  [[nodiscard]] std::vector<std::uint32_t> concerned(const Gpu& gpu) const;
  [[nodiscard]] std::vector<std::uint32_t> all_here(NodeId node) const;
  [[nodiscard]] bool is_held(NodeId node, std::uint32_t device) const;
  [[nodiscard]] bool any_held(NodeId node, const std::vector<std::uint32_t>& devices) const;
  void begin_cut(std::uint32_t gpu);
  void finish_cut(std::uint32_t gpu);
  [[nodiscard]] std::vector<std::uint32_t> assign(const ChangingGpu& gpu, const Gpu& now) const;
  void schedule_line(std::uint32_t line);
  [[nodiscard]] std::vector<GpuNow> gpus_now() const;
  [[nodiscard]] OtherDevices other_devices() const;
  [[nodiscard]] std::vector<DeviceWish> wishes() const;
  [[nodiscard]] bool takes_jobs(NodeId node) const;
  [[nodiscard]] const MigConf& conf() const;

  Controller& c_;
  const MigPlan* plan_ = nullptr;
  bool on_ = false;
  TimeZone zone_ = TimeZone::utc();
  std::unique_ptr<RecutPolicy> policy_;
  std::vector<Gpu> gpus_;    // beside the plan's
  std::vector<Node> nodes_;  // by NodeId
};

}  // namespace rehearse

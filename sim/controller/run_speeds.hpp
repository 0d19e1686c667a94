// sim/controller/run_speeds.hpp — runs on GPUs that go at the speed of their devices and of their
// neighbours there (site.yaml `performance`, gpu-models.md §6).
//
// The work left of each is kept in time on the device of its record (models/runtime); at each
// start, end, suspension and resumption on a device all is brought up to date and the ends of those
// whose speed changed are scheduled anew. Limits go on counting, so a run can become a TIMEOUT. A
// run on several devices goes at its slowest. Without the section every call returns at once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/inventory.hpp"
#include "models/runtime/job_classes.hpp"
#include "models/runtime/recorded.hpp"
#include "models/runtime/remaining_work.hpp"
#include "models/runtime/shared_devices.hpp"
#include "sim/cluster/job.hpp"
#include "sim/controller/events.hpp"

namespace rehearse {

class Controller;

class RunSpeeds {
 public:
  explicit RunSpeeds(Controller& controller) : c_(controller) {}

  /// The run begins. Nothing ever happens in a forced history.
  void begin();
  /// Job::program_end is that of `run` at full speed.
  void program_begins(const Job& job, const TrueRun& run) {
    if (on_) expected_[job.index] = {run.runtime, into_last_second(run)};
  }
  /// Its devices are its own from now on. Puts off Job::program_end; the caller schedules it.
  void run_began(Job& job);
  void suspended(Job& job);
  /// As run_began().
  void resumed(Job& job);
  /// It holds another allocation.
  void resized(Job& job);
  /// Preemption warned it.
  void warned(const Job& job);
  void run_ended(Job& job);
  void on(const DeviceMemoryGrown& event);

  /// The time that the run would have taken until now on the device of its record; `ran` where its
  /// speed is not followed.
  [[nodiscard]] Seconds worked(const Job& job, Seconds ran);
  [[nodiscard]] Seconds worked_until_warning(const Job& job, Seconds ran) const;

 private:
  /// What a run does at full speed. Its last second is not stretched: how much of it was run
  /// nobody recorded.
  struct Program {
    Seconds work{0};
    Duration last_second{0};
  };
  /// A run that holds GPUs.
  struct Run {
    RemainingWork work;
    Duration last_second{0};
    const JobClass* job_class = nullptr;
    std::vector<std::uint32_t> devices;
    std::uint32_t slowest = 0;  ///< of them
    std::uint32_t most_neighbours = 0;
    std::optional<Duration> done_at_warning;
    bool growth_put_off = false;  ///< suspended when its memory was to grow
    bool lacked_memory = false;
    bool awaits_server = false;  ///< another user has the MPS server of one of its devices
    bool work_ends = false;      ///< its program ends with its work
  };
  struct Node {
    std::vector<std::uint32_t> devices;  ///< by index of its GPUs
    std::uint32_t unknown = 0;           ///< stands for GPUs without an index
    std::size_t gpu_gres = SIZE_MAX;     ///< position of gpu among its GRES; SIZE_MAX: none
  };

  void add_node(const rehearse::Node& node, const GpuInventory& gpus);
  std::uint32_t add_device(const std::string& type, const GpuDevice& known,
                           SharedDevices::Stands stands);
  Run* find(const Job& job);
  [[nodiscard]] const JobClass& class_of(const Job& job, std::uint32_t first) const;
  /// The devices of its allocation, each once, with how it holds them.
  struct Held {
    std::uint32_t device = 0;
    HeldAs held_as = HeldAs::Gpu;
    Millionths cap = kOne;
  };
  [[nodiscard]] std::vector<Held> held_by(const Job& job) const;
  /// Of another GRES than GPUs and what shares them: none.
  [[nodiscard]] std::optional<Held> held_at(NodeId id, const DeviceShare& share) const;
  void enter(const Job& job, Run& run);
  void leave(const Job& job, Run& run);
  /// The speed of `run`, and its end where it has one. True if it changed.
  bool update(Job& job, Run& run);
  /// It stands still while another user has the MPS server. True if that changed.
  bool settle_server(Job& job, Run& run);
  /// All but `except` on these devices.
  void update_neighbours(const std::vector<std::uint32_t>& devices, const Job& except);
  void expect_growth(const Job& job, const Run& run, Time begins);

  Controller& c_;
  bool on_ = false;
  std::optional<GpuCatalogue> catalogue_;
  std::optional<JobClasses> classes_;
  std::optional<SharedDevices> devices_;
  std::vector<DeviceHere> here_;  // by device
  std::vector<Node> nodes_;       // by NodeId
  std::map<JobIndex, Program> expected_;
  std::map<JobIndex, Run> runs_;
};

}  // namespace rehearse

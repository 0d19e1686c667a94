// sim/controller/power_keeper.hpp — power saving: nodes that are put to sleep when they are idle,
// and woken for jobs (lifecycle.md §14).
//
// How long a boot takes no Slurm file says: power.boot_time of site.yaml.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/controller/admin_command.hpp"
#include "sim/controller/events.hpp"

namespace rehearse {

class Controller;

class PowerKeeper {
 public:
  explicit PowerKeeper(Controller& controller) : c_(controller) {}

  /// The run begins. Nothing ever happens where slurm.conf has no power saving, or in a forced
  /// history.
  void begin();
  void on(const PowerFact& fact);
  /// A job was given its nodes: those that sleep are woken. True if it has to wait for them
  /// (CONFIGURING).
  [[nodiscard]] bool wakes(const Job& job);
  /// Its nodes are clean: those without another job are idle from now on.
  void job_left(const Job& job);
  /// `scontrol update NodeName=… State=POWER_UP`, POWER_DOWN …
  void command(Node& node, NodeStateChange::To to);

  /// When a node is put to sleep; none: never. Of several partitions with SuspendTime the longest
  /// counts, and that of the cluster for nodes whose partitions have none.
  struct Times {
    std::optional<Seconds> suspend_time;
    Seconds suspend_timeout{0}, resume_timeout{0};
  };

 private:
  struct Power {
    Times times;
    Time idle_since;
    bool excluded = false;     ///< SuspendExcNodes, SuspendExcParts
    bool wanted_down = false;  ///< by an admin: as soon as it is idle
    bool drained_for_it = false;
    std::uint32_t generation = 0;  ///< counts orders: an older one's fact is void
  };

  void work();
  void wake(Node& node);
  void order_boot(Node& node);
  void put_to_sleep(Node& node);
  void booted(Node& node);
  void gave_up(Node& node);
  void finish_configuring();
  void schedule_work();
  [[nodiscard]] bool is_idle(const Node& node) const;
  [[nodiscard]] bool is_excluded(const Node& node) const;
  /// From when on it may be put to sleep; none: it may not.
  [[nodiscard]] std::optional<Time> sleep_due(const Node& node) const;
  [[nodiscard]] bool has_room(std::deque<Time>& orders, std::uint32_t rate) const;
  [[nodiscard]] Time turn_after(Time at, Duration period) const;
  void changed(Node& node);
  [[nodiscard]] Power& power(const Node& node) { return power_[index_of(node.id)]; }
  [[nodiscard]] const Power& power(const Node& node) const { return power_[index_of(node.id)]; }

  Controller& c_;
  bool on_ = false;
  Duration boot_time_{0};
  std::vector<Power> power_;  // by NodeId
  std::deque<NodeId> to_wake_;
  std::deque<Time> slept_, woken_;  ///< orders of the last minute
  std::optional<Time> work_due_;
};

}  // namespace rehearse

// sim/controller/reboots.hpp — nodes that an admin has rebooted when they are idle (lifecycle.md
// §12.1).
//
// How long a reboot takes no Slurm file says: power.boot_time of site.yaml, as for a node that is
// powered up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/controller/admin_command.hpp"
#include "sim/controller/events.hpp"

namespace rehearse {

class Controller;

class Reboots {
 public:
  explicit Reboots(Controller& controller) : c_(controller) {}

  /// `scontrol reboot …`
  void order(const RebootNodes& command);
  /// `scontrol cancel_reboot`: of nodes that are not rebooting yet.
  void cancel(Node& node);
  /// A node may have become idle.
  void look_soon();
  void on(const RebootFact& fact);

 private:
  struct Order {
    bool asap = false;
    RebootNodes::Next next = RebootNodes::Next::AsBefore;
    std::uint32_t generation = 0;
  };

  void issue(Node& node);
  void registered(Node& node);
  void timed_out(Node& node);
  [[nodiscard]] Order& order_of(const Node& node) { return orders_[index_of(node.id)]; }
  void changed(const Node& node);

  Controller& c_;
  std::vector<Order> orders_;  // by NodeId, once there was one
  std::uint32_t waiting_ = 0;  ///< nodes whose reboot is requested and not issued
  std::optional<Time> look_due_;
};

}  // namespace rehearse

// sim/study/refused_commands.hpp — what admins typed and slurmctld did not take.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/config/time_zone.hpp"
#include "sim/controller/observer.hpp"

namespace rehearse {

/// Counts them, and keeps the first: a what-if with a refused reservation is one without it.
class RefusedCommands final : public Observer {
 public:
  void command_refused(std::string_view command, std::string_view why, SlurmTime now) override {
    if (count_++ > 0) return;
    command_ = command;
    why_ = why;
    at_ = now;
  }

  /// `1 admin command was refused, first at 2025-03-12T00:00:00: scontrol …: Requested nodes are
  /// busy`; empty: none was.
  [[nodiscard]] std::string text(const TimeZone& zone) const;

 private:
  std::size_t count_ = 0;
  std::string command_, why_;
  SlurmTime at_;
};

}  // namespace rehearse

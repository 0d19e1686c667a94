// sim/controller/outage.hpp — slurmctld is away: nothing is decided, jobs run on, and what happens
// reaches the controller once it is back (lifecycle.md §11).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/controller/admin_command.hpp"
#include "sim/controller/events.hpp"

namespace rehearse {

class Controller;

class Outage {
 public:
  explicit Outage(Controller& controller) : c_(controller) {}

  /// `slurmctld down`. A second controller takes over after SlurmctldTimeout. `again`: what is in
  /// the files by now; it stays where it is until the end.
  void begin(const Reconfigure& again);
  /// It is back, or the second one has taken over: the files are read, all clocks begin anew, then
  /// what waited happens.
  void end();
  /// `slurmctld up`. `edited`: what was edited meanwhile. The first controller takes over again
  /// from a second.
  void end(const Reconfigure& edited);
  [[nodiscard]] bool is_on() const { return on_; }
  /// When the last one ended; submissions of its time arrive then.
  [[nodiscard]] Time ended() const { return ended_; }

  /// True if the event has to wait: it is kept.
  [[nodiscard]] bool keeps(const Event& event);
  /// True if the command has to wait: nobody answers scontrol. It is kept.
  [[nodiscard]] bool keeps(const AdminCommandAt& command);

 private:
  Controller& c_;
  bool on_ = false;
  Time ended_;
  std::vector<const Reconfigure*> files_;  ///< to be read at the end
  std::vector<Event> events_;
  std::vector<const AdminCommandAt*> commands_;
};

}  // namespace rehearse

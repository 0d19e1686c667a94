// sim/controller/reservation_keeper.hpp — reservations as the controller keeps them: commands, the
// 5-s check, the 30-s scan, and what becomes of jobs (lifecycle.md §6, §13).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cluster/cluster.hpp"
#include "sim/config/reservation_words.hpp"
#include "sim/controller/events.hpp"

namespace rehearse {

class Controller;

class ReservationKeeper {
 public:
  explicit ReservationKeeper(Controller& controller) : c_(controller) {}

  /// An admin's command; what slurmctld refuses is told to the observer.
  void carry_out(const ReservationCommand& command, std::string_view text);
  /// After a change: the queue is another, and the clocks are set.
  void changed();
  void on(const ReservationsChecked& event);
  void on(const ReservationsScanned& event);
  /// lifecycle.md §13: one with REPLACE gives its nodes to a member for others at once. No member:
  /// nothing.
  void member_started(const Job& job);
  /// A node went down, or a member started: the next scan may have something to do.
  void schedule_scan();

  /// The names of `--reservation=`: all must exist and admit the job; else sbatch's words.
  [[nodiscard]] std::optional<std::string> join(Job& job) const;
  /// A member's hardware is its reservation's.
  [[nodiscard]] bool may_ever_run(Job& job, PartitionId partition);
  /// lifecycle.md §3 item 5: one of those that it asked for can be used now.
  [[nodiscard]] bool admits_now(const Job& job) const;
  /// True if a begin or an end has passed since the last call: a pass may decide otherwise.
  [[nodiscard]] bool edge_has_passed();
  /// True if a begin or an end is to come that may let a pending job start.
  [[nodiscard]] bool awaits_edge() const;

 private:
  [[nodiscard]] std::optional<std::string> remove(NameId name);
  void mark_nodes(const Reservation& reservation);
  void keep_held(const Reservation& ended);
  void end_maintenance();
  void drop(Reservation& reservation);
  void end_overdue_members();
  void exchange_nodes_of(Reservation& reservation);
  void purge();
  [[nodiscard]] bool is_used(const Reservation& reservation) const;
  [[nodiscard]] bool is_kept(const Reservation& reservation) const;
  [[nodiscard]] bool is_asked_for(const Reservation& reservation) const;
  void schedule_check();

  Controller& c_;
  std::uint64_t check_ = 0, scan_ = 0;  ///< generations of their events
  std::optional<Time> scan_due_;
  std::optional<SlurmTime> edge_;  ///< the next begin or end
};

}  // namespace rehearse

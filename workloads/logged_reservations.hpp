// workloads/logged_reservations.hpp — when a recorded slurmctld made its reservations, and for
// when.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/controller/admin_command.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// `sched: Created reservation=NAME … start=… end=…`.
struct LoggedReservation {
  Time at;
  std::string name;
  SlurmTime start, end;
};

/// What a line of a slurmctld.log said at `at`; none: not that.
[[nodiscard]] std::optional<LoggedReservation> logged_reservation(std::string_view said, Time at,
                                                                  const TimeZone& zone);

/// scontrol resolves `now` before slurmctld hears of it, and events.csv has whole seconds: a
/// creation that the log knows is carried out at its instant, for its times. Returns how many.
std::size_t sharpen(std::vector<AdminCommandAt>& commands,
                    const std::vector<LoggedReservation>& logged);

}  // namespace rehearse

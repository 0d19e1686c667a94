// models/gpu/mig_calendar.hpp — when a line of mig.changes takes effect, by the site's clock.
#pragma once

#include <optional>

#include "sim/config/mig_conf.hpp"
#include "sim/config/time_zone.hpp"

namespace rehearse {

/// The first time after `now`; none: never again. A reading that a change of clocks skips is taken
/// by the offset before it.
[[nodiscard]] std::optional<SlurmTime> next_change(const MigChangeLine& line, SlurmTime now,
                                                   const TimeZone& zone);

/// True if both take effect at one time of day of one weekday, or at one date.
[[nodiscard]] bool coincide(const MigChangeLine& a, const MigChangeLine& b, const TimeZone& zone);

}  // namespace rehearse

// sim/sched/priority/reset_calendar.hpp — when usage is next set to nothing (priority.md §6.5).
#pragma once

#include <optional>

#include "sim/config/slurm_conf.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// The next reset after `last`, by local time; DAILY and WEEKLY skip what `now` has passed by more
/// than a period. None for NONE and NOW.
[[nodiscard]] std::optional<SlurmTime> next_usage_reset(UsageResetPeriod period, SlurmTime last,
                                                        SlurmTime now, const TimeZone& zone);

}  // namespace rehearse

// sim/study/tuning/weeks.hpp — the trace cut in weeks: on some a front is chosen, the others are
// held out to see whether it was chosen well.
#pragma once

#include <string>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/core/time.hpp"
#include "sim/study/tuning/tune_conf.hpp"

namespace rehearse {

/// One stretch of the trace, of whole local days.
struct TuneWeek {
  std::string from, to;  ///< dates: jobs submitted in [from, to)
  std::size_t jobs = 0;
  bool is_held_out = false;
  [[nodiscard]] std::string span() const { return from + "/" + to; }
};

struct TuneWeeks {
  std::vector<TuneWeek> weeks;    ///< that have jobs, in order
  std::size_t jobs_left_out = 0;  ///< submitted behind the last whole week
  [[nodiscard]] std::vector<std::string> spans(bool held_out) const;
};

/// Weeks begin with the day of the first submission; one that does not end by the day of the last
/// one is left out. `submits` in any order.
[[nodiscard]] TuneWeeks weeks_of(const std::vector<SlurmTime>& submits, const TimeZone& zone,
                                 const TuneConf& how);

}  // namespace rehearse

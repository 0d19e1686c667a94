// sim/study/tuning/weeks.cpp — days by the site's own calendar.
#include "sim/study/tuning/weeks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

using Day = std::chrono::sys_days;

/// The local date of an instant.
Day day_of(SlurmTime at, const TimeZone& zone) {
  return std::chrono::floor<std::chrono::days>(Day{} +
                                               (at.time_since_epoch() + zone.offset_at(at)));
}

std::string date_text(Day day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace

std::vector<std::string> TuneWeeks::spans(bool held_out) const {
  std::vector<std::string> all;
  for (const TuneWeek& week : weeks) {
    if (week.is_held_out == held_out) all.push_back(week.span());
  }
  return all;
}

TuneWeeks weeks_of(const std::vector<SlurmTime>& submits, const TimeZone& zone,
                   const TuneConf& how) {
  TuneWeeks cut;
  if (submits.empty()) return cut;
  std::vector<Day> days;
  for (const SlurmTime at : submits) days.push_back(day_of(at, zone));
  std::sort(days.begin(), days.end());
  const auto length = std::chrono::days(static_cast<std::int64_t>(how.days));
  auto next = days.begin();
  for (Day from = days.front(); from + length <= days.back() + std::chrono::days(1);
       from += length) {
    const auto end = std::lower_bound(next, days.end(), from + length);
    const auto jobs = static_cast<std::size_t>(end - next);
    next = end;
    if (jobs > 0) cut.weeks.push_back({date_text(from), date_text(from + length), jobs, false});
  }
  cut.jobs_left_out = static_cast<std::size_t>(days.end() - next);
  for (std::size_t i = 0; i < cut.weeks.size(); ++i) {
    cut.weeks[i].is_held_out =
        how.split == WeekSplit::Alternate ? i % 2 == 1 : i >= (cut.weeks.size() + 1) / 2;
  }
  return cut;
}

}  // namespace rehearse

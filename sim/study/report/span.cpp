// sim/study/report/span.cpp — the last submission, and the last start, of all sides.
#include "sim/study/report/span.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/output/views/view.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kTail = 20;  // a tail of less than a twentieth of the rest stays

std::int64_t last_start(const Result& result) {
  std::int64_t last = result.begin;
  for (const std::int64_t start : result.runs.start) {
    if (start != kNoTime) last = std::max(last, start);
  }
  return last;
}

}  // namespace

ReportSpan span_of(const ReportSides& sides) {
  const Result& first = sides.front().side->result;
  const TimeZone zone = zone_of(first);
  ReportSpan span;
  span.arrivals = arrival_window(first, sides.back().side->result);
  span.shown = {first.begin, span.arrivals.to};
  std::int64_t end = first.end;
  for (const ReportSide& each : sides) {
    const Result& result = each.side->result;
    span.shown.from = std::min(span.shown.from, result.begin);
    span.shown.to = std::max(span.shown.to, last_start(result));
    end = std::max(end, result.end);
  }
  if ((end - span.shown.to) * kTail <= span.shown.length()) {
    span.shown.to = end;
  } else {
    span.until = fmt::format(" Shown until {}, when the last job started; the last ended on {}.",
                             when_words(span.shown.to, zone), when_words(end, zone));
  }
  const bool is_short = span.arrivals.length() < first.series.period_s;
  if (is_short) span.arrivals = {span.shown.from, end};
  span.of_arrivals =
      is_short ? std::string("over the whole run")
               : fmt::format("while jobs arrived (until {})", when_words(span.arrivals.to, zone));
  return span;
}

double held_share(const Result& result, const Window& window, std::string_view what) {
  const SeriesGrid& grid = result.series;
  const Series* const busy = grid.find(fmt::format("{}_busy", what));
  const Series* const existing = grid.find(fmt::format("{}_existing", what));
  double held = 0;
  double all = 0;
  for (std::size_t i = 0; busy != nullptr && existing != nullptr && i < grid.time.size(); ++i) {
    const std::int64_t end = i + 1 < grid.time.size() ? grid.time[i + 1] : result.end;
    const Window inside{std::max(grid.time[i], window.from), std::min(end, window.to)};
    held += busy->mean[i] * static_cast<double>(inside.length());
    all += existing->mean[i] * static_cast<double>(inside.length());
  }
  return all > 0 ? held / all : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace rehearse

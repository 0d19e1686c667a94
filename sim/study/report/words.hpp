// sim/study/report/words.hpp — numbers and instants as the page prints them.
#pragma once

#include <cstdint>
#include <string>

#include "sim/config/time_zone.hpp"
#include "sim/study/report/html.hpp"

namespace rehearse {

/// `12,345`; `-` for what cannot be computed.
[[nodiscard]] std::string count_words(double value);
/// `73 %`, `0.4 %`; `-`.
[[nodiscard]] std::string percent_words(double share);
/// A difference of shares in percentage points: `+0.4 pp`, `0 pp`; `-`.
[[nodiscard]] std::string points_words(double difference);
/// A number for the data of a chart, to four digits after the point; null: there is none.
[[nodiscard]] ReportJson chart_number(double value);

/// Milliseconds of the site's own wall clock, for an axis of scale type `utc`: the browser's zone
/// plays no part.
[[nodiscard]] std::int64_t wall_clock_ms(std::int64_t at, const TimeZone& zone);
/// `2025-03-01 12:00`, local to the site.
[[nodiscard]] std::string when_words(std::int64_t at, const TimeZone& zone);

}  // namespace rehearse

// workloads/local_time.hpp — the times of sacct: local without a zone, epoch seconds, or with one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace date {
class time_zone;
}

namespace rehearse {

/// 2106-01-01: 32 bits of seconds end in that year, so that later times are not read.
inline constexpr SlurmTime kTimesEnd{Seconds{4291747200}};

/// A local time as UTC. Where the clock was put back there are two answers, the second is `later`.
struct UtcTime {
  SlurmTime time;
  std::optional<SlurmTime> later;
  bool skipped = false;  ///< the local time did not exist: the clock was put forward over it
};

/// One IANA zone. Keeps the span of the last answer and the last date, as neighbours in a trace are
/// close in time.
class LocalClock {
 public:
  /// Throws InputError if there is no such zone.
  explicit LocalClock(const std::string& iana_name);

  /// [s] since 1970-01-01T00:00:00 of the local calendar, to UTC.
  [[nodiscard]] UtcTime to_utc(std::int64_t local_seconds);
  /// There was a local time: it has been asked for one in UTC.
  [[nodiscard]] bool was_asked() const { return was_asked_; }
  /// Days since 1970-01-01 of `YYYY-MM-DD`; none: there is no such day, or other characters.
  [[nodiscard]] std::optional<std::int64_t> days_of(std::string_view date);

 private:
  bool was_asked_ = false;
  std::string date_;                       // the last that was one
  std::int64_t days_ = 0;                  // of it
  const date::time_zone* zone_ = nullptr;  // null: UTC
  std::int64_t from_ = 0, until_ = 0;      // local seconds in which offset_ is the only one
  std::int64_t offset_ = 0;                // [s] local - UTC
};

enum class TimeWord : std::uint8_t { Told, None, Bad };

/// A time of sacct: `YYYY-MM-DDTHH:MM:SS` (or a blank for the T; fractions cut), the same with `Z`
/// or
/// `+HH:MM`, or epoch seconds. `Unknown`, `None`, `N/A` and nothing: TimeWord::None.
struct ParsedTime {
  TimeWord word = TimeWord::None;
  UtcTime utc;
};
[[nodiscard]] ParsedTime parse_sacct_time(std::string_view text, LocalClock& clock);

/// Days since 1970-01-01 of a date of the Gregorian calendar; none: there is no such day.
[[nodiscard]] std::optional<std::int64_t> days_from_civil(std::int64_t year, std::int64_t month,
                                                          std::int64_t day);

}  // namespace rehearse

// sim/config/time_zone.hpp — Slurm's local times and UTC, both ways, by the site's IANA zone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/time.hpp"

namespace rehearse {

/// A time zone; reads and prints `YYYY-MM-DDTHH:MM:SS`.
class TimeZone {
 public:
  /// None: the system's zone data do not know `name`.
  [[nodiscard]] static std::optional<TimeZone> find(std::string_view name);
  [[nodiscard]] static TimeZone utc();

  /// Local unless the text ends in `Z` or an offset; a `T` or a blank between date and time;
  /// seconds may be missing. `earliest` decides the hour that a change of clocks repeats: the first
  /// reading not before it. None: not a time.
  [[nodiscard]] std::optional<SlurmTime> read(std::string_view text,
                                              std::optional<SlurmTime> earliest = {}) const;
  /// The same, with the part of the second that `.251` gives, to the microsecond.
  [[nodiscard]] std::optional<Time> read_instant(std::string_view text) const;
  /// `YYYY-MM-DDTHH:MM:SS`, local.
  [[nodiscard]] std::string print(SlurmTime at) const;
  /// Seconds east of Greenwich at that instant.
  [[nodiscard]] Seconds offset_at(SlurmTime at) const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  TimeZone() = default;
  std::string name_;
  const void* zone_ = nullptr;  ///< date::time_zone; null: UTC
};

}  // namespace rehearse

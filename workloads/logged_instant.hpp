// workloads/logged_instant.hpp — which line of a slurmctld.log a recorded command left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/core/time.hpp"

namespace rehearse {

/// Pairs commands with the lines that they left; each line goes with one command. A recorder notes
/// a command in whole seconds, when scontrol has returned: on a busy machine long after slurmctld
/// carried it out; its clock may also be a little ahead.
template <typename Line>
class LoggedInstants {
 public:
  /// `lines` have an instant `at`, and outlive this.
  explicit LoggedInstants(const std::vector<Line>& lines) : lines_(lines), used_(lines.size()) {}

  /// The nearest line of a command noted at `noted` for which `is_of(line)` holds; null: none
  /// from 30 s before to 5 s behind.
  template <typename IsOf>
  [[nodiscard]] const Line* take(Time noted, IsOf&& is_of) {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (used_[i] || !is_near(lines_[i].at, noted) || !is_of(lines_[i])) continue;
      if (!nearest || apart(lines_[i].at, noted) < apart(lines_[*nearest].at, noted)) nearest = i;
    }
    if (!nearest) return nullptr;
    used_[*nearest] = true;
    return &lines_[*nearest];
  }

 private:
  static constexpr Seconds kMostBefore{30}, kMostBehind{5};

  static bool is_near(Time logged, Time noted) {
    return logged + kMostBefore >= noted && logged <= noted + kMostBehind;
  }
  static Duration apart(Time a, Time b) { return std::max(a, b) - std::min(a, b); }

  const std::vector<Line>& lines_;
  std::vector<bool> used_;
};

}  // namespace rehearse

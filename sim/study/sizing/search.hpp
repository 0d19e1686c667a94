// sim/study/sizing/search.hpp — the smallest count that meets a target: bracket and bisection, and
// what the neighbours say.
//
// A larger cluster mostly waits less, but not always: one job that starts earlier may push others
// back (Graham, Bounds on Multiprocessing Timing Anomalies, 1969). Bisection finds a count that
// meets the target and whose lower neighbour does not; counts above it that were tried and miss are
// told. Which counts are tried depends on the answers alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace rehearse {

/// Does a count meet the target?
struct CountVerdict {
  bool by_run = false;           ///< the run itself
  std::optional<bool> by_draws;  ///< surely enough; none: nothing can be said of draws
};

struct CountBounds {
  std::uint32_t min = 1, max = 1;      ///< both are tried; min ≤ max
  std::optional<std::uint32_t> today;  ///< tried too, where it lies between them
  bool every = false;                  ///< try every count
};

/// Verdicts of the counts asked for, in their order; none: interrupted.
using AskCounts = std::function<std::optional<std::vector<CountVerdict>>(
    const std::vector<std::uint32_t>& counts)>;

struct CountSearch {
  std::map<std::uint32_t, CountVerdict> tried;
  std::optional<std::uint32_t> by_run, by_draws;  ///< the smallest tried that meets it
  bool is_complete = true;                        ///< false: interrupted

  /// Draws can be spoken of at one count at least: they decide.
  [[nodiscard]] bool has_draws() const;
  [[nodiscard]] std::optional<std::uint32_t> answer() const {
    return has_draws() ? by_draws : by_run;
  }
  /// Counts above the answer that miss the target.
  [[nodiscard]] std::vector<std::uint32_t> misses_above() const;
};

[[nodiscard]] CountSearch search_counts(const CountBounds& bounds, const AskCounts& ask);

/// Where more stops paying: of points (x, y) in order of x, the one farthest from the chord between
/// the first and the last, both axes scaled to [0, 1], on its lower side. None: fewer than three
/// points, or none lies below the chord.
[[nodiscard]] std::optional<std::size_t> knee_of(
    const std::vector<std::pair<double, double>>& points);

}  // namespace rehearse

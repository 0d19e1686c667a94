// sim/study/tuning/survival.hpp — does a gain that was chosen on some weeks hold on others?
//
// A setting that was picked as the best of hundreds looks better than it is: part of its gain is
// the noise of the weeks that it was picked on. So it is measured again on weeks that had no part
// in the choice, against the site's own settings on the very same jobs. The units are weeks.
//
// Intervals are simultaneous over all settings and costs: d ± c·se, where c is the quantile of the
// largest |t| in the table when the units' residuals keep or change their sign by chance, together
// (wild bootstrap: Wu, 1986; Rademacher signs and studentized: Davidson and Flachaire, 2008;
// max-t: Westfall and Young, 1993), and never below Student's own for so many units.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/study/comparison/resampling.hpp"

namespace rehearse {

/// With fewer units no interval is given.
inline constexpr std::size_t kUnitsLeast = 3;

/// One column a setting and cost: its differences by unit; NaN: none in that unit. The interval of
/// each column's mean, in order; none: too few units.
[[nodiscard]] std::vector<std::optional<Interval>> intervals_of(
    std::span<const std::vector<double>> columns, double level);

/// What became of a setting of the front on the held-out weeks.
enum class Fate : std::uint8_t {
  Dominates,  ///< no mean is worse than today's, one is surely better
  Trades,     ///< one is surely better; what is surely worse was worse on the training weeks too
  Unsure,     ///< nothing is surely better
  Fails,      ///< something is surely worse that was not, or today's means dominate
};
[[nodiscard]] std::string_view to_text(Fate fate);
[[nodiscard]] constexpr bool survives(Fate fate) {
  return fate == Fate::Dominates || fate == Fate::Trades;
}

/// One cost of a setting against today's: below 0 is better.
struct CostChange {
  double training = 0, held_out = 0;  ///< differences of means
  std::optional<Interval> interval;   ///< of held_out
};
[[nodiscard]] Fate fate_of(std::span<const CostChange> changes);

}  // namespace rehearse

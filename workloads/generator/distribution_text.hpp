// workloads/generator/distribution_text.hpp — a distribution as one line of a generator's file.
//
//   lognormal(median=1h, sigma=1.4)                       a form and its numbers
//   quantiles(1s, 40s, 2h)  values(1h: 3, 2h: 5)          tables
//   0.3*weibull(scale=1h, shape=0.7) + 0.7*uniform(…)     a mixture
//   30min                                                 always the same
//
// Amounts of time are written with their unit, all other numbers without.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "workloads/generator/distribution.hpp"

namespace rehearse {

/// What is spread: spans [s], or counts and ratios.
enum class AmountUnit : std::uint8_t { Timed, Plain };

/// None: not a distribution, which `found` is told with the column; `what` names the key.
[[nodiscard]] std::optional<Distribution> parse_distribution(std::string_view text, AmountUnit unit,
                                                             const SourcePosition& where,
                                                             std::string_view what,
                                                             Diagnostics& found);

/// The same back; amounts of time to the millisecond, other numbers to 6 digits.
[[nodiscard]] std::string to_text(const Distribution& spread, AmountUnit unit);

}  // namespace rehearse

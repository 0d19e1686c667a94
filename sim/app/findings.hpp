// sim/app/findings.hpp — what was found in the inputs, as a person reads it on a terminal.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

inline constexpr std::size_t kFindingsShown = 50;

/// True for a terminal, unless NO_COLOR is set.
[[nodiscard]] bool wants_colour(int descriptor);

/// Prints the findings to stderr: errors first, at most `shown` of each severity, then how many
/// more there are; the same finding once. Coloured on a terminal, unless NO_COLOR is set.
void print_findings(const std::vector<Diagnostic>& findings, std::size_t shown = kFindingsShown);

}  // namespace rehearse

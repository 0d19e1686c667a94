// sim/study/comparison/doubts.hpp — what makes a comparison's answer less sure.
#pragma once

#include <string>
#include <vector>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {

/// One sentence each, for a person: of the runs, of the jobs that are paired, of how both sides
/// begin, and of what their configurations set. Asks the sides, the pairs, what is left out and the
/// difference of the configurations.
[[nodiscard]] std::vector<std::string> doubts_of(const Comparison& comparison);

}  // namespace rehearse

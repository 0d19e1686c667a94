// sim/study/calibration/missing_inputs.hpp — what a site could still give, and what that would
// explain.
#pragma once

#include <vector>

#include "sim/study/calibration/waits.hpp"

namespace rehearse {

/// Only what matters to this site: no usage is missed where fair-share has no weight.
[[nodiscard]] std::vector<MissingInput> missing_inputs(const LoadedSite& site);

/// Where jobs wait longer than recorded, and much of it for limits.
[[nodiscard]] std::vector<MissingInput> other_limits(const WaitGroup& all, const Result& simulated);

/// Where recorded jobs waited and simulated ones find an empty cluster; nothing else tells of it.
[[nodiscard]] std::vector<MissingInput> missing_load(const WaitGroup& all, const Result& simulated);

}  // namespace rehearse

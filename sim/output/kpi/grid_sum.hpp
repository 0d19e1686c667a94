// sim/output/kpi/grid_sum.hpp — a series of the grid summed over a span.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/output/result.hpp"

namespace rehearse {

/// Seconds times the quantity of the series over [from, to), seconds since the epoch; a cell counts
/// by its part inside. 0: there is no such series.
[[nodiscard]] double integral_within(const Result& result, std::string_view series,
                                     std::int64_t from, std::int64_t to);

}  // namespace rehearse

// sim/study/report/span.hpp — which part of the runs a page shows: while jobs arrived and started,
// without the tail in which the last jobs run out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {

/// The sides of a page: one run, or A and B.
struct ReportSide {
  std::string name;
  const Side* side = nullptr;
};
using ReportSides = std::vector<ReportSide>;

struct ReportSpan {
  Window shown;       ///< of the axes of time
  Window arrivals;    ///< what shares of GPU-hours are of: from the first to the last submission
  std::string until;  ///< why the axes end where they do; empty: the runs end there
  std::string of_arrivals;  ///< `while jobs arrived (until …)`, or `over the whole run`
};

[[nodiscard]] ReportSpan span_of(const ReportSides& sides);

/// Held / existing in a window, of `gpus` or `cpus`; NaN: there are none.
[[nodiscard]] double held_share(const Result& result, const Window& window, std::string_view what);

}  // namespace rehearse

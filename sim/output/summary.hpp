// sim/output/summary.hpp — a run on one screen, and the same as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "sim/output/kpi/kpi.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

struct SummaryOptions {
  bool colours = false;     ///< ANSI; never by default
  std::size_t groups = 12;  ///< most partitions and accounts to list, by GPU-hours
};

/// Same result, same bytes: how long a run took is told elsewhere. At most 100 columns, ASCII, ends
/// in a newline.
[[nodiscard]] std::string summary_text(const Result& result, const Kpis& kpis,
                                       const SummaryOptions& options);

/// `{"schema": "rehearse-run/1", "cluster": …, "status": …, "simulated_begin": s, "simulated_end":
/// s, "event_fingerprint": …, "schedule_fingerprint": …, "kpis": {name: {"value", "units"}},
/// "groups": {scope: {group: {name: value}}}}`; a figure that cannot be computed is null. One line,
/// no newline at the end.
[[nodiscard]] std::string summary_json(const Result& result, const Kpis& kpis);

}  // namespace rehearse

// sim/study/report/report.hpp — a run, or two held against each other, as one page for who decides.
#pragma once

#include <optional>
#include <string>

#include "sim/study/calibration/waits.hpp"
#include "sim/study/comparison/comparison.hpp"
#include "sim/study/comparison/populations.hpp"
#include "sim/study/report/sensitivity.hpp"

namespace rehearse {

struct ReportRequest {
  /// The run against recorded starts; null: nobody asked.
  const WaitCalibration* calibration = nullptr;
  /// How its figures move with what was assumed; null: nobody asked.
  const Sensitivity* sensitivity = nullptr;
  /// A comparison's, of other users; null: nobody asked.
  const Populations* populations = nullptr;
  /// The run differs from the site as it is: its differences are not the simulator's alone.
  bool is_changed = false;
  std::string day;      ///< YYYY-MM-DD, of the site; empty: the day with the longest queue
  std::string command;  ///< that makes this page
};

/// The page of one run. The same inputs give the same bytes.
[[nodiscard]] std::string report_page(const Side& side, const ReportRequest& request);
/// The page of a comparison; its day and nodes are side B's busiest.
[[nodiscard]] std::string report_page(const Comparison& comparison, const ReportRequest& request);

/// The local day's first second; none: not a day, or outside of the run.
[[nodiscard]] std::optional<std::int64_t> find_day(const Result& result, const std::string& day);

}  // namespace rehearse

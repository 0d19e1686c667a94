// sim/study/report/sections.hpp — what stands in a page, part by part; one file each.
#pragma once

#include <string>
#include <vector>

#include "sim/study/report/page.hpp"
#include "sim/study/report/report.hpp"

namespace rehearse {

/// The sides of a page: one run, or A and B.
struct ReportSide {
  std::string name;
  const Side* side = nullptr;
};
using ReportSides = std::vector<ReportSide>;

// head.cpp
/// Five questions that a director has, answered in a word each.
void add_answers(ReportPage& page, const Side& side, const ReportRequest& request);
// assumptions.cpp
void add_assumptions(ReportPage& page, const ReportSides& sides);
void add_making(ReportPage& page, const ReportSides& sides, const ReportRequest& request);
// calibration_panel.cpp
/// False: no recorded start, or every job started the second it was submitted.
[[nodiscard]] bool has_recorded_waits(const WaitCalibration& held);
void add_calibration(ReportPage& page, const ReportRequest& request);
// figures_table.cpp
/// Every figure of the whole run, with its formula and denominator.
void add_figures(ReportPage& page, const ReportSides& sides);
// waits.cpp
void add_waits(ReportPage& page, const ReportSides& sides);
// wait_curves.cpp
void add_wait_curves(ReportPage& page, const ReportSides& sides);
// gpu_hours.cpp
void add_gpu_hours(ReportPage& page, const ReportSides& sides);
// over_time.cpp
void add_reasons(ReportPage& page, const ReportSides& sides);
void add_use_over_time(ReportPage& page, const ReportSides& sides);
// node_map.cpp
void add_node_map(ReportPage& page, const ReportSide& side);
// day_chart.cpp
void add_day(ReportPage& page, const ReportSide& side, const ReportRequest& request);
// sensitivity.cpp
/// Nothing where no registry was given.
void add_sensitivity(ReportPage& page, const ReportRequest& request);
// winners.cpp
void add_comparison_verdict(ReportPage& page, const Comparison& comparison);
void add_comparison(ReportPage& page, const Comparison& comparison);

// What the parts share.

/// An axis of seconds in steps that a person reads: 1 min … 30 d, logarithmic above a minute.
[[nodiscard]] ReportJson wait_axis(std::string_view title);
/// The scale of such an axis.
[[nodiscard]] ReportJson wait_scale();
/// An axis of the site's wall clock.
[[nodiscard]] ReportJson clock_axis(const std::string& field);
/// `side` as a colour where there are two; empty otherwise.
[[nodiscard]] ReportJson side_colour(const ReportSides& sides);

}  // namespace rehearse

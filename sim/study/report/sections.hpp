// sim/study/report/sections.hpp — what stands in a page, part by part; one file each.
#pragma once

#include <string>
#include <vector>

#include "sim/study/report/page.hpp"
#include "sim/study/report/report.hpp"
#include "sim/study/report/span.hpp"

namespace rehearse {

// head.cpp
/// Five questions that a director has, answered in a word each.
void add_answers(ReportPage& page, const ReportSides& sides, const ReportSpan& span,
                 const ReportRequest& request);
[[nodiscard]] ReportTile trust_tile(const ReportRequest& request);
// compare_head.cpp
/// The same of two runs.
void add_compared_answers(ReportPage& page, const Comparison& comparison, const ReportSpan& span,
                          const ReportRequest& request);
// assumptions.cpp
void add_assumptions(ReportPage& page, const ReportSides& sides);
void add_making(ReportPage& page, const ReportSides& sides, const ReportRequest& request);
// calibration_panel.cpp
/// False: not held against a record, or one without a start, or every job started the second it
/// was submitted.
[[nodiscard]] bool has_recorded_waits(const ReportRequest& request);
void add_calibration(ReportPage& page, const ReportRequest& request);
// figures_table.cpp
/// Every figure of the whole run, with its formula and denominator.
void add_figures(ReportPage& page, const ReportSides& sides, const ReportSpan& span);
// waits.cpp
void add_waits(ReportPage& page, const ReportSides& sides);
// wait_curves.cpp
void add_wait_curves(ReportPage& page, const ReportSides& sides);
// gpu_hours.cpp
void add_gpu_hours(ReportPage& page, const ReportSides& sides, const ReportSpan& span);
// over_time.cpp
void add_reasons(ReportPage& page, const ReportSides& sides, const ReportSpan& span);
void add_use_over_time(ReportPage& page, const ReportSides& sides, const ReportSpan& span);
// node_map.cpp
void add_node_map(ReportPage& page, const ReportSides& sides, const ReportSpan& span);
// day_chart.cpp
/// The same day and nodes on all sides.
void add_day(ReportPage& page, const ReportSides& sides, const ReportRequest& request);
// sensitivity.cpp
/// Nothing where no registry was given.
void add_sensitivity(ReportPage& page, const ReportRequest& request);
// winners.cpp
void add_changes(ReportPage& page, const ConfDifference& conf);
/// What of a figure a table shows, `-` where there is nothing; the other with a sign.
[[nodiscard]] std::string figure_words(double value, const FigureInfo& info);
[[nodiscard]] std::string change_words(double value, const FigureInfo& info);
/// `GPU utilization *` as `GPU utilization, while jobs arrived`: a table has no footnotes.
[[nodiscard]] std::string title_words(const FigureInfo& info);
void add_comparison(ReportPage& page, const Comparison& comparison, const ReportSpan& span);

// populations_table.cpp
/// Nothing where none were simulated.
void add_populations(ReportPage& page, const Comparison& comparison, const ReportRequest& request);

// What the parts share.

/// An axis of seconds in steps that a person reads: 1 min … 30 d, logarithmic above a minute, which
/// its title says.
[[nodiscard]] ReportJson wait_axis(std::string_view title);
/// The scale of such an axis.
[[nodiscard]] ReportJson wait_scale();
/// An axis of the site's wall clock, from end to end of what is shown.
[[nodiscard]] ReportJson clock_axis(const std::string& field, const Window& shown,
                                    const TimeZone& zone);
/// `side` as a colour where there are two; empty otherwise.
[[nodiscard]] ReportJson side_colour(const ReportSides& sides);
/// A drawing for each side where there are two: ReportChart::panels.
[[nodiscard]] std::vector<std::string> panels_of(const ReportSides& sides);
/// A colour for each name, in their order.
[[nodiscard]] ReportJson named_colours(const std::vector<std::string>& names);

}  // namespace rehearse

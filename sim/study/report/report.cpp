// sim/study/report/report.cpp — the order of a page: the answer, how sure it is, who, why, when,
// where, and how it was made.
#include "sim/study/report/report.hpp"

#include "sim/study/report/sections.hpp"

namespace rehearse {
namespace {

void add_runs(ReportPage& page, const ReportSides& sides, const ReportSpan& span,
              const ReportRequest& request) {
  add_figures(page, sides, span);
  page.section("waits", "Waits");
  add_wait_curves(page, sides);
  add_waits(page, sides);
  page.section("why", "Why jobs waited");
  add_reasons(page, sides, span);
  page.section("use", "What the cluster was used for");
  add_gpu_hours(page, sides, span);
  add_use_over_time(page, sides, span);
  page.section("nodes", "Node by node");
  add_node_map(page, sides, span);
  page.section("one-day", "One day");
  add_day(page, sides, request);
  add_assumptions(page, sides);
  add_sensitivity(page, request);
  add_making(page, sides, request);
}

}  // namespace

std::string report_page(const Side& side, const ReportRequest& request) {
  ReportPage page(side.result.cluster.cluster_name + ": simulation");
  const ReportSides sides{{"this run", &side}};
  const ReportSpan span = span_of(sides);
  add_answers(page, sides, span, request);
  add_calibration(page, request);
  add_runs(page, sides, span, request);
  return page.take();
}

std::string report_page(const Comparison& comparison, const ReportRequest& request) {
  ReportPage page(comparison.b->result.cluster.cluster_name + ": two simulations");
  const ReportSides sides{{"A", comparison.a}, {"B", comparison.b}};
  const ReportSpan span = span_of(sides);
  add_compared_answers(page, comparison, span, request);
  add_calibration(page, request);
  page.note(
      "This is about the simulator; whether the difference of A and B is more than chance is told "
      "by the intervals.");
  if (has_recorded_waits(request)) {
    page.note("It is A that is held against the record.");
  }
  add_comparison(page, comparison, span);
  add_populations(page, comparison, request);
  add_runs(page, sides, span, request);
  return page.take();
}

}  // namespace rehearse

// sim/study/report/report.cpp — the order of a page: the answer, how sure it is, who, why, when,
// where, and how it was made.
#include "sim/study/report/report.hpp"

#include "sim/study/report/sections.hpp"

namespace rehearse {
namespace {

void add_runs(ReportPage& page, const ReportSides& sides, const ReportRequest& request) {
  const ReportSide& last = sides.back();
  const std::string of = sides.size() > 1 ? " under " + last.name : "";
  add_figures(page, sides);
  page.section("waits", "Waits");
  add_wait_curves(page, sides);
  add_waits(page, sides);
  page.section("why", "Why jobs waited");
  add_reasons(page, sides);
  page.section("use", "What the cluster was used for");
  add_gpu_hours(page, sides);
  add_use_over_time(page, sides);
  page.section("nodes", "Node by node" + of);
  add_node_map(page, last);
  page.section("one-day", "One day" + of);
  add_day(page, last, request);
  add_assumptions(page, sides);
  add_sensitivity(page, request);
  add_making(page, sides, request);
}

}  // namespace

std::string report_page(const Side& side, const ReportRequest& request) {
  ReportPage page(side.result.cluster.cluster_name + ": rehearsal");
  add_answers(page, side, request);
  add_calibration(page, request);
  add_runs(page, {{"this run", &side}}, request);
  return page.take();
}

std::string report_page(const Comparison& comparison, const ReportRequest& request) {
  ReportPage page(comparison.b->result.cluster.cluster_name + ": two rehearsals");
  add_comparison_verdict(page, comparison);
  add_calibration(page, request);
  page.note(
      "This is about the simulator; whether the difference of A and B is more than chance is told "
      "by "
      "the intervals.");
  if (request.calibration != nullptr && has_recorded_waits(*request.calibration)) {
    page.note("It is A that is held against the record.");
  }
  add_comparison(page, comparison);
  add_runs(page, {{"A", comparison.a}, {"B", comparison.b}}, request);
  return page.take();
}

}  // namespace rehearse

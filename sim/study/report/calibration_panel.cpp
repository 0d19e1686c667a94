// sim/study/report/calibration_panel.cpp — how near the run is to what was recorded, before
// anything else is said; where nobody asked, what is missing to ask.
#include <fmt/format.h>

#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

ReportJson spec_of_bars() {
  const ReportJson tooltip = {{{"field", "group"}},
                              {{"field", "side"}},
                              {{"field", "text"}, {"title", "mean wait"}},
                              {{"field", "jobs"}}};
  return {{"height", {{"step", 11}}},
          {"mark", {{"type", "bar"}}},
          {"encoding",
           {{"y",
             {{"field", "group"},
              {"type", "nominal"},
              {"sort", nullptr},
              {"axis", {{"title", nullptr}}}}},
            {"yOffset", {{"field", "side"}, {"type", "nominal"}, {"sort", nullptr}}},
            {"x",
             {{"field", "wait"},
              {"type", "quantitative"},
              {"scale", wait_scale()},
              {"axis", wait_axis("mean wait")}}},
            {"color",
             {{"field", "side"},
              {"type", "nominal"},
              {"sort", nullptr},
              {"scale", {{"range", {"var(--c9)", "var(--c1)"}}}},
              {"legend", {{"title", nullptr}}}}},
            {"tooltip", tooltip}}}};
}

ReportChart chart_of(const WaitCalibration& held) {
  ReportChart chart;
  chart.id = "calibration-waits";
  chart.title = "Waits: recorded and simulated";
  chart.text = "mean wait of each group of jobs, recorded and simulated";
  chart.note =
      "Of jobs that started in both. A wait is first start - submission. Where the bars are of "
      "equal length, the simulation waits as the cluster did.";
  chart.columns = {"scope", "group", "side", "wait", "text", "jobs"};
  chart.filters = {{"scope", "by", "", ""}};
  chart.table = {"calibration-table",
                 "waits, recorded and simulated",
                 {{"by", false, "scope"},
                  {"group"},
                  {"jobs", true},
                  {"mean recorded", true},
                  {"simulated", true},
                  {"P95 recorded", true},
                  {"simulated", true},
                  {"job-hours too many", true}},
                 {}};
  for (const WaitGroup& group : held.groups) {
    const std::string name = group.name.empty() ? "all jobs" : group.name;
    if (group.jobs == 0) continue;
    for (const auto& [side, figures] :
         {std::pair{"recorded", &group.recorded}, {"simulated", &group.simulated}}) {
      chart.rows.push_back({group.scope, name, side, chart_number((*figures)[0]),
                            span_text((*figures)[0]), group.jobs});
    }
    chart.table.rows.push_back({group.scope, name, count_words(static_cast<double>(group.jobs)),
                                span_text(group.recorded[0]), span_text(group.simulated[0]),
                                span_text(group.recorded[3]), span_text(group.simulated[3]),
                                count_words(group.wrong_hours())});
  }
  chart.filters.front().initial = held.groups.size() > 1 ? held.groups[1].scope : "all";
  chart.spec = spec_of_bars();
  return chart;
}

void add_missing(ReportPage& page, const std::vector<MissingInput>& missing) {
  if (missing.empty()) return;
  ReportTable table{"missing",
                    "what the site could still give, and what it would explain",
                    {{"missing"}, {"explains"}, {"where from"}},
                    {}};
  for (const MissingInput& each : missing) {
    table.rows.push_back({each.what, each.explains, each.remedy});
  }
  page.table(table, true);
}

}  // namespace

bool has_recorded_waits(const ReportRequest& request) {
  const WaitCalibration* const held = request.calibration;
  return held != nullptr && held->verdict != BaselineVerdict::NoWaits;
}

void add_calibration(ReportPage& page, const ReportRequest& request) {
  page.section("calibration", "Is the simulation near the record?");
  const WaitCalibration* const held = request.calibration;
  if (held == nullptr) {
    page.verdict(
        "Not held against recorded starts: differences between runs say more than a run by itself.",
        {"What is missing: the site folder with the Start column of its sacct.txt. rehearse "
         "report OUT --site SITE -o page.html measures how near this run is to it; rehearse "
         "calibrate SITE tells more."},
        "fair");
    return;
  }
  if (!has_recorded_waits(request)) {
    page.verdict(held->sentence,
                 {"What is missing: the Submit and Start columns of the cluster's own sacct."},
                 "fair");
    return;
  }
  std::vector<std::string> more;
  if (request.is_changed) {
    more.push_back(
        "The run is not of the site as it is: what differs from the record is the change's as well "
        "as the simulator's.");
  }
  more.push_back(fmt::format(
      "{} of the {} jobs that started in both started within a minute of the recorded second; {} "
      "started in the record alone, {} in the simulation alone.",
      percent_words(held->within_minute), count_words(static_cast<double>(held->jobs)),
      count_words(static_cast<double>(held->started_only_recorded)),
      count_words(static_cast<double>(held->started_only_simulated))));
  page.verdict(held->sentence, more, to_text(held->verdict));
  page.chart(chart_of(*held));
  add_missing(page, held->missing);
}

}  // namespace rehearse

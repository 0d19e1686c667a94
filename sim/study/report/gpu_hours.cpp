// sim/study/report/gpu_hours.cpp — where the GPU-hours that existed went: a waterfall down to those
// that jobs held.
#include <fmt/format.h>

#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

ReportChart empty_chart() {
  ReportChart chart;
  chart.id = "gpu-hours";
  chart.title = "Where the GPU-hours went";
  chart.text = "bars from the GPU-hours that existed down to those that jobs held, cause by cause";
  chart.note =
      "Idle GPU-hours have one cause each, and add up. Idle for want of demand: fewer GPUs were "
      "asked for than idle. Wanted ones are shared by the Reasons of the jobs that waited, as many "
      "GPUs as they ask for, over cells of the result's grid.";
  chart.columns = {"side", "what", "from", "to", "hours", "share", "kind"};
  chart.table = {"gpu-hours-table",
                 "GPU-hours by what became of them",
                 {{"run"}, {"what"}, {"GPU-hours", true}, {"of all", true}},
                 {}};
  return chart;
}

/// The bars of one side, from the top down.
void add_waterfall(ReportChart& chart, const ReportSide& side) {
  const auto hours = gpu_hours_by_cause(side.side->result);
  double existing = 0;
  for (const double each : hours) existing += each;
  const auto add = [&](std::string_view what, double from, double to, const char* kind) {
    const double amount = to - from;
    chart.rows.push_back({side.name, what, chart_number(from), chart_number(to),
                          count_words(amount), percent_words(amount / existing), kind});
    chart.table.rows.push_back(
        {side.name, std::string(what), count_words(amount), percent_words(amount / existing)});
  };
  add("existing", 0, existing, "all");
  double left = existing;
  for (std::size_t i = 1; i < hours.size(); ++i) {
    const auto what = static_cast<GpuHours>(i);
    if (hours[i] <= 0) continue;
    const char* const kind = what == GpuHours::Unavailable ? "out of order"
                             : what == GpuHours::NoDemand  ? "idle, not wanted"
                                                           : "idle, and wanted";
    add(title_of(what), left - hours[i], left, kind);
    left -= hours[i];
  }
  add(title_of(GpuHours::Busy), 0, hours.front(), "held");
}

}  // namespace

void add_gpu_hours(ReportPage& page, const ReportSides& sides) {
  ReportChart chart = empty_chart();
  for (const ReportSide& side : sides) {
    const Series* const existing = side.side->result.series.find("gpus_existing");
    if (existing != nullptr && existing->integral > 0) add_waterfall(chart, side);
  }
  if (chart.rows.empty()) {
    page.note("The cluster has no GPUs: there are no GPU-hours to account for.");
    return;
  }
  if (sides.size() > 1) chart.filters = {{"side", "run", sides.back().name, ""}};
  if (sides.size() > 1) chart.table.columns.front().field = "side";
  chart.spec = {
      {"height", {{"step", 24}}},
      {"mark", {{"type", "bar"}}},
      {"encoding",
       {{"y",
         {{"field", "what"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"axis", {{"title", nullptr}, {"labelLimit", 320}}}}},
        {"x", {{"field", "from"}, {"type", "quantitative"}, {"axis", {{"title", "GPU-hours"}}}}},
        {"x2", {{"field", "to"}}},
        {"color",
         {{"field", "kind"},
          {"type", "nominal"},
          {"scale",
           {{"domain", {"all", "out of order", "idle, not wanted", "idle, and wanted", "held"}},
            {"range", {"var(--c9)", "var(--c4)", "var(--c6)", "var(--c2)", "var(--c1)"}}}},
          {"legend", {{"title", nullptr}}}}},
        {"tooltip",
         {{{"field", "what"}},
          {{"field", "hours"}, {"title", "GPU-hours"}},
          {{"field", "share"}, {"title", "of all"}}}}}}};
  page.chart(chart);
}

}  // namespace rehearse

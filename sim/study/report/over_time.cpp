// sim/study/report/over_time.cpp — the run as it went: what was held and wanted, who pended and
// why.
#include <fmt/format.h>

#include <algorithm>

#include "sim/output/views/view.hpp"
#include "sim/study/explanation/explanation.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/time_bins.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kBins = 180;
constexpr std::size_t kReasonsShown = 9;

struct Line {
  const char* series;
  const char* title;
};

ReportJson tooltip_of(const char* value, const char* title) {
  return {{{"field", "when"}, {"title", "from"}},
          {{"field", "what"}},
          {{"field", value}, {"title", title}}};
}

ReportChart chart_of(const char* id, const std::string& title, const std::string& text,
                     const std::string& unit) {
  ReportChart chart;
  chart.id = id;
  chart.title = title;
  chart.text = text;
  chart.columns = {"side", "t", "when", "what", "value"};
  chart.spec = {
      {"height", 220},
      {"mark",
       {{"type", "line"},
        {"interpolate", "step-after"},
        {"strokeWidth", 1.7},
        {"point", {{"size", 40}, {"opacity", 0}}}}},
      {"encoding",
       {{"x", clock_axis("t")},
        {"y", {{"field", "value"}, {"type", "quantitative"}, {"axis", {{"title", unit}}}}},
        {"color",
         {{"field", "what"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"legend", {{"title", nullptr}}}}},
        {"tooltip", tooltip_of("value", "mean")}}}};
  return chart;
}

/// Lines of one side, and a row of the table for each bin.
void add_lines(ReportChart& chart, const ReportSide& side, const std::vector<Line>& lines) {
  const Result& result = side.side->result;
  const TimeZone zone = zone_of(result);
  const TimeBins bins = time_bins(result, kBins);
  std::vector<std::vector<std::string>> rows(bins.count);
  for (std::size_t bin = 0; bin < bins.count; ++bin) {
    rows[bin] = {side.name, when_words(bins.time(bin), zone)};
  }
  for (const Line& line : lines) {
    const std::vector<double> means = means_over(result, line.series, bins);
    for (std::size_t bin = 0; bin < means.size(); ++bin) {
      const std::int64_t at = bins.time(bin);
      chart.rows.push_back({side.name, wall_clock_ms(at, zone), when_words(at, zone), line.title,
                            chart_number(means[bin])});
      rows[bin].push_back(count_words(means[bin]));
    }
  }
  for (auto& row : rows) chart.table.rows.push_back(std::move(row));
  chart.note = fmt::format("Means over {} from the time shown, {} time.",
                           period_words(bins.period_s), zone.name());
}

void add_lines_chart(ReportPage& page, ReportChart chart, const ReportSides& sides,
                     const std::vector<Line>& lines) {
  chart.table = {chart.id + "-table", chart.title, {{"run", false, "side"}, {"from"}}, {}};
  for (const Line& line : lines) chart.table.columns.push_back({line.title, true});
  for (const ReportSide& side : sides) add_lines(chart, side, lines);
  if (sides.size() > 1) chart.filters = {{"side", "run", sides.back().name, ""}};
  page.chart(chart);
}

/// The stacked areas of one side, and its rows of the table.
void add_reasons_of(ReportChart& chart, const ReportSide& side) {
  const Result& result = side.side->result;
  const TimeZone zone = zone_of(result);
  const TimeBins bins = time_bins(result, kBins);
  const ReasonTable table = reasons_over_time(result, bins.period_s, bins.offset_s);
  const std::size_t shown = std::min(table.reasons.size(), kReasonsShown);
  for (std::size_t bin = 0; bin < table.time.size(); ++bin) {
    const std::int64_t at = table.time[bin];
    const auto add = [&](std::string_view what, double value, std::size_t order) {
      chart.rows.push_back({side.name, wall_clock_ms(at, zone), when_words(at, zone), what,
                            chart_number(value), order});
    };
    double rest = 0;
    for (std::size_t i = shown; i < table.reasons.size(); ++i) rest += table.mean[bin][i];
    for (std::size_t i = 0; i < shown; ++i) {
      add(to_text(table.reasons[i]), table.mean[bin][i], i);
    }
    if (shown < table.reasons.size()) add("all others", rest, shown);
  }
  for (const Reason reason : table.reasons) {
    const Kpi* const hours =
        side.side->kpis.find("reason", std::string(to_text(reason)), "pending_hours");
    chart.table.rows.push_back({side.name, std::string(to_text(reason)),
                                hours != nullptr ? count_words(hours->value) : "-",
                                meaning_of(reason)});
  }
  chart.note = fmt::format(
      "Mean number of pending jobs over {} from the time shown, {} time; each task of an array "
      "is one. What a Reason means stands in the table.",
      period_words(bins.period_s), zone.name());
}

/// A queue can want a hundred times what exists: the chart is about the machine.
ReportChart gpu_chart(const ReportSides& sides) {
  ReportChart chart = chart_of("gpus-over-time", "GPUs over time",
                               "GPUs held, wanted by the queue, available and existing",
                               "GPUs, cut off at twice "
                               "those that exist");
  double existing = 0;
  for (const ReportSide& side : sides) {
    const Series* const series = side.side->result.series.find("gpus_existing");
    for (const double mean : series != nullptr ? series->mean : std::vector<double>()) {
      existing = std::max(existing, mean);
    }
  }
  chart.spec["mark"]["clip"] = true;
  chart.spec["encoding"]["y"]["scale"] = {{"domain", {0, 2 * existing}}};
  return chart;
}

}  // namespace

void add_use_over_time(ReportPage& page, const ReportSides& sides) {
  const Series* const gpus = sides.front().side->result.series.find("gpus_existing");
  if (gpus != nullptr && gpus->integral > 0) {
    add_lines_chart(page, gpu_chart(sides), sides,
                    {{"gpus_busy", "held by jobs"},
                     {"gpus_wanted", "wanted by the queue"},
                     {"gpus_available", "available"},
                     {"gpus_existing", "existing"}});
  } else {
    add_lines_chart(page,
                    chart_of("cpus-over-time", "CPUs over time", "CPUs held and available", "CPUs"),
                    sides,
                    {{"cpus_busy", "held by jobs"},
                     {"cpus_available", "available"},
                     {"cpus_existing", "existing"}});
  }
  add_lines_chart(
      page, chart_of("jobs-over-time", "Queue over time", "jobs that pended and that ran", "jobs"),
      sides, {{"jobs_pending", "pending"}, {"jobs_running", "running"}});
}

void add_reasons(ReportPage& page, const ReportSides& sides) {
  ReportChart chart;
  chart.id = "reasons";
  chart.title = "Why jobs pended, over time";
  chart.text = "pending jobs stacked by Slurm's Reason";
  chart.columns = {"side", "t", "when", "what", "value", "order"};
  chart.table = {"reasons-table",
                 "pending job-hours by Reason",
                 {{"run", false, "side"}, {"Reason"}, {"job-hours", true}, {"meaning"}},
                 {}};
  for (const ReportSide& side : sides) add_reasons_of(chart, side);
  if (chart.rows.empty()) {
    page.note("No job pended.");
    return;
  }
  if (sides.size() > 1) chart.filters = {{"side", "run", sides.back().name, ""}};
  chart.spec = {{"height", 240},
                {"mark", {{"type", "area"}, {"interpolate", "step-after"}, {"line", false}}},
                {"encoding",
                 {{"x", clock_axis("t")},
                  {"y",
                   {{"field", "value"},
                    {"type", "quantitative"},
                    {"stack", "zero"},
                    {"axis", {{"title", "pending jobs"}}}}},
                  {"order", {{"field", "order"}, {"type", "quantitative"}}},
                  {"color",
                   {{"field", "what"},
                    {"type", "nominal"},
                    {"sort", nullptr},
                    {"legend", {{"title", nullptr}}}}},
                  {"tooltip", tooltip_of("value", "pending jobs")}}}};
  page.chart(chart);
}

}  // namespace rehearse

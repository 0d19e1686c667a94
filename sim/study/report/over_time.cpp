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

ReportChart chart_of(const ReportSides& sides, const ReportSpan& span, const char* id,
                     const std::string& title, const std::string& unit) {
  ReportChart chart;
  chart.id = id;
  chart.title = title;
  chart.columns = {"side", "t", "when", "what", "value"};
  chart.spec = {
      {"height", 220},
      {"mark",
       {{"type", "line"},
        {"interpolate", "step-after"},
        {"strokeWidth", 1.7},
        {"point", {{"size", 40}, {"opacity", 0}}}}},
      {"encoding",
       {{"x", clock_axis("t", span.shown, zone_of(sides.front().side->result))},
        {"y", {{"field", "value"}, {"type", "quantitative"}, {"axis", {{"title", unit}}}}},
        {"tooltip", tooltip_of("value", "mean")}}}};
  return chart;
}

/// Lines of one side, and a row of the table for each bin.
void add_lines(ReportChart& chart, const ReportSide& side, const ReportSpan& span,
               const std::vector<Line>& lines) {
  const Result& result = side.side->result;
  const TimeZone zone = zone_of(result);
  const TimeBins bins = time_bins(result, span.shown, kBins);
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
  chart.note = fmt::format("Means over {} from the time shown, {} time.{}",
                           period_words(bins.period_s), zone.name(), span.until);
}

ReportJson line_colours(const std::vector<Line>& lines) {
  std::vector<std::string> names;
  for (const Line& line : lines) names.emplace_back(line.title);
  return {{"field", "what"},
          {"type", "nominal"},
          {"scale", named_colours(names)},
          {"legend", {{"title", nullptr}}}};
}

void add_lines_chart(ReportPage& page, ReportChart chart, const ReportSides& sides,
                     const ReportSpan& span, const std::vector<Line>& lines) {
  chart.table = {chart.id + "-table", chart.title, {{"run", false, "side"}, {"from"}}, {}};
  for (const Line& line : lines) chart.table.columns.push_back({line.title, true});
  for (const ReportSide& side : sides) add_lines(chart, side, span, lines);
  page.chart(chart);
}

constexpr std::string_view kOthers = "all others";

/// The areas of all sides: the same Reason has the same colour and place on each.
struct Stack {
  std::vector<std::string> names;
  double most = 0;  ///< pending jobs
  std::size_t order_of(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.emplace_back(name);
    return names.size() - 1;
  }
};

/// The stacked areas of one side, and its rows of the table.
void add_reasons_of(ReportChart& chart, const ReportSide& side, const ReportSpan& span,
                    Stack& stack) {
  const Result& result = side.side->result;
  const TimeZone zone = zone_of(result);
  const TimeBins bins = time_bins(result, span.shown, kBins);
  const ReasonTable table =
      reasons_over_time(result, even_begins(result, bins.period_s, bins.offset_s));
  const std::size_t shown = std::min(table.reasons.size(), kReasonsShown);
  for (std::size_t bin = 0; bin < table.time.size(); ++bin) {
    const std::int64_t at = table.time[bin];
    if (at >= span.shown.to) break;
    const auto add = [&](std::string_view what, double value, std::size_t order) {
      chart.rows.push_back({side.name, wall_clock_ms(at, zone), when_words(at, zone), what,
                            chart_number(value), order});
    };
    double rest = 0;
    double all = 0;
    for (std::size_t i = shown; i < table.reasons.size(); ++i) rest += table.mean[bin][i];
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string_view name = to_text(table.reasons[i]);
      add(name, table.mean[bin][i], stack.order_of(name));
      all += table.mean[bin][i];
    }
    if (shown < table.reasons.size()) add(kOthers, rest, stack.order_of(kOthers));
    stack.most = std::max(stack.most, all + rest);
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
      "is one. What a Reason means stands in the table.{}",
      period_words(bins.period_s), zone.name(), span.until);
}

/// A queue can want a hundred times what exists: the chart is about the machine.
ReportChart gpu_chart(const ReportSides& sides, const ReportSpan& span,
                      const std::vector<Line>& lines) {
  ReportChart chart = chart_of(sides, span, "gpus-over-time", "GPUs over time",
                               "GPUs, cut off at twice those that exist");
  chart.text = "GPUs held, wanted by the queue, available and existing";
  double existing = 0;
  for (const ReportSide& side : sides) {
    const Series* const series = side.side->result.series.find("gpus_existing");
    for (const double mean : series != nullptr ? series->mean : std::vector<double>()) {
      existing = std::max(existing, mean);
    }
  }
  chart.spec["mark"]["clip"] = true;
  chart.spec["encoding"]["y"]["scale"] = {{"domain", {0, 2 * existing}}};
  chart.spec["encoding"]["color"] = line_colours(lines);
  chart.panels = panels_of(sides);
  return chart;
}

/// Of two runs one quantity at a time, both in one drawing.
ReportChart queue_chart(const ReportSides& sides, const ReportSpan& span,
                        const std::vector<Line>& lines) {
  ReportChart chart = chart_of(sides, span, "jobs-over-time", "Queue over time", "jobs");
  chart.text = "jobs that pended and that ran";
  chart.spec["encoding"]["color"] = sides.size() > 1 ? side_colour(sides) : line_colours(lines);
  if (sides.size() < 2) return chart;
  chart.spec["encoding"]["tooltip"].push_back({{"field", "side"}, {"title", "run"}});
  chart.filters = {{"what", "jobs", lines.front().title, ""}};
  return chart;
}

}  // namespace

void add_use_over_time(ReportPage& page, const ReportSides& sides, const ReportSpan& span) {
  const Series* const gpus = sides.front().side->result.series.find("gpus_existing");
  if (gpus != nullptr && gpus->integral > 0) {
    const std::vector<Line> lines{{"gpus_busy", "held by jobs"},
                                  {"gpus_wanted", "wanted by the queue"},
                                  {"gpus_available", "available"},
                                  {"gpus_existing", "existing"}};
    add_lines_chart(page, gpu_chart(sides, span, lines), sides, span, lines);
  } else {
    const std::vector<Line> lines{{"cpus_busy", "held by jobs"},
                                  {"cpus_available", "available"},
                                  {"cpus_existing", "existing"}};
    ReportChart chart = chart_of(sides, span, "cpus-over-time", "CPUs over time", "CPUs");
    chart.text = "CPUs held and available";
    chart.spec["encoding"]["color"] = line_colours(lines);
    chart.panels = panels_of(sides);
    add_lines_chart(page, std::move(chart), sides, span, lines);
  }
  const std::vector<Line> lines{{"jobs_pending", "pending"}, {"jobs_running", "running"}};
  add_lines_chart(page, queue_chart(sides, span, lines), sides, span, lines);
}

void add_reasons(ReportPage& page, const ReportSides& sides, const ReportSpan& span) {
  ReportChart chart;
  chart.id = "reasons";
  chart.title = "Why jobs pended, over time";
  chart.text = "pending jobs stacked by Slurm's Reason";
  chart.columns = {"side", "t", "when", "what", "value", "order"};
  chart.table = {"reasons-table",
                 "pending job-hours by Reason",
                 {{"run"}, {"Reason"}, {"job-hours", true}, {"meaning"}},
                 {}};
  Stack stack;
  for (const ReportSide& side : sides) add_reasons_of(chart, side, span, stack);
  if (chart.rows.empty()) {
    page.note("No job pended.");
    return;
  }
  chart.panels = panels_of(sides);
  chart.spec = {{"height", 240},
                {"mark", {{"type", "area"}, {"interpolate", "step-after"}, {"line", false}}},
                {"encoding",
                 {{"x", clock_axis("t", span.shown, zone_of(sides.front().side->result))},
                  {"y",
                   {{"field", "value"},
                    {"type", "quantitative"},
                    {"stack", "zero"},
                    {"scale", {{"domain", {0, std::max(1.0, stack.most)}}}},
                    {"axis", {{"title", "pending jobs"}}}}},
                  {"order", {{"field", "order"}, {"type", "quantitative"}}},
                  {"color",
                   {{"field", "what"},
                    {"type", "nominal"},
                    {"scale", named_colours(stack.names)},
                    {"legend", {{"title", nullptr}}}}},
                  {"tooltip", tooltip_of("value", "pending jobs")}}}};
  page.chart(chart);
}

}  // namespace rehearse

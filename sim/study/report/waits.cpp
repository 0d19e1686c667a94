// sim/study/report/waits.cpp — who waits how long: by account, partition, QOS and size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/study/report/kpi_groups.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kBars = 20;
struct WaitFigure {
  const char* title;
  const char* name;
};
constexpr std::array<WaitFigure, 6> kWaits{{{"mean", "wait_mean"},
                                            {"P50", "wait_p50"},
                                            {"P90", "wait_p90"},
                                            {"P95", "wait_p95"},
                                            {"P99", "wait_p99"},
                                            {"mean, from eligible", "wait_eligible_mean"}}};

std::string shown_name(const std::string& name) {
  return name.empty() ? "(none)" : name;
}

void add_group(ReportChart& chart, const char* scope, const KpiGroup& group,
               const std::string& side, bool has_bar) {
  std::vector<std::string> row{scope, shown_name(group.name), side,
                               count_words(group.get("jobs_started"))};
  for (const WaitFigure& figure : kWaits) {
    const double wait = group.get(figure.name);
    row.push_back(span_text(wait));
    if (!std::isfinite(wait) || !has_bar) continue;
    chart.rows.push_back({scope, figure.title, shown_name(group.name), side, chart_number(wait),
                          span_text(wait), chart_number(group.get("jobs_started"))});
  }
  row.push_back(count_words(group.get("gpu_hours_busy")));
  chart.table.rows.push_back(std::move(row));
}

}  // namespace

void add_waits(ReportPage& page, const ReportSides& sides) {
  ReportChart chart;
  chart.id = "waits-by-group";
  chart.title = "Who waits how long";
  chart.text = "one bar for each account, partition, QOS or size; longer is a longer wait";
  chart.note = fmt::format(
      "First start - submission, of jobs that started. Sizes are GPUs of a job. The {} groups with "
      "most jobs; the table has all.",
      kBars);
  chart.columns = {"scope", "figure", "group", "side", "wait", "text", "jobs"};
  chart.filters = {{"scope", "by", "account", ""}, {"figure", "wait", "mean", ""}};
  chart.table = {"waits-table",
                 "waits by account, partition, QOS and size",
                 {{"by", false, "scope"}, {"group"}, {"run"}, {"started", true}},
                 {}};
  for (const WaitFigure& figure : kWaits) chart.table.columns.push_back({figure.title, true});
  chart.table.columns.push_back({"GPU-hours", true});
  for (const char* scope : {"account", "partition", "qos", "size"}) {
    std::vector<std::string> with_bar;
    for (const ReportSide& each : sides) {
      for (const KpiGroup& group : kpi_groups(each.side->kpis, scope)) {
        const bool is_first = &each == &sides.front();
        if (is_first && with_bar.size() < kBars) with_bar.push_back(group.name);
        const bool has_bar =
            std::find(with_bar.begin(), with_bar.end(), group.name) != with_bar.end();
        add_group(chart, scope, group, each.name, has_bar);
      }
    }
  }
  ReportJson encoding = {{"y",
                          {{"field", "group"},
                           {"type", "nominal"},
                           {"sort", sides.size() > 1 ? ReportJson(nullptr) : ReportJson("-x")},
                           {"axis", {{"title", nullptr}}}}},
                         {"x",
                          {{"field", "wait"},
                           {"type", "quantitative"},
                           {"scale", wait_scale()},
                           {"axis", wait_axis("wait")}}},
                         {"color", side_colour(sides)},
                         {"tooltip",
                          {{{"field", "group"}},
                           {{"field", "side"}, {"title", "run"}},
                           {{"field", "text"}, {"title", "wait"}},
                           {{"field", "jobs"}, {"title", "jobs started"}}}}};
  if (sides.size() > 1) {
    encoding["yOffset"] = {{"field", "side"}, {"type", "nominal"}, {"sort", nullptr}};
  }
  chart.spec = {{"height", {{"step", sides.size() > 1 ? 11 : 18}}},
                {"mark", {{"type", "bar"}}},
                {"encoding", encoding}};
  page.chart(chart);
}

}  // namespace rehearse

// sim/study/report/wait_curves.cpp — which share of jobs starts within what wait, group by group.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kGroups = 20;
constexpr int kSteps = 40;

using Waits = std::map<std::string, std::vector<double>>;

/// Waits of first starts by group; `all` has the one group `all jobs`.
Waits waits_by(const Result& result, std::string_view scope) {
  constexpr std::array<PairScope, 4> kScopes{PairScope::Account, PairScope::Partition,
                                             PairScope::Qos, PairScope::Size};
  const auto by = std::find_if(kScopes.begin(), kScopes.end(),
                               [&](PairScope each) { return to_text(each) == scope; });
  Waits waits;
  const RunColumns& runs = result.runs;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (runs.start[row] == kNoTime || runs.restarts[row] > 0) continue;
    std::string group = by == kScopes.end() ? "all jobs" : group_name(result, row, *by);
    if (group.empty()) group = "(none)";
    waits[group].push_back(static_cast<double>(runs.start[row] - runs.submit[row]));
  }
  for (auto& [group, values] : waits) std::sort(values.begin(), values.end());
  return waits;
}

/// The groups with most jobs, by name.
std::vector<std::string> largest(const Waits& waits) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [group, values] : waits) order.emplace_back(values.size(), group);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  if (order.size() > kGroups) order.resize(kGroups);
  std::vector<std::string> names;
  for (auto& [jobs, name] : order) names.push_back(std::move(name));
  return names;
}

void add_curve(ReportChart& chart, const std::vector<std::string>& head,
               const std::vector<double>& sorted) {
  std::vector<double> shares;
  for (int step = 0; step <= kSteps; ++step) {
    shares.push_back(static_cast<double>(step) / kSteps);
    if (step == kSteps - 1) shares.push_back(0.99);
  }
  for (const double share : shares) {
    const double wait = quantile(sorted, share);
    chart.rows.push_back({head[0], head[1], head[2], chart_number(share * 100), chart_number(wait),
                          span_text(wait)});
  }
  chart.table.rows.push_back(
      {head[0], head[1], head[2], count_words(static_cast<double>(sorted.size()))});
  for (const double share : {0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0}) {
    chart.table.rows.back().push_back(span_text(quantile(sorted, share)));
  }
}

ReportJson spec_of_curves(const ReportSides& sides) {
  return {{"height", 260},
          {"mark",
           {{"type", "line"},
            {"interpolate", "linear"},
            {"strokeWidth", 2.5},
            {"point", {{"size", 28}}}}},
          {"encoding",
           {{"x",
             {{"field", "share"},
              {"type", "quantitative"},
              {"scale", {{"domain", {0, 100}}}},
              {"axis", {{"title", "share of the jobs that started [%]"}}}}},
            {"y",
             {{"field", "wait"},
              {"type", "quantitative"},
              {"scale", wait_scale()},
              {"axis", wait_axis("wait")}}},
            {"color", side_colour(sides)},
            {"tooltip",
             {{{"field", "side"}, {"title", "run"}},
              {{"field", "group"}},
              {{"field", "share"}, {"title", "% of the jobs"}},
              {{"field", "text"}, {"title", "start within"}}}}}}};
}

}  // namespace

void add_wait_curves(ReportPage& page, const ReportSides& sides) {
  ReportChart chart;
  chart.id = "wait-curves";
  chart.title = "How many start within what wait";
  chart.text = "the share of jobs that started within a wait; a lower curve is a shorter wait";
  chart.note = fmt::format(
      "Quantiles of first start - submission. At 95 stands the wait that 95 % of the jobs do not "
      "exceed. The {} groups of each kind with most jobs can be chosen.",
      kGroups);
  chart.columns = {"scope", "group", "side", "share", "wait", "text"};
  chart.filters = {{"scope", "by", "all", ""}, {"group", "group", "all jobs", "scope"}};
  chart.table = {"curves-table",
                 "quantiles of the wait",
                 {{"by", false, "scope"},
                  {"group", false, "group"},
                  {"run"},
                  {"jobs", true},
                  {"P25", true},
                  {"P50", true},
                  {"P75", true},
                  {"P90", true},
                  {"P95", true},
                  {"P99", true},
                  {"longest", true}},
                 {}};
  for (const char* scope : {"all", "account", "partition", "qos", "size"}) {
    std::vector<Waits> waits;
    for (const ReportSide& each : sides) waits.push_back(waits_by(each.side->result, scope));
    for (const std::string& group : largest(waits.front())) {
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto found = waits[i].find(group);
        if (found == waits[i].end()) continue;
        add_curve(chart, {scope, group, sides[i].name}, found->second);
      }
    }
  }
  chart.spec = spec_of_curves(sides);
  page.chart(chart);
}

}  // namespace rehearse

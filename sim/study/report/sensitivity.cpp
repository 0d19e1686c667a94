// sim/study/report/sensitivity.cpp — the panel of assumptions: a bar for each parameter, as long as
// what its values make of a figure.
#include "sim/study/report/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/study/registry_query.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

/// The figures that a page's first screen speaks of; those that a registry has are shown.
constexpr std::string_view kHeadlines[] = {"wait_mean",
                                           "wait_p95",
                                           "gpu_utilization_available",
                                           "cpu_utilization_available",
                                           "bounded_slowdown_mean",
                                           "throughput"};

std::optional<double> number_of(const std::string& text) {
  std::size_t used = 0;
  try {
    const double value = std::stod(text, &used);
    if (used == text.size() && std::isfinite(value)) return value;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

/// Numbers by size, before words.
bool is_before(const SensitivityLevel& a, const SensitivityLevel& b) {
  const auto x = number_of(a.value);
  const auto y = number_of(b.value);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a.value < b.value;
}

std::string words_of(double value, const std::string& figure) {
  if (!std::isfinite(value)) return "-";
  const auto definitions = kpi_definitions();
  const auto known = std::find_if(definitions.begin(), definitions.end(),
                                  [&](const KpiDefinition& kpi) { return kpi.name == figure; });
  if (known != definitions.end() && known->units == "s") return span_text(value);
  if (figure.find("utilization") != std::string::npos) return percent_words(value);
  return fmt::format("{:.4g}", value);
}

std::string title_of(const std::string& figure) {
  const auto definitions = kpi_definitions();
  const auto known = std::find_if(definitions.begin(), definitions.end(),
                                  [&](const KpiDefinition& kpi) { return kpi.name == figure; });
  return known == definitions.end() ? figure : std::string(known->long_name);
}

}  // namespace

double SensitivityEffect::range() const {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const SensitivityLevel& level : levels) {
    least = std::min(least, level.mean);
    most = std::max(most, level.mean);
  }
  return levels.empty() ? 0 : most - least;
}

Sensitivity read_sensitivity(const std::filesystem::path& registry) {
  RegistryReader reader(registry);
  Sensitivity found;
  found.source = registry.filename().string();
  const PointCounts counts = reader.counts();
  found.points = counts.complete;
  found.incomplete = counts.all() - counts.complete;
  if (found.points == 0) {
    throw InputError({registry.string(), 0, 0}, "no point is complete yet",
                     "rehearse sweep continues the study");
  }
  const RegistryTable named = reader.select("SELECT value FROM study WHERE key = 'site'");
  if (!named.rows.empty()) found.site = named.rows.front().front().text;
  const RegistryTable rows = reader.select(
      "SELECT k.name, p.name, p.value, count(k.value), avg(k.value), min(k.value), max(k.value) "
      "FROM kpis k JOIN parameters p ON p.point = k.point JOIN points q ON q.point = k.point "
      "WHERE q.status = 'complete' AND k.value IS NOT NULL GROUP BY k.name, p.name, p.value "
      "ORDER BY k.name, p.name, p.value");
  std::map<std::pair<std::string, std::string>, SensitivityEffect> effects;
  for (const auto& row : rows.rows) {
    const std::string& figure = row[0].text;
    const bool wanted =
        figure == reader.objective() ||
        std::find(std::begin(kHeadlines), std::end(kHeadlines), figure) != std::end(kHeadlines);
    if (!wanted) continue;
    SensitivityEffect& effect = effects[{figure, row[1].text}];
    effect.figure = figure;
    effect.parameter = row[1].text;
    effect.levels.push_back({row[2].text, static_cast<std::size_t>(std::stoull(row[3].text)),
                             std::stod(row[4].text), std::stod(row[5].text),
                             std::stod(row[6].text)});
  }
  for (auto& [key, effect] : effects) {
    if (effect.levels.size() < 2) continue;
    std::sort(effect.levels.begin(), effect.levels.end(), is_before);
    found.effects.push_back(std::move(effect));
  }
  std::stable_sort(found.effects.begin(), found.effects.end(),
                   [](const SensitivityEffect& a, const SensitivityEffect& b) {
                     if (a.figure != b.figure) return a.figure < b.figure;
                     return a.range() > b.range();
                   });
  return found;
}

namespace {

ReportJson spec_of() {
  const ReportJson y = {{"field", "parameter"},
                        {"type", "nominal"},
                        {"sort", nullptr},
                        {"axis", {{"title", nullptr}, {"labelLimit", 260}}}};
  const ReportJson x = {{"field", "mean"},
                        {"type", "quantitative"},
                        {"scale", {{"zero", false}}},
                        {"axis", {{"title", "mean of the figure over the points of that value"}}}};
  const ReportJson line = {{"mark", {{"type", "line"}, {"color", "var(--c9)"}, {"strokeWidth", 6}}},
                           {"encoding", {{"x", x}, {"detail", {{"field", "parameter"}}}}}};
  const ReportJson points = {
      {"mark", {{"type", "circle"}, {"size", 90}, {"opacity", 1}, {"color", "var(--c1)"}}},
      {"encoding",
       {{"x", x},
        {"tooltip",
         {{{"field", "parameter"}},
          {{"field", "value"}},
          {{"field", "text"}, {"title", "mean"}},
          {{"field", "spread"}, {"title", "of its points"}},
          {{"field", "runs"}, {"title", "points"}}}}}}};
  return {{"height", {{"step", 34}}},
          {"encoding", {{"y", y}}},
          {"layer", ReportJson::array({line, points})}};
}

}  // namespace

void add_sensitivity(ReportPage& page, const ReportRequest& request) {
  if (request.sensitivity == nullptr) return;
  const Sensitivity& all = *request.sensitivity;
  page.section("sensitivity", "What it hangs on");
  ReportChart chart;
  chart.id = "sensitivity-chart";
  chart.title = "How far the figures move with what is assumed";
  chart.text = "for each parameter a line from the least to the largest mean of a figure";
  chart.note = fmt::format(
      "{} points of a sweep over {} ({}{}). A circle is one value of a parameter: the mean of the "
      "figure over all points that have it, whatever the others are. A long line is an assumption "
      "that matters; parameters that work against each other can hide that.",
      all.points, all.site, all.source,
      all.incomplete > 0 ? fmt::format("; {} points are not complete", all.incomplete) : "");
  chart.columns = {"figure", "parameter", "value", "mean", "text", "spread", "runs"};
  chart.table = {"sensitivity-table",
                 "figures by parameter and value",
                 {{"figure", false, "figure"},
                  {"parameter"},
                  {"value", true},
                  {"points", true},
                  {"mean", true},
                  {"least", true},
                  {"most", true}},
                 {}};
  if (all.effects.empty()) {
    page.note("No parameter of the study has two values.");
    return;
  }
  std::string first = title_of(all.effects.front().figure);
  for (const SensitivityEffect& effect : all.effects) {
    const std::string title = title_of(effect.figure);
    if (effect.figure == kHeadlines[0]) first = title;
    for (const SensitivityLevel& level : effect.levels) {
      const std::string spread = fmt::format("{} .. {}", words_of(level.low, effect.figure),
                                             words_of(level.high, effect.figure));
      chart.rows.push_back({title, effect.parameter, level.value, chart_number(level.mean),
                            words_of(level.mean, effect.figure), spread, level.runs});
      chart.table.rows.push_back(
          {title, effect.parameter, level.value, count_words(static_cast<double>(level.runs)),
           words_of(level.mean, effect.figure), words_of(level.low, effect.figure),
           words_of(level.high, effect.figure)});
    }
  }
  chart.filters = {{"figure", "figure", first, ""}};
  chart.spec = spec_of();
  page.chart(chart);
}

}  // namespace rehearse

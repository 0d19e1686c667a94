// sim/study/report/winners.cpp — two runs: what is different, every figure, who gains and who
// loses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/output/views/view.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

#include "sim/config/lint.hpp"  // last: its Release and events.hpp's have one name

namespace rehearse {

std::string figure_words(double value, const FigureInfo& info) {
  if (!std::isfinite(value)) return "-";
  if (info.units == "s") return span_text(value);
  return info.is_share() ? percent_words(value) : count_words(value);
}

std::string change_words(double value, const FigureInfo& info) {
  if (!std::isfinite(value)) return "-";
  if (info.units == "s") return signed_span(value);
  if (info.is_share()) return points_words(value);
  const std::string size = figure_words(std::abs(value), info);
  if (size == figure_words(0, info)) return size;  // no sign of what is rounded away
  return (value < 0 ? "-" : "+") + size;
}

std::string title_words(const FigureInfo& info) {
  constexpr std::string_view kStar = " *";
  if (!info.title.ends_with(kStar)) return std::string(info.title);
  return fmt::format("{}, while jobs arrived", info.title.substr(0, info.title.size() - 2));
}

namespace {

constexpr std::size_t kBars = 25;

std::string interval_words(const Figure& figure) {
  const Sureness& sure = figure.sure;
  if (!sure.difference) return "no interval";
  return fmt::format("{} .. {}", change_words(sure.difference->low, *figure.info),
                     change_words(sure.difference->high, *figure.info));
}
std::string judgement_words(const Figure& figure) {
  if (!figure.sure.difference) return "";
  if (figure.is_worse()) return "worse";
  if (figure.is_better()) return "better";
  const auto& interval = *figure.sure.difference;
  if (interval.low == 0 && interval.high == 0) return "no change";
  return figure.sure.is_significant() ? "changed" : "not sure";
}

void add_figures_of(ReportPage& page, const Comparison& value, const ReportSpan& span) {
  ReportTable table{"compared",
                    "figures of both runs",
                    {{"figure"},
                     {"A", true},
                     {"B", true},
                     {"difference", true},
                     {"95 % interval", true},
                     {"judgement"},
                     {"formula"}},
                    {}};
  for (const Figure& figure : value.figures) {
    if (!std::isfinite(figure.a) && !std::isfinite(figure.b)) continue;
    const FigureInfo& info = *figure.info;
    table.rows.push_back({title_words(info), figure_words(figure.a, info),
                          figure_words(figure.b, info), change_words(figure.difference(), info),
                          interval_words(figure), judgement_words(figure),
                          std::string(figure.info->formula)});
  }
  page.table(table, true);
  page.note(fmt::format(
      "pp: percentage points. Jobs arrived until {}; the whole run goes on until its last job "
      "ends, "
      "on {}. Utilization on this page is that while jobs arrived: of the whole run it is lower, "
      "as "
      "in the tail ever fewer jobs run.",
      when_words(span.arrivals.to, zone_of(value.b->result)),
      when_words(std::max(value.a->result.end, value.b->result.end), zone_of(value.b->result))));
}

void add_row(ReportChart& chart, std::string_view scope, const GroupRow& row, bool has_bar) {
  const auto& interval = row.wait.sure.difference;
  const double change = row.wait.difference();
  const std::string judged = judgement_words(row.wait);
  chart.table.rows.push_back(
      {std::string(scope), row.name, count_words(static_cast<double>(row.jobs)),
       count_words(row.gpu_hours), span_text(row.wait.a), span_text(row.wait.b),
       change_words(change, *row.wait.info), interval_words(row.wait), judged,
       count_words(row.started > 0 ? row.added_hours() : 0)});
  if (!has_bar || !std::isfinite(change)) return;
  const char* const mood = judged == "worse"    ? "waits longer, surely"
                           : judged == "better" ? "waits less, surely"
                                                : "not sure";
  // Without an interval its line has no length: Vega knows no axis of nothing at all.
  const double low = interval ? interval->low : change;
  const double high = interval ? interval->high : change;
  const std::string jobs = count_words(static_cast<double>(row.jobs));
  chart.rows.push_back({scope,
                        fmt::format("{}{} ({} job{})", row.is_small ? "small: " : "", row.name,
                                    jobs, row.jobs == 1 ? "" : "s"),
                        chart_number(change / 3600), chart_number(low / 3600),
                        chart_number(high / 3600), mood, signed_span(change),
                        interval_words(row.wait), row.jobs, count_words(row.gpu_hours),
                        row.is_small ? 0.45 : 1});
}

ReportJson winners_spec() {
  const ReportJson y = {{"field", "group"},
                        {"type", "nominal"},
                        {"sort", nullptr},
                        {"axis", {{"title", nullptr}, {"labelLimit", 260}}}};
  ReportJson bars = {
      {"mark", {{"type", "bar"}}},
      {"encoding",
       {{"x",
         {{"field", "change"},
          {"type", "quantitative"},
          {"axis",
           {{"title", "mean wait, B - A [h]: to the right waits longer"}, {"tickCount", 10}}}}},
        {"opacity",
         {{"field", "opacity"}, {"type", "quantitative"}, {"scale", nullptr}, {"legend", nullptr}}},
        {"color",
         {{"field", "mood"},
          {"type", "nominal"},
          {"scale",
           {{"domain", {"waits longer, surely", "waits less, surely", "not sure"}},
            {"range", {"var(--c4)", "var(--c3)", "var(--c9)"}}}},
          {"legend", {{"title", nullptr}}}}},
        {"tooltip",
         {{{"field", "group"}},
          {{"field", "text"}, {"title", "mean wait"}},
          {{"field", "interval"}, {"title", "95 % interval"}},
          {{"field", "jobs"}},
          {{"field", "hours"}, {"title", "GPU-hours under A"}}}}}}};
  ReportJson rules = {
      {"mark", {{"type", "rule"}, {"color", "var(--ink)"}}},
      {"encoding",
       {{"x", {{"field", "low"}, {"type", "quantitative"}}}, {"x2", {{"field", "high"}}}}}};
  return {{"height", {{"step", 20}}},
          {"encoding", {{"y", y}}},
          {"layer", ReportJson::array({bars, rules})}};
}

void add_winners(ReportPage& page, const Comparison& value) {
  ReportChart chart;
  chart.id = "winners";
  chart.title = "Mean wait, B against A";
  chart.text = "a bar for each group: how much longer or shorter its mean wait is under B";
  chart.note =
      "Mean wait of the same jobs under B minus under A. The line is the 95 % interval, "
      "simultaneous over the table, from drawing whole users anew; groups of too few users have "
      "none, and are never called sure. Small, at the end, are those that together have less than "
      "5 % of the jobs and of the GPU-hours.";
  chart.columns = {"scope", "group",    "change", "low",   "high",   "mood",
                   "text",  "interval", "jobs",   "hours", "opacity"};
  chart.filters = {{"scope", "by", "account", ""}};
  chart.table = {"winners-table",
                 "mean wait by group",
                 {{"by", false, "scope"},
                  {"group"},
                  {"jobs", true},
                  {"GPU-hours", true},
                  {"A", true},
                  {"B", true},
                  {"difference", true},
                  {"95 % interval", true},
                  {"judgement"},
                  {"job-hours added", true}},
                 {}};
  for (std::size_t scope = 0; scope < kPairScopeCount; ++scope) {
    const std::vector<GroupRow>& rows = value.groups[scope];
    const std::string_view name = to_text(static_cast<PairScope>(scope));
    for (const bool small : {false, true}) {
      std::vector<const GroupRow*> some;
      for (const GroupRow& row : rows) {
        if (row.is_small == small) some.push_back(&row);
      }
      for (std::size_t i = 0; i < some.size(); ++i) {
        // The most hurt stand first, those that gain most last: both ends are of interest.
        const bool has_bar = i < kBars / 2 || i + kBars / 2 >= some.size();
        add_row(chart, name, *some[i], has_bar);
      }
    }
  }
  chart.spec = winners_spec();
  page.chart(chart);
}

}  // namespace

void add_changes(ReportPage& page, const ConfDifference& conf) {
  ReportTable table{"changes",
                    "what is different",
                    {{"where"}, {"key"}, {"A"}, {"B"}, {"in the simulation"}, {"what it does"}},
                    {}};
  for (const KeyDifference& key : conf.keys) {
    table.rows.push_back({key.where.empty() ? "cluster" : key.where, key.key,
                          key.a.empty() ? "(default)" : key.a, key.b.empty() ? "(default)" : key.b,
                          std::string(to_text(key.effect)), key.meaning});
  }
  for (const std::string& line : conf.nodes) table.rows.push_back({"nodes", line, "", "", "", ""});
  for (const InputDifference& input : conf.inputs) {
    table.rows.push_back({"file", input.file,
                          fmt::format("{} lines of its own", input.lines_only_a),
                          fmt::format("{} lines of its own", input.lines_only_b), "", ""});
  }
  if (table.rows.empty()) {
    page.note("Both runs have the same configuration.");
    return;
  }
  page.table(table, true);
}

void add_comparison(ReportPage& page, const Comparison& value, const ReportSpan& span) {
  page.section("compared-figures", "Figures of both runs");
  add_figures_of(page, value, span);
  page.section("who", "Who loses, who gains");
  add_winners(page, value);
}

}  // namespace rehearse

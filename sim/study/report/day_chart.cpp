// sim/study/report/day_chart.cpp — one day, GPU by GPU: which job held it from when to when.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/output/device_indexes.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/time_bins.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kDay = 86400;
constexpr std::size_t kLanes = 96;   // GPUs that one chart shows
constexpr std::size_t kBars = 4000;  // jobs on GPUs, at most

std::int64_t midnight_of(std::int64_t at, const TimeZone& zone) {
  const std::int64_t east = zone.offset_at(from_epoch_seconds(at)).count();
  return at - (((at + east) % kDay) + kDay) % kDay;
}

/// The day on which most jobs pended on average.
std::int64_t busiest_day(const Result& result) {
  const TimeZone zone = zone_of(result);
  const Series* const pending = result.series.find("jobs_pending");
  const Series* const running = result.series.find("jobs_running");
  std::map<std::int64_t, double> sums;
  for (std::size_t i = 0; pending != nullptr && i < result.series.time.size(); ++i) {
    double& day = sums[midnight_of(result.series.time[i], zone)];
    day += pending->mean[i] + (running != nullptr ? running->mean[i] * 1e-6 : 0);
  }
  std::int64_t best = midnight_of(result.begin, zone);
  double most = -1;
  for (const auto& [day, sum] : sums) {
    if (sum > most) {
      best = day;
      most = sum;
    }
  }
  return best;
}

/// A job held GPUs of a node for a part of the day.
bool is_of_day(const Result& result, std::size_t holding, std::int64_t day) {
  const std::uint32_t run = result.holdings.run[holding];
  const RunColumns& runs = result.runs;
  if (result.holdings.gpu_milli[holding] == 0 || runs.start[run] == kNoTime) return false;
  return runs.start[run] < day + kDay && (runs.end[run] == kNoTime || runs.end[run] > day);
}

/// The nodes with most jobs on the day, until the chart is full.
std::set<std::uint32_t> nodes_of(const Result& result, std::int64_t day) {
  std::map<std::uint32_t, std::int64_t> jobs;
  for (std::size_t i = 0; i < result.holdings.size(); ++i) {
    if (is_of_day(result, i, day)) ++jobs[result.holdings.node[i]];
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> order;
  for (const auto& [node, count] : jobs) order.emplace_back(-count, node);
  std::sort(order.begin(), order.end());
  std::set<std::uint32_t> shown;
  std::size_t lanes = 0;
  for (const auto& [count, node] : order) {
    const std::size_t gpus = (result.cluster.nodes[node].gpu_milli + 999) / 1000;
    if (lanes + gpus > kLanes && !shown.empty()) break;
    lanes += gpus;
    shown.insert(node);
  }
  return shown;
}

std::string lane_name(const NodeFacts& node, std::uint32_t index) {
  return fmt::format("{} gpu{}", node.name, index);
}

void add_holding(ReportChart& chart, const ReportSide& side, std::size_t holding,
                 std::int64_t day) {
  const Result& result = side.side->result;
  const TimeZone zone = zone_of(result);
  const RunColumns& runs = result.runs;
  const std::uint32_t run = result.holdings.run[holding];
  const NodeFacts& node = result.cluster.nodes[result.holdings.node[holding]];
  const std::int64_t end = runs.end[run] == kNoTime ? result.end : runs.end[run];
  std::vector<std::uint32_t> indexes =
      gpu_indexes(text_of(result.names.text, result.holdings.devices[holding]));
  if (indexes.empty()) indexes.push_back(0);
  const std::string job = job_id_text(result, run);
  const std::string& user = text_of(result.names.user, runs.user[run]);
  const std::string& account = text_of(result.names.account, runs.account[run]);
  for (const std::uint32_t index : indexes) {
    if (index * 1000 >= node.gpu_milli) continue;
    chart.rows.push_back({side.name, lane_name(node, index),
                          wall_clock_ms(std::max(day, runs.start[run]), zone),
                          wall_clock_ms(std::min(day + kDay, end), zone), job, user,
                          account.empty() ? "(none)" : account, when_words(runs.start[run], zone),
                          when_words(end, zone),
                          span_text(static_cast<double>(runs.start[run] - runs.submit[run]))});
  }
  chart.table.rows.push_back({side.name, job, user, account, node.name,
                              text_of(result.names.text, result.holdings.devices[holding]),
                              when_words(runs.start[run], zone), when_words(end, zone),
                              span_text(static_cast<double>(runs.start[run] - runs.submit[run]))});
}

/// The accounts with most bars have a colour each, all others one: the last cell of each row.
/// Returns them, and what the others are called.
std::vector<std::string> add_colours(ReportChart& chart) {
  constexpr std::size_t kAccount = 6;  // the cell of a row
  constexpr std::size_t kColours = 9;
  std::map<std::string, std::size_t> bars;
  for (const ReportJson& row : chart.rows) ++bars[row[kAccount].get<std::string>()];
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [account, count] : bars) order.emplace_back(count, account);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.size() > kColours) order.resize(kColours);
  std::set<std::string> named;
  for (const auto& [count, account] : order) named.insert(account);
  for (ReportJson& row : chart.rows) {
    const auto account = row[kAccount].get<std::string>();
    row.push_back(named.contains(account) ? account : "all others");
  }
  std::vector<std::string> names(named.begin(), named.end());
  if (bars.size() > kColours) names.emplace_back("all others");
  return names;
}

ReportJson spec_of(const ReportJson& lanes, const ReportJson& x, const ReportJson& colours) {
  return {
      {"height", {{"step", lanes.size() > 48 ? 8 : 12}}},
      {"mark", {{"type", "bar"}, {"stroke", "var(--paper)"}, {"strokeWidth", 0.6}, {"clip", true}}},
      {"encoding",
       {{"x", x},
        {"x2", {{"field", "end"}}},
        {"y",
         {{"field", "gpu"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"scale", {{"domain", lanes}}},
          {"axis", {{"title", nullptr}, {"labelOverlap", true}}}}},
        {"color",
         {{"field", "colour"},
          {"type", "nominal"},
          {"scale", colours},
          {"legend", {{"title", "account"}}}}},
        {"tooltip",
         {{{"field", "job"}},
          {{"field", "user"}},
          {{"field", "account"}},
          {{"field", "gpu"}},
          {{"field", "start"}},
          {{"field", "ended"}, {"title", "until"}},
          {{"field", "wait"}, {"title", "waited"}}}}}}};
}

}  // namespace

std::optional<std::int64_t> find_day(const Result& result, const std::string& day) {
  const TimeZone zone = zone_of(result);
  const auto at = day.size() == 10 ? zone.read(day + "T00:00:00") : std::nullopt;
  if (!at) return std::nullopt;
  const std::int64_t begin = epoch_seconds(*at);
  if (begin >= result.end || begin + kDay <= result.begin) return std::nullopt;
  return begin;
}

void add_day(ReportPage& page, const ReportSides& sides, const ReportRequest& request) {
  const Result& last = sides.back().side->result;
  const TimeZone zone = zone_of(last);
  const auto wanted = request.day.empty() ? std::nullopt : find_day(last, request.day);
  const std::int64_t day = wanted.value_or(busiest_day(last));
  std::set<std::string> nodes;
  ReportJson lanes = ReportJson::array();
  for (const std::uint32_t node : nodes_of(last, day)) {
    const NodeFacts& facts = last.cluster.nodes[node];
    nodes.insert(facts.name);
    for (std::uint32_t i = 0; i * 1000 < facts.gpu_milli; ++i) lanes.push_back(lane_name(facts, i));
  }
  const std::string name = when_words(day, zone).substr(0, 10);
  if (nodes.empty()) {
    page.note(fmt::format("No job held a GPU on {}.", name));
    return;
  }
  ReportChart chart;
  chart.id = "day";
  chart.title = fmt::format("{}: which job held which GPU", name);
  chart.text = "a bar for each job on each GPU, from its start to its end";
  chart.columns = {"side",    "gpu",   "t",     "end",  "job",   "user",
                   "account", "start", "ended", "wait", "colour"};
  chart.table = {"day-table",
                 fmt::format("jobs on these nodes on {}", name),
                 {{"run"},
                  {"job"},
                  {"user"},
                  {"account"},
                  {"node"},
                  {"devices"},
                  {"start"},
                  {"until"},
                  {"waited", true}},
                 {}};
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Result& result = sides[k].side->result;
    for (std::size_t i = 0; i < result.holdings.size(); ++i) {
      const NodeFacts& facts = result.cluster.nodes[result.holdings.node[i]];
      if (!is_of_day(result, i, day) || !nodes.contains(facts.name)) continue;
      if (chart.rows.size() >= kBars * (k + 1) / sides.size()) {
        ++left_out;
      } else {
        add_holding(chart, sides[k], i, day);
      }
    }
  }
  const ReportJson colours = named_colours(add_colours(chart));
  chart.note = fmt::format(
      "{} Nodes with most jobs on their GPUs ({}{}), GPU by GPU as they were given; a job "
      "without a device number, or with a part of one, is on the first.{}{}",
      wanted ? "The day that was asked for." : "The day with the longest queue.", nodes.size(),
      sides.size() > 1 ? ", under B" : "",
      left_out > 0 ? fmt::format(" {} jobs more are left out.", left_out) : "",
      sides.size() > 1 ? "" : " --day YYYY-MM-DD shows another day.");
  chart.panels = panels_of(sides);
  chart.spec = spec_of(lanes, clock_axis("t", {day, day + kDay}, zone), colours);
  page.chart(chart);
}

}  // namespace rehearse

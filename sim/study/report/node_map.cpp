// sim/study/report/node_map.cpp — GPUs held, node by node and hour by hour; where nodes are many,
// neighbours share a row.
#include "sim/study/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/output/views/view.hpp"
#include "sim/study/report/time_bins.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kRows = 48;
constexpr std::size_t kBins = 96;

/// Rows of the map: neighbours among the nodes that have the resource.
struct NodeRows {
  std::vector<std::string> names;
  std::vector<double> capacity;     ///< of each row
  std::vector<std::size_t> row_of;  ///< by node; names.size(): none
  bool is_gpu = true;
};

NodeRows rows_of(const ClusterFacts& cluster) {
  NodeRows rows;
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    if (cluster.nodes[i].gpu_milli > 0) members.push_back(i);
  }
  rows.is_gpu = !members.empty();
  for (std::size_t i = 0; members.size() < cluster.nodes.size() && !rows.is_gpu; ++i) {
    members.push_back(i);
  }
  const std::size_t share = (members.size() + kRows - 1) / kRows;
  const std::size_t count = share == 0 ? 0 : (members.size() + share - 1) / share;
  rows.capacity.resize(count);
  rows.row_of.assign(cluster.nodes.size(), count);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const NodeFacts& node = cluster.nodes[members[i]];
    const std::size_t row = i / share;
    rows.row_of[members[i]] = row;
    rows.capacity[row] +=
        rows.is_gpu ? static_cast<double>(node.gpu_milli) / 1000 : node.effective_cpus;
    if (i % share == 0) rows.names.push_back(node.name);
    const bool is_last = i % share == share - 1 || i + 1 == members.size();
    if (is_last && i % share > 0) rows.names.back() += " … " + node.name;
  }
  return rows;
}

/// Seconds × units held, by row and bin.
std::vector<std::vector<double>> held_in(const Result& result, const NodeRows& rows,
                                         const TimeBins& bins) {
  std::vector<std::vector<double>> sums(rows.names.size(), std::vector<double>(bins.count));
  const HoldingColumns& held = result.holdings;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::size_t row = rows.row_of[held.node[i]];
    const std::uint32_t run = held.run[i];
    if (row >= sums.size() || result.runs.start[run] == kNoTime) continue;
    const double amount = rows.is_gpu ? static_cast<double>(held.gpu_milli[i]) / 1000
                                      : static_cast<double>(held.cpus[i]);
    const std::int64_t end = result.runs.end[run] == kNoTime ? result.end : result.runs.end[run];
    for (std::int64_t at = result.runs.start[run]; amount > 0 && at < end;) {
      const std::int64_t bin = (at - bins.begin) / bins.period_s;
      if (bin < 0 || bin >= static_cast<std::int64_t>(bins.count)) break;
      const std::int64_t until = std::min(end, bins.begin + (bin + 1) * bins.period_s);
      sums[row][static_cast<std::size_t>(bin)] += amount * static_cast<double>(until - at);
      at = until;
    }
  }
  return sums;
}

ReportJson spec_of_map(const ReportJson& x, std::size_t rows) {
  return {{"height", {{"step", rows > 24 ? 11 : 16}}},
          {"mark", {{"type", "rect"}, {"fill", "var(--c1)"}, {"stroke", nullptr}}},
          {"encoding",
           {{"x", x},
            {"x2", {{"field", "end"}}},
            {"y",
             {{"field", "node"},
              {"type", "nominal"},
              {"sort", nullptr},
              {"axis", {{"title", nullptr}, {"labelOverlap", true}}}}},
            {"fillOpacity",
             {{"field", "share"},
              {"type", "quantitative"},
              {"scale", {{"domain", {0, 1}}, {"range", {0, 1}}, {"clamp", true}}},
              {"legend", nullptr}}},
            {"tooltip",
             {{{"field", "node"}},
              {{"field", "when"}, {"title", "from"}},
              {{"field", "text"}, {"title", "held"}}}}}}};
}

/// The fields of one side, and its rows of the table.
void add_side(ReportChart& chart, const ReportSide& side, const NodeRows& rows,
              const ReportSpan& span) {
  const Result& result = side.side->result;
  const TimeZone zone = zone_of(result);
  const TimeBins bins = time_bins(result, span.shown, kBins);
  const auto held = held_in(result, rows, bins);
  for (std::size_t row = 0; row < rows.names.size(); ++row) {
    double sum = 0;
    double whole = 0;
    for (std::size_t bin = 0; bin < bins.count; ++bin) {
      const std::int64_t begin = std::max(result.begin, bins.time(bin));
      const std::int64_t end = std::min(result.end, bins.time(bin) + bins.period_s);
      const double existing = rows.capacity[row] * static_cast<double>(end - begin);
      sum += held[row][bin];
      whole += existing;
      const double share = existing > 0 ? held[row][bin] / existing : 0;
      chart.rows.push_back(
          {side.name, rows.names[row], wall_clock_ms(bins.time(bin), zone),
           wall_clock_ms(std::min(span.shown.to, bins.time(bin) + bins.period_s), zone),
           when_words(bins.time(bin), zone), chart_number(share), percent_words(share)});
    }
    chart.table.rows.push_back(
        {side.name, rows.names[row], count_words(rows.capacity[row]), percent_words(sum / whole)});
  }
}

}  // namespace

void add_node_map(ReportPage& page, const ReportSides& sides, const ReportSpan& span) {
  const Result& first = sides.front().side->result;
  const TimeZone zone = zone_of(first);
  const TimeBins bins = time_bins(first, span.shown, kBins);
  const NodeRows rows = rows_of(first.cluster);
  if (rows.names.empty() || bins.count == 0) return;
  const char* const unit = rows.is_gpu ? "GPUs" : "CPUs";
  ReportChart chart;
  chart.id = "node-map";
  chart.title = fmt::format("{} held, node by node", unit);
  chart.text = "a field for each node and piece of time; darker is fuller";
  chart.note = fmt::format(
      "Share of a row's {} held by jobs, over {} from the time shown, {} time; a suspended job "
      "counts as holding them. White: idle, or out of order.{}",
      unit, period_words(bins.period_s), zone.name(), span.until);
  chart.columns = {"side", "node", "t", "end", "when", "share", "text"};
  chart.table = {"node-map-table",
                 fmt::format("{} of each row over the time shown", unit),
                 {{"run"}, {"nodes"}, {unit, true}, {"held", true}},
                 {}};
  std::size_t most = rows.names.size();
  for (const ReportSide& side : sides) {
    const NodeRows own = rows_of(side.side->result.cluster);
    most = std::max(most, own.names.size());
    add_side(chart, side, own, span);
  }
  chart.panels = panels_of(sides);
  chart.spec = spec_of_map(clock_axis("t", span.shown, zone), most);
  page.chart(chart);
}

}  // namespace rehearse

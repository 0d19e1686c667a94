// sim/output/heat_map.cpp — intervals of holdings spread over the bins they touch, in integers.
#include "sim/output/heat_map.hpp"

#include <algorithm>

namespace rehearse {
namespace {

constexpr std::size_t kMostRows = 256;
constexpr std::int64_t kMostBins = 256;
constexpr std::int64_t kMinute = 60;

std::int64_t upward(std::int64_t whole, std::int64_t parts) {
  return (whole + parts - 1) / parts;
}

}  // namespace

HeatMap heat_map(const Result& result) {
  HeatMap map;
  const GpuNodeColumns& nodes = result.gpu.nodes;
  const std::int64_t length = result.end - result.begin;
  if (!result.gpu.kept || nodes.size() == 0 || length <= 0) return map;
  map.bin_s = upward(upward(length, kMostBins), kMinute) * kMinute;
  const auto bins = static_cast<std::size_t>(upward(length, map.bin_s));
  for (std::size_t bin = 0; bin < bins; ++bin) {
    map.time.push_back(result.begin + static_cast<std::int64_t>(bin) * map.bin_s);
  }
  const std::size_t each = (nodes.size() + kMostRows - 1) / kMostRows;
  std::vector<std::uint32_t> row_of(result.cluster.nodes.size(), kNoRow);
  std::vector<std::uint64_t> capacity;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i % each == 0) {
      map.first_node.push_back(nodes.node[i]);
      map.nodes.push_back(0);
      capacity.push_back(0);
    }
    row_of[nodes.node[i]] = static_cast<std::uint32_t>(map.nodes.size() - 1);
    ++map.nodes.back();
    capacity.back() += nodes.physical_milli[i];
  }
  std::vector<std::uint64_t> held(map.nodes.size() * bins, 0);
  const HoldingColumns& holdings = result.holdings;
  const RunColumns& runs = result.runs;
  // A run on several nodes: its SMs are shared out as its GPUs are.
  for (std::size_t i = 0; i < holdings.size(); ++i) {
    const std::size_t run = holdings.run[i];
    const std::uint32_t row = row_of[holdings.node[i]];
    if (row == kNoRow || runs.gpu_milli[run] == 0 || run >= result.gpu.runs.size()) continue;
    const std::uint64_t milli = std::uint64_t{result.gpu.runs.compute_milli[run]} *
                                holdings.gpu_milli[i] / runs.gpu_milli[run];
    const std::int64_t end = runs.end[run] == kNoTime ? result.end : runs.end[run];
    for (std::int64_t at = std::max(runs.start[run], result.begin); at < end;) {
      const std::int64_t bin = (at - result.begin) / map.bin_s;
      const std::int64_t until = std::min(end, result.begin + (bin + 1) * map.bin_s);
      if (bin >= static_cast<std::int64_t>(bins)) break;
      held[row * bins + static_cast<std::size_t>(bin)] +=
          milli * static_cast<std::uint64_t>(until - at);
      at = until;
    }
  }
  for (std::size_t row = 0; row < map.nodes.size(); ++row) {
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const std::int64_t until = std::min(result.end, map.time[bin] + map.bin_s);
      const std::uint64_t all = capacity[row] * static_cast<std::uint64_t>(until - map.time[bin]);
      const std::uint64_t part = all == 0 ? 0 : held[row * bins + bin] * 1000 / all;
      map.busy_milli.push_back(static_cast<std::uint16_t>(std::min<std::uint64_t>(part, 1000)));
    }
  }
  return map;
}

}  // namespace rehearse

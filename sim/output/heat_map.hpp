// sim/output/heat_map.hpp — how busy the GPUs of each node were over time, in a bounded grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// At most 256 rows and 256 bins: neighbouring nodes share a row where there are more, and a bin is
/// a whole number of minutes long. Only nodes with GPUs.
struct HeatMap {
  std::vector<std::uint32_t> first_node, nodes;  ///< of each row: its first node, how many
  std::vector<std::int64_t> time;                ///< begin of each bin
  std::int64_t bin_s = 0;
  /// Row by row: thousandths of the GPUs' SMs that jobs held in the bin, 0 .. 1000; where the
  /// devices do not add up to their GPU the rest counts as free.
  std::vector<std::uint16_t> busy_milli;
};

/// Empty for a cluster without GPUs. Pure.
[[nodiscard]] HeatMap heat_map(const Result& result);

}  // namespace rehearse

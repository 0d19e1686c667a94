// sim/output/device_indexes.hpp — devices of a node by number, read off a result's device text.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

/// One entry of a device text: `gpu:a100:2(IDX:0-1)`.
struct HeldDevices {
  std::string gres, type;         ///< `gpu`, `a100`; no type: empty
  std::uint64_t units = 0;        ///< devices; of shares and mps their units
  std::set<std::uint32_t> index;  ///< empty: none is told
};
/// All entries, in their order; what is none is left out.
[[nodiscard]] std::vector<HeldDevices> held_devices(std::string_view devices);

/// Of `gpu:a100:2(IDX:0-1),gpu:h100:1(IDX:4)`: 0, 1, 4. Empty: no whole GPU is told.
[[nodiscard]] std::vector<std::uint32_t> gpu_indexes(std::string_view devices);

/// `0-2,5` of ascending numbers.
[[nodiscard]] std::string index_ranges(const std::set<std::uint32_t>& numbers);

}  // namespace rehearse

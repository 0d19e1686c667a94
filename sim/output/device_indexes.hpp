// sim/output/device_indexes.hpp — the GPUs of a node by number, read off a result's device text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rehearse {

/// Of `gpu:a100:2(IDX:0-1),gpu:h100:1(IDX:4)`: 0, 1, 4. Empty: no whole GPU is told.
[[nodiscard]] std::vector<std::uint32_t> gpu_indexes(std::string_view devices);

}  // namespace rehearse

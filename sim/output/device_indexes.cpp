// sim/output/device_indexes.cpp — numbers and ranges between `(IDX:` and `)`.
#include "sim/output/device_indexes.hpp"

#include <algorithm>
#include <charconv>

namespace rehearse {
namespace {

constexpr std::uint32_t kDevicesMost = 1024;  // of one node; a range beyond is no range

void add_ranges(std::string_view text, std::vector<std::uint32_t>& indexes) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view range = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const char* const stop = range.data() + range.size();
    std::uint32_t first = 0;
    const auto [dash, error] = std::from_chars(range.data(), stop, first);
    std::uint32_t last = first;
    if (error != std::errc{}) return;
    if (dash != stop && *dash == '-') std::from_chars(dash + 1, stop, last);
    for (std::uint32_t i = first; i <= last && i < kDevicesMost; ++i) indexes.push_back(i);
  }
}

}  // namespace

std::vector<std::uint32_t> gpu_indexes(std::string_view devices) {
  std::vector<std::uint32_t> indexes;
  for (;;) {
    const std::size_t open = devices.find("(IDX:");
    const std::size_t close = devices.find(')', std::min(open, devices.size()));
    if (close == std::string_view::npos) return indexes;
    const std::string_view name = devices.substr(0, open);
    if (name.starts_with("gpu")) {
      constexpr std::size_t kWord = 5;  // of `(IDX:`
      add_ranges(devices.substr(open + kWord, close - open - kWord), indexes);
    }
    const std::size_t next = devices.find(',', close);
    if (next == std::string_view::npos) return indexes;
    devices.remove_prefix(next + 1);
  }
}

}  // namespace rehearse

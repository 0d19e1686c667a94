// sim/output/device_indexes.cpp — numbers and ranges between `(IDX:` and `)`.
#include "sim/output/device_indexes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t kDevicesMost = 1024;  // of one node; a range beyond is no range

void add_ranges(std::string_view text, std::set<std::uint32_t>& indexes) {
  for (const text::Piece& range : text::split_at(text, ',')) {
    const char* const stop = range.text.data() + range.text.size();
    std::uint32_t first = 0;
    const auto [dash, error] = std::from_chars(range.text.data(), stop, first);
    std::uint32_t last = first;
    if (error != std::errc{}) return;
    if (dash != stop && *dash == '-') std::from_chars(dash + 1, stop, last);
    for (std::uint32_t i = first; i <= last && i < kDevicesMost; ++i) indexes.insert(i);
  }
}

/// Of `gpu:a100:2` or `gpu:2`, without its indexes. No units: it is no entry.
HeldDevices named(std::string_view text) {
  HeldDevices held;
  const std::size_t count = text.rfind(':');
  if (count == text.npos) return held;
  const std::string_view number = text.substr(count + 1);
  std::from_chars(number.data(), number.data() + number.size(), held.units);
  const std::string_view name = text.substr(0, count);
  const std::size_t type = std::min(name.find(':'), name.size());
  held.gres = name.substr(0, type);
  if (type < name.size()) held.type = name.substr(type + 1);
  return held;
}

}  // namespace

std::vector<HeldDevices> held_devices(std::string_view devices) {
  constexpr std::string_view kOpen = "(IDX:";
  std::vector<HeldDevices> all;
  while (!devices.empty()) {
    const std::size_t end = devices.find_first_of("(,");
    HeldDevices held = named(devices.substr(0, end));
    devices.remove_prefix(std::min(end, devices.size()));
    if (devices.starts_with(kOpen)) {
      const std::size_t close = devices.find(')');
      if (close == devices.npos) return all;
      add_ranges(devices.substr(kOpen.size(), close - kOpen.size()), held.index);
      devices.remove_prefix(close + 1);
    }
    if (held.units > 0) all.push_back(std::move(held));
    devices.remove_prefix(std::min(devices.find(','), devices.size()));
    if (!devices.empty()) devices.remove_prefix(1);
  }
  return all;
}

std::vector<std::uint32_t> gpu_indexes(std::string_view devices) {
  std::vector<std::uint32_t> indexes;
  for (const HeldDevices& held : held_devices(devices)) {
    if (held.gres == "gpu") indexes.insert(indexes.end(), held.index.begin(), held.index.end());
  }
  return indexes;
}

std::string index_ranges(const std::set<std::uint32_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::uint32_t first = *at;
    std::uint32_t last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    if (!text.empty()) text += ',';
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
  return text;
}

}  // namespace rehearse

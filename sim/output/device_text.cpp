// sim/output/device_text.cpp — device numbers as ranges.
#include "sim/output/device_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/output/device_indexes.hpp"

namespace rehearse {
namespace {

struct Held {
  NameId type = kNoName;
  std::uint64_t units = 0;
  std::set<std::uint32_t> devices;
};

}  // namespace

std::string device_text(const NodeShare& share, const Node& node, const NamePool& names) {
  std::string text;
  for (std::size_t gres = 0; gres < node.gres.size(); ++gres) {
    const NodeGres& of = node.gres[gres];
    std::vector<Held> by_type;
    for (const DeviceShare& each : share.devices) {
      if (each.gres != gres) continue;
      const bool known = each.device < of.devices.size();
      const NameId type = known ? of.devices[each.device].type : kNoName;
      auto at = std::find_if(by_type.begin(), by_type.end(),
                             [&](const Held& held) { return held.type == type; });
      if (at == by_type.end()) at = by_type.insert(at, Held{type, 0, {}});
      at->units += each.units;
      if (known && !of.count_only) at->devices.insert(each.device);
    }
    for (const Held& held : by_type) {
      if (!text.empty()) text += ',';
      text += names.text(of.name);
      if (held.type != kNoName) text += ":" + names.text(held.type);
      text += fmt::format(":{}", held.units);
      if (!held.devices.empty()) text += fmt::format("(IDX:{})", index_ranges(held.devices));
    }
  }
  return text;
}

std::string cuda_visible_text(const NodeShare& share, const Node& node, const NamePool& names) {
  std::set<std::uint16_t> devices;
  for (const DeviceShare& each : share.devices) {
    const NodeGres& of = node.gres[each.gres];
    const bool is_gpu = names.text(of.name) == "gpu" || of.shares;
    if (is_gpu && !of.count_only && each.device < of.devices.size()) devices.insert(each.device);
  }
  return fmt::format("{}", fmt::join(devices, ","));
}

}  // namespace rehearse

// sim/output/views/held_devices_text.cpp — holdings node by node, equal neighbours together.
#include "sim/output/views/held_devices_text.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/config/hostlist.hpp"
#include "sim/output/device_indexes.hpp"

namespace rehearse {

HeldDevicesText::HeldDevicesText(const Result& result) : result_(result) {
  const HoldingColumns& held = result.holdings;  // those of a run stand together
  for (std::size_t i = 0; i < held.size(); ++i) {
    holdings_.try_emplace(held.run[i], i, i).first->second.second = i + 1;
  }
}

void HeldDevicesText::add(ScontrolRecord& record, std::uint32_t row) const {
  const auto found = holdings_.find(row);
  if (found == holdings_.end()) return;
  const auto [begin, end] = found->second;
  const HoldingColumns& held = result_.holdings;
  std::map<std::string, std::uint64_t> sums;
  for (std::size_t i = begin; i < end; ++i) {
    for (const HeldDevices& one : held_devices(text_of(result_.names.text, held.devices[i]))) {
      sums[one.type.empty() ? one.gres : one.gres + ":" + one.type] += one.units;
    }
  }
  std::string gres;
  for (const auto& [name, units] : sums) {
    gres += fmt::format("{}{}:{}", gres.empty() ? "" : ",", name, units);
  }
  record.line();
  if (!gres.empty()) record.add("JOB_GRES", gres);
  for (std::size_t i = begin; i < end;) {
    std::vector<std::string> hosts;
    const std::size_t first = i;
    while (i < end && held.devices[i] == held.devices[first] && held.cpus[i] == held.cpus[first] &&
           held.memory_mib[i] == held.memory_mib[first]) {
      hosts.push_back(result_.cluster.nodes[held.node[i++]].name);
    }
    constexpr std::size_t kIndent = 5;
    record.line(kIndent);
    record.add_each("Nodes", compress_hostlist(hosts));
    record.add_each("Mem", fmt::format("{}", held.memory_mib[first]));
    record.add_each("GRES", text_of(result_.names.text, held.devices[first]));
  }
}

}  // namespace rehearse

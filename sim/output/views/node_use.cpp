// sim/output/views/node_use.cpp — node events until the instant, and what running rows hold then.
#include "sim/output/views/node_use.hpp"

#include <algorithm>
#include <map>

#include "sim/output/device_indexes.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {

std::vector<NodeUseAt> node_uses_at(const Result& result, std::int64_t at, UseDetail detail) {
  std::vector<NodeUseAt> uses(result.cluster.nodes.size());
  const NodeEventColumns& events = result.node_events;
  for (std::size_t i = 0; i < events.size() && events.time[i] <= at; ++i) {
    NodeUseAt& use = uses[events.node[i]];
    use.flags = events.state[i];
    if (use.reason != events.text[i]) use.reason_since = events.time[i];
    use.reason = events.text[i];
  }
  const std::vector<std::uint32_t> completing = completing_at(result, at);
  const std::map<std::uint32_t, StoodStill> stood_still = stood_still_at(result, at);
  const auto lends_cores = [&](std::uint32_t row) {
    const auto still = stood_still.find(row);
    return still != stood_still.end() && still->second.lends_cores;
  };
  const HoldingColumns& holdings = result.holdings;
  for (std::size_t i = 0; i < holdings.size(); ++i) {
    NodeUseAt& use = uses[holdings.node[i]];
    const Standing standing = standing_at(result.runs, holdings.run[i], at);
    if (standing == Standing::Ended && !use.completing) {
      use.completing = std::binary_search(completing.begin(), completing.end(), holdings.run[i]);
    }
    if (standing != Standing::Running) continue;
    if (!lends_cores(holdings.run[i])) use.cpus += holdings.cpus[i];
    use.memory_mib += holdings.memory_mib[i];
    if (detail == UseDetail::Totals) continue;
    for (const HeldDevices& held : held_devices(text_of(result.names.text, holdings.devices[i]))) {
      DevicesInUse& devices = use.devices[{held.gres, held.type}];
      devices.units += held.units;
      devices.index.insert(held.index.begin(), held.index.end());
    }
  }
  for (std::size_t node = 0; node < uses.size(); ++node) {  // jobs may share CPUs
    uses[node].cpus = std::min(uses[node].cpus, result.cluster.nodes[node].effective_cpus);
  }
  return uses;
}

}  // namespace rehearse

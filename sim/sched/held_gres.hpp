// sim/sched/held_gres.hpp — the GRES that an allocation holds, and that nodes have, by name and
// type.
#pragma once

#include <cstdint>
#include <map>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// All that a node has of a GRES. Without devices: of no type.
[[nodiscard]] inline std::map<NameId, std::uint64_t> units_by_type(const NodeGres& gres) {
  if (gres.devices.empty()) return {{kNoName, gres.total}};
  std::map<NameId, std::uint64_t> units;
  for (const GresDevice& device : gres.devices) {
    if (device.presence == Presence::Here) units[device.type] += device.units;
  }
  return units;
}

/// take(name, type, units) for all that the allocation consumes; of no type what has no devices.
/// One call for neighbours of one type, over nodes too: a job of a thousand GPUs is mostly one.
template <typename Take>
void for_each_held_gres(const Cluster& cluster, const Allocation& allocation, Take take) {
  NameId name = kNoName;
  NameId type = kNoName;
  std::uint64_t units = 0;
  for (const NodeShare& share : allocation.nodes) {
    const Node& node = cluster.nodes[share.node];
    for (const DeviceShare& held : share.devices) {
      const NodeGres& gres = node.gres[held.gres];
      if (gres.no_consume) continue;
      const bool is_device = held.device < gres.devices.size();
      const NameId own_type = is_device ? gres.devices[held.device].type : kNoName;
      if (gres.name != name || own_type != type) {
        if (units > 0) take(name, type, units);
        name = gres.name;
        type = own_type;
        units = 0;
      }
      units += held.units;
    }
  }
  if (units > 0) take(name, type, units);
}

}  // namespace rehearse

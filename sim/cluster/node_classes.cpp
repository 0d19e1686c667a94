// sim/cluster/node_classes.cpp — each node against one of every class before it.
#include "sim/cluster/node_classes.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace rehearse {
namespace {

bool alike(const GresDevice& a, const GresDevice& b) {
  return std::tie(a.type, a.socket, a.units, a.presence, a.milli) ==
         std::tie(b.type, b.socket, b.units, b.presence, b.milli);
}

bool alike(const NodeGres& a, const NodeGres& b) {
  return std::tie(a.name, a.count_only, a.total, a.milli, a.has_topology, a.no_consume,
                  a.mixed_types, a.one_sharing, a.shares, a.links) ==
             std::tie(b.name, b.count_only, b.total, b.milli, b.has_topology, b.no_consume,
                      b.mixed_types, b.one_sharing, b.shares, b.links) &&
         std::equal(a.devices.begin(), a.devices.end(), b.devices.begin(), b.devices.end(),
                    [](const GresDevice& x, const GresDevice& y) { return alike(x, y); });
}

bool alike(const Node& a, const Node& b) {
  return std::tie(a.sockets, a.cores_per_socket, a.threads_per_core, a.cpus, a.effective_cpus,
                  a.cpus_per_core, a.specialised_cores, a.memory_mib, a.real_memory_mib,
                  a.tmp_disk_mib) == std::tie(b.sockets, b.cores_per_socket, b.threads_per_core,
                                              b.cpus, b.effective_cpus, b.cpus_per_core,
                                              b.specialised_cores, b.memory_mib, b.real_memory_mib,
                                              b.tmp_disk_mib) &&
         std::equal(a.gres.begin(), a.gres.end(), b.gres.begin(), b.gres.end(),
                    [](const NodeGres& x, const NodeGres& y) { return alike(x, y); });
}

}  // namespace

IdVector<NodeId, std::uint32_t> classes_of(const IdVector<NodeId, Node>& nodes) {
  IdVector<NodeId, std::uint32_t> classes;
  std::vector<const Node*> first;  // of each class
  for (const Node& node : nodes) {
    const auto found = std::find_if(first.begin(), first.end(),
                                    [&](const Node* other) { return alike(*other, node); });
    classes.push_back(static_cast<std::uint32_t>(found - first.begin()));
    if (found == first.end()) first.push_back(&node);
  }
  return classes;
}

}  // namespace rehearse

// sim/sched/select/quick_test.cpp — sums of what is free, against what each node must give.
//
// Most questions of a full cluster are answered by "no node has that many free devices"; the sums
// find it without laying anything out. They are upper bounds of what placement would find: devices
// kept by a sharing partner, cores of unusable sockets and the like only lower them.
#include "sim/sched/select/quick_test.hpp"

#include <algorithm>

namespace rehearse {
namespace {

std::uint64_t free_units(const Node& node, const Ledger& ledger, const EffectiveGres& wanted) {
  std::uint64_t free = 0;
  for (std::size_t g = 0; g < node.gres.size(); ++g) {
    const NodeGres& gres = node.gres[g];
    if (gres.name != wanted.name) continue;
    if (gres.no_consume || gres.count_only || gres.devices.empty()) return UINT64_MAX;
    if (wanted.type == kNoName || !gres.mixed_types) {
      const bool of_type = wanted.type == kNoName || gres.devices.front().type == wanted.type;
      free += of_type ? ledger.free_units(node.id, g) : 0;
      continue;
    }
    const auto used = ledger.units(node.id, g);
    for (std::size_t d = 0; d < gres.devices.size(); ++d) {
      if (gres.devices[d].type == wanted.type) free += gres.devices[d].units - used[d];
    }
  }
  return free;
}

bool node_may_serve(const Node& node, const Ledger& ledger, const EffectiveRequest& request) {
  const NodeUse& use = ledger.use(node.id);
  if (request.whole_nodes && use.jobs > 0 && !request.shares_cores) return false;
  if (request.memory_mode == MemoryMode::PerNode &&
      use.memory_mib + request.memory_mib > node.memory_mib) {
    return false;
  }
  for (const EffectiveGres& gres : request.gres) {
    if (gres.per_node > 0 && free_units(node, ledger, gres) < gres.per_node) return false;
  }
  return true;
}

}  // namespace

void drop_unable(NodeSet& nodes, const Ledger& ledger, const EffectiveRequest& request,
                 const IdVector<NodeId, Node>& all) {
  for (auto i = nodes.find_first(); i != NodeSet::npos; i = nodes.find_next(i)) {
    if (!node_may_serve(all[id_at<NodeId>(i)], ledger, request)) nodes.reset(i);
  }
}

}  // namespace rehearse

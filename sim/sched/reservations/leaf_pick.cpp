// sim/sched/reservations/leaf_pick.cpp — the smallest leaf that suffices, else the largest.
#include "sim/sched/reservations/leaf_pick.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace rehearse {
namespace {

NodeSet first_of(const NodeSet& nodes, std::uint32_t count) {
  NodeSet taken(nodes.size());
  for (auto at = nodes.find_first(); at != NodeSet::npos && count > 0; at = nodes.find_next(at)) {
    taken.set(at);
    --count;
  }
  return taken;
}

/// The fewest that suffice; where none do the most.
std::vector<NodeSet>::const_iterator best_leaf(const std::vector<NodeSet>& leaves,
                                               std::uint32_t count) {
  return std::min_element(leaves.begin(), leaves.end(), [&](const NodeSet& a, const NodeSet& b) {
    const bool serves = a.count() >= count;
    if (serves != (b.count() >= count)) return serves;
    return serves ? a.count() < b.count() : a.count() > b.count();
  });
}

}  // namespace

NodeSet pick_by_leaves(const Topology& tree, const NodeSet& free, std::uint32_t count) {
  NodeSet picked(free.size());
  const Switch* best = nullptr;
  std::size_t there = 0;  // below it
  for (const Switch& each : tree.switches) {
    const std::size_t here = (each.nodes & free).count();
    if (here < count) continue;
    if (best != nullptr && std::tuple(best->level, there) <= std::tuple(each.level, here)) continue;
    best = &each;
    there = here;
  }
  if (best == nullptr) return picked;
  std::vector<NodeSet> leaves;
  for (const Switch& each : tree.switches) {
    if (each.level == 0) leaves.push_back(each.nodes & best->nodes & free);
  }
  while (count > 0) {
    const NodeSet some = first_of(*best_leaf(leaves, count), count);
    count -= static_cast<std::uint32_t>(some.count());
    picked |= some;
    for (NodeSet& leaf : leaves) leaf -= some;
  }
  return picked;
}

}  // namespace rehearse

// sim/sched/reservations/switch_pick.cpp — the switch that has just enough, then leaf after leaf.
//
// Weights of nodes and who is idle do not matter. Of equal switches the first in topology.conf.
#include "sim/sched/reservations/switch_pick.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// Moves so many of `from`, the lowest first, to `to`.
void move_first(NodeSet& from, std::size_t count, NodeSet& to) {
  NodeSet moved(from.size());
  for_each_bit(from, [&](std::size_t i) {
    if (count == 0) return;
    moved.set(i);
    --count;
  });
  from -= moved;
  to |= moved;
}

}  // namespace

/// The lowest level first, then the fewest nodes.
const Switch* SwitchPick::switch_for(const NodeSet& free, std::size_t count) const {
  const Switch* best = nullptr;
  std::size_t fewest = 0;
  for (const Switch& each : tree_->switches) {
    const std::size_t has = (free & each.nodes).count();
    if (has < count) continue;
    const bool wins =
        best == nullptr || each.level < best->level || (each.level == best->level && has < fewest);
    if (!wins) continue;
    best = &each;
    fewest = has;
  }
  return best;
}

/// The leaf with the fewest that suffice; where none does the one with the most.
const Switch& SwitchPick::next_leaf(const NodeSet& free, std::size_t count) const {
  const Switch* best = nullptr;
  std::size_t of_best = 0;
  for (const Switch& each : tree_->switches) {
    const std::size_t has = each.level == 0 ? (free & each.nodes).count() : 0;
    if (has == 0) continue;
    const bool enough = has >= count, best_enough = of_best >= count;
    const bool wins = best == nullptr || (enough != best_enough ? enough
                                          : enough              ? has < of_best
                                                                : has > of_best);
    if (!wins) continue;
    best = &each;
    of_best = has;
  }
  REHEARSE_CHECK(best != nullptr, "{} nodes wanted, {} left under no leaf", count, free.count());
  return *best;
}

std::optional<NodeSet> SwitchPick::pick(const NodeSet& free, std::size_t count) const {
  NodeSet picked(free.size());
  if (free.count() < count) return std::nullopt;
  NodeSet left = free;
  if (count == 0) return picked;
  if (!goes_by_switches()) {
    move_first(left, count, picked);
    return picked;
  }
  const Switch* below = switch_for(free, count);
  if (below == nullptr) return std::nullopt;
  left &= below->nodes;
  while (count > 0) {
    NodeSet of_leaf = left & next_leaf(left, count).nodes;
    const std::size_t some = std::min(count, of_leaf.count());
    left -= of_leaf;
    move_first(of_leaf, some, picked);
    count -= some;
  }
  return picked;
}

}  // namespace rehearse

// sim/sched/select/core_view.cpp — free cores of a node in one step.
#include "sim/sched/select/core_view.hpp"

namespace rehearse {

CoreSet CoreView::free(const Ledger& ledger, const Node& node) const {
  CoreSet cores = node.usable_cores();
  if (kind == Kind::All) return cores;
  if (kind == Kind::Unheld) {
    cores -= ledger.use(node.id).cores;
    return cores;
  }
  for (const PartitionId partition : avoided) cores -= ledger.rows(partition).held(node.id);
  if (row && *row < ledger.rows(own).size()) cores -= ledger.rows(own).held(*row, node.id);
  return cores;
}

CoreSet CoreView::beside_overlaid(const Ledger& ledger, const NodeShare& share) const {
  CoreSet cores = share.cores;
  for (std::size_t i = 0; i < overlaid; ++i) cores -= ledger.rows(avoided[i]).held(share.node);
  return cores;
}

bool CoreView::is_whole(const Ledger& ledger, const Node& node) const {
  CoreView others = *this;
  others.avoided.erase(others.avoided.begin(),
                       others.avoided.begin() + static_cast<std::ptrdiff_t>(overlaid));
  return others.free(ledger, node) == node.usable_cores();
}

}  // namespace rehearse

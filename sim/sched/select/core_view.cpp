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

}  // namespace rehearse

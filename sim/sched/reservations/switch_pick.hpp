// sim/sched/reservations/switch_pick.hpp — so many of these nodes, close to each other under
// topology/tree (lifecycle.md §13).
#pragma once

#include <optional>

#include "sim/cluster/topology.hpp"

namespace rehearse {

class SwitchPick {
 public:
  /// `tree`: none: without topology/tree. It must outlive this.
  explicit SwitchPick(const std::optional<Topology>& tree) : tree_(tree) {}

  [[nodiscard]] bool goes_by_switches() const { return tree_ && !tree_->switches.empty(); }

  /// Exactly `count` of them: by index, or with topology/tree under one switch, of the lowest level
  /// that has as many. None: there are not as many, or under no switch.
  [[nodiscard]] std::optional<NodeSet> pick(const NodeSet& free, std::size_t count) const;

 private:
  [[nodiscard]] const Switch* switch_for(const NodeSet& free, std::size_t count) const;
  [[nodiscard]] const Switch& next_leaf(const NodeSet& free, std::size_t count) const;

  const std::optional<Topology>& tree_;
};

}  // namespace rehearse

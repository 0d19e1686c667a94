// sim/sched/reservations/switch_pick.hpp — so many of these nodes, close to each other under
// topology/tree (lifecycle.md §13).
#pragma once

#include <optional>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/topology.hpp"

namespace rehearse {

class SwitchPick {
 public:
  explicit SwitchPick(const Cluster& cluster);
  /// `tree`: none: without topology/tree.
  explicit SwitchPick(std::optional<Topology> tree) : tree_(std::move(tree)) {}

  [[nodiscard]] bool goes_by_switches() const { return tree_ && !tree_->switches.empty(); }

  /// Exactly `count` of them: by index, or with topology/tree under one switch, of the lowest level
  /// that has as many. None: there are not as many, or under no switch.
  [[nodiscard]] std::optional<NodeSet> pick(const NodeSet& free, std::size_t count) const;

 private:
  [[nodiscard]] const Switch* switch_for(const NodeSet& free, std::size_t count) const;
  [[nodiscard]] const Switch& next_leaf(const NodeSet& free, std::size_t count) const;

  std::optional<Topology> tree_;
};

}  // namespace rehearse

// sim/sched/ends_needed.hpp — how many running jobs must end before each node can serve one
// request.
//
// Every search goes along the nodes in the order of these ends, most of them the same way: on large
// clusters the nodes passed are kept at some places on it, and a walk begins at the next of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/ids.hpp"

namespace rehearse {

/// Of each node, how many jobs have to leave before it may serve. A node that may serve need not.
class EndsNeeded {
 public:
  void clear(std::size_t nodes);
  /// Of these two: in the order of nodes.
  void add_at_once(std::size_t node) { at_once_.set(node); }
  void add(std::uint32_t ends, std::size_t node) {
    later_.push_back(std::uint64_t{ends} << 32U | node);
  }
  void sort();  ///< after the last

  [[nodiscard]] const NodeSet& at_once() const { return at_once_; }
  /// How many nodes may serve later; each of them by its place in the order of ends.
  [[nodiscard]] std::size_t later_count() const { return later_.size(); }
  [[nodiscard]] std::size_t later_ends(std::size_t i) const { return later_[i] >> 32U; }
  [[nodiscard]] std::size_t later_node(std::size_t i) const { return later_[i] & UINT32_MAX; }

  /// How many of the later ones may serve once the first `gone` jobs have left.
  [[nodiscard]] std::size_t later_after(std::size_t gone) const;
  /// Adds to `able`, which has at_once() and the first `from` of the later ones, those up to place
  /// `to`; from ≤ to ≤ later_count().
  void go_on(NodeSet& able, std::size_t from, std::size_t to) const;
  /// The candidates that may serve once the first `gone` jobs have left.
  [[nodiscard]] NodeSet able_after(std::size_t gone, const NodeSet& candidates) const;
  /// How many jobs must leave before `least` of the candidates may serve; none: they never will.
  [[nodiscard]] std::optional<std::size_t> until(std::size_t least,
                                                 const NodeSet& candidates) const;

 private:
  /// Of places, between two that are kept: a set of a small cluster is soon copied.
  static constexpr std::size_t kShortStride = 64, kLongStride = 256, kSmall = 1024;

  /// at_once() and the first `number` strides of the later ones.
  [[nodiscard]] const NodeSet& milestone(std::size_t number) const;

  std::size_t stride_ = kShortStride;
  NodeSet at_once_;
  // Ends in the upper half, the node in the lower: by ends. Nodes that never may are in neither.
  std::vector<std::uint64_t> later_;
  std::vector<std::uint64_t> sorted_;  ///< memory of sort()
  // Made when they are asked for: no answer depends on it.
  mutable std::vector<NodeSet> milestones_;  ///< of 1, 2, … strides
  mutable std::size_t passed_ = 0;           ///< how many of them are made
};

}  // namespace rehearse

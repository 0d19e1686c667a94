// sim/sched/select/sched_weights.hpp — the weights that each selection attaches to nodes, and that
// estimates before 23.11 find there (scheduling.md §5.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/cluster/node.hpp"

namespace rehearse {

/// After start-up 0 for every node, so that one no selection has considered sorts first.
class SchedWeights {
 public:
  explicit SchedWeights(const IdVector<NodeId, Node>& nodes);

  /// What a selection gives a node before it looks at GPUs.
  [[nodiscard]] static std::uint64_t fresh(const Node& node) {
    return std::uint64_t{node.weight} << 8U | 0xffU;
  }

  /// slurmctld starts again.
  void forget();
  /// To be called after an admin changed weights of nodes.
  void configuration_changed();
  /// A selection considers these nodes.
  void consider(const NodeSet& nodes);
  [[nodiscard]] std::uint64_t of(NodeId node) const {
    return fresh_.test(index_of(node)) ? left_[node] | 0xffU : left_[node];
  }
  /// A request for GRES may take so many near GPUs (0 to 255) of the node.
  void note_near(NodeId node, std::uint32_t near);

  /// What note_near() was told, for an answer that is given again from memory.
  using Notes = std::vector<std::pair<NodeId, std::uint32_t>>;
  /// From now on they are taken down. Returns their place, for the end; one may stand in another.
  [[nodiscard]] std::size_t begin_notes() {
    ++takers_;
    return notes_.size();
  }
  /// Those since the begin with this place.
  [[nodiscard]] Notes end_notes(std::size_t place);
  void repeat(const Notes& notes);

  /// Changes with any weight; and with their upper part, which note_near() does not touch.
  [[nodiscard]] std::uint64_t stamp() const { return stamp_; }
  [[nodiscard]] std::uint64_t upper_stamp() const { return upper_stamp_; }

 private:
  void set(NodeId node, std::uint64_t weight);

  const IdVector<NodeId, Node>& nodes_;
  IdVector<NodeId, std::uint64_t> left_;  ///< of fresh nodes the upper part alone
  NodeSet fresh_;                         ///< nodes whose weight is fresh()
  NodeSet noted_;                         ///< nodes for which only the lower part is another
  Notes notes_;
  std::size_t takers_ = 0;  ///< begins without an end
  std::uint64_t stamp_ = 0, upper_stamp_ = 0;
};

}  // namespace rehearse

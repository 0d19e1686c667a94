// sim/cluster/lent_sockets.hpp — whose cores are which, where sockets that jobs of one partition
// hold in part serve those of another (CR_Socket, scheduling.md §6.7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/core_set.hpp"
#include "sim/cluster/ids.hpp"

namespace rehearse {

class LentSockets {
 public:
  LentSockets() = default;  ///< none are lent, and nothing is noted
  LentSockets(std::size_t nodes, std::size_t partitions)
      : held_(nodes * partitions), borrows_(partitions, 0) {}

  [[nodiscard]] bool any() const { return !borrows_.empty(); }
  /// True if a job of the partition has taken cores since the controller last began to note it.
  [[nodiscard]] bool borrows(PartitionId partition) const {
    return any() && borrows_[index_of(partition)] != 0;
  }
  /// Cores of the node that jobs of the partition hold.
  [[nodiscard]] const CoreSet& held(NodeId node, PartitionId partition) const {
    return held_[place(node, partition)];
  }

  void take(const NodeShare& share, PartitionId partition) {
    if (!any()) return;
    held_[place(share.node, partition)] |= share.cores;
    borrows_[index_of(partition)] = 1;
  }
  void give_back(const NodeShare& share, PartitionId partition) {
    if (any()) held_[place(share.node, partition)] -= share.cores;
  }
  /// Partitions were changed: those borrow whose jobs hold cores.
  void note_anew() {
    for (std::size_t i = 0; i < borrows_.size(); ++i) borrows_[i] = 0;
    for (std::size_t at = 0; at < held_.size(); ++at) {
      if (!held_[at].none()) borrows_[at % borrows_.size()] = 1;
    }
  }
  void copy_node(const LentSockets& other, NodeId node) {
    for (std::size_t i = 0; i < borrows_.size(); ++i) {
      const std::size_t at = place(node, id_at<PartitionId>(i));
      held_[at] = other.held_[at];
    }
  }

 private:
  [[nodiscard]] std::size_t place(NodeId node, PartitionId partition) const {
    return index_of(node) * borrows_.size() + index_of(partition);
  }

  std::vector<CoreSet> held_;          // node-major
  std::vector<std::uint8_t> borrows_;  // by partition
};

}  // namespace rehearse

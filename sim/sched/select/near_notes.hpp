// sim/sched/select/near_notes.hpp — how many near GPUs a request may take of each node it was
// offered: runs of neighbours with one number, as thousands of idle nodes are one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster/ids.hpp"

namespace rehearse {

/// In the order of being told; what is told later of a node holds.
class NearNotes {
 public:
  struct Run {
    std::uint32_t first = 0;  ///< index of a node
    std::uint32_t count : 24 = 0;
    std::uint32_t near : 8 = 0;
  };

  /// `near`: 0 to 255.
  void add(NodeId node, std::uint32_t near) {
    add_run(static_cast<std::uint32_t>(index_of(node)), 1, near);
  }
  /// Of `count` neighbours from `first` on, at most 64.
  void add_run(std::uint32_t first, std::uint32_t count, std::uint32_t near) {
    if (!runs_.empty()) {
      Run& last = runs_.back();
      if (last.near == near && last.first + last.count == first && last.count < kMostInRun) {
        last.count = (last.count + count) & kCountBits;
        return;
      }
    }
    runs_.push_back({first, count & kCountBits, near & 0xffU});
  }
  void add(const NearNotes& others, std::size_t from = 0) {
    runs_.insert(runs_.end(), others.runs_.begin() + static_cast<std::ptrdiff_t>(from),
                 others.runs_.end());
  }
  /// Of each node what holds, without what was told of it before. `nodes`: how many there are.
  [[nodiscard]] NearNotes settled(std::size_t nodes, std::size_t from = 0) const;
  /// What is told from now on begins a run of its own. Returns the place of that run.
  [[nodiscard]] std::size_t cut() {
    if (!runs_.empty()) runs_.push_back({UINT32_MAX, 0, 0});  // nobody's neighbour
    return runs_.size();
  }
  void clear() { runs_.clear(); }

  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

 private:
  static constexpr std::uint32_t kCountBits = (1U << 24U) - 1;
  static constexpr std::uint32_t kMostInRun = kCountBits - 64;

  std::vector<Run> runs_;
};

}  // namespace rehearse

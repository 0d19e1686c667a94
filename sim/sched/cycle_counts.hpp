// sim/sched/cycle_counts.hpp — how many records of each user, account or partition a cycle has come
// to.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/id.hpp"

namespace rehearse {

/// Counters by id, all of them 0 at the begin of a cycle. To begin one costs nothing, however many
/// ids there are.
template <typename Id>
class CycleCounts {
 public:
  void begin_cycle() { ++cycle_; }
  /// Good until another counter is asked for.
  [[nodiscard]] std::uint32_t& of(Id id) {
    const std::size_t at = index_of(id);
    if (at >= counts_.size()) counts_.resize(at + 1);
    Count& count = counts_[at];
    if (count.cycle != cycle_) count = {cycle_, 0};
    return count.value;
  }

 private:
  struct Count {
    std::uint64_t cycle = 0;
    std::uint32_t value = 0;
  };
  std::vector<Count> counts_;
  std::uint64_t cycle_ = 1;
};

}  // namespace rehearse

// workloads/trace_records.hpp — the records of a trace in order of their rows: added one by one,
// let go from the front as they become jobs, so that a large trace is not in memory twice.
#pragma once

#include <cstddef>
#include <vector>

#include "workloads/trace_record.hpp"

namespace rehearse {

/// A record does not move while it is there.
class TraceRecords {
 public:
  TraceRecord& add() {
    if (size_ == blocks_.size() * kBlock) blocks_.emplace_back().reserve(kBlock);
    return blocks_[size_++ / kBlock].emplace_back();
  }
  /// The one that was added last is none.
  void take_back() { blocks_[--size_ / kBlock].pop_back(); }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// With those that were let go.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] TraceRecord& last() { return blocks_[(size_ - 1) / kBlock].back(); }
  [[nodiscard]] const TraceRecord& operator[](std::size_t at) const {
    return blocks_[at / kBlock][at % kBlock];
  }
  /// The first `count` are not asked for any more.
  void let_go(std::size_t count) {
    for (; let_go_ < count / kBlock; ++let_go_) blocks_[let_go_] = {};
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  std::vector<std::vector<TraceRecord>> blocks_;
  std::size_t size_ = 0;
  std::size_t let_go_ = 0;  // blocks
};

}  // namespace rehearse

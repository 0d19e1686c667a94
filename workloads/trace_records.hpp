// workloads/trace_records.hpp — the records of a trace in order of their rows: added one by one,
// let go from the front as they become jobs, so that a large trace is not in memory twice.
#pragma once

#include <cstddef>
#include <vector>

#include "workloads/trace_record.hpp"

namespace rehearse {

/// A record does not move while none is added.
class TraceRecords {
 public:
  /// Records. So many bytes malloc takes from the system by themselves, and gives back at once:
  /// 32 MiB, the most that glibc's threshold grows to.
  static constexpr std::size_t kBlock = (std::size_t{1} << 25U) / sizeof(TraceRecord) + 1;

  TraceRecord& add() {
    if (size_ == blocks_.size() * kBlock) blocks_.emplace_back();
    Block& block = blocks_[size_++ / kBlock];
    if (block.size() == block.capacity()) block.reserve(size_ == 1 ? kFew : kBlock);
    return block.emplace_back();
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
    // Not `= {}`, which empties a vector and keeps its memory.
    for (; let_go_ < count / kBlock; ++let_go_) Block().swap(blocks_[let_go_]);
  }
  /// There is room for, in memory now.
  [[nodiscard]] std::size_t room() const {
    std::size_t records = 0;
    for (const Block& block : blocks_) records += block.capacity();
    return records;
  }

 private:
  using Block = std::vector<TraceRecord>;
  static constexpr std::size_t kFew = 1024;  // of most traces of a test, and of small sites

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  std::size_t let_go_ = 0;  // blocks
};

}  // namespace rehearse

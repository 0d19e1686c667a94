// sim/cluster/pending_tasks.hpp — the tasks of an array that have no record of their own yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <vector>

namespace rehearse {

/// Positions in the spec's array, ascending; each once. An array splits once for each task, and
/// what is left goes on as a copy: kept as runs of neighbours, mostly one, it costs no more of a
/// large array than of a small one.
class PendingTasks {
  struct Run {
    std::uint32_t begin = 0, end = 0;  ///< [begin, end), not empty
    friend bool operator==(const Run&, const Run&) = default;
  };

 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::uint32_t*;
    using reference = std::uint32_t;
    Iterator(const Run* run, std::uint32_t at) : run_(run), at_(at) {}
    std::uint32_t operator*() const { return run_->begin + at_; }
    Iterator& operator++() {
      if (++at_ < run_->end - run_->begin) return *this;
      ++run_;
      at_ = 0;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Run* run_;
    std::uint32_t at_;  // behind the run's first
  };

  PendingTasks() = default;
  /// Ascending.
  PendingTasks(std::initializer_list<std::uint32_t> all) : size_(all.size()) {
    for (const std::uint32_t task : all) {
      if (runs_.empty() || runs_.back().end != task) runs_.push_back({task, task});
      ++runs_.back().end;
    }
  }
  /// 0 … n − 1.
  [[nodiscard]] static PendingTasks first(std::size_t n) {
    PendingTasks all;
    all.size_ = n;
    if (n > 0) all.runs_.push_back({0, static_cast<std::uint32_t>(n)});
    return all;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Iterator begin() const { return {runs_.data(), 0}; }
  [[nodiscard]] Iterator end() const { return {runs_.data() + runs_.size(), 0}; }
  /// The one that is split off next: the lowest, or the one that was chosen. Not of none.
  [[nodiscard]] std::uint32_t next() const { return chosen_.value_or(runs_.front().begin); }
  /// A member is to be the next.
  void choose(std::uint32_t task) { chosen_ = task; }
  void drop_next() {
    const std::uint32_t task = next();
    chosen_.reset();
    const auto run = std::find_if(runs_.begin(), runs_.end(),
                                  [task](const Run& each) { return task < each.end; });
    --size_;
    const Run before{run->begin, task};
    run->begin = task + 1;
    if (before.begin == before.end) {
      if (run->begin == run->end) runs_.erase(run);
    } else if (run->begin == run->end) {
      *run = before;
    } else {
      runs_.insert(run, before);
    }
  }
  void clear() { *this = PendingTasks{}; }

 private:
  std::vector<Run> runs_;  // ascending, none touches the next
  std::size_t size_ = 0;
  std::optional<std::uint32_t> chosen_;
};

}  // namespace rehearse

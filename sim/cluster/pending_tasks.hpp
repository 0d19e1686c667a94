// sim/cluster/pending_tasks.hpp — the tasks of an array that have no record of their own yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace rehearse {

/// Positions in the spec's array, ascending. An array splits once for each task, and what is left
/// goes on as a copy: copies share the list, and the first leaves without anything being moved.
class PendingTasks {
 public:
  PendingTasks() = default;
  PendingTasks(std::initializer_list<std::uint32_t> all) : PendingTasks(std::vector(all)) {}
  explicit PendingTasks(std::vector<std::uint32_t> all) {
    std::sort(all.begin(), all.end());
    all_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(all));
  }
  /// 0 … n − 1.
  [[nodiscard]] static PendingTasks first(std::size_t n) {
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    return PendingTasks(std::move(all));
  }

  [[nodiscard]] std::size_t size() const { return all_ != nullptr ? all_->size() - gone_ : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const std::uint32_t* begin() const {
    return all_ != nullptr ? all_->data() + gone_ : nullptr;
  }
  [[nodiscard]] const std::uint32_t* end() const { return begin() + size(); }
  /// The one that is split off next: the lowest, or the one that was chosen.
  [[nodiscard]] std::uint32_t next() const { return chosen_.value_or(*begin()); }

  /// A member is to be the next; to drop it is linear in their number, unless it is the lowest.
  void choose(std::uint32_t task) { chosen_ = task; }
  void drop_next() {
    const std::uint32_t task = next();
    chosen_.reset();
    if (task == *begin()) {
      ++gone_;
      return;
    }
    std::vector<std::uint32_t> left;
    left.reserve(size() - 1);
    std::remove_copy(begin(), end(), std::back_inserter(left), task);
    all_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(left));
    gone_ = 0;
  }
  void clear() { *this = PendingTasks{}; }

 private:
  std::shared_ptr<const std::vector<std::uint32_t>> all_;
  std::size_t gone_ = 0;  // of the first of them
  std::optional<std::uint32_t> chosen_;
};

}  // namespace rehearse

// tests/property/core_rows_test.cpp — rows that are packed when somebody looks, against rows that
// are packed each time a job leaves.
#include "sim/cluster/core_rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace rehearse::test {
namespace {

constexpr std::size_t kNodes = 3, kCores = 6;

int number(int from, int to) {
  return *rc::gen::inRange(from, to + 1);
}

/// Some cores of a node, in one piece or not, or of two nodes.
Allocation some_cores() {
  Allocation some;
  const auto first = static_cast<std::size_t>(number(0, kNodes - 1));
  const auto last = std::min(kNodes - 1, first + static_cast<std::size_t>(number(0, 4) == 0));
  for (std::size_t node = first; node <= last; ++node) {
    NodeShare share;
    share.node = id_at<NodeId>(node);
    const int core = number(0, kCores - 1);
    share.cores.set(static_cast<std::size_t>(core));
    for (int more = number(0, 3); more > 0; --more) {
      const int next = number(0, 1) == 0 ? core + more : number(0, kCores - 1);
      share.cores.set(static_cast<std::size_t>(std::min<int>(next, kCores - 1)));
    }
    some.nodes.push_back(share);
  }
  return some;
}

/// scheduling.md §6.3, word for word.
class PlainRows {
 public:
  PlainRows(std::size_t limit, RowOrder order) : limit_(limit), order_(order) {}
  void add(const Allocation& job) {
    (void)place(rows_, job);
    sort(rows_);
  }
  void remove(const Allocation& job) {
    const std::size_t most = std::max(rows_.size(), limit_);
    bool is_gone = false;
    std::vector<Allocation> rest;
    for (Row& row : rows_) {
      const auto at = std::find(row.begin(), row.end(), job);
      if (!is_gone && at != row.end()) {
        row.erase(at);
        is_gone = true;
      }
      rest.insert(rest.end(), row.begin(), row.end());
    }
    std::stable_sort(rest.begin(), rest.end(), [](const Allocation& a, const Allocation& b) {
      return std::tuple(a.nodes[0].node, first_core(a), cores_of(a)) <
             std::tuple(b.nodes[0].node, first_core(b), cores_of(b));
    });
    std::vector<Row> packed;
    for (const Allocation& each : rest) {
      if (place(packed, each) >= most) {
        refused = true;
        std::erase_if(rows_, [](const Row& row) { return row.empty(); });
        sort(rows_);
        return;
      }
      sort(packed);
    }
    rows_ = packed;
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] CoreSet held(std::size_t row, NodeId node) const {
    CoreSet held;
    for (const Allocation& each : rows_[row]) {
      for (const NodeShare& share : each.nodes) {
        if (share.node == node) held |= share.cores;
      }
    }
    return held;
  }
  bool refused = false;  ///< an order was not taken

 private:
  using Row = std::vector<Allocation>;
  static std::size_t first_core(const Allocation& job) {
    std::size_t core = 0;
    while (!job.nodes[0].cores.test(core)) ++core;
    return core;
  }
  static std::size_t cores_of(const Allocation& job) {
    std::size_t count = 0;
    for (const NodeShare& share : job.nodes) count += share.cores.count();
    return count;
  }
  static bool meet(const Allocation& a, const Allocation& b) {
    for (const NodeShare& one : a.nodes) {
      for (const NodeShare& other : b.nodes) {
        if (one.node == other.node && one.cores.intersects(other.cores)) return true;
      }
    }
    return false;
  }
  static std::size_t place(std::vector<Row>& rows, const Allocation& job) {
    std::size_t at = 0;
    while (at < rows.size() && std::any_of(rows[at].begin(), rows[at].end(),
                                           [&](const auto& each) { return meet(each, job); })) {
      ++at;
    }
    if (at == rows.size()) rows.emplace_back();
    rows[at].push_back(job);
    return at;
  }
  void sort(std::vector<Row>& rows) const {
    const auto held_by = [](const Row& row) {
      std::size_t count = 0;
      for (const Allocation& each : row) count += cores_of(each);
      return count;
    };
    if (order_ == RowOrder::AsOpened) return;
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return held_by(a) > held_by(b); });
  }

  std::size_t limit_;
  RowOrder order_;
  std::vector<Row> rows_;
};

RC_GTEST_PROP(CoreRows, ThatArePackedLateAreThoseOfEachPacking, ()) {
  const auto limit = static_cast<std::size_t>(number(1, 4));
  const RowOrder order = number(0, 2) == 0 ? RowOrder::AsOpened : RowOrder::FullestFirst;
  CoreRows rows(limit, kNodes, order);
  PlainRows plain(limit, order);
  std::vector<Allocation> inside;
  std::size_t most_left = 0;  // without a look
  std::size_t left = 0;
  for (int step = 0; step < 40; ++step) {
    if (!inside.empty() && number(0, 9) < 5) {
      const auto which = static_cast<std::size_t>(number(0, 1000)) % inside.size();
      rows.remove(inside[which]);
      plain.remove(inside[which]);
      inside.erase(inside.begin() + static_cast<std::ptrdiff_t>(which));
      most_left = std::max(most_left, ++left);
    } else {
      inside.push_back(number(0, 2) == 0 && !inside.empty() ? inside.back() : some_cores());
      rows.add(inside.back());
      plain.add(inside.back());
      left = 0;
    }
    if (number(0, 2) != 0) continue;  // nobody looks
    left = 0;
    const CoreRows copy = rows;
    RC_ASSERT(copy.size() == plain.size());
    for (std::size_t row = 0; row < plain.size(); ++row) {
      for (std::size_t node = 0; node < kNodes; ++node) {
        RC_ASSERT(copy.held(row, id_at<NodeId>(node)) == plain.held(row, id_at<NodeId>(node)));
      }
    }
  }
  RC_CLASSIFY(most_left > 2, "several left before a look");
  RC_CLASSIFY(plain.refused, "an order was not taken");
}

}  // namespace
}  // namespace rehearse::test

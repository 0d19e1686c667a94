// sim/cluster/core_rows.hpp — the rows of a partition whose jobs share cores (scheduling.md §6.3).
//
// OverSubscribe=FORCE:n lets n jobs hold one core: n rows, in each of which a core is held once. A
// job enters the first row, fullest first, in which its cores are free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/ids.hpp"

namespace rehearse {

/// In which order rows are tried: the fullest first, or (preempt/qos) as they were opened.
enum class RowOrder : std::uint8_t { FullestFirst, AsOpened };

class CoreRows {
 public:
  CoreRows() = default;
  /// `limit` rows, over nodes 0 … `node_count` − 1.
  CoreRows(std::size_t limit, std::size_t node_count, RowOrder order = RowOrder::FullestFirst)
      : limit_(limit), node_count_(node_count), order_(order) {}

  /// Enters the cores of an allocation. A row beyond the limit is opened for what fits in none:
  /// preemption and gang place jobs so.
  void add(const Allocation& allocation);
  /// Removes an allocation that was added; the rest is packed again in its order.
  void remove(const Allocation& allocation);

  [[nodiscard]] std::size_t limit() const { return limit_; }
  /// Rows in use, in the order in which they are tried.
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Cores of a node that are held in a row.
  [[nodiscard]] const CoreSet& held(std::size_t row, NodeId node) const {
    return rows_[row].cores[index_of(node)];
  }
  /// Cores of a node that are held in any row.
  [[nodiscard]] CoreSet held(NodeId node) const;

 private:
  using Entry = std::vector<std::pair<NodeId, CoreSet>>;
  struct Row {
    std::vector<CoreSet> cores;  // by node
    std::vector<Entry> entries;
    std::size_t count = 0;  // cores held
  };
  void place(Entry entry);
  void erase(const Allocation& allocation);
  void sort_rows();

  std::size_t limit_ = 1;
  std::size_t node_count_ = 0;
  RowOrder order_ = RowOrder::FullestFirst;
  std::vector<Row> rows_;
};

}  // namespace rehearse

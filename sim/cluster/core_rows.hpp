// sim/cluster/core_rows.hpp — the rows of a partition whose jobs share cores (scheduling.md §6.3).
//
// OverSubscribe=FORCE:n lets n jobs hold one core: n rows, in each of which a core is held once. A
// job enters the first row, fullest first, in which its cores are free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/core/short_list.hpp"

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
  [[nodiscard]] std::size_t size() const {
    pack_if_due();
    return rows_.size();
  }
  /// Cores of a node that are held in a row.
  [[nodiscard]] const CoreSet& held(std::size_t row, NodeId node) const {
    pack_if_due();
    return rows_[row].cores[index_of(node)];
  }
  /// Cores of a node that are held in any row.
  [[nodiscard]] CoreSet held(NodeId node) const;

 private:
  /// What a job holds, and its place in the order of packing: by first core, then smaller first.
  struct NodeCores {
    NodeId node{};
    CoreSet cores;
    friend bool operator==(const NodeCores&, const NodeCores&) = default;
  };
  struct Entry {
    ShortList<NodeCores, 1> cores;
    std::size_t count = 0;
    std::uint64_t place = 0;
    explicit Entry(const Allocation& allocation);
    [[nodiscard]] bool is_equal(const Entry& other) const;
    [[nodiscard]] const CoreSet& cores_of(NodeId node) const;
  };
  struct Row {
    std::vector<CoreSet> cores;          // by node
    std::vector<std::uint32_t> entries;  // by number
    std::size_t count = 0;               // cores held
    [[nodiscard]] bool has_free(const Entry& entry) const;
  };
  /// False: it fits in none of these, and there are `most`.
  [[nodiscard]] bool enter(std::vector<Row>& rows, std::uint32_t number, std::size_t most) const;
  void erase(const Entry& gone);
  [[nodiscard]] std::vector<std::uint32_t> in_order() const;
  [[nodiscard]] bool may_pack_late() const;
  void pack(std::size_t most) const;
  void pack_if_due() const {
    if (is_due_) pack(limit_);
  }

  std::size_t limit_ = 1;
  std::size_t node_count_ = 0;
  RowOrder order_ = RowOrder::FullestFirst;
  /// However many leave, one after the other, the rest is packed as if all had left at once.
  bool packs_late_ = true;
  std::vector<Entry> entries_;         ///< by number
  std::vector<std::uint32_t> unused_;  ///< numbers of those that have left
  // Packed when somebody looks, if it may be late.
  mutable bool is_due_ = false;
  mutable std::vector<Row> rows_;
};

}  // namespace rehearse

// sim/cluster/core_rows.cpp — entering and leaving the rows of a sharing partition.
#include "sim/cluster/core_rows.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

using Cores = std::vector<std::pair<NodeId, CoreSet>>;

std::size_t first_of(const CoreSet& cores) {
  for (std::size_t w = 0; w < CoreSet::kWords; ++w) {
    if (cores.word(w) == 0) continue;
    return w * 64 + static_cast<std::size_t>(std::countr_zero(cores.word(w)));
  }
  return kMaxCores;
}

std::size_t count_of(const Cores& entry) {
  std::size_t cores = 0;
  for (const auto& [node, set] : entry) cores += set.count();
  return cores;
}

/// `row`: by node.
bool is_free(const std::vector<CoreSet>& row, const Cores& entry) {
  return std::none_of(entry.begin(), entry.end(), [&](const auto& held) {
    return row[index_of(held.first)].intersects(held.second);
  });
}

void hold(std::vector<CoreSet>& row, const Cores& entry) {
  for (const auto& [node, set] : entry) row[index_of(node)] |= set;
}

/// A job that stays, and its place in the order of packing: by first core, then smaller first.
struct Staying {
  NodeId node{};
  std::size_t core = 0, count = 0;
  Cores* entry = nullptr;
  [[nodiscard]] bool comes_before(const Staying& other) const {
    return std::tuple(node, core, count) < std::tuple(other.node, other.core, other.count);
  }
};

Staying staying(Cores& entry) {
  return {entry.front().first, first_of(entry.front().second), count_of(entry), &entry};
}

/// A row as it is being packed.
struct Packing {
  std::vector<CoreSet> cores;  // by node
  std::vector<Cores*> entries;
  std::size_t count = 0;
};

/// One that has grown goes ahead of those that are less full.
void move_ahead(std::vector<Packing>& rows, std::size_t grown) {
  for (; grown > 0 && rows[grown - 1].count < rows[grown].count; --grown) {
    std::swap(rows[grown - 1], rows[grown]);
  }
}

}  // namespace

void CoreRows::add(const Allocation& allocation) {
  Entry entry;
  entry.reserve(allocation.nodes.size());
  for (const NodeShare& share : allocation.nodes) entry.emplace_back(share.node, share.cores);
  place(std::move(entry));
  sort_rows();
}

void CoreRows::place(Entry entry) {
  auto row = std::find_if(rows_.begin(), rows_.end(),
                          [&](const Row& candidate) { return is_free(candidate.cores, entry); });
  if (row == rows_.end()) {
    rows_.emplace_back();
    row = rows_.end() - 1;
    row->cores.resize(node_count_);
  }
  hold(row->cores, entry);
  row->count += count_of(entry);
  row->entries.push_back(std::move(entry));
}

void CoreRows::erase(const Allocation& allocation) {
  Entry gone;
  for (const NodeShare& share : allocation.nodes) gone.emplace_back(share.node, share.cores);
  for (Row& row : rows_) {
    const auto at = std::find(row.entries.begin(), row.entries.end(), gone);
    if (at == row.entries.end()) continue;
    for (const auto& [node, set] : gone) row.cores[index_of(node)] -= set;
    row.count -= count_of(gone);
    row.entries.erase(at);
    return;
  }
  REHEARSE_CHECK(false, "an allocation of {} nodes leaves rows it never entered", gone.size());
}

/// The rest is packed again. An order that needs more rows than there were is not taken: then every
/// job stays in its row.
void CoreRows::remove(const Allocation& allocation) {
  const std::size_t most = std::max(rows_.size(), limit_);
  erase(allocation);
  std::vector<Staying> rest;
  for (Row& row : rows_) {
    for (Entry& entry : row.entries) rest.push_back(staying(entry));
  }
  std::stable_sort(rest.begin(), rest.end(),
                   [](const Staying& a, const Staying& b) { return a.comes_before(b); });
  std::vector<Packing> packed;
  for (const Staying& job : rest) {
    std::size_t row = 0;
    while (row < packed.size() && !is_free(packed[row].cores, *job.entry)) ++row;
    if (row == packed.size()) {
      if (row == most) {
        std::erase_if(rows_, [](const Row& each) { return each.entries.empty(); });
        sort_rows();
        return;
      }
      packed.emplace_back().cores.resize(node_count_);
    }
    hold(packed[row].cores, *job.entry);
    packed[row].count += job.count;
    packed[row].entries.push_back(job.entry);
    if (order_ == RowOrder::FullestFirst) move_ahead(packed, row);
  }
  std::vector<Row> rows(packed.size());
  for (std::size_t i = 0; i < packed.size(); ++i) {
    rows[i].cores = std::move(packed[i].cores);
    rows[i].count = packed[i].count;
    rows[i].entries.reserve(packed[i].entries.size());
    for (Entry* entry : packed[i].entries) rows[i].entries.push_back(std::move(*entry));
  }
  rows_ = std::move(rows);
}

void CoreRows::sort_rows() {
  if (order_ == RowOrder::AsOpened) return;
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.count > b.count; });
}

CoreSet CoreRows::held(NodeId node) const {
  CoreSet all;
  for (const Row& row : rows_) all |= row.cores[index_of(node)];
  return all;
}

}  // namespace rehearse

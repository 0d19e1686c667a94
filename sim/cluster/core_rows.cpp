// sim/cluster/core_rows.cpp — entering and leaving the rows of a sharing partition.
#include "sim/cluster/core_rows.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"

namespace rehearse {

void CoreRows::add(const Allocation& allocation) {
  Entry entry;
  entry.reserve(allocation.nodes.size());
  for (const NodeShare& share : allocation.nodes) entry.emplace_back(share.node, share.cores);
  place(std::move(entry));
  sort_rows();
}

void CoreRows::place(Entry entry) {
  std::size_t cores = 0;
  for (const auto& [node, set] : entry) cores += set.count();
  auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& candidate) {
    return std::none_of(entry.begin(), entry.end(), [&](const auto& held) {
      return candidate.cores[index_of(held.first)].intersects(held.second);
    });
  });
  if (row == rows_.end()) {
    rows_.emplace_back();
    row = rows_.end() - 1;
    row->cores.resize(node_count_);
  }
  for (const auto& [node, set] : entry) row->cores[index_of(node)] |= set;
  row->count += cores;
  row->entries.push_back(std::move(entry));
}

void CoreRows::remove(const Allocation& allocation) {
  Entry gone;
  for (const NodeShare& share : allocation.nodes) gone.emplace_back(share.node, share.cores);
  std::vector<Entry> rest;
  bool found = false;
  for (Row& row : rows_) {
    for (Entry& entry : row.entries) {
      if (!found && entry == gone) {
        found = true;
      } else {
        rest.push_back(std::move(entry));
      }
    }
  }
  REHEARSE_CHECK(found, "an allocation of {} nodes leaves rows it never entered", gone.size());
  rows_.clear();
  for (Entry& entry : rest) {
    place(std::move(entry));
    sort_rows();
  }
}

void CoreRows::sort_rows() {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.count > b.count; });
}

CoreSet CoreRows::held(NodeId node) const {
  CoreSet all;
  for (const Row& row : rows_) all |= row.cores[index_of(node)];
  return all;
}

}  // namespace rehearse

// sim/cluster/core_rows.cpp — entering and leaving the rows of a sharing partition.
#include "sim/cluster/core_rows.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

std::size_t first_of(const CoreSet& cores) {
  std::size_t first = kMaxCores;
  cores.for_each([&](std::size_t core) { first = std::min(first, core); });
  return first;
}

std::size_t count_of(const std::vector<std::pair<NodeId, CoreSet>>& entry) {
  std::size_t cores = 0;
  for (const auto& [node, set] : entry) cores += set.count();
  return cores;
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
  row->count += count_of(entry);
  row->entries.push_back(std::move(entry));
}

/// The rest is packed again: by first core, then smaller first. An order that needs more rows than
/// there were is not taken: then every job stays in its row.
void CoreRows::remove(const Allocation& allocation) {
  Entry gone;
  for (const NodeShare& share : allocation.nodes) gone.emplace_back(share.node, share.cores);
  std::vector<Row> before = std::exchange(rows_, {});
  std::vector<Entry> rest;
  bool found = false;
  for (Row& row : before) {
    const auto at =
        found ? row.entries.end() : std::find(row.entries.begin(), row.entries.end(), gone);
    if (at != row.entries.end()) {
      row.entries.erase(at);
      found = true;
    }
    rest.insert(rest.end(), row.entries.begin(), row.entries.end());
  }
  REHEARSE_CHECK(found, "an allocation of {} nodes leaves rows it never entered", gone.size());
  std::stable_sort(rest.begin(), rest.end(), [](const Entry& a, const Entry& b) {
    const auto first_a = std::pair(a.front().first, first_of(a.front().second));
    const auto first_b = std::pair(b.front().first, first_of(b.front().second));
    return first_a != first_b ? first_a < first_b : count_of(a) < count_of(b);
  });
  for (Entry& entry : rest) {
    place(std::move(entry));
    sort_rows();
  }
  if (rows_.size() <= std::max(before.size(), limit_)) return;
  rows_ = std::move(before);
  for (Row& row : rows_) {
    row.cores.assign(node_count_, {});
    row.count = 0;
    for (const Entry& entry : row.entries) {
      for (const auto& [node, set] : entry) row.cores[index_of(node)] |= set;
      row.count += count_of(entry);
    }
  }
  std::erase_if(rows_, [](const Row& row) { return row.entries.empty(); });
  sort_rows();
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

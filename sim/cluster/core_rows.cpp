// sim/cluster/core_rows.cpp — entering and leaving the rows of a sharing partition.
#include "sim/cluster/core_rows.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

std::size_t first_of(const CoreSet& cores) {
  for (std::size_t w = 0; w < CoreSet::kWords; ++w) {
    if (cores.word(w) == 0) continue;
    return w * 64 + static_cast<std::size_t>(std::countr_zero(cores.word(w)));
  }
  return kMaxCores;
}

}  // namespace

CoreRows::Entry::Entry(const Allocation& allocation) {
  cores.reserve(allocation.nodes.size());
  for (const NodeShare& share : allocation.nodes) {
    cores.push_back({share.node, share.cores});
    count += share.cores.count();
  }
  if (cores.empty()) return;
  const std::uint64_t node = index_of(cores[0].node);
  place = node << 42U | first_of(cores[0].cores) << 32U | count;  // 22, 10 and 32 bits
}

bool CoreRows::Entry::is_equal(const Entry& other) const {
  return place == other.place &&
         std::equal(cores.begin(), cores.end(), other.cores.begin(), other.cores.end());
}

bool CoreRows::Row::has_free(const Entry& entry) const {
  return std::none_of(entry.cores.begin(), entry.cores.end(), [&](const auto& wanted) {
    return cores[index_of(wanted.node)].intersects(wanted.cores);
  });
}

void CoreRows::add(const Allocation& allocation) {
  pack_if_due();
  auto number = static_cast<std::uint32_t>(entries_.size());
  if (unused_.empty()) {
    entries_.emplace_back(allocation);
  } else {
    number = unused_.back();
    unused_.pop_back();
    entries_[number] = Entry(allocation);
  }
  (void)enter(rows_, number, SIZE_MAX);
  packs_late_ = may_pack_late();
}

/// The first row in which its cores are free, or a new one. One that has grown goes ahead of those
/// that are less full.
bool CoreRows::enter(std::vector<Row>& rows, std::uint32_t number, std::size_t most) const {
  const Entry& entry = entries_[number];
  std::size_t at = 0;
  while (at < rows.size() && !rows[at].has_free(entry)) ++at;
  if (at == most) return false;
  if (at == rows.size()) rows.emplace_back().cores.resize(node_count_);
  Row& row = rows[at];
  for (const auto& [node, cores] : entry.cores) row.cores[index_of(node)] |= cores;
  row.count += entry.count;
  row.entries.push_back(number);
  if (order_ == RowOrder::AsOpened) return true;
  for (; at > 0 && rows[at - 1].count < rows[at].count; --at) std::swap(rows[at - 1], rows[at]);
  return true;
}

void CoreRows::erase(const Entry& gone) {
  for (Row& row : rows_) {
    const auto at = std::find_if(row.entries.begin(), row.entries.end(), [&](std::uint32_t number) {
      return entries_[number].is_equal(gone);
    });
    if (at == row.entries.end()) continue;
    for (const auto& [node, cores] : gone.cores) row.cores[index_of(node)] -= cores;
    row.count -= gone.count;
    unused_.push_back(*at);
    row.entries.erase(at);
    return;
  }
  REHEARSE_CHECK(false, "an allocation of {} nodes leaves rows it never entered",
                 gone.cores.size());
}

void CoreRows::remove(const Allocation& allocation) {
  const std::size_t most = std::max(rows_.size(), limit_);
  erase(Entry(allocation));
  if (rows_.size() == 1) {  // packed again it is the same
    if (rows_.front().entries.empty()) rows_.clear();
  } else if (packs_late_) {
    is_due_ = true;
  } else {
    pack(most);
  }
}

/// Rows are sorted but for those that have entered since the last packing.
std::vector<std::uint32_t> CoreRows::in_order() const {
  const auto before = [this](std::uint32_t a, std::uint32_t b) {
    return entries_[a].place < entries_[b].place;
  };
  std::vector<std::uint32_t> all;
  all.reserve(entries_.size());
  for (const Row& row : rows_) {
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), row.entries.begin(), row.entries.end());
    const auto begin = all.begin() + middle;
    if (!std::is_sorted(begin, all.end(), before)) std::stable_sort(begin, all.end(), before);
    std::inplace_merge(all.begin(), begin, all.end(), before);
  }
  return all;
}

/// The rest is packed again. An order that needs more rows than there were is not taken: then every
/// job stays in its row.
void CoreRows::pack(std::size_t most) const {
  is_due_ = false;
  std::vector<Row> packed;
  packed.reserve(rows_.size());
  for (const std::uint32_t number : in_order()) {
    if (enter(packed, number, most)) continue;
    std::erase_if(rows_, [](const Row& each) { return each.entries.empty(); });
    if (order_ == RowOrder::AsOpened) return;
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.count > b.count; });
    return;
  }
  rows_ = std::move(packed);
}

/// The cores that the entry holds of the node, one of its own.
const CoreSet& CoreRows::Entry::cores_of(NodeId node) const {
  const auto held = std::find_if(cores.begin(), cores.end(),
                                 [node](const auto& each) { return each.node == node; });
  return held->cores;
}

/// Packing depends on what was packed before in two ways: the order of jobs with one place, where
/// they hold different cores, and an order that is not taken. Neither comes up, whoever leaves, if
/// there are no such jobs, and if each shares cores with fewer that come before it than there may
/// be rows.
bool CoreRows::may_pack_late() const {
  if (rows_.size() <= 1) return true;
  std::vector<std::vector<const Entry*>> on(node_count_);
  std::vector<const Entry*> met;
  const Entry* before = nullptr;
  for (const std::uint32_t number : in_order()) {
    const Entry& entry = entries_[number];
    const bool has_place_of_its_own = before == nullptr || before->place != entry.place;
    if (!has_place_of_its_own && !before->is_equal(entry)) return false;
    before = &entry;
    met.clear();
    for (const auto& [node, cores] : entry.cores) {
      std::vector<const Entry*>& here = on[index_of(node)];
      for (const Entry* other : here) {
        if (!other->cores_of(node).intersects(cores)) continue;
        if (std::find(met.begin(), met.end(), other) == met.end()) met.push_back(other);
        if (met.size() >= limit_) return false;
      }
      here.push_back(&entry);
    }
  }
  return true;
}

CoreSet CoreRows::held(NodeId node) const {
  CoreSet all;
  for (const Row& row : rows_) all |= row.cores[index_of(node)];
  return all;
}

}  // namespace rehearse

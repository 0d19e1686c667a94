// sim/sched/plan.cpp — narrowing, conflicts and reservations on the map.
#include "sim/sched/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace rehearse {
namespace {

std::uint32_t bit_number(std::uint64_t word) {
  return static_cast<std::uint32_t>(std::countr_zero(word));
}

/// Does the successor offer a node of `base` that is not in the intersection so far?
bool offers_more(const NodeSet& base, const NodeSet& successor, const NodeSet& candidates,
                 const NodeSet& slot) {
  const std::uint64_t* const of_base = base.words();
  const std::uint64_t* const after = successor.words();
  const std::uint64_t* const so_far = candidates.words();
  const std::uint64_t* const here = slot.words();
  for (std::size_t w = 0, words = base.word_count(); w < words; ++w) {
    if ((of_base[w] & after[w] & ~(so_far[w] & here[w])) != 0) return true;
  }
  return false;
}

/// The first node of `has` that `lacks` has not.
std::uint32_t first_beside(const NodeSet& has, const NodeSet& lacks, std::uint32_t none) {
  const std::uint64_t* const of_has = has.words();
  const std::uint64_t* const of_lacks = lacks.words();
  for (std::size_t w = 0, words = has.word_count(); w < words; ++w) {
    const std::uint64_t beside = of_has[w] & ~of_lacks[w];
    if (beside != 0) return static_cast<std::uint32_t>(w * 64) + bit_number(beside);
  }
  return none;
}

}  // namespace

bool covers(const LicenseCounts& free, const LicenseCounts& wanted) {
  for (std::size_t i = 0; i < std::min(free.size(), wanted.size()); ++i) {
    if (wanted[i] > free[i]) return false;
  }
  return true;
}

void Plan::reset(SlurmTime begin, SlurmTime end, const NodeSet& usable,
                 const LicenseCounts& licenses) {
  slots_.clear();
  unused_.clear();
  for (std::size_t row = rows_.size(); row > 0; --row) {
    unused_.push_back(static_cast<std::uint32_t>(row - 1));
  }
  slots_.push_back({begin, new_row()});
  rows_[slots_.front().row] = {usable, licenses};
  made_ = 1;
  has_empty_head_ = false;
  end_ = end;
  has_licenses_ = !licenses.empty();
}

std::uint32_t Plan::new_row() {
  if (unused_.empty()) {
    rows_.emplace_back();
    return static_cast<std::uint32_t>(rows_.size() - 1);
  }
  const std::uint32_t row = unused_.back();
  unused_.pop_back();
  return row;
}

std::size_t Plan::slot_at(SlurmTime at) const {
  if (at >= end_) return slots_.size();
  const auto after = std::partition_point(slots_.begin() + 1, slots_.end(),
                                          [&](const Slot& slot) { return slot.begin <= at; });
  return static_cast<std::size_t>(after - slots_.begin()) - 1;
}

bool Plan::gains_of(std::size_t slot, const NodeSet& base) const {
  const NodeSet& nodes = nodes_of(slot);
  return offers_more(base, nodes_of(slot + 1), nodes, nodes);
}

std::optional<SlurmTime> Plan::narrow(SlurmTime start, SlurmTime end, const NodeSet& base,
                                      NodeSet& candidates, LicenseCounts& free,
                                      const LicenseCounts& wanted) const {
  std::optional<SlurmTime> later, other_licenses;
  free.clear();
  // Slots follow each other without gaps: those that end by `start` come first.
  for (std::size_t i = slot_at(start); i < slots_.size(); ++i) {
    if (!later && i + 1 < slots_.size()) {
      if (offers_more(base, nodes_of(i + 1), candidates, nodes_of(i))) {
        later = end_of(i);
      } else if (!other_licenses && (licenses_differ(i) || !covers(licenses_of(i), wanted))) {
        other_licenses = end_of(i);
      }
    }
    if (begin_of(i) > end) break;
    candidates &= nodes_of(i);
    if (!has_licenses_) continue;
    const LicenseCounts& left = licenses_of(i);
    if (free.empty()) free = left;
    for (std::size_t l = 0; l < free.size(); ++l) free[l] = std::min(free[l], left[l]);
  }
  return other_licenses && !covers(free, wanted) ? other_licenses : later;
}

bool Plan::conflicts(SlurmTime begin, SlurmTime end, const NodeSet& nodes,
                     const LicenseCounts& licenses) const {
  for (std::size_t i = slot_at(begin); i < slots_.size() && begin_of(i) < end; ++i) {
    if (!nodes.is_subset_of(nodes_of(i)) || !covers(licenses_of(i), licenses)) return true;
  }
  return false;
}

std::optional<SlurmTime> Plan::first_without(const NodeSet& nodes, SlurmTime begin,
                                             SlurmTime end) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const SlurmTime at = begin_of(i);
    if (at > begin && at < end && !nodes.is_subset_of(nodes_of(i))) return at;
  }
  return std::nullopt;
}

SlurmTime Plan::seen_alike_before(SlurmTime now, Seconds length) const {
  SlurmTime before = SlurmTime::max();
  const std::size_t first = slot_at(now);
  if (first + 1 < slots_.size()) before = end_of(first);
  const std::size_t last = slot_at(now + length);
  if (last + 1 < slots_.size()) before = std::min(before, end_of(last) - length);
  return before;
}

void Plan::split(SlurmTime at) {
  const std::size_t i = slot_at(at);
  if (i == slots_.size() || slots_[i].begin >= at) return;
  ++made_;
  Slot tail = slots_[i];
  tail.begin = at;
  tail.row = new_row();
  rows_[tail.row] = rows_[slots_[i].row];
  slots_[i].gained = slots_[i].lost = kNone;
  slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(i) + 1, tail);
}

void Plan::reserve(SlurmTime begin, SlurmTime end, Seconds resolution, const NodeSet& nodes,
                   const LicenseCounts& licenses) {
  begin = std::max(begin, slots_.front().begin);
  end = std::max(end, begin + resolution);
  if (begin == slots_.front().begin && !std::exchange(has_empty_head_, true)) ++made_;
  split(begin);
  split(end);
  const std::size_t first = slot_at(begin);
  if (first == slots_.size()) return;
  std::size_t behind = first;
  for (; behind < slots_.size() && slots_[behind].begin < end; ++behind) {
    Row& row = rows_[slots_[behind].row];
    row.nodes -= nodes;
    for (std::size_t l = 0; l < std::min(row.licenses.size(), licenses.size()); ++l) {
      row.licenses[l] -= std::min(row.licenses[l], licenses[l]);
    }
  }
  const std::size_t before = first > 0 ? first - 1 : 0;
  const auto stands = [&](std::uint32_t node) { return node == kNone || !nodes.test(node); };
  for (std::size_t i = before; i < behind; ++i) {
    // Of two slots that both lost these nodes, neither has more of the other than it had.
    const bool is_edge = i < first || i + 1 == behind;
    if (is_edge || !stands(slots_[i].gained) || !stands(slots_[i].lost)) compare_with_next(i);
  }
  merge_one(before);
}

/// Slurm merges at most one pair of equal neighbours, from the slot before the plan on (§8.4).
void Plan::merge_one(std::size_t from) {
  for (std::size_t i = from; i + 1 < slots_.size(); ++i) {
    Slot& each = slots_[i];
    if (each.gained != kNone || each.lost != kNone || licenses_differ(i)) continue;
    const Slot& next = slots_[i + 1];
    each.gained = next.gained;
    each.lost = next.lost;
    unused_.push_back(next.row);
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return;
  }
}

void Plan::compare_with_next(std::size_t slot) {
  if (slot + 1 == slots_.size()) return;
  const NodeSet& here = nodes_of(slot);
  const NodeSet& next = nodes_of(slot + 1);
  slots_[slot].gained = first_beside(next, here, kNone);
  slots_[slot].lost = first_beside(here, next, kNone);
}

}  // namespace rehearse

// sim/sched/plan.cpp — narrowing, conflicts and reservations on the map.
#include "sim/sched/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace rehearse {
namespace {

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

}  // namespace

bool covers(const LicenseCounts& free, const LicenseCounts& wanted) {
  for (std::size_t i = 0; i < std::min(free.size(), wanted.size()); ++i) {
    if (wanted[i] > free[i]) return false;
  }
  return true;
}

void Plan::reset(SlurmTime begin, SlurmTime end, const NodeSet& usable,
                 const LicenseCounts& licenses) {
  slots_.resize(1);
  slots_.front() = {begin, end, usable, licenses, false};
}

std::size_t Plan::slot_at(SlurmTime at) const {
  const auto found = std::partition_point(slots_.begin(), slots_.end(),
                                          [&](const Slot& slot) { return slot.end <= at; });
  return static_cast<std::size_t>(found - slots_.begin());
}

bool Plan::leads_on(std::size_t slot, const NodeSet& base) const {
  const Slot& each = slots_[slot];
  if (!each.gains) return false;
  const Slot& next = slots_[slot + 1];
  return offers_more(base, next.nodes, each.nodes, each.nodes) || each.licenses != next.licenses;
}

std::optional<SlurmTime> Plan::narrow(SlurmTime start, SlurmTime end, const NodeSet& base,
                                      NodeSet& candidates, LicenseCounts& free) const {
  std::optional<SlurmTime> later;
  free.clear();
  // Slots follow each other without gaps: those that end by `start` come first.
  for (std::size_t i = slot_at(start); i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!later && i + 1 < slots_.size()) {
      const Slot& next = slots_[i + 1];
      if (offers_more(base, next.nodes, candidates, slot.nodes) || slot.licenses != next.licenses) {
        later = slot.end;
      }
    }
    if (slot.begin > end) break;
    candidates &= slot.nodes;
    if (free.empty()) free = slot.licenses;
    for (std::size_t l = 0; l < free.size(); ++l) free[l] = std::min(free[l], slot.licenses[l]);
  }
  return later;
}

bool Plan::conflicts(SlurmTime begin, SlurmTime end, const NodeSet& nodes,
                     const LicenseCounts& licenses) const {
  for (const Slot& slot : slots_) {
    if (slot.end <= begin) continue;
    if (slot.begin >= end) break;
    if (!nodes.is_subset_of(slot.nodes) || !covers(slot.licenses, licenses)) return true;
  }
  return false;
}

std::optional<SlurmTime> Plan::first_without(const NodeSet& nodes, SlurmTime begin,
                                             SlurmTime end) const {
  for (const Slot& slot : slots_) {
    if (slot.begin > begin && slot.begin < end && !nodes.is_subset_of(slot.nodes))
      return slot.begin;
  }
  return std::nullopt;
}

SlurmTime Plan::seen_alike_before(SlurmTime now, Seconds length) const {
  SlurmTime before = SlurmTime::max();
  const std::size_t first = slot_at(now);
  if (first + 1 < slots_.size()) before = slots_[first].end;
  const std::size_t last = slot_at(now + length);
  if (last + 1 < slots_.size()) before = std::min(before, slots_[last].end - length);
  return before;
}

void Plan::split(SlurmTime at) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].begin >= at) return;
    if (slots_[i].end <= at) continue;
    Slot tail{at, slots_[i].end, slots_[i].nodes, slots_[i].licenses, slots_[i].gains};
    slots_[i].end = at;
    slots_[i].gains = false;
    slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(tail));
    return;
  }
}

void Plan::reserve(SlurmTime begin, SlurmTime end, Seconds resolution, const NodeSet& nodes,
                   const LicenseCounts& licenses) {
  begin = std::max(begin, slots_.front().begin);
  end = std::max(end, begin + resolution);
  split(begin);
  split(end);
  std::size_t first = slots_.size();
  std::size_t last = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].begin < begin || slots_[i].begin >= end) continue;
    first = std::min(first, i);
    last = i;
    slots_[i].nodes -= nodes;
    LicenseCounts& left = slots_[i].licenses;
    for (std::size_t l = 0; l < std::min(left.size(), licenses.size()); ++l) {
      left[l] -= std::min(left[l], licenses[l]);
    }
  }
  if (first == slots_.size()) return;
  const std::size_t before = first > 0 ? first - 1 : 0;
  for (std::size_t i = before; i <= last; ++i) note_gain(i);
  // Slurm merges at most one pair of equal neighbours, from the slot before the plan on (§8.4).
  for (std::size_t i = before; i + 1 < slots_.size(); ++i) {
    if (slots_[i].nodes != slots_[i + 1].nodes) continue;
    if (slots_[i].licenses != slots_[i + 1].licenses) continue;
    slots_[i].end = slots_[i + 1].end;
    slots_[i].gains = slots_[i + 1].gains;
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return;
  }
}

void Plan::note_gain(std::size_t slot) {
  Slot& each = slots_[slot];
  if (slot + 1 == slots_.size()) return;
  const Slot& next = slots_[slot + 1];
  each.gains = !next.nodes.is_subset_of(each.nodes) || each.licenses != next.licenses;
}

}  // namespace rehearse

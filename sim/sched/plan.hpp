// sim/sched/plan.hpp — backfill's map: which nodes are free of planned jobs, over future time.
//
// Slots [begin, end) in time order, each with its set of usable nodes and, with bf_licenses, the
// licences left; a planned job takes whole nodes out of its slots (scheduling.md §8.4). What a slot
// has stands in a row of its own, so that slots are small and move cheaply, and a cycle allocates
// nothing once there are rows enough. Beside each slot stands one node by which the next one
// differs, either way: most changes of the map leave it standing, and nothing is compared.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/licenses.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// True if each of `wanted` is in `free`; always where either is empty.
[[nodiscard]] bool covers(const LicenseCounts& free, const LicenseCounts& wanted);

class Plan {
 public:
  /// One slot over [begin, end) with `usable` nodes and `licenses`.
  void reset(SlurmTime begin, SlurmTime end, const NodeSet& usable,
             const LicenseCounts& licenses = {});

  /// Takes from `candidates` what a job running over [start, end] cannot have. A job that ends
  /// exactly when a slot begins is in conflict with it (§8.7 step 3). `base`: the candidates before
  /// any slot. `free` becomes the licences that all these slots have. Returns the time from which
  /// other nodes may be had, or, where `wanted` is not among `free`, other licences, if there is
  /// one.
  [[nodiscard]] std::optional<SlurmTime> narrow(SlurmTime start, SlurmTime end, const NodeSet& base,
                                                NodeSet& candidates, LicenseCounts& free,
                                                const LicenseCounts& wanted = {}) const;

  /// True if some slot overlapping [begin, end) strictly lacks one of `nodes` or of `licenses`
  /// (§8.7 step 12).
  [[nodiscard]] bool conflicts(SlurmTime begin, SlurmTime end, const NodeSet& nodes,
                               const LicenseCounts& licenses = {}) const;

  /// The first begin of a slot within (begin, end) that lacks one of `nodes`, if there is one.
  [[nodiscard]] std::optional<SlurmTime> first_without(const NodeSet& nodes, SlurmTime begin,
                                                       SlurmTime end) const;

  /// The instant from which on narrow(now, now + length) sees other slots, the map being the same.
  [[nodiscard]] SlurmTime seen_alike_before(SlurmTime now, Seconds length) const;

  /// Takes `nodes` and `licenses`, as far as there are any, out of [begin, end), at least one
  /// resolution long.
  void reserve(SlurmTime begin, SlurmTime end, Seconds resolution, const NodeSet& nodes,
               const LicenseCounts& licenses = {});

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  /// Slots that there have ever been: a merged one counts on, and the empty one that the first plan
  /// from the begin of the map leaves before it (§8.4).
  [[nodiscard]] std::size_t made() const { return made_; }
  [[nodiscard]] SlurmTime begin() const { return slots_.front().begin; }
  [[nodiscard]] SlurmTime end() const { return end_; }

  // Slots by their number: by time, without gaps.
  [[nodiscard]] SlurmTime begin_of(std::size_t slot) const { return slots_[slot].begin; }
  [[nodiscard]] SlurmTime end_of(std::size_t slot) const {
    return slot + 1 < slots_.size() ? slots_[slot + 1].begin : end_;
  }
  [[nodiscard]] const NodeSet& nodes_of(std::size_t slot) const {
    return rows_[slots_[slot].row].nodes;
  }
  /// The first that ends after it; their number: none.
  [[nodiscard]] std::size_t slot_at(SlurmTime at) const;
  /// True if the slot after this one, which is not the last, has nodes of `base` that it has not.
  [[nodiscard]] bool leads_on(std::size_t slot, const NodeSet& base) const {
    const std::uint32_t gained = slots_[slot].gained;
    if (gained == kNone) return false;
    return base.test(gained) || gains_of(slot, base);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Row {
    NodeSet nodes;
    LicenseCounts licenses;
  };
  struct Slot {
    SlurmTime begin;
    std::uint32_t row = 0;
    std::uint32_t gained = kNone;  ///< a node that the next slot has and this one has not
    std::uint32_t lost = kNone;    ///< the other way round
  };

  [[nodiscard]] const LicenseCounts& licenses_of(std::size_t slot) const {
    return rows_[slots_[slot].row].licenses;
  }
  [[nodiscard]] bool licenses_differ(std::size_t slot) const {
    return has_licenses_ && licenses_of(slot) != licenses_of(slot + 1);
  }
  [[nodiscard]] bool gains_of(std::size_t slot, const NodeSet& base) const;
  [[nodiscard]] std::uint32_t new_row();
  void split(SlurmTime at);
  void compare_with_next(std::size_t slot);
  void merge_one(std::size_t from);

  std::vector<Slot> slots_;
  std::size_t made_ = 1;
  bool has_empty_head_ = false;
  SlurmTime end_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> unused_;  ///< rows of no slot
  bool has_licenses_ = false;
};

}  // namespace rehearse

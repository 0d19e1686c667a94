// sim/sched/plan.hpp — backfill's map: which nodes are free of planned jobs, over future time.
//
// Slots [begin, end) in time order, each with its set of usable nodes and, with bf_licenses, the
// licences left; a planned job takes whole nodes out of its slots (scheduling.md §8.4). Rows of
// bits stand in one flat array, so that a cycle allocates nothing once the array has grown.
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
  /// other nodes or licences may be had, if there is one.
  [[nodiscard]] std::optional<SlurmTime> narrow(SlurmTime start, SlurmTime end, const NodeSet& base,
                                                NodeSet& candidates, LicenseCounts& free) const;

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
  [[nodiscard]] SlurmTime begin() const { return slots_.front().begin; }
  [[nodiscard]] SlurmTime end() const { return slots_.back().end; }

  struct Slot {
    SlurmTime begin, end;
    NodeSet nodes;
    LicenseCounts licenses;
    bool gains = false;  ///< the next has nodes or licences that this one has not
  };
  /// By time, without gaps.
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  /// The first that ends after it; their number: none.
  [[nodiscard]] std::size_t slot_at(SlurmTime at) const;
  /// True if the slot after this one has nodes of `base` or licences that it has not.
  [[nodiscard]] bool leads_on(std::size_t slot, const NodeSet& base) const;

 private:
  void split(SlurmTime at);
  void note_gain(std::size_t slot);

  std::vector<Slot> slots_;
};

}  // namespace rehearse

// sim/sched/plan_walk.hpp — backfill's map as one search goes along it, from instant to instant.
//
// The interval that a job would take slides over the map: it loses slots in front and wins some at
// its back. What all slots of it have is kept from step to step, in the manner of a queue made of
// two stacks, so that an instant costs a few sets and not as many as the interval has slots.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/sched/nodes_in_time.hpp"
#include "sim/sched/plan.hpp"

namespace rehearse {

class PlanWalk {
 public:
  struct Interval {
    SlurmTime start;
    std::optional<SlurmTime> later;  ///< from when on other nodes may be had, if ever
    NodeSet nodes;                   ///< usable ones that no plan takes in it
  };

  /// For a job of this length. `base`: as of Plan::narrow(); `usable`: of them those that would do.
  /// All must outlive the walk, and the plan stay as it is.
  void begin(const Plan& plan, Seconds length, const NodeSet& base, const NodeSet& usable);

  /// Follows Plan::narrow() from one start to the next as long as fewer than `least` of the nodes
  /// may serve `in_time` for the next. Appends the starts it leaves at which as many are there.
  /// `start` not before that of the interval of the last call. Good until the next.
  [[nodiscard]] const Interval& next(SlurmTime start, NodesInTime& in_time, std::size_t least,
                                     std::vector<SlurmTime>& passed);

  /// Of the usable nodes those that no plan takes in an interval that begins with this slot. `slot`
  /// not before that of the last call, and no call of next(). Good until the next.
  [[nodiscard]] const NodeSet& nodes_from(std::size_t slot);

  /// True if `least` of them are free in one of the intervals that Plan::narrow() leads to, from
  /// `start` on. The first call after begin().
  [[nodiscard]] bool has_enough(SlurmTime start, std::size_t least);

 private:
  /// The slot that the interval after the present one begins with; none: there is none.
  [[nodiscard]] std::optional<std::size_t> later_than(std::size_t first) const;
  void look(std::size_t first);

  const Plan* plan_ = nullptr;
  Seconds length_{0};
  const NodeSet* base_ = nullptr;
  const NodeSet* usable_ = nullptr;
  Interval now_;
  bool is_first_ = true;  ///< no interval was looked at
  // Slots up to middle_ are in front_, by slot: what it and those after it up to middle_ have.
  // Slots from there up to end_ are in back_, all together.
  std::vector<NodeSet> front_;
  NodeSet back_;
  std::size_t middle_ = 0, end_ = 0;
};

}  // namespace rehearse

// sim/sched/plan_walk.cpp — the two stacks, and where the map leads on.
#include "sim/sched/plan_walk.hpp"

#include <algorithm>

namespace rehearse {

void PlanWalk::begin(const Plan& plan, Seconds length, const NodeSet& base, const NodeSet& usable) {
  plan_ = &plan;
  length_ = length;
  base_ = &base;
  usable_ = &usable;
  is_first_ = true;
  middle_ = end_ = 0;
}

/// As long as no slot offers more than the one before, narrow() has what the slot itself has: where
/// it leads to does not depend on where it began.
std::optional<std::size_t> PlanWalk::later_than(std::size_t first) const {
  const auto& slots = plan_->slots();
  for (std::size_t i = first; i + 1 < slots.size(); ++i) {
    if (plan_->leads_on(i, *base_)) return i + 1;
    if (slots[i].begin > now_.start + length_) break;
  }
  return std::nullopt;
}

/// Most searches look at one interval only: stacks are made for the second.
void PlanWalk::look(std::size_t first) {
  const auto& slots = plan_->slots();
  const SlurmTime until = now_.start + length_;
  if (is_first_) {
    is_first_ = false;
    now_.nodes = *usable_;
    for (std::size_t i = first; i < slots.size() && slots[i].begin <= until; ++i) {
      now_.nodes &= slots[i].nodes;
    }
    return;
  }
  std::size_t end = std::max(end_, first);
  while (end < slots.size() && slots[end].begin <= until) ++end;
  if (first < middle_) {
    for (std::size_t i = end_; i < end; ++i) back_ &= slots[i].nodes;
  } else {
    if (front_.size() < end) front_.resize(end);
    for (std::size_t i = end; i > first; --i) {
      front_[i - 1].set_common(i == end ? *usable_ : front_[i], slots[i - 1].nodes);
    }
    back_ = *usable_;
    middle_ = end;
  }
  end_ = end;
  if (first < middle_) {
    now_.nodes.set_common(back_, front_[first]);
  } else {
    now_.nodes = back_;
  }
}

const NodeSet& PlanWalk::nodes_from(std::size_t slot) {
  now_.start = plan_->slots()[slot].begin;
  look(slot);
  return now_.nodes;
}

bool PlanWalk::has_enough(SlurmTime start, std::size_t least) {
  now_.start = start;
  for (std::optional<std::size_t> at = plan_->slot_at(start); at;) {
    const std::size_t first = *at;
    at = later_than(first);
    look(first);
    if (now_.nodes.count() >= least) return true;
    if (at) now_.start = plan_->slots()[*at].begin;
  }
  return false;
}

const PlanWalk::Interval& PlanWalk::next(SlurmTime start, NodesInTime& in_time, std::size_t least,
                                         std::vector<SlurmTime>& passed) {
  now_.start = start;
  for (std::size_t first = plan_->slot_at(start);;) {
    const auto later = later_than(first);
    look(first);
    if (!later) {
      now_.later.reset();
      return now_;
    }
    now_.later = plan_->slots()[*later].begin;
    if (now_.nodes.common_count(in_time.by(*now_.later)) >= least) return now_;
    if (now_.nodes.count() >= least) passed.push_back(now_.start);
    now_.start = *now_.later;
    first = *later;
  }
}

}  // namespace rehearse

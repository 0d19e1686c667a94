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
  const SlurmTime until = now_.start + length_;
  for (std::size_t i = first; i + 1 < plan_->size(); ++i) {
    if (plan_->leads_on(i, *base_)) return i + 1;
    if (plan_->begin_of(i) > until) break;
  }
  return std::nullopt;
}

/// Most searches look at one interval only: stacks are made for the second.
void PlanWalk::look(std::size_t first) {
  const SlurmTime until = now_.start + length_;
  const std::size_t slots = plan_->size();
  if (is_first_) {
    is_first_ = false;
    now_.nodes = *usable_;
    for (std::size_t i = first; i < slots && plan_->begin_of(i) <= until; ++i) {
      now_.nodes &= plan_->nodes_of(i);
    }
    return;
  }
  std::size_t end = std::max(end_, first);
  while (end < slots && plan_->begin_of(end) <= until) ++end;
  if (first < middle_) {
    for (std::size_t i = end_; i < end; ++i) back_ &= plan_->nodes_of(i);
  } else {
    if (front_.size() < end) front_.resize(end);
    for (std::size_t i = end; i > first; --i) {
      front_[i - 1].set_common(i == end ? *usable_ : front_[i], plan_->nodes_of(i - 1));
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
  now_.start = plan_->begin_of(slot);
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
    if (at) now_.start = plan_->begin_of(*at);
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
    now_.later = plan_->begin_of(*later);
    if (now_.nodes.common_count(in_time.by(*now_.later)) >= least) return now_;
    if (now_.nodes.count() >= least) passed.push_back(now_.start);
    now_.start = *now_.later;
    first = *later;
  }
}

}  // namespace rehearse

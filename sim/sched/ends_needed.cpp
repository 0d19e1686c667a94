// sim/sched/ends_needed.cpp — the order of ends, and the places on it that are kept.
#include "sim/sched/ends_needed.hpp"

#include <algorithm>
#include <utility>

namespace rehearse {

void EndsNeeded::clear(std::size_t nodes) {
  at_once_ = NodeSet(nodes);
  later_.clear();
  passed_ = 0;
  stride_ = nodes <= kSmall ? kShortStride : kLongStride;
}

void EndsNeeded::set_at_once(std::size_t node, bool may_serve) {
  if (at_once_.test(node) == may_serve) return;
  at_once_.set(node, may_serve);
  passed_ = 0;  // they have these nodes, too
}

/// Those that stay close the gaps; then the others take their places, the last first.
void EndsNeeded::update(const NodeSet& moved, std::span<Wait> waits,
                        const std::vector<std::uint32_t>& places) {
  places_ = &places;
  const auto is_moved = [&](const Wait& each) { return moved.test(each.node); };
  const auto first = std::find_if(later_.begin(), later_.end(), is_moved);
  auto lowest = static_cast<std::size_t>(first - later_.begin());
  later_.erase(std::remove_if(first, later_.end(), is_moved), later_.end());
  const auto comes_before = [&](const Wait& a, const Wait& b) {
    return std::pair(places[a.slot], a.node) < std::pair(places[b.slot], b.node);
  };
  std::sort(waits.begin(), waits.end(), comes_before);
  std::size_t stays = later_.size();
  later_.resize(stays + waits.size());
  for (std::size_t left = waits.size(); left > 0; --left) {
    const Wait& last = waits[left - 1];
    while (stays > 0 && comes_before(last, later_[stays - 1])) {
      later_[stays + left - 1] = later_[stays - 1];
      --stays;
    }
    later_[stays + left - 1] = last;
  }
  if (!waits.empty()) lowest = std::min(lowest, stays);
  passed_ = std::min(passed_, lowest / stride_);
}

const NodeSet& EndsNeeded::milestone(std::size_t number) const {
  if (number == 0) return at_once_;
  if (milestones_.size() < number) milestones_.resize(number);
  for (; passed_ < number; ++passed_) {
    NodeSet& next = milestones_[passed_];
    next = passed_ == 0 ? at_once_ : milestones_[passed_ - 1];
    for (std::size_t i = passed_ * stride_; i < (passed_ + 1) * stride_; ++i) {
      next.set(later_node(i));
    }
  }
  return milestones_[number - 1];
}

void EndsNeeded::go_on(NodeSet& able, std::size_t from, std::size_t to) const {
  if (to - from > stride_) {
    able = milestone(to / stride_);
    from = to / stride_ * stride_;
  }
  for (; from < to; ++from) able.set(later_node(from));
}

std::size_t EndsNeeded::later_after(std::size_t gone) const {
  const auto end = std::partition_point(later_.begin(), later_.end(),
                                        [&](const Wait& each) { return ends_of(each) <= gone; });
  return static_cast<std::size_t>(end - later_.begin());
}

std::size_t EndsNeeded::later_by(SlurmTime at) const {
  const auto end = std::partition_point(later_.begin(), later_.end(),
                                        [&](const Wait& each) { return each.end <= at; });
  return static_cast<std::size_t>(end - later_.begin());
}

NodeSet EndsNeeded::able_after(std::size_t gone, const NodeSet& candidates) const {
  const std::size_t count = later_after(gone);
  NodeSet able = candidates & milestone(count / stride_);
  for (std::size_t i = count / stride_ * stride_; i < count; ++i) {
    if (candidates.test(later_node(i))) able.set(later_node(i));
  }
  return able;
}

std::optional<std::size_t> EndsNeeded::until(std::size_t least, const NodeSet& candidates) const {
  std::size_t able = candidates.common_count(at_once_);
  if (able >= least) return 0;
  // Of all strides the last after which they are too few: steps that double, then bisection.
  const std::size_t all = later_.size() / stride_;
  std::size_t strides = 0, beyond = all + 1;
  const auto are_enough_after = [&](std::size_t number) {
    const std::size_t count = candidates.common_count(milestone(number));
    const bool enough = count >= least;
    if (!enough) able = count;
    (enough ? beyond : strides) = number;
    return enough;
  };
  for (std::size_t step = 1; step <= all && !are_enough_after(step);) step *= 2;
  while (beyond - strides > 1) (void)are_enough_after(strides + (beyond - strides) / 2);
  for (std::size_t i = strides * stride_; i < later_.size(); ++i) {
    if (candidates.test(later_node(i)) && ++able == least) return later_ends(i);
  }
  return std::nullopt;
}

}  // namespace rehearse

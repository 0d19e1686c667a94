// sim/sched/ends_needed.cpp — the order of ends, and the places on it that are kept.
#include "sim/sched/ends_needed.hpp"

#include <algorithm>
#include <array>

namespace rehearse {

void EndsNeeded::clear(std::size_t nodes) {
  at_once_ = NodeSet(nodes);
  later_.clear();
  passed_ = 0;
  stride_ = nodes <= kSmall ? kShortStride : kLongStride;
}

/// Nodes were added in their order: a stable sort by ends, a digit at a time, is all. Where no more
/// jobs run than a digit has values, once is enough.
void EndsNeeded::sort() {
  constexpr unsigned kBits = 11;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  std::uint64_t most = 0;
  for (const std::uint64_t each : later_) most = std::max(most, each >> 32U);
  sorted_.resize(later_.size());
  for (unsigned digit = 32; digit < 64 && most >> (digit - 32U) != 0; digit += kBits) {
    // The last digit has few values where few jobs run.
    const std::size_t values = std::min(most >> (digit - 32U), kMask) + 1;
    std::array<std::uint32_t, kMask + 2> begin;
    std::fill_n(begin.begin(), values + 1, 0U);
    for (const std::uint64_t each : later_) ++begin[(each >> digit & kMask) + 1];
    for (std::size_t d = 1; d < values; ++d) begin[d] += begin[d - 1];
    for (const std::uint64_t each : later_) sorted_[begin[each >> digit & kMask]++] = each;
    later_.swap(sorted_);
  }
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
                                        [&](std::uint64_t each) { return each >> 32U <= gone; });
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

// sim/sched/nodes_in_time.hpp — which nodes may serve a request by an instant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/sched/departures.hpp"
#include "sim/sched/ends_needed.hpp"

namespace rehearse {

/// The nodes that may serve one request by an instant, if running jobs leave at the ends of their
/// limits.
class NodesInTime {
 public:
  /// `needed`: of the request, on the present state; `leaving`: running jobs by the ends of their
  /// limits. Good as long as both are.
  NodesInTime(const EndsNeeded& needed, const std::vector<Departure>& leaving)
      : needed_(&needed), leaving_(&leaving), able_(needed.at_once()) {}

  /// `at` not before that of the last call. Good until the next.
  [[nodiscard]] const NodeSet& by(SlurmTime at) {
    constexpr std::size_t kFew = 64;  // more are jumped over
    for (std::size_t last = next_ + kFew; next_ < last; ++next_) {
      if (next_ == needed_->later_count() || end_before(next_) > at) return able_;
      able_.set(needed_->later_node(next_));
    }
    const auto left = std::partition_point(leaving_->begin(), leaving_->end(),
                                           [&](const Departure& each) { return each.end <= at; });
    const std::size_t from = next_;
    next_ = needed_->later_after(static_cast<std::size_t>(left - leaving_->begin()));
    needed_->go_on(able_, from, next_);
    return able_;
  }

 private:
  /// Of the job that this one of the later nodes waits for.
  [[nodiscard]] SlurmTime end_before(std::size_t i) const {
    return (*leaving_)[needed_->later_ends(i) - 1].end;
  }

  const EndsNeeded* needed_;
  const std::vector<Departure>* leaving_;
  NodeSet able_;
  std::size_t next_ = 0;  ///< of those that serve later
};

}  // namespace rehearse

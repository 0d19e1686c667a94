// sim/sched/nodes_in_time.hpp — which nodes may serve a request by an instant.
#pragma once

#include <cstddef>

#include "sim/sched/ends_needed.hpp"

namespace rehearse {

/// The nodes that may serve one request by an instant, if running jobs leave at the ends of their
/// limits.
class NodesInTime {
 public:
  /// `needed`: of the request, on the present state. Good as long as it is.
  explicit NodesInTime(const EndsNeeded& needed) : needed_(&needed), able_(needed.at_once()) {}

  /// `at` not before that of the last call. Good until the next.
  [[nodiscard]] const NodeSet& by(SlurmTime at) {
    constexpr std::size_t kFew = 64;  // more are jumped over
    for (std::size_t last = next_ + kFew; next_ < last; ++next_) {
      if (next_ == needed_->later_count() || needed_->later_end(next_) > at) return able_;
      able_.set(needed_->later_node(next_));
    }
    const std::size_t from = next_;
    next_ = needed_->later_by(at);
    needed_->go_on(able_, from, next_);
    return able_;
  }

 private:
  const EndsNeeded* needed_;
  NodeSet able_;
  std::size_t next_ = 0;  ///< of those that serve later
};

}  // namespace rehearse

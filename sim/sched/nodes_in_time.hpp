// sim/sched/nodes_in_time.hpp — which nodes may serve a request by an instant.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/sched/able_nodes.hpp"
#include "sim/sched/departures.hpp"

namespace rehearse {

/// The nodes that may serve one request by an instant, if running jobs leave at the ends of their
/// limits. Asked for instants that do not go back, it costs each node once.
class NodesInTime {
 public:
  /// `needed`: of the request, on the present state; `leaving`: running jobs by the ends of their
  /// limits. Good as long as both are.
  NodesInTime(const EndsNeeded& needed, const std::vector<Departure>& leaving)
      : needed_(&needed), leaving_(&leaving), able_(needed.at_once()) {}

  /// `at` not before that of the last call. Good until the next.
  [[nodiscard]] const NodeSet& by(SlurmTime at) {
    for (; next_ < needed_->later_count(); ++next_) {
      if ((*leaving_)[needed_->later_ends(next_) - 1].end > at) break;
      able_.set(needed_->later_node(next_));
    }
    return able_;
  }

 private:
  const EndsNeeded* needed_;
  const std::vector<Departure>* leaving_;
  NodeSet able_;
  std::size_t next_ = 0;  ///< of those that serve later
};

}  // namespace rehearse

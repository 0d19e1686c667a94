// sim/controller/completing.cpp — what waits for jobs that are COMPLETING: CompleteWait and
// reduce_completing_frag (scheduling.md §4.1).
#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {

/// Whether the job, which is COMPLETING, ended no longer ago than CompleteWait.
bool Controller::ended_lately(const Job& job) const {
  return *job.end >= now() - cluster_.conf.complete_wait;
}

/// A job that ended no longer ago than CompleteWait is completing: backfill does not begin, nor
/// does the main loop unless reduce_completing_frag lets it look at other partitions.
bool Controller::waits_for_completing() const {
  if (cluster_.conf.complete_wait == Seconds{0}) return false;
  return std::any_of(completing_.begin(), completing_.end(),
                     [&](JobIndex index) { return ended_lately(cluster_.jobs[index]); });
}

NodeSet Controller::lately_completing_nodes() const {
  NodeSet nodes(cluster_.nodes.size());
  for (const JobIndex index : completing_) {
    const Job& job = cluster_.jobs[index];
    if (!ended_lately(job)) continue;
    for (const NodeShare& share : job.allocation.nodes) nodes.set(index_of(share.node));
  }
  return nodes;
}

}  // namespace rehearse

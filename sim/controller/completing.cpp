// sim/controller/completing.cpp — what waits for jobs that are COMPLETING: CompleteWait and
// reduce_completing_frag (scheduling.md §4.1).
#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {

/// A job that ended no longer ago than CompleteWait is completing: backfill does not begin, nor
/// does the main loop unless reduce_completing_frag lets it look at other partitions.
bool Controller::waits_for_completing() const {
  const Seconds patience = cluster_.conf.complete_wait;
  if (patience == Seconds{0}) return false;
  return std::any_of(completing_.begin(), completing_.end(),
                     [&](JobIndex index) { return *cluster_.jobs[index].end >= now() - patience; });
}

NodeSet Controller::lately_completing_nodes() const {
  NodeSet nodes(cluster_.nodes.size());
  for (const JobIndex index : completing_) {
    const Job& job = cluster_.jobs[index];
    if (*job.end < now() - cluster_.conf.complete_wait) continue;
    for (const NodeShare& share : job.allocation.nodes) nodes.set(index_of(share.node));
  }
  return nodes;
}

}  // namespace rehearse

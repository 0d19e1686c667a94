// sim/controller/completing.cpp — what waits for jobs that are COMPLETING: CompleteWait and
// reduce_completing_frag (scheduling.md §4.1).
#include "sim/controller/controller.hpp"

namespace rehearse {

/// The nodes of jobs that are COMPLETING and ended no longer ago than CompleteWait; none: there is
/// no such job. While there is one backfill does not begin, nor does the main loop unless
/// reduce_completing_frag lets it look at partitions without these nodes.
std::optional<NodeSet> Controller::lately_completing() const {
  const Seconds patience = cluster_.conf.complete_wait;
  if (patience == Seconds{0}) return std::nullopt;
  std::optional<NodeSet> nodes;
  for (const JobIndex index : completing_) {
    const Job& job = cluster_.jobs[index];
    if (*job.end < now() - patience) continue;
    if (!nodes) nodes.emplace(cluster_.nodes.size());
    for (const NodeShare& share : job.allocation.nodes) nodes->set(index_of(share.node));
  }
  return nodes;
}

}  // namespace rehearse

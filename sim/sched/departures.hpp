// sim/sched/departures.hpp — running jobs as an estimate sees them: when each leaves, and where it
// is. In one row of memory, since every step of every search goes along it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

struct Departure {
  SlurmTime end;
  const Job* job = nullptr;
  std::uint32_t node = 0;  ///< where it is, if that is one node only
  bool is_on_one = false;

  [[nodiscard]] bool intersects(const NodeSet& nodes) const {
    return is_on_one ? nodes.test(node) : job->allocated_nodes.intersects(nodes);
  }
};

/// Of jobs that have an end and hold nodes, in their order.
[[nodiscard]] inline std::vector<Departure> departures_of(const std::vector<Job*>& jobs) {
  std::vector<Departure> all;
  all.reserve(jobs.size());
  for (const Job* job : jobs) {
    Departure each{.end = *job->end, .job = job};
    each.is_on_one = job->allocation.nodes.size() == 1;
    if (each.is_on_one) {
      each.node = static_cast<std::uint32_t>(index_of(job->allocation.nodes.front().node));
    }
    all.push_back(each);
  }
  return all;
}

}  // namespace rehearse

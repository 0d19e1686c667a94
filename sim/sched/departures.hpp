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
  std::uint32_t first_word = 0, last_word = 0;  ///< of a set of nodes: where its nodes are
  std::uint64_t mask = 0;                       ///< its nodes, if they are all within one word

  /// `nodes`: the words of a set.
  [[nodiscard]] bool intersects(const std::uint64_t* nodes) const {
    if (mask != 0) return (nodes[first_word] & mask) != 0;
    const std::uint64_t* held = job->allocated_nodes.words();
    for (std::uint32_t w = first_word; w <= last_word; ++w) {
      if ((nodes[w] & held[w]) != 0) return true;
    }
    return false;
  }
  friend bool operator==(const Departure&, const Departure&) = default;
};

/// Of a job that has an end.
[[nodiscard]] inline Departure departure_of(const Job& job) {
  constexpr std::uint32_t kBits = 64;
  const auto& shares = job.allocation.nodes;
  const auto index = [](const NodeShare& share) {
    return static_cast<std::uint32_t>(index_of(share.node));
  };
  Departure each{.end = *job.end, .job = &job};
  if (shares.empty()) {
    each.first_word = 1;  // and the last is 0: nowhere
    return each;
  }
  each.first_word = index(shares.front()) / kBits;
  each.last_word = index(shares.back()) / kBits;
  if (each.first_word != each.last_word) return each;
  for (const NodeShare& share : shares) each.mask |= std::uint64_t{1} << index(share) % kBits;
  return each;
}

/// In their order.
[[nodiscard]] inline std::vector<Departure> departures_of(const std::vector<Job*>& jobs) {
  std::vector<Departure> all;
  all.reserve(jobs.size());
  for (const Job* job : jobs) all.push_back(departure_of(*job));
  return all;
}

}  // namespace rehearse

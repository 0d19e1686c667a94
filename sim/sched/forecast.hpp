// sim/sched/forecast.hpp — what an estimate tells of a start.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cluster/allocation.hpp"
#include "sim/core/time.hpp"
#include "sim/sched/allocated_nodes.hpp"

namespace rehearse {

struct Forecast {
  bool immediate = false;  ///< fits on the present state: start is "now"
  SlurmTime start;         ///< of a later one
  NodeSet nodes;
  std::uint32_t cpus = 0;       ///< on all of them
  std::uint32_t last_cpus = 0;  ///< of terms and alternatives: of the last one that has a start
  /// Cores, memory and devices there; none: they exist, and nobody asked which.
  std::optional<Allocation> allocation;

  /// The CPUs that the test leaves the job (priority.md §3.4).
  [[nodiscard]] std::uint32_t cpus_left() const { return last_cpus != 0 ? last_cpus : cpus; }
  /// True if it is of this one, as far as it tells.
  [[nodiscard]] bool agrees_with(const Allocation& other) const {
    return allocation ? *allocation == other : nodes == nodes_of(other, nodes.size());
  }
};

}  // namespace rehearse

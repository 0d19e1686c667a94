// sim/sched/selection.hpp — what came of an attempt to give a job nodes (scheduling.md §4.3, §5.6).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// How many nodes a job may have in a partition.
struct NodeCounts {
  std::uint32_t min = 1, max = 1, req = 1;
  friend bool operator==(const NodeCounts&, const NodeCounts&) = default;
};

enum class Attempt : std::uint8_t {
  Success,
  Busy,             ///< could run on the nodes available to it, but not now
  NotAvailable,     ///< the configuration would do, the available nodes do not
  PartitionConfig,  ///< node counts outside the partition's limits
  Policy,           ///< an association or QOS limit
  Licenses,         ///< not free, and nobody can be made to give them
  ReservationBusy,  ///< the job's reservation less those that overlap it cannot hold it
  Never,            ///< no set of configured nodes can hold it
};

struct Selection {
  Attempt attempt = Attempt::Never;
  Reason reason = Reason::None;   ///< of Policy
  Allocation allocation;          ///< of Success
  std::vector<Job*> victims;      ///< of Busy: jobs that are to be preempted (preemption.md §5)
  const Qos* stopping = nullptr;  ///< of Policy where no nodes were found: whose group limit it is
  bool has_nothing = false;       ///< of Busy: chosen as if some had gone, of whom nobody need go
  bool lacks_cores = false;       ///< of Busy: as PlacementQuery has it
};

}  // namespace rehearse

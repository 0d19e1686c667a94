// sim/sched/enough_nodes.hpp — what an estimate has worked out for its last question: most come
// twice, once whether a start is late enough to be passed over, and once when it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/cluster/ids.hpp"
#include "sim/core/time.hpp"
#include "sim/sched/bunches.hpp"
#include "sim/sched/job_totals.hpp"

namespace rehearse {

/// How many jobs must leave before enough candidates may serve, and the first bunch of as many.
struct EnoughNodes {
  std::uint64_t state = 0;  ///< good for this one, and the question below
  RequestId request{};
  PartitionId partition{};
  std::uint32_t least = 0;
  NodeSet candidates;
  std::optional<std::size_t> enough;  ///< none: they never may
  std::optional<Bunches> after;       ///< none: the bunch was not looked for
  std::optional<Bunch> bunch;         ///< none: there is none
  SlurmTime end_before;               ///< of the last job of the bunch before it
};

/// What a request counts over all nodes: for whatever candidates.
struct KnownTotals {
  std::uint64_t state = 0;  ///< good for this one
  RequestId request{};
  PartitionId partition{};
  std::optional<JobTotals> totals;  ///< none: nobody has asked
};

}  // namespace rehearse

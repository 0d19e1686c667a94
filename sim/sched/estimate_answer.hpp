// sim/sched/estimate_answer.hpp — what an estimate was asked and what it found, to be asked once.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/forecast.hpp"
#include "sim/sched/select/near_notes.hpp"

namespace rehearse {

enum class Horizon : std::uint8_t { Now, Future };

/// Requests, partitions and counts that are the same have the same answers.
struct EstimateQuestion {
  RequestId request{};
  PartitionId partition{};
  std::uint32_t min = 0, max = 0, req = 0;
  bool any_switches = false;
  friend auto operator<=>(const EstimateQuestion&, const EstimateQuestion&) = default;
};

struct EstimateAnswer {
  NodeSet candidates;
  std::vector<Job*> preemptable;  ///< jobs whose resources could be taken at once
  std::vector<Job*> suspendable;  ///< of these the cores (preempt/qos)
  Horizon horizon = Horizon::Now;
  std::optional<SlurmTime> only_at;          ///< one over its limit was counted on
  SlurmTime good_before = SlurmTime::max();  ///< when the last counted on is over its limit
  bool only_for_one = false;                 ///< reservations shaped it
  std::uint64_t weights = 0;                 ///< those it was found with
  NearNotes notes;
  bool lacks_cores = false;  ///< of the present: as PlacementQuery has it
  std::optional<Forecast> forecast;
};

/// What is known of one question on the present ledger.
struct KnownEstimates {
  std::vector<std::uint64_t> hashes;  ///< of the answers' candidates
  std::deque<EstimateAnswer> answers;
};

}  // namespace rehearse

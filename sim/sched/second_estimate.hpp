// sim/sched/second_estimate.hpp — what an estimate leaves of a job's memory, and whether backfill
// makes another one for it (gres.md §2.3, scheduling.md §8.7 step 6).
#pragma once

#include "sim/sched/forecast.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {

/// What starts at once is tested again by step 8, on what this test went by.
inline void note_test(Job& job, PartitionId partition, NodeChoice& choice,
                      const Forecast* forecast) {
  const bool foretold = forecast != nullptr && forecast->immediate;
  choice.tested(job, partition,
                foretold ? NodeChoice::Outcome::Foretold : NodeChoice::Outcome::Going);
}

/// What does not start now is asked for once more: another answer where the first test has found
/// out about DefMemPerGPU. What it takes back instead, it does at the end of the record.
[[nodiscard]] inline bool asks_again(Job& job, PartitionId partition, const Cluster& cluster,
                                     NodeChoice& choice, const Forecast* forecast) {
  const RequestId before = job.request;
  note_test(job, partition, choice, forecast);
  const Request& request = cluster.request_of(job);
  const LeftMemory::Kind left = left_memory(request).kind;
  return job.request != before && !(forecast != nullptr && forecast->immediate) &&
         left != LeftMemory::Kind::AsSubmitted && left != LeftMemory::Kind::All &&
         request.features_wanted() == kNoName && request.exclusive != ExclusiveRequest::Exclusive;
}

}  // namespace rehearse

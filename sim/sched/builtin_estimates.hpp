// sim/sched/builtin_estimates.hpp — what sched/builtin finds out about jobs that wait (priority.md
// §3.4).
#pragma once

#include "sim/sched/estimate.hpp"
#include "sim/sched/pending_queue.hpp"

namespace rehearse {

/// Its thread estimates the first records of the queue, whatever they wait for; their jobs are told
/// how many CPUs they would have.
void estimate_as_builtin(Cluster& cluster, PendingQueue& queue, NodeChoice& choice,
                         Estimator& estimator, SlurmTime now);

}  // namespace rehearse

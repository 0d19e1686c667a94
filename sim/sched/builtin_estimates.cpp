// sim/sched/builtin_estimates.cpp — the first records of the queue, one after the other.
#include "sim/sched/builtin_estimates.hpp"

#include <algorithm>

#include "sim/sched/job_tests.hpp"
#include "sim/sched/reservations/view.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kRecords = 51;  ///< [V] of 61 that wait

}  // namespace

void estimate_as_builtin(Cluster& cluster, PendingQueue& queue, NodeChoice& choice,
                         Estimator& estimator, SlurmTime now) {
  const auto records = queue.build(now);
  const NodeSet available = choice.available_nodes();
  for (std::size_t i = 0; i < std::min(records.size(), kRecords); ++i) {
    const QueueRecord& record = records[i];
    Job& job = queue.job_of(record);
    if (!job.is_pending()) continue;
    Selection failure;
    const auto counts = choice.counts(job, record.partition, failure);
    if (!counts) continue;
    const ReservedView reserved = reserved_view(
        cluster, {.job = job,
                  .partition = record.partition,
                  .reservation = record.reservation,
                  .now = now,
                  .start = now,
                  .limit = effective_limit(job, cluster.partitions[record.partition], cluster)});
    NodeSet nodes = choice.configured(job, record.partition) & available;
    choice.withhold_owned(job, record.partition, now, nodes);
    if (reserved.verdict == ReservedVerdict::Free) nodes &= reserved.nodes;
    const Forecast* forecast =
        estimator.will_run(job, record.partition, nodes, *counts, now, Horizon::Future, reserved);
    if (forecast != nullptr) choice.found_cpus(job, forecast->cpus_left());
  }
}

}  // namespace rehearse

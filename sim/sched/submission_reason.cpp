// sim/sched/submission_reason.cpp — the top-priority test, and idle nodes for those who want them.
#include "sim/sched/submission_reason.hpp"

#include <algorithm>

#include "sim/cluster/whole_nodes.hpp"
#include "sim/sched/reservations/view.hpp"

namespace rehearse {
namespace {

/// Eligible, as far as can be told without asking again.
bool is_independent(const Job& job, SlurmTime now) {
  return !job.held && job.begin && *job.begin <= now && job.reason != Reason::Dependency &&
         job.reason != Reason::DependencyNeverSatisfied;
}

/// Two jobs compete in a partition, or over nodes that two partitions share.
bool comes_before(const Cluster& cluster, const Job& other, const Job& job) {
  if (other.partition == job.partition && other.priority <= job.priority) return false;
  const bool same_reservation =
      other.reservations.empty() == job.reservations.empty() &&
      (job.reservations.empty() || other.reservations.front() == job.reservations.front());
  if (!same_reservation) return false;
  if (other.partition == job.partition) return true;
  const Partition& theirs = cluster.partitions[other.partition];
  const Partition& ours = cluster.partitions[job.partition];
  if (!theirs.nodes.intersects(ours.nodes)) return false;
  const auto tier = theirs.conf.priority_tier;
  return tier > ours.conf.priority_tier ||
         (tier == ours.conf.priority_tier && other.priority > job.priority);
}

bool is_top(const Cluster& cluster, const Job& job, std::span<const JobIndex> pending,
            SlurmTime now) {
  const Seconds young = cluster.conf.scheduler_parameters.bf_min_age_reserve;
  return std::none_of(pending.begin(), pending.end(), [&](JobIndex index) {
    const Job& other = cluster.jobs[index];
    if (!comes_before(cluster, other, job)) return false;
    if (!other.is_pending() || other.completing || !is_independent(other, now)) return false;
    if (young > Seconds{0} && now - *other.begin < young) return false;
    return !is_policy_blocked(other.reason, cluster.inputs.site.slurm_version);
  });
}

}  // namespace

Reason submission_reason(const Cluster& cluster, const Job& job, std::span<const JobIndex> pending,
                         const NodeSet& configured, SlurmTime now) {
  const ReservedQuestion question{.job = job,
                                  .partition = job.partition,
                                  .reservation = {},
                                  .now = now,
                                  .start = now,
                                  .limit = job.time_limit.value_or(Minutes{1})};
  if (!licenses_free(cluster, question)) return Reason::None;
  const Request& request = cluster.request_of(job);
  const bool whole = asks_for_whole_nodes(request, cluster.partitions[job.partition].conf);
  const bool preempts = cluster.conf.preempt_mode != PreemptMode::Off;
  if (whole && !preempts && (configured & cluster.ledger.idle()).count() < request.min_nodes) {
    return Reason::Resources;
  }
  return is_top(cluster, job, pending, now) ? Reason::None : Reason::Priority;
}

}  // namespace rehearse

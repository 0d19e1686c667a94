// sim/sched/preempt/candidates.cpp — who may become a victim, and who goes first
// (preemption.md §2, §3).
#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/sched/job_tests.hpp"
#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/preempt/registry.hpp"

namespace rehearse {

Preemption::Preemption(const Cluster& cluster, const SelectPlugin& select,
                       const RunningJobs& running)
    : cluster_(cluster),
      select_(select),
      running_(running),
      plugin_(make_preempt_plugin(cluster)),
      enabled_(cluster.conf.preempt_mode != PreemptMode::Off),
      scratch_(cluster.ledger) {
  if (!cluster.inputs.site.policy.has_quotas()) return;
  quotas_.emplace(cluster, running);
  plugin_ = make_preempt_quota(cluster, *quotas_);
}

/// The first value set among the victim's two QOS, the partition's first unless the job's has
/// OverPartQOS; then the cluster's.
std::optional<Seconds> Preemption::exempt_time(const Job& victim) const {
  const auto conf_of = [&](std::optional<QosId> id) {
    return id ? &cluster_.accounts.qos[*id].conf : nullptr;
  };
  const QosConf* first = conf_of(cluster_.partitions[victim.partition].qos);
  const QosConf* second = conf_of(victim.qos);
  if (second != nullptr && second->flags.over_part_qos) std::swap(first, second);
  for (const QosConf* qos : {first, second}) {
    if (qos != nullptr && qos->preempt_exempt_time) return qos->preempt_exempt_time;
  }
  return cluster_.conf.preempt_exempt_time;
}

bool Preemption::is_exempt(const Job& victim, SlurmTime now) const {
  const auto& most = cluster_.conf.preempt_parameters.min_exempt_priority;
  if (most && victim.priority > *most) return true;
  const std::optional<Seconds> exempt = exempt_time(victim);
  return exempt && now < *victim.start + *exempt;
}

std::vector<Job*> Preemption::candidates(const Job& preemptor, PartitionId partition, SlurmTime now,
                                         std::span<const std::uint32_t> lacking) const {
  std::vector<Job*> found;
  if (!may_take(preemptor, partition)) return found;
  const PreemptSide above{preemptor, partition};
  const auto may_go = [&](const Job& job) {
    return (plugin_->may_preempt(above, {job, job.partition}) || borrows_from(job, preemptor)) &&
           plugin_->mode_of(job) != PreemptMode::Off && !is_exempt(job, now);
  };
  for (Job* job : running_.by_end()) {
    if (het_leader(*job).value_or(job->id) != job->id) continue;  // its leader stands for it
    if (!may_go(*job)) continue;
    if (het_leader(*job)) {
      const std::vector<Job*> parts = parts_of(*job);
      if (!std::all_of(parts.begin(), parts.end(), [&](Job* part) { return may_go(*part); })) {
        continue;
      }
    }
    // A node in the preemptor's partition is enough, whether it could use it or not.
    if (!uses(*job, cluster_.partitions[partition].nodes) && !holds_any(*job, lacking)) continue;
    found.push_back(job);
  }
  if (cluster_.conf.preempt_parameters.youngest_first) {
    std::sort(found.begin(), found.end(), [](const Job* a, const Job* b) {
      return std::tie(*b->start, a->index) < std::tie(*a->start, b->index);
    });
    return found;
  }
  // Ties stay in the order of the job list.
  std::sort(found.begin(), found.end(), [&](const Job* a, const Job* b) {
    return std::pair(plugin_->rank_of(*a), a->index) < std::pair(plugin_->rank_of(*b), b->index);
  });
  return found;
}

std::vector<Job*> Preemption::killable(const Job& preemptor, PartitionId partition,
                                       SlurmTime now) const {
  std::vector<Job*> found = candidates(preemptor, partition, now);
  std::erase_if(found, [&](const Job* job) { return !is_killed(*job); });
  const std::size_t leaders = found.size();
  for (std::size_t i = 0; i < leaders; ++i) {
    if (!het_leader(*found[i])) continue;
    for (Job* part : parts_of(*found[i])) {
      if (part != found[i]) found.push_back(part);
    }
  }
  return found;
}

bool Preemption::is_killed(const Job& victim) const {
  const PreemptMode mode = mode_of(victim);
  return mode == PreemptMode::Cancel || mode == PreemptMode::Requeue;
}

}  // namespace rehearse

// sim/sched/job_tests.cpp — deadlines, limits and licences of one job.
#include "sim/sched/job_tests.hpp"

#include <algorithm>
#include <chrono>

namespace rehearse {

bool is_too_large_an_array(const std::vector<ArrayTask>& array, const SlurmConf& conf) {
  const auto most = conf.scheduler_parameters.max_array_tasks;
  return (most && array.size() > *most) ||
         std::any_of(array.begin(), array.end(),
                     [&](const ArrayTask& task) { return task.index >= conf.max_array_size; });
}

std::uint32_t array_task_limit(const Job& job) {
  if (job.array_job == JobId{} || job.spec == nullptr || !job.spec->extras) return 0;
  return job.spec->extras->array_max_running;
}

Minutes effective_limit(const Job& job, const Partition& partition, const Cluster& cluster) {
  const PartitionConf& conf = partition.conf;
  const Minutes most = conf.max_time.value_or(kUnlimited);
  if (!job.time_limit) return conf.default_time.value_or(most);
  const bool lifted = job.qos && cluster.accounts.qos[*job.qos].conf.flags.partition_time_limit;
  if (*job.time_limit > most && !lifted && !job.set_by_operator.time_limit)
    return conf.default_time.value_or(most);
  return *job.time_limit;
}

Minutes limit_from(SlurmTime now, const Job& job, const Partition& partition,
                   const Cluster& cluster) {
  const Minutes limit = effective_limit(job, partition, cluster);
  const JobExtras* extras = job.spec != nullptr ? job.spec->extras.get() : nullptr;
  if (extras == nullptr || !extras->deadline) return limit;
  const Minutes left = std::chrono::floor<Minutes>(*extras->deadline - now);
  return std::clamp(left, Minutes{0}, limit);
}

bool leaves_no_plan(const Job& job, const Cluster& cluster) {
  return job.qos && cluster.accounts.qos[*job.qos].conf.flags.no_reserve;
}

std::optional<Minutes> unreserved_minutes(const Job& job, const Cluster& cluster) {
  if (!leaves_no_plan(job, cluster)) return std::nullopt;
  if (cluster.conf.preempt_mode != PreemptMode::Off) return Minutes{1};
  return planned_time_min(job);
}

bool has_bad_time_min(const Job& job, const Cluster& cluster) {
  const auto& least = job.spec->time_min;
  if (!least) return false;
  if (job.time_limit ? *least > *job.time_limit : *least == kUnlimited) return true;
  if (job.qos && cluster.accounts.qos[*job.qos].conf.flags.partition_time_limit) return false;
  return std::all_of(job.partitions.begin(), job.partitions.end(), [&](PartitionId id) {
    return *least > cluster.partitions[id].conf.max_time.value_or(kUnlimited);
  });
}

std::optional<SlurmTime> deadline_missed_at(const Job& job) {
  if (job.spec == nullptr || !job.spec->extras || !job.spec->extras->deadline) return std::nullopt;
  const Minutes span = job.spec->time_min.value_or(job.time_limit ? *job.time_limit : Minutes{1});
  return *job.spec->extras->deadline - span + Seconds{1};
}

bool misses_deadline(const Job& job, SlurmTime now) {
  const auto missed = deadline_missed_at(job);
  return missed && now >= *missed;
}

Seconds switches_wait(const Job& job, const Cluster& cluster) {
  return std::min(cluster.request_of(job).switches_wait,
                  cluster.conf.scheduler_parameters.max_switch_wait);
}

void note_switch_wait(Job& job, SlurmTime now, const Cluster& cluster) {
  const Request& request = cluster.request_of(job);
  if (!request.switches || job.any_switches) return;
  if (!job.switches_since) job.switches_since = now;
  job.any_switches = now - *job.switches_since >= switches_wait(job, cluster);
}

std::uint32_t least_reserving_priority(const Job& job, PartitionId partition,
                                       const Cluster& cluster, const Limits& limits) {
  const std::uint32_t threshold = limits.min_prio_threshold(job, partition);
  return threshold > 0 ? threshold : cluster.conf.scheduler_parameters.bf_min_prio_reserve;
}

}  // namespace rehearse

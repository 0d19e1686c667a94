// sim/sched/job_tests.cpp — deadlines, limits and licences of one job.
#include "sim/sched/job_tests.hpp"

#include <algorithm>

namespace rehearse {

std::uint32_t array_task_limit(const Job& job) {
  if (job.array_job == JobId{} || job.spec == nullptr || !job.spec->extras) return 0;
  return job.spec->extras->array_max_running;
}

std::optional<JobId> het_leader(const Job& job) {
  if (job.spec == nullptr || !job.spec->extras || job.spec->extras->het_leader == JobId{}) {
    return std::nullopt;
  }
  return job.spec->extras->het_leader;
}

Minutes effective_limit(const Job& job, const Partition& partition, const Cluster& cluster) {
  const PartitionConf& conf = partition.conf;
  const Minutes most = conf.max_time.value_or(kUnlimited);
  if (!job.time_limit) return conf.default_time.value_or(most);
  const bool lifted = job.qos && cluster.accounts.qos[*job.qos].conf.flags.partition_time_limit;
  if (*job.time_limit > most && !lifted && !job.limit_by_admin)
    return conf.default_time.value_or(most);
  return *job.time_limit;
}

bool misses_deadline(const Job& job, SlurmTime now) {
  if (job.spec == nullptr || !job.spec->extras || !job.spec->extras->deadline) return false;
  const Minutes span = job.spec->time_min.value_or(job.time_limit ? *job.time_limit : Minutes{1});
  return *job.spec->extras->deadline < now + span;
}

bool licenses_exist(const Job& job, const Cluster& cluster) {
  const std::vector<LicenseRequest>& wanted = cluster.request_of(job).licenses;
  return std::all_of(wanted.begin(), wanted.end(), [&](const LicenseRequest& each) {
    const std::string& name = cluster.names.text(each.name);
    const auto at = std::find_if(cluster.conf.licenses.begin(), cluster.conf.licenses.end(),
                                 [&](const LicenseConf& known) { return known.name == name; });
    if (at == cluster.conf.licenses.end()) return false;
    const auto i = static_cast<std::size_t>(at - cluster.conf.licenses.begin());
    return each.count <= cluster.licenses_total[i];
  });
}

bool licenses_free(const Job& job, const Cluster& cluster,
                   std::span<const std::uint32_t> reserved) {
  for (const LicenseRequest& wanted : cluster.request_of(job).licenses) {
    bool found = false;
    for (std::size_t i = 0; i < cluster.conf.licenses.size(); ++i) {
      if (cluster.names.text(wanted.name) != cluster.conf.licenses[i].name) continue;
      found = true;
      const std::uint32_t kept = i < reserved.size() ? reserved[i] : 0;
      const std::uint64_t all = std::uint64_t{cluster.licenses_used[i]} + wanted.count + kept;
      if (all > cluster.licenses_total[i]) return false;
    }
    if (!found) return false;
  }
  return true;
}

std::vector<std::uint32_t> license_counts(const Job& job, const Cluster& cluster) {
  std::vector<std::uint32_t> counts(cluster.conf.licenses.size(), 0);
  for (const LicenseRequest& wanted : cluster.request_of(job).licenses) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (cluster.names.text(wanted.name) == cluster.conf.licenses[i].name) {
        counts[i] += wanted.count;
      }
    }
  }
  return counts;
}

void note_switch_wait(Job& job, SlurmTime now, const Cluster& cluster) {
  const Request& request = cluster.request_of(job);
  if (!request.switches || job.any_switches) return;
  if (!job.switches_since) job.switches_since = now;
  const Seconds most = cluster.conf.scheduler_parameters.max_switch_wait;
  job.any_switches = now - *job.switches_since >= std::min(request.switches_wait, most);
}

std::uint32_t least_reserving_priority(const Job& job, PartitionId partition,
                                       const Cluster& cluster, const Limits& limits) {
  const std::uint32_t threshold = limits.min_prio_threshold(job, partition);
  return threshold > 0 ? threshold : cluster.conf.scheduler_parameters.bf_min_prio_reserve;
}

}  // namespace rehearse

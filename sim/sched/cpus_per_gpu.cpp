// sim/sched/cpus_per_gpu.cpp — a default that becomes part of the request.
#include "sim/sched/cpus_per_gpu.hpp"

#include <algorithm>

namespace rehearse {
namespace {

std::uint64_t default_of(const Cluster& cluster, const Partition& partition) {
  return partition.conf.def_cpu_per_gpu.value_or(cluster.conf.def_cpu_per_gpu.value_or(0));
}

/// --ntasks-per-gpu, which switches the default off.
bool counts_tasks_by_gpu(const Request& request) {
  return std::any_of(request.gres.begin(), request.gres.end(),
                     [](const GresRequest& gres) { return gres.ntasks_per_gres > 0; });
}

bool partitions_differ(const Cluster& cluster) {
  const auto& all = cluster.partitions;
  return std::any_of(all.begin(), all.end(), [&](const Partition& each) {
    return default_of(cluster, each) != default_of(cluster, *all.begin());
  });
}

void keep(Cluster& cluster, Job& job, std::optional<std::uint32_t> cpus) {
  const Request& request = cluster.request_of(job);
  if (request.kept_cpus_per_gpu == cpus) return;
  Request kept = request;
  kept.kept_cpus_per_gpu = cpus;
  job.request = cluster.requests.intern(kept);
}

}  // namespace

bool lacks_cpus_per_gpu(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request_of(job);
  if (request.gres.empty() || request.kept_cpus_per_gpu || request.cpus_per_gpu > 0 ||
      request.cpus_per_task || cluster.conf.select_type != SelectType::ConsTres) {
    return false;
  }
  return !counts_tasks_by_gpu(request) && partitions_differ(cluster);
}

void keep_cpus_per_gpu(Cluster& cluster, Job& job, PartitionId partition) {
  const Request& request = cluster.request_of(job);
  const std::uint64_t own = default_of(cluster, cluster.partitions[partition]);
  const bool by_task = std::any_of(request.gres.begin(), request.gres.end(),
                                   [](const GresRequest& gres) { return gres.per_task > 0; });
  // A single task, asked for as such, keeps no number, but that there is none.
  const bool keeps = own == 0 || by_task || request.num_tasks.value_or(2) > 1;
  keep(cluster, job, keeps ? static_cast<std::uint32_t>(own) : kKeepsNoCpusPerGpu);
}

void leave_cpus_per_gpu(Cluster& cluster, Job& rest, PartitionId partition) {
  const Request& request = cluster.request_of(rest);
  if (!counts_tasks_by_gpu(request)) return keep(cluster, rest, std::nullopt);
  const std::uint64_t own = default_of(cluster, cluster.partitions[partition]);
  if (own == 0 || request.cpus_per_task || cluster.conf.select_type != SelectType::ConsTres) return;
  keep(cluster, rest, static_cast<std::uint32_t>(own));
}

}  // namespace rehearse

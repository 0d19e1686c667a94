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

}  // namespace

void keep_cpus_per_gpu(Cluster& cluster, Job& job, PartitionId partition) {
  const Request& request = cluster.request_of(job);
  if (request.gres.empty() || request.cpus_per_gpu > 0 || request.cpus_per_task ||
      cluster.conf.select_type != SelectType::ConsTres) {
    return;
  }
  if (counts_tasks_by_gpu(request)) return;
  const std::uint64_t own = default_of(cluster, cluster.partitions[partition]);
  const auto is_alike = [&](const Partition& each) { return default_of(cluster, each) == own; };
  const auto& all = cluster.partitions;
  if (std::all_of(all.begin(), all.end(), is_alike)) return;
  Request kept = request;
  kept.kept_cpus_per_gpu.reset();
  const bool by_task = std::any_of(request.gres.begin(), request.gres.end(),
                                   [](const GresRequest& gres) { return gres.per_task > 0; });
  // A single task, asked for as such, keeps no number, but that there is none.
  if (own == 0 || by_task || request.num_tasks.value_or(2) > 1) {
    kept.kept_cpus_per_gpu = static_cast<std::uint32_t>(own);
  }
  job.request = cluster.requests.intern(kept);
}

void keep_cpus_per_gpu_of_rest(Cluster& cluster, Job& rest, PartitionId partition) {
  const Request& request = cluster.request_of(rest);
  if (!counts_tasks_by_gpu(request)) return keep_cpus_per_gpu(cluster, rest, partition);
  const std::uint64_t own = default_of(cluster, cluster.partitions[partition]);
  if (own == 0 || request.cpus_per_task || cluster.conf.select_type != SelectType::ConsTres) return;
  Request kept = request;
  kept.kept_cpus_per_gpu = static_cast<std::uint32_t>(own);
  rest.request = cluster.requests.intern(kept);
}

}  // namespace rehearse

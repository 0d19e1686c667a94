// sim/sched/cpus_per_gpu.cpp — a default that becomes part of the request.
#include "sim/sched/cpus_per_gpu.hpp"

#include <algorithm>

namespace rehearse {

void keep_cpus_per_gpu(Cluster& cluster, Job& job, PartitionId partition) {
  const Request& request = cluster.request_of(job);
  if (request.gres.empty() || request.cpus_per_gpu > 0 || request.cpus_per_task ||
      cluster.conf.select_type != SelectType::ConsTres) {
    return;
  }
  const auto by_task = [](const GresRequest& gres) { return gres.per_task > 0; };
  if (std::any_of(request.gres.begin(), request.gres.end(), by_task)) return;
  const auto default_of = [&](const Partition& each) {
    return each.conf.def_cpu_per_gpu.value_or(cluster.conf.def_cpu_per_gpu.value_or(0));
  };
  const std::uint64_t own = default_of(cluster.partitions[partition]);
  const auto is_alike = [&](const Partition& each) { return default_of(each) == own; };
  const auto& all = cluster.partitions;
  if (std::all_of(all.begin(), all.end(), is_alike)) return;
  Request kept = request;
  kept.kept_cpus_per_gpu.reset();
  // A single task, asked for as such, keeps no number, but that there is none.
  if (own == 0 || request.num_tasks.value_or(2) > 1) {
    kept.kept_cpus_per_gpu = static_cast<std::uint32_t>(own);
  }
  job.request = cluster.requests.intern(kept);
}

}  // namespace rehearse

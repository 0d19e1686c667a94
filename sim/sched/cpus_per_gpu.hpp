// sim/sched/cpus_per_gpu.hpp — whose DefCpuPerGPU a job of several partitions has (gres.md §2.3).
#pragma once

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// DefCpuPerGPU of `partition`, or that it has none, stays with the pending job, in whatever
/// partition it then starts: at submission that of the first of its partitions, and for the rest of
/// an array that of the partition in which a task started. Writes Request::kept_cpus_per_gpu.
void keep_cpus_per_gpu(Cluster& cluster, Job& job, PartitionId partition);

}  // namespace rehearse

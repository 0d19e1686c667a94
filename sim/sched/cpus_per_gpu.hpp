// sim/sched/cpus_per_gpu.hpp — whose DefCpuPerGPU a job of several partitions has (gres.md §2.3).
#pragma once

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// DefCpuPerGPU of `partition`, or that it has none, stays with the pending job, in whatever
/// partition it then starts: at submission that of the first of its partitions. Writes
/// Request::kept_cpus_per_gpu.
void keep_cpus_per_gpu(Cluster& cluster, Job& job, PartitionId partition);

/// The same for the rest of an array of which a task has started in `partition`: also with
/// --ntasks-per-gpu, which kept the default from the first task.
void keep_cpus_per_gpu_of_rest(Cluster& cluster, Job& rest, PartitionId partition);

}  // namespace rehearse

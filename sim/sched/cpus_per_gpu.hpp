// sim/sched/cpus_per_gpu.hpp — whose DefCpuPerGPU a job of several partitions has (gres.md §2.3).
#pragma once

#include <cstdint>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// As Request::kept_cpus_per_gpu: it is decided that each partition's own counts.
inline constexpr std::uint32_t kKeepsNoCpusPerGpu = UINT32_MAX;

/// True if the next test of the pending job decides whose default stays with it.
[[nodiscard]] bool lacks_cpus_per_gpu(const Cluster& cluster, const Job& job);

/// `job`, which lacks them, was tested in `partition`, the first one: its DefCpuPerGPU, or that it
/// has none, stays with the job in whatever partition it then starts. Writes
/// Request::kept_cpus_per_gpu.
void keep_cpus_per_gpu(Cluster& cluster, Job& job, PartitionId partition);

/// A task has started in `partition`: what is left of the array is decided anew by its next test,
/// but with --ntasks-per-gpu, which kept the default from the first task and has it from now on.
void leave_cpus_per_gpu(Cluster& cluster, Job& rest, PartitionId partition);

}  // namespace rehearse

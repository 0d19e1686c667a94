// sim/output/kpi/gpu_reach.hpp — which nodes with GPUs the jobs of a run could have used.
//
// By what the result tells of a job: its partitions, the features of --constraint, and the type of
// GPU that it names. Nodes that it named or excluded are not told, so that it counts as if it could
// use the others, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

struct GpuReach {
  /// By row of runs: its set of pools; kNoRow: it asks for no GPU, and no part of one.
  std::vector<std::uint32_t> set_of_run;
  /// By node: nodes that the same sets of jobs can use are one pool; kNoRow: it has no GPU.
  std::vector<std::uint32_t> pool_of_node;
  /// By set: its pools, those that the fewest sets share first.
  std::vector<std::vector<std::uint32_t>> pools;
  /// All sets, those with the fewest GPUs first: who has the least choice is served first.
  std::vector<std::uint32_t> order;
  std::size_t pool_count = 0;
};

[[nodiscard]] GpuReach gpu_reach(const Result& result);

}  // namespace rehearse

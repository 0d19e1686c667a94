// sim/output/device_text.hpp — which devices a run held, as `scontrol -d show job` and the job's
// environment say it.
#pragma once

#include <string>

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/node.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

/// `gpu:a100:2(IDX:0-1)`, comma list over types and GRES in the node's order (gres.md §8). Of a
/// shared device units stand for the count. Empty: no device.
[[nodiscard]] std::string device_text(const NodeShare& share, const Node& node,
                                      const NamePool& names);

/// CUDA_VISIBLE_DEVICES of the batch step where cgroups hide no device: the indexes of its GPUs,
/// those of mps and shards included; with ConstrainDevices=yes a job sees 0, 1, … instead. Empty:
/// no GPU.
[[nodiscard]] std::string cuda_visible_text(const NodeShare& share, const Node& node,
                                            const NamePool& names);

}  // namespace rehearse

// sim/cluster/gres_shared.hpp — mps and shard counts over the GPUs of a node (gres.md §1.6).
#pragma once

#include <string>
#include <vector>

#include "sim/cluster/gres.hpp"

namespace rehearse {

/// What is known of a node's GPUs when their shared counts are dealt out.
struct SharingGpus {
  const NodeGres* gpu = nullptr;                    ///< none: the node has no GPU
  const std::vector<std::string>* files = nullptr;  ///< beside its devices; empty: not known
  std::uint16_t position = 0;                       ///< of gpu among the node's GRES
};

/// One of mps and shard with `count` units configured in slurm.conf and its lines of gres.conf.
/// No devices: the name disappears from the node. Sets `lacking` to what the lines do not cover.
[[nodiscard]] NodeGres distribute_shared(const NodeConf& node, const std::string& name,
                                         std::uint64_t count,
                                         const std::vector<const GresConfLine*>& lines,
                                         const SharingGpus& gpus, std::uint64_t& lacking,
                                         Diagnostics& found);

}  // namespace rehearse

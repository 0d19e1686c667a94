// sim/output/gres_text.hpp — the GRES of a node as scontrol prints them (gres.md §8).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/node.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

struct GresTexts {
  /// `gpu:a100:4(S:0-1),shard:a100:40(S:0-1)`: entries of a name and type as one, in the order of
  /// GresTypes.
  std::string all;
  /// GresUsed of the idle node: `gpu:a100:0(IDX:N/A),mps:0`; every name of GresTypes is there.
  std::string idle;
};

/// `conf` is its Gres= of slurm.conf, which alone is shown where the devices are fewer, or where
/// GPUs that are cut anew come and go.
[[nodiscard]] GresTexts gres_texts(const Node& node, std::string_view conf,
                                   const std::vector<std::string>& gres_types,
                                   const NamePool& names);

}  // namespace rehearse

// sim/output/views/tres_order.hpp — amounts of TRES as scontrol writes them, from what a result
// keeps.
#pragma once

#include <string>
#include <string_view>

#include "sim/cluster/tres.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// The TRES that the cluster tracks. A file that does not tell has the eight that always are.
[[nodiscard]] TresTable tres_table(const ClusterFacts& cluster);

/// `billing=8,cpu=8,mem=64G,node=1` of sacct in TRES order: `cpu=8,mem=64G,node=1,billing=8`.
[[nodiscard]] std::string in_tres_order(const TresTable& table, std::string_view sacct);

}  // namespace rehearse

// sim/study/sizing/node_kind.hpp — which nodes are meant by a GPU type, a feature or a host list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/gres_conf.hpp"
#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// What is wrong with the name of a kind of nodes.
struct NodeKindError {
  std::string what, hint;
};

/// Nodes that are bought or given up one by one.
struct NodeKind {
  std::vector<std::string> hosts;  ///< at least one, in natural order
  std::string text;                ///< `nodes with gpu:h100`, `nodes n[1-4]`
  std::string doubt;               ///< empty: they are all alike
};

/// `gpu:h100` or `h100` (a type of GPU), `gpu` (any), `feature:x` or `x`, or a host list of nodes
/// that exist. Throws NodeKindError where that is nothing, or not one thing.
[[nodiscard]] NodeKind find_node_kind(std::string_view name, const SlurmConf& conf,
                                      const GresConf& gres);

}  // namespace rehearse

// sim/output/views/node_state.hpp — what sinfo calls the state of a node (outputs.md §2).
#pragma once

#include <cstdint>
#include <string>

namespace rehearse {

/// A state's words and Slurm's number of it, by which sinfo sorts in descending order.
struct NodeStateText {
  std::string code, whole;
  int number;
};

/// `flags`: NodeFlag bits; `cpus`: held by jobs; `completing`: a job that has ended keeps the node.
[[nodiscard]] NodeStateText node_state(std::uint16_t flags, std::int64_t cpus,
                                       std::uint32_t effective_cpus, bool completing);

/// `IDLE`, `MIXED+DRAIN`, `DOWN+NOT_RESPONDING`: the state as scontrol writes it (outputs.md §8).
[[nodiscard]] std::string scontrol_node_state(std::uint16_t flags, std::int64_t cpus,
                                              std::uint32_t effective_cpus, bool completing);

}  // namespace rehearse

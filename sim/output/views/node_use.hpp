// sim/output/views/node_use.hpp — what is held of each node at an instant, and what keeps it from
// jobs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// Devices of one GRES and type that jobs hold of a node.
struct DevicesInUse {
  std::uint64_t units = 0;        ///< devices; of shares and mps their units
  std::set<std::uint32_t> index;  ///< empty: none is told
};

struct NodeUseAt {
  std::uint32_t cpus = 0;  ///< at most those that jobs may have; none of one that lends its cores
  std::uint64_t memory_mib = 0;
  std::uint16_t flags = 0;   ///< NodeFlag bits
  bool completing = false;   ///< a run that has ended keeps it
  std::uint32_t reason = 0;  ///< names.text
  std::int64_t reason_since = kNoTime;
  std::map<std::pair<std::string, std::string>, DevicesInUse> devices;  ///< by GRES and type
};

enum class UseDetail : std::uint8_t { Totals, Devices };
/// By row of nodes.
[[nodiscard]] std::vector<NodeUseAt> node_uses_at(const Result& result, std::int64_t at,
                                                  UseDetail detail);

}  // namespace rehearse

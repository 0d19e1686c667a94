// tests/unit/sched/placements.hpp — questions of tests/data/placements, asked of a small cluster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {

/// Nodes of one make, in a partition of the same letter.
struct Make {
  std::string letter;
  std::uint32_t nodes, sockets, cores, threads;
  std::vector<std::vector<std::uint32_t>> devices, at;  ///< of each gres.conf line
  std::vector<std::string> types = {};                  ///< … of which there are none: all a100
  std::uint32_t weight = 1;
};

[[nodiscard]] std::vector<std::string> names_of(const Make& make);

/// The nodes and their partitions; what is still to be built stays open for others.
void furnish(TestCluster& cluster, const std::vector<Make>& makes);

/// Expects each answer of the file, or of what stands under `conf: PARAMETERS` in it; returns how
/// many there are.
std::size_t expect_placements(TestCluster& cluster, std::string_view file,
                              std::string_view parameters = "");

}  // namespace rehearse::test

// tests/unit/sched/select_block_sockets_test.cpp — cores filled socket by socket where the GPUs of
// a job are at several (gres.md §3.1, §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include <string_view>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/block_sockets.py.
std::size_t expect_block_sockets(ConsumableUnit unit, bool block, std::string_view parameters) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = unit;
  cluster.conf.select_type_parameters.core_default_dist_block = block;
  furnish(cluster, {{"v", 2, 2, 16, 1, {{0, 1, 2, 3}, {4, 5, 6, 7}}, {span(0, 15), span(16, 31)}},
                    {"x",
                     2,
                     4,
                     6,
                     2,
                     {{0}, {1}, {2}, {3}},
                     {span(0, 5), span(6, 11), span(12, 17), span(18, 23)}}});
  cluster.partition("e", {"v1", "v2"}).def_cpu_per_gpu = 2;
  cluster.partition("y", {"x1", "x2"}).def_cpu_per_gpu = 3;
  cluster.build();
  return expect_placements(cluster, "block_sockets.txt", parameters);
}

TEST(BlockSockets, GiveNoCoreForTheirGpusAloneWhereAnotherHoldsAllCores) {
  EXPECT_GT(expect_block_sockets(ConsumableUnit::Core, true, "CR_Core,CR_CORE_DEFAULT_DIST_BLOCK"),
            55U);
  EXPECT_EQ(expect_block_sockets(ConsumableUnit::Core, false, "CR_Core"), 5U);
  EXPECT_EQ(expect_block_sockets(ConsumableUnit::Cpu, true, "CR_CPU,CR_CORE_DEFAULT_DIST_BLOCK"),
            2U);
}

}  // namespace
}  // namespace rehearse::test

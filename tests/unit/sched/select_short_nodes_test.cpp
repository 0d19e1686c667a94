// tests/unit/sched/select_short_nodes_test.cpp — nodes that lack the cores for their GPUs, of which
// a job may have two (scheduling.md §6.4; tests/data/placements).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/short_nodes.py.
TEST(ShortNodes, FailTogetherAndApart) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.core_default_dist_block = true;
  furnish(cluster, {{"h", 4, 2, 48, 1, {{0, 1, 2, 3}, {4, 5, 6, 7}}, {span(0, 47), span(48, 95)}}});
  const std::vector<std::string> all = {"h1", "h2", "h3", "h4"};
  PartitionConf& two = cluster.partition("d", all);
  two.def_cpu_per_gpu = 10;
  two.max_nodes = 2;
  cluster.partition("e", all).def_cpu_per_gpu = 10;
  cluster.partition("f", all);
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "short_nodes.txt"), 42U);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_whole_beside_test.cpp — whole nodes count for the cores beside their GPUs
// (gres.md §3.3; tests/data/placements/README.md).
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/whole_beside.py.
void furnish_pairs_of_kinds(TestCluster& cluster) {
  furnish(cluster, {{"f",
                     2,
                     4,
                     5,
                     1,
                     {{0, 1}, {2}, {3, 4}, {5}},
                     {span(0, 4), span(5, 9), span(10, 14), span(15, 19)}},
                    {"h", 2, 2, 8, 1, {{0, 1, 2, 3}}, {span(0, 7)}},
                    {"u", 2, 2, 6, 1, {{0, 1, 2, 3}}, {{}}},
                    {"x", 2, 2, 9, 1, {{0, 1}, {2, 3}}, {span(0, 8), span(9, 17)}}});
  for (const std::string kinds : {"fh", "fu", "fx", "hu", "hx", "ux"}) {
    std::vector<std::string> nodes;
    for (const char kind : kinds) {
      nodes.push_back(std::string(1, kind) + "1");
      nodes.push_back(std::string(1, kind) + "2");
    }
    cluster.partition(kinds, nodes);
  }
}

TEST(WholeNodes, CountForTheCoresBesideTheirGpus) {
  TestCluster cluster;
  furnish_pairs_of_kinds(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "whole_beside.txt", "CR_Core"), 200U);
}

TEST(WholeNodes, CountForTheCoresBesideTheirGpusUnderCrCpu) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_pairs_of_kinds(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "whole_beside.txt", "CR_CPU"), 60U);
}

TEST(WholeNodes, CountForTheCoresBesideTheirGpusWithMemoryToo) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.def_mem_per_cpu_mib = 10;
  furnish_pairs_of_kinds(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "whole_beside.txt", "CR_Core_Memory"), 60U);
}

TEST(WholeNodes, CountForTheSocketsBesideTheirGpus) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Socket;
  furnish_pairs_of_kinds(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "whole_beside.txt", "CR_Socket"), 60U);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_dealt_cores_test.cpp — CPUs beyond --ntasks-per-node on cores of several
// threads (scheduling.md §6.7; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/dealt_cores.py.
void furnish_one_two_and_four_threads(TestCluster& cluster) {
  const std::vector<std::uint32_t> four = {0, 1, 2, 3};
  furnish(cluster, {{"a", 3, 2, 12, 2, {{0, 1}, {2, 3}}, {span(0, 11), span(12, 23)}},
                    {"b", 3, 2, 6, 4, {four}, {{}}},
                    {"c", 3, 2, 12, 1, {four}, {{}}}});
  cluster.partition("d", {"a1", "a2", "a3"}).def_cpu_per_gpu = 7;
  cluster.partition("e", {"b1", "b2", "b3"}).def_cpu_per_gpu = 7;
}

TEST(DealtTasks, GoToEachNodeACoreInTurnWhereCoresAreCounted) {
  TestCluster cluster;
  furnish_one_two_and_four_threads(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "dealt_cores.txt", "CR_Core"), 50U);
}

TEST(DealtTasks, GoToEachNodeACoreInTurnWhereCpusAreCounted) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_one_two_and_four_threads(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "dealt_cores.txt", "CR_CPU"), 50U);
}

TEST(DealtTasks, GoToEachNodeACoreInTurnWhereMemoryIsCountedToo) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.memory = true;
  furnish_one_two_and_four_threads(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "dealt_cores.txt", "CR_Core_Memory"), 20U);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_tasks_over_nodes_test.cpp — --ntasks-per-gpu over a fixed number of nodes
// (gres.md §2.4, §4.4; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/tasks_over_nodes.py.
void furnish_four_makes(TestCluster& cluster) {
  furnish(cluster, {{"h", 3, 2, 16, 1, {span(0, 7)}, {{}}},
                    {"s", 3, 2, 16, 1, {span(0, 3), span(4, 7)}, {span(0, 15), span(16, 31)}},
                    {"t", 3, 2, 8, 2, {{0, 1}, {2, 3}}, {span(0, 7), span(8, 15)}},
                    {"u", 3, 2, 8, 1, {span(0, 3)}, {{}}, {""}}});
  cluster.partition("d", {"s1", "s2", "s3"}).def_cpu_per_gpu = 4;
  cluster.partition("e", {"t1", "t2", "t3"}).def_cpu_per_gpu = 3;
}

TEST(TasksByGpu, OverSeveralNodesAreAsManyOnEachWithTheCpusThatADealerFinds) {
  TestCluster cluster;
  furnish_four_makes(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "tasks_over_nodes.txt"), 500U);
}

std::size_t expect_gpus_over_nodes(ConsumableUnit unit, bool memory, std::string_view parameters) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = unit;
  cluster.conf.select_type_parameters.memory = memory;
  if (memory) cluster.conf.def_mem_per_cpu_mib = 10;
  furnish_four_makes(cluster);
  cluster.build();
  return expect_placements(cluster, "gpus_over_nodes.txt", parameters);
}

TEST(GpusOverNodes, AreThoseOfTasksSocketsAndJobsWhereCoresAreCounted) {
  EXPECT_GT(expect_gpus_over_nodes(ConsumableUnit::Core, false, "CR_Core"), 200U);
}

TEST(GpusOverNodes, AreThoseOfTasksSocketsAndJobsWhereCpusAreCounted) {
  EXPECT_GT(expect_gpus_over_nodes(ConsumableUnit::Cpu, false, "CR_CPU"), 100U);
}

TEST(GpusOverNodes, AreThoseOfTasksSocketsAndJobsWhereMemoryIsCountedToo) {
  EXPECT_GT(expect_gpus_over_nodes(ConsumableUnit::Core, true, "CR_Core_Memory"), 100U);
}

TEST(GpusOverNodes, AreThoseOfTasksSocketsAndJobsWhereSocketsAreCounted) {
  EXPECT_GT(expect_gpus_over_nodes(ConsumableUnit::Socket, false, "CR_Socket"), 100U);
}

}  // namespace
}  // namespace rehearse::test

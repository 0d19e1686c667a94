// tests/unit/sched/select_gpu_memory_test.cpp — nodes that have more GPUs free than memory for
// them, as a running 22.05.8 shared them (gres.md §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The cluster of scripts/reference/experiments/gpu_memory.py.
void furnish_short_of_memory(TestCluster& cluster) {
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.gres_types = {"gpu"};
  for (const char* node : {"a1", "a2"}) {
    cluster.add(DeviceLine{
        .node = node, .name = "gpu", .type = "a100", .devices = {0, 1}, .cores = span(0, 31)});
    cluster.add(DeviceLine{
        .node = node, .name = "gpu", .type = "a100", .devices = {2, 3}, .cores = span(32, 63)});
  }
  cluster.add(DeviceLine{
      .node = "v1", .name = "gpu", .type = "v100", .devices = span(0, 3), .cores = span(0, 19)});
  cluster.add(DeviceLine{.node = "l1", .name = "gpu", .type = "l4", .devices = span(0, 7)});
  cluster.add(NodeLine{.names = {"a1", "a2"},
                       .sockets = 2,
                       .cores = 32,
                       .memory_mib = 1000000,
                       .gres = {{"gpu", "a100", 4}},
                       .weight = 30});
  cluster.add(NodeLine{.names = {"l1"},
                       .cores = 32,
                       .memory_mib = 250000,
                       .gres = {{"gpu", "l4", 8}},
                       .weight = 25});
  cluster.add(NodeLine{.names = {"v1"},
                       .sockets = 2,
                       .cores = 20,
                       .memory_mib = 380000,
                       .gres = {{"gpu", "v100", 4}},
                       .weight = 20});
  const std::vector<std::string> nodes = {"a1", "a2", "l1", "v1"};
  cluster.partition("g", nodes).def_mem_per_gpu_mib = 40000;
  cluster.partition("o", nodes).def_mem_per_cpu_mib = 10;
  cluster.build();
}

TEST(MemoryOfGpus, LimitsTasksAtFirstAndNobodyAsksAgain) {
  TestCluster cluster;
  furnish_short_of_memory(cluster);
  EXPECT_GT(expect_placements(cluster, "gpu_memory.txt"), 80U);
}

TEST(GpusOfAJob, AreSharedAmongNodesThatOthersHaveLeftHolesIn) {
  TestCluster cluster;
  const std::vector<std::string> nodes = {"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"};
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.gres_types = {"gpu"};
  for (const std::string& node : nodes) {
    cluster.add(DeviceLine{.node = node,
                           .name = "gpu",
                           .type = "h100",
                           .devices = {0, 1, 2, 3},
                           .cores = span(0, 15)});
    cluster.add(DeviceLine{.node = node,
                           .name = "gpu",
                           .type = "h100",
                           .devices = {4, 5, 6, 7},
                           .cores = span(16, 31)});
  }
  cluster.add(NodeLine{.names = nodes,
                       .sockets = 2,
                       .cores = 16,
                       .memory_mib = 1000000,
                       .gres = {{"gpu", "h100", 8}}});
  cluster.partition("o", nodes).def_mem_per_cpu_mib = 10;
  auto& t = cluster.partition("t", nodes);
  t.def_cpu_per_gpu = 4;
  t.def_mem_per_cpu_mib = 10;
  auto& u = cluster.partition("u", nodes);
  u.def_cpu_per_gpu = 4;
  u.def_mem_per_gpu_mib = 100000;
  u.def_mem_per_cpu_mib = 10;
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "shared_holes.txt"), 15U);
}

}  // namespace
}  // namespace rehearse::test

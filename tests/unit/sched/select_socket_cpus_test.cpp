// tests/unit/sched/select_socket_cpus_test.cpp — GPUs by socket need their CPUs there (gres.md
// §3.3; tests/data/placements/README.md).
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/socket_cpus.py.
void furnish_two_and_three_sockets(TestCluster& cluster) {
  furnish(cluster,
          {{"a", 2, 2, 12, 2, {{0, 1}, {2, 3}}, {span(0, 11), span(12, 23)}},
           {"r", 2, 3, 8, 1, {{0, 1}, {2, 3}, {4, 5}}, {span(0, 7), span(8, 15), span(16, 23)}}});
  cluster.partition("d", {"a1", "a2"}).def_cpu_per_gpu = 6;
  cluster.partition("e", {"r1", "r2"}).def_cpu_per_gpu = 3;
  for (const auto& [name, nodes, cpus] :
       {std::tuple{"f", std::vector<std::string>{"a1", "a2"}, 6U}, {"g", {"r1", "r2"}, 3U}}) {
    PartitionConf& line = cluster.partition(name, nodes);
    line.def_cpu_per_gpu = cpus;
    line.def_mem_per_gpu_mib = 1000;
  }
}

TEST(GpusBySocket, NeedTheirCpusAtTheirSocketWhereCoresAreCounted) {
  TestCluster cluster;
  furnish_two_and_three_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "socket_cpus.txt", "CR_Core"), 50U);
}

TEST(GpusBySocket, NeedTheirCpusAtTheirSocketWhereCpusAreCounted) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_two_and_three_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "socket_cpus.txt", "CR_CPU"), 25U);
}

TEST(GpusBySocket, NeedTheirCpusAtTheirSocketWhereMemoryIsCountedToo) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.def_mem_per_cpu_mib = 100;
  furnish_two_and_three_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "socket_cpus.txt", "CR_Core_Memory"), 25U);
}

TEST(GpusBySocket, NeedTheirCpusAtTheirSocketWhereCpusAndMemoryAreCounted) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.def_mem_per_cpu_mib = 100;
  furnish_two_and_three_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "socket_cpus.txt", "CR_CPU_Memory"), 25U);
}

}  // namespace
}  // namespace rehearse::test

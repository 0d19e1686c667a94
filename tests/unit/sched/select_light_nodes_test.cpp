// tests/unit/sched/select_light_nodes_test.cpp — how large a node of the lowest weight counts in
// the step of all cores, where CPUs come with GPUs (scheduling.md §6.4; tests/data/placements).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// Two sockets; half of the GPUs at each, or all at none.
Make node_of(const char* letter, std::uint32_t nodes, std::uint32_t cores, std::uint32_t threads,
             std::uint32_t gpus, std::uint32_t weight, bool bound = true) {
  const std::uint32_t half = gpus / 2;
  std::vector<std::vector<std::uint32_t>> at = {span(0, cores - 1), span(cores, 2 * cores - 1)};
  if (!bound) at = {{}, {}};
  return {letter, nodes, 2,     cores, threads, {span(0, half - 1), span(half, gpus - 1)},
          at,     {},    weight};
}

/// The nodes of scripts/reference/experiments/light_nodes.py.
TEST(LightNodes, CountInFullInTheStepOfAllCores) {
  TestCluster cluster;
  furnish(cluster, {node_of("b", 1, 24, 1, 8, 10, false), node_of("c", 1, 4, 1, 2, 10),
                    node_of("d", 1, 16, 1, 4, 10), node_of("e", 1, 20, 1, 8, 10),
                    node_of("f", 1, 12, 1, 8, 10), node_of("g", 1, 24, 1, 8, 10),
                    node_of("h", 4, 24, 1, 8, 10), node_of("p", 2, 28, 2, 8, 50),
                    node_of("q", 2, 24, 1, 8, 50)});
  for (const std::string light : {"g", "b", "c", "d", "e", "f"}) {
    cluster.partition(light + "p", {light + "1", "p1", "p2"}).def_cpu_per_gpu = 4;
    cluster.partition(light + "q", {light + "1", "q1", "q2"}).def_cpu_per_gpu = 4;
    cluster.partition(light + "n", {light + "1", "p1", "p2"});
    PartitionConf& few = cluster.partition(light + "m", {light + "1", "p1", "p2"});
    few.def_cpu_per_gpu = 4;
    few.max_cpus_per_node = 40;
  }
  const std::vector<std::string> many = {"g1", "h1", "h2", "h3", "h4", "p1", "p2"};
  cluster.partition("zp", many).def_cpu_per_gpu = 4;
  PartitionConf& capped = cluster.partition("zm", many);
  capped.def_cpu_per_gpu = 4;
  capped.max_cpus_per_node = 40;
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "light_nodes.txt"), 103U);
}

}  // namespace
}  // namespace rehearse::test

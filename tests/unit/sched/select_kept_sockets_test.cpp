// tests/unit/sched/select_kept_sockets_test.cpp — the sockets that an enforced binding leaves to
// --gpus (gres.md §3.1; tests/data/placements/README.md).
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/kept_sockets.py.
void furnish_unlike_sockets(TestCluster& cluster) {
  furnish(cluster, {{"f",
                     3,
                     4,
                     4,
                     1,
                     {{0, 1}, {2}, {3, 4}, {5}},
                     {span(0, 3), span(4, 7), span(8, 11), span(12, 15)}},
                    {"h", 3, 2, 6, 1, {{0, 1, 2, 3}}, {span(0, 5)}},
                    {"u", 3, 2, 6, 1, {{0, 1, 2, 3}}, {{}}},
                    {"x", 3, 2, 6, 1, {{0, 1}, {2, 3}}, {span(0, 5), span(6, 11)}},
                    {"y",
                     3,
                     2,
                     6,
                     1,
                     {{0, 1}, {2, 3}, {4, 5}},
                     {span(0, 5), span(6, 11), {}},
                     {"a100", "a100", "v100"}}});
  cluster.partition("d", {"x1", "x2", "x3"}).def_cpu_per_gpu = 2;
  cluster.partition("g", {"h1", "h2", "h3"}).def_cpu_per_gpu = 2;
}

TEST(KeptSockets, AreThoseWithMostGpusWhereCoresAreCounted) {
  TestCluster cluster;
  furnish_unlike_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "kept_sockets.txt", "CR_Core"), 150U);
}

TEST(KeptSockets, GiveTheirGpusUnderCrCpu) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_unlike_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "kept_sockets.txt", "CR_CPU"), 30U);
}

TEST(KeptSockets, GiveTheirGpusUnderCrCpuWithMemory) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.def_mem_per_cpu_mib = 10;
  furnish_unlike_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "kept_sockets.txt", "CR_CPU_Memory"), 70U);
}

}  // namespace
}  // namespace rehearse::test

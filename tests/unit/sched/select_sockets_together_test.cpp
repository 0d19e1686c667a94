// tests/unit/sched/select_sockets_together_test.cpp — CPUs that GPUs bring where no socket has them
// all (gres.md §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/sockets_together.py.
void furnish_two_and_three_sockets(TestCluster& cluster) {
  furnish(cluster,
          {{"u", 1, 2, 8, 1, {span(0, 3), span(4, 7)}, {span(0, 7), span(8, 15)}},
           {"v", 1, 3, 8, 1, {{0, 1}, {2, 3}, {4, 5}}, {span(0, 7), span(8, 15), span(16, 23)}}});
  cluster.partition("d", {"u1"}).def_cpu_per_gpu = 3;
  cluster.partition("e", {"v1"}).def_cpu_per_gpu = 3;
}

TEST(SocketsTogether, ServeTheGpusOfAJobThatCountsCpus) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_two_and_three_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "sockets_together.txt", "CR_CPU"), 230U);
}

TEST(SocketsTogether, ServeTheGpusOfAJobThatCountsCores) {
  TestCluster cluster;
  furnish_two_and_three_sockets(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "sockets_together.txt", "CR_Core"), 150U);
}

}  // namespace
}  // namespace rehearse::test

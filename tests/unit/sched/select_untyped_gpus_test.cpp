// tests/unit/sched/select_untyped_gpus_test.cpp — GPUs that have neither Type nor Cores (gres.md
// §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/untyped_gpus.py.
void furnish_untyped(TestCluster& cluster) {
  furnish(cluster, {{"u", 3, 2, 8, 1, {span(0, 3)}, {{}}, {""}},
                    {"v", 3, 2, 8, 2, {span(0, 3)}, {{}}, {""}},
                    {"w", 3, 2, 8, 1, {span(0, 3)}, {{}}}});
  cluster.partition("d", {"u1", "u2", "u3"}).def_cpu_per_gpu = 4;
}

TEST(UntypedGpus, BindNoSocketAndLeaveTheCoresOfTheTasksAsTypedOnesDo) {
  TestCluster cluster;
  furnish_untyped(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "untyped_gpus.txt", "CR_Core"), 60U);
}

TEST(UntypedGpus, BindNoSocketUnderCrCpu) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_untyped(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "untyped_gpus.txt", "CR_CPU"), 30U);
}

}  // namespace
}  // namespace rehearse::test

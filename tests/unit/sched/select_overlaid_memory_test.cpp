// tests/unit/sched/select_overlaid_memory_test.cpp — memory of whole nodes beside a higher tier
// (scheduling.md §6.3).
#include <gtest/gtest.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Ten of 16 CPUs, `scripts/reference/experiments/memory_over.py`.
TEST(WholeNodes, BesideAHigherTierAreChargedMemoryOfTheCoresThatItLeaves) {
  TestCluster cluster;
  cluster.conf.preempt_type = PreemptType::PartitionPrio;
  cluster.conf.preempt_gang = true;
  cluster.conf.select_type_parameters.memory = true;
  cluster.add(NodeLine{
      .names = {"n1", "n2", "n3"}, .sockets = 2, .cores = 4, .threads = 2, .memory_mib = 16000});
  PartitionConf& high = cluster.partition("h", {});
  high.priority_tier = 4;
  high.over_subscribe = OverSubscribe::Force;
  high.over_subscribe_count = 1;
  PartitionConf& low = cluster.partition("l", {});
  low.priority_tier = 1;
  low.over_subscribe = OverSubscribe::Force;
  low.over_subscribe_count = 2;
  cluster.build();
  cluster.start("-w n1 -n5 --mem-per-cpu=100", "h");
  cluster.start("-w n2 -n16 --mem-per-cpu=100", "l");
  cluster.start("-w n3 -n16 --mem-per-cpu=100", "l");
  const auto given = cluster.place("-N1 --exclusive --mem-per-cpu=100", "l");
  EXPECT_EQ(cluster.cpus(given), "n1:16");
  ASSERT_TRUE(given);
  EXPECT_EQ(given->nodes.front().memory_mib, 1000U);
}

}  // namespace
}  // namespace rehearse::test

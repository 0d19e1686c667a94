// tests/unit/sched/select_least_loaded_sockets_test.cpp — several nodes of a LLN partition where
// whole sockets or cores are counted (scheduling.md §6.4; tests/data/placements/README.md).
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/least_loaded_sockets.py.
void furnish_least_loaded(TestCluster& cluster) {
  furnish(cluster, {{"s", 4, 2, 8, 2, {}, {}}, {"t", 4, 4, 4, 1, {}, {}}});
  for (Partition& partition : cluster.partitions) partition.conf.lln = true;
  cluster.partition("a", {"s1", "s2", "s3", "s4"});
}

TEST(LeastLoadedSockets, AreKeptWholeForEachNodeOfAJob) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Socket;
  furnish_least_loaded(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "least_loaded_sockets.txt", "cons_tres CR_Socket"), 40U);
}

TEST(LeastLoadedSockets, AreNotWhereCpusAreCountedButCoresAre) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_least_loaded(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "least_loaded_sockets.txt", "cons_tres CR_CPU"), 10U);
}

TEST(LeastLoadedSockets, AreNotWhereCoresAreCounted) {
  TestCluster cluster;
  furnish_least_loaded(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "least_loaded_sockets.txt", "cons_tres CR_Core"), 10U);
}

TEST(LeastLoadedSockets, AreDealtAlikeUnderConsRes) {
  const std::vector<std::pair<ConsumableUnit, std::string>> units = {
      {ConsumableUnit::Socket, "cons_res CR_Socket"},
      {ConsumableUnit::Core, "cons_res CR_Core"},
      {ConsumableUnit::Cpu, "cons_res CR_CPU"}};
  for (const auto& [unit, section] : units) {
    TestCluster cluster;
    cluster.conf.select_type = SelectType::ConsRes;
    cluster.conf.select_type_parameters.unit = unit;
    furnish_least_loaded(cluster);
    cluster.build();
    EXPECT_GT(expect_placements(cluster, "least_loaded_sockets.txt", section), 5U);
  }
}

}  // namespace
}  // namespace rehearse::test

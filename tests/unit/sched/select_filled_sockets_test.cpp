// tests/unit/sched/select_filled_sockets_test.cpp — which cores of its sockets a job has under
// CR_Socket, beside others (scheduling.md §6.7; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/filled_sockets.py, and two partitions over each.
void furnish_sockets(TestCluster& cluster, const std::vector<std::string>& of_x = {"b1"}) {
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Socket;
  furnish(cluster, {{"b", 1, 2, 8, 2, {span(0, 3)}, {{}}},
                    {"d", 1, 4, 4, 2, {span(0, 3)}, {{}}},
                    {"e", 1, 2, 8, 2, {span(0, 1), span(2, 3)}, {span(0, 7), span(8, 15)}}});
  cluster.partition("p", {"b1"});
  cluster.partition("q", {"d1"});
  cluster.partition("r", {"e1"});
  cluster.partition("x", of_x);
  cluster.build();
}

TEST(FilledSockets, AreThoseOfARunningSlurmctld) {
  TestCluster cluster;
  furnish_sockets(cluster);
  EXPECT_GT(expect_placements(cluster, "filled_sockets.txt"), 230U);
}

TEST(FilledSockets, CountWholeWhateverIsHeldOfThem) {
  TestCluster cluster;
  furnish_sockets(cluster);
  cluster.start("-n1", "p");
  cluster.end_all();
  EXPECT_EQ(cluster.start("-N1 -n5 --gres=gpu:1", "b"), "b1:32");
  EXPECT_EQ(cluster.start("-n1", "p"), "b1:16");
}

/// Partition x is over two nodes (lent_sockets.py).
TEST(LentSockets, ServePartitionsOfWhichAJobHasStartedAnywhere) {
  TestCluster cluster;
  furnish_sockets(cluster, {"b1", "d1"});
  cluster.hold("b1", {0, 8, 9, 10, 11, 12, 13, 14, 15});
  EXPECT_EQ(cluster.given("-w b1 -n1", "x"), "none");
  cluster.start("-w d1 -n1", "x");
  EXPECT_EQ(cluster.given("-w b1 -n1", "x"), "b1 1-7 | b1 ");
  cluster.end_all();
  EXPECT_EQ(cluster.given("-w b1 -n1", "x"), "b1 1-7 | b1 ");
}

TEST(LentSockets, ServeThoseAloneOfWhichJobsHoldCoresOncePartitionsWereChanged) {
  TestCluster cluster;
  furnish_sockets(cluster, {"b1", "d1"});
  cluster.hold("b1", {0, 8, 9, 10, 11, 12, 13, 14, 15});
  cluster.start("-w d1 -n1", "x");
  cluster.ledger->partitions_changed();
  EXPECT_EQ(cluster.given("-w b1 -n1", "x"), "b1 1-7 | b1 ");
  cluster.end_all();
  cluster.ledger->partitions_changed();
  EXPECT_EQ(cluster.given("-w b1 -n1", "x"), "none");
}

/// NumCPUs counts sockets whole, memory by CPU what the job has of them (lent_sockets.py).
TEST(LentSockets, ChargeMemoryOfTheCoresThatTheJobHas) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.memory = true;
  furnish_sockets(cluster);
  const auto given = cluster.place("-N1 -n5 --gres=gpu:1 --mem-per-cpu=100", "b");
  ASSERT_TRUE(given);
  EXPECT_EQ(given->nodes.front().cpus, 32U);
  EXPECT_EQ(given->nodes.front().memory_mib, 1800U);
}

TEST(ReservedSockets, AreClosedToTheFirstJobOfAPartition) {
  TestCluster cluster;
  furnish_sockets(cluster);
  cluster.reserved = {{cluster.nodes[NodeId{0}].id, CoreSet::first(4)}};
  EXPECT_EQ(cluster.cores(cluster.place("-n1", "b")), "b1 8-15");
  EXPECT_TRUE(cluster.ever("-n20", "b"));
  cluster.start("-n1", "b");
  cluster.end_all();
  EXPECT_EQ(cluster.cores(cluster.place("-n1", "b")), "b1 4-7");
}

}  // namespace
}  // namespace rehearse::test

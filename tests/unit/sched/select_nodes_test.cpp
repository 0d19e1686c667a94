// tests/unit/sched/select_nodes_test.cpp — the node choices a real 22.05.8 made (scheduling.md §6,
// §14).
#include <gtest/gtest.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Eight nodes of four CPUs, and what is free of them.
class EightNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.add(NodeLine{.names = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}, .cores = 4});
    cluster.build();
  }
  void leave_free(const std::vector<std::uint32_t>& free) {
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (free[i] < 4) cluster.fill("n" + std::to_string(i + 1), 4 - free[i]);
    }
  }
  std::string place(std::string_view options) { return cluster.cpus(cluster.place(options)); }
  TestCluster cluster;
};

TEST_F(EightNodes, AreChosenAsInExample4) {
  leave_free({4, 2, 4, 0, 3, 4, 4, 0});
  EXPECT_EQ(place("-n1"), "n2:1");
  EXPECT_EQ(place("-n3 -N1"), "n1:3");
  EXPECT_EQ(place("-n4 -N1"), "n1:4");
  EXPECT_EQ(place("-N2 -n8"), "n1:4 n3:4");
  EXPECT_EQ(place("-n5"), "n1:4 n2:1");
  EXPECT_EQ(place("-N2 -n4"), "n1:3 n2:1");
  EXPECT_EQ(place("-N3 -n3"), "n1:1 n2:1 n3:1");
  EXPECT_EQ(place("-n7"), "n1:4 n2:2 n3:1");
  EXPECT_EQ(place("-n12"), "n2:1 n5:3 n6:4 n7:4");
  EXPECT_EQ(place("--exclusive -N2"), "n6:4 n7:4");
}

TEST(SharingPartition, MixesOneWayOnly) {
  TestCluster cluster;
  cluster.add(NodeLine{.names = {"n1"}, .cores = 16});
  cluster.add(NodeLine{.names = {"n2"}, .cores = 16});
  PartitionConf& share = cluster.partition("share", {"n1", "n2"});
  share.over_subscribe = OverSubscribe::Yes;
  share.over_subscribe_count = 2;
  cluster.build();
  const auto place = [&](std::string_view options) {
    return cluster.cpus(cluster.place(options, "share"));
  };
  EXPECT_EQ(cluster.start("-n10 --oversubscribe -w n1", "share"), "n1:10");
  EXPECT_EQ(place("-N1 -n4 -w n1"), "n1:4") << "free cores beside sharing jobs";
  EXPECT_EQ(place("-N1 -n8 -w n1"), "waits") << "but no shared ones";
  EXPECT_EQ(cluster.start("-n4 -w n2", "share"), "n2:4");
  EXPECT_EQ(place("-n4 --oversubscribe -w n2"), "waits") << "not the other way round";
}

TEST(SharingPartition, KeepsItsNodesFromJobsOfOthersWhetherItsJobsShareOrNot) {
  for (const char* shares : {"--oversubscribe", ""}) {
    TestCluster cluster;
    cluster.add(NodeLine{.names = {"n1"}, .cores = 16});
    cluster.add(NodeLine{.names = {"n2"}, .cores = 16});
    PartitionConf& share = cluster.partition("share", {"n1", "n2"});
    share.over_subscribe = OverSubscribe::Yes;
    share.over_subscribe_count = 2;
    cluster.partition("plain", {"n1", "n2"});
    cluster.build();
    EXPECT_EQ(cluster.start(std::string("-n2 -w n1 ") + shares, "share"), "n1:2");
    EXPECT_EQ(cluster.cpus(cluster.place("-n2", "plain")), "n2:2") << shares;
    EXPECT_EQ(cluster.start("-n2 -w n2", "plain"), "n2:2");
    EXPECT_EQ(cluster.cpus(cluster.place("-n4 -w n2", "share")), "n2:4")
        << "but not the other way round";
  }
}

TEST(LinearNodes, AreTakenInOrderAndTheSurplusGivenBack) {
  TestCluster cluster;
  cluster.conf.select_type = SelectType::Linear;
  for (int i = 1; i <= 5; ++i) {
    cluster.add(NodeLine{.names = {"s" + std::to_string(i)}, .cores = 16});
  }
  cluster.add(NodeLine{.names = {"t1", "t2"}, .cores = 32, .weight = 10});
  cluster.build();
  const auto place = [&](std::string_view options) { return cluster.cpus(cluster.place(options)); };
  cluster.fill("s2", 16);
  EXPECT_EQ(place("-n40"), "s1:16 s3:16 s4:16") << "no search for neighbours";
  EXPECT_EQ(place("-N2"), "s1:16 s3:16");
  cluster.fill("s1", 16);
  cluster.fill("s3", 16);
  EXPECT_EQ(place("-n40"), "s5:16 t1:32") << "s4 is not needed any more";
  EXPECT_EQ(place("-n40 -w s4"), "s4:16 t1:32");
  EXPECT_EQ(place("-N3 -n40"), "s4:16 s5:16 t1:32");
  cluster.fill("s4", 16);
  EXPECT_EQ(place("-n24"), "t1:32") << "nor is s5";
}

TEST_F(EightNodes, OfLowWeightComeFirst) {
  for (Node& node : cluster.nodes) node.weight = 20;
  cluster.nodes[NodeId{4}].weight = 10;
  cluster.nodes[NodeId{5}].weight = 10;
  leave_free({4, 2, 4, 0, 3, 4, 4, 0});
  EXPECT_EQ(place("-n1"), "n5:1");
  EXPECT_EQ(place("-n9"), "n5:3 n6:4 n7:2");
}

TEST_F(EightNodes, LetALargeInsufficientSetDisplaceASufficientOne) {
  leave_free({2, 1, 0, 4, 0, 0, 0, 0});
  EXPECT_EQ(place("-N2 -n2"), "n2:1 n4:1");
}

TEST_F(EightNodes, KeepOneCoreBackForEachFurtherMandatoryNode) {
  EXPECT_EQ(place("-N2 -n4"), "n1:3 n2:1");
  EXPECT_EQ(place("-N2 -n6"), "n1:4 n2:2");
  EXPECT_EQ(place("-N3 -n6"), "n1:4 n2:1 n3:1");
  EXPECT_EQ(place("--spread-job -N4 -n4"), "n1:1 n2:1 n3:1 n4:1");
  EXPECT_EQ(place("-N1-3 -n3"), "n1:1 n2:1 n3:1");
  EXPECT_EQ(place("-N1-3 -n3 --use-min-nodes"), "n1:3");
}

TEST_F(EightNodes, AreLaidOutAsInExample9) {
  EXPECT_EQ(place("-n3 -c3"), "n1:3 n2:3 n3:3");
  EXPECT_EQ(place("-n6 -c3"), "n1:4 n2:3 n3:3 n4:3 n5:3");
  leave_free({3, 3, 3, 3, 3, 3, 3, 3});
  EXPECT_EQ(place("-n3 -c2"), "n1:3 n2:2");
}

TEST_F(EightNodes, AreRoundedToTasksByLaterReleases) {
  cluster.version = SlurmVersion{23, 11};
  cluster.build();
  EXPECT_EQ(place("-n3 -c3"), "n1:3 n2:3 n3:3");
  EXPECT_EQ(place("-n6 -c3"), "n1:3 n2:3 n3:3 n4:3 n5:3 n6:3");
  leave_free({3, 3, 3, 3, 3, 3, 3, 3});
  EXPECT_EQ(place("-n3 -c2"), "n1:2 n2:2 n3:2");
}

TEST_F(EightNodes, AreTakenFromTheRequiredOneUpwards) {
  EXPECT_EQ(place("-w n3 -N2"), "n3:1 n4:1");
  EXPECT_EQ(place("-w n8 -N2"), "n7:1 n8:1");
  EXPECT_EQ(place("-x n1 -n1"), "n2:1");
}

TEST(BigNodes, TakeWhatNoNodeHasRoomForOnTheFirst) {
  TestCluster cluster;
  cluster.add(NodeLine{.names = {"b1", "b2"}, .cores = 8});
  cluster.build();
  cluster.fill("b1", 1);
  cluster.fill("b2", 1);
  EXPECT_EQ(cluster.cpus(cluster.place("-n4 -c3")), "b1:7 b2:3");
  cluster.version = SlurmVersion{23, 2};  // example 9 with rounding
  cluster.build();
  cluster.fill("b1", 1);
  cluster.fill("b2", 1);
  EXPECT_EQ(cluster.cpus(cluster.place("-n4 -c3")), "b1:6 b2:6");
}

TEST(Sockets, AreFilledInTurnOrByTaskOrByBlock) {
  TestCluster cluster;
  cluster.add(NodeLine{.names = {"s1", "s2"}, .sockets = 2, .cores = 4});
  cluster.build();
  EXPECT_EQ(cluster.cores(cluster.place("-n3")), "s1 0-1,4");
  EXPECT_EQ(cluster.cores(cluster.place("-n2 -c2")), "s1 0-3");
  EXPECT_EQ(cluster.cores(cluster.place("-n1 -c3")), "s1 0-2");
  EXPECT_EQ(cluster.cores(cluster.place("-n2 -c3")), "s1 0-2,4-6");
  EXPECT_EQ(cluster.cores(cluster.place("-n3 -m block:block")), "s1 0-2");
}

}  // namespace
}  // namespace rehearse::test

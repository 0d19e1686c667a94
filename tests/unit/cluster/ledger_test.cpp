// tests/unit/cluster/ledger_test.cpp — what is taken is held once, and comes back whole.
#include "sim/cluster/ledger.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>

namespace rehearse::test {
namespace {

class LedgerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Node node;
    node.sockets = 1;
    node.cores_per_socket = 4;
    node.memory_mib = 1000;
    NodeGres gpu;
    gpu.devices.resize(2);
    gpu.total = 2;
    node.gres.push_back(gpu);
    node.id = NodeId{0};
    nodes.push_back(node);
    node.id = NodeId{1};
    nodes.push_back(node);
  }
  static Allocation hold(std::size_t cores, std::uint16_t gpu) {
    Allocation allocation;
    allocation.cpus = static_cast<std::uint32_t>(cores);
    allocation.nodes.push_back(
        {NodeId{1}, allocation.cpus, 100, CoreSet::first(cores), {{0, gpu, 1}}});
    return allocation;
  }
  IdVector<NodeId, Node> nodes;
};

TEST_F(LedgerTest, CountsCpusByPartition) {
  Ledger ledger{nodes, 2};
  ledger.take(hold(2, 0), PartitionId{1});
  EXPECT_EQ(ledger.partition_cores(NodeId{1}, PartitionId{1}), 2U);
  EXPECT_EQ(ledger.partition_cores(NodeId{1}, PartitionId{0}), 0U);
  EXPECT_EQ(ledger.units(NodeId{1}, 0)[0], 1U);
  EXPECT_EQ(ledger.units(NodeId{1}, 0)[1], 0U);
  EXPECT_TRUE(ledger.idle().test(0));
  EXPECT_FALSE(ledger.idle().test(1));
}

TEST_F(LedgerTest, LeavesTheOriginalAloneWhenACopyGivesBack) {
  Ledger ledger{nodes, 1};
  const Ledger fresh = ledger;
  ledger.take(hold(2, 0), PartitionId{0});
  Ledger what_if = ledger;
  what_if.give_back(hold(2, 0), PartitionId{0});
  EXPECT_TRUE(what_if.same_as(fresh));
  EXPECT_EQ(ledger.use(NodeId{1}).jobs, 1U);
}

TEST_F(LedgerTest, MayHoldMoreMemoryThanThereIsBesideJobsWithDevicesInWhateverOrder) {
  Allocation gpus = hold(1, 0);
  gpus.nodes[0].memory_mib = 900;
  Allocation plain = hold(2, 1);
  plain.nodes[0].devices = {};
  plain.nodes[0].cores = CoreSet::first(3);
  plain.nodes[0].cores -= CoreSet::first(1);
  plain.nodes[0].memory_mib = 400;
  Ledger one{nodes, 1};
  one.take(plain, PartitionId{0});
  one.take(gpus, PartitionId{0});
  Ledger other{nodes, 1};
  other.take(gpus, PartitionId{0});
  other.take(plain, PartitionId{0});
  EXPECT_TRUE(other.same_as(one));
  EXPECT_EQ(other.use(NodeId{1}).memory_mib, 1300U);
}

TEST_F(LedgerTest, TellsByContentWhatIsHeldWhoeverHoldsIt) {
  const auto content = [](const Ledger& ledger) { return ledger.content(NodeId{1}); };
  Ledger ledger{nodes, 2};
  const NodeContent empty = content(ledger);
  EXPECT_EQ(ledger.content(NodeId{0}), empty);
  ledger.take(hold(2, 0), PartitionId{0});
  const NodeContent first = content(ledger);
  EXPECT_NE(first, empty);
  ledger.give_back_cores(hold(2, 0), PartitionId{0});
  EXPECT_NE(content(ledger), first);
  EXPECT_NE(content(ledger), empty);
  ledger.give_back_rest(hold(2, 0));
  EXPECT_EQ(content(ledger), empty);
  // The other device, or a core more, is something else; the other partition is not.
  Ledger other{nodes, 2};
  other.take(hold(2, 1), PartitionId{0});
  EXPECT_NE(content(other), first);
  other = Ledger{nodes, 2};
  other.take(hold(3, 0), PartitionId{0});
  EXPECT_NE(content(other), first);
  other = Ledger{nodes, 2};
  other.take(hold(2, 0), PartitionId{1});
  EXPECT_EQ(content(other), first);
}

TEST(ContentOfANode, TellsAnyTwoSetsOfTwoCoresApart) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  std::size_t sets = 0;
  for (std::size_t one = 0; one < kMaxCores; ++one) {
    for (std::size_t two = one; two < kMaxCores; ++two) {
      CoreSet cores;
      cores.set(one);
      cores.set(two);
      NodeContent content;
      for (std::size_t w = 0; w < CoreSet::kWords; ++w) content.add_bits(5 + 2 * w, cores.word(w));
      seen.insert({content.high, content.low});
      ++sets;
    }
  }
  EXPECT_EQ(seen.size(), sets);
}

TEST_F(LedgerTest, LendsTheCoresOfASuspendedJob) {
  Ledger ledger{nodes, 1};
  const Ledger fresh = ledger;
  ledger.take(hold(4, 0), PartitionId{0});
  ledger.give_back_cores(hold(4, 0), PartitionId{0});
  EXPECT_TRUE(ledger.use(NodeId{1}).cores.none());
  EXPECT_EQ(ledger.use(NodeId{1}).memory_mib, 100U);
  ledger.take(hold(2, 1), PartitionId{0});
  ledger.take_cores(hold(4, 0), PartitionId{0});
  ledger.give_back(hold(4, 0), PartitionId{0});
  EXPECT_EQ(ledger.use(NodeId{1}).cores.count(), 2U);
  ledger.give_back(hold(2, 1), PartitionId{0});
  EXPECT_TRUE(ledger.same_as(fresh));
}

TEST_F(LedgerTest, LendsThePlaceOfASuspendedJobWithItsCoresButNotItsDevices) {
  Ledger ledger{nodes, 1};
  const Ledger fresh = ledger;
  Allocation whole = hold(4, 0);
  whole.whole_nodes = true;
  ledger.take(whole, PartitionId{0});
  ledger.give_back_cores(whole, PartitionId{0});
  EXPECT_TRUE(ledger.idle().test(1)) << "another job may have the whole node";
  EXPECT_EQ(ledger.partition_cores(NodeId{1}, PartitionId{0}), 0U);
  EXPECT_EQ(ledger.units(NodeId{1}, 0)[0], 1U);
  ledger.give_back_rest(whole);
  EXPECT_TRUE(ledger.same_as(fresh)) << "it ended while it was suspended";
}

TEST_F(LedgerTest, PacksRowsAgainByFirstCoreAndOfEqualOnesTheSmallerFirst) {
  Ledger ledger{nodes, {2}, false};
  const auto on = [](std::uint32_t node, std::size_t first, std::size_t last) {
    Allocation allocation;
    NodeShare share;
    share.node = NodeId{node};
    for (std::size_t core = first; core <= last; ++core) share.cores.set(core);
    allocation.nodes.push_back(share);
    return allocation;
  };
  const auto count = [&](std::size_t row) {
    return ledger.rows(PartitionId{0}).held(row, NodeId{1}).count();
  };
  ledger.take(on(1, 0, 0), PartitionId{0});
  ledger.take(on(1, 1, 2), PartitionId{0});
  ledger.take(on(1, 1, 1), PartitionId{0});
  ledger.take(on(0, 0, 0), PartitionId{0});
  EXPECT_EQ(count(0), 3U) << "in the order in which they came";
  EXPECT_EQ(count(1), 1U);
  ledger.give_back(on(0, 0, 0), PartitionId{0});
  EXPECT_EQ(count(0), 2U) << "the one-core job of core 1 joins that of core 0";
  EXPECT_EQ(count(1), 2U);
}

TEST_F(LedgerTest, SharesCoresInRows) {
  Ledger ledger{nodes, {2}, false};
  const Ledger fresh = ledger;
  ledger.take(hold(4, 0), PartitionId{0});
  ledger.take(hold(4, 1), PartitionId{0});
  EXPECT_EQ(ledger.rows(PartitionId{0}).size(), 2U);
  ledger.give_back(hold(4, 0), PartitionId{0});
  EXPECT_EQ(ledger.use(NodeId{1}).cores.count(), 4U);
  EXPECT_EQ(ledger.rows(PartitionId{0}).size(), 1U);
  ledger.give_back(hold(4, 1), PartitionId{0});
  EXPECT_TRUE(ledger.same_as(fresh));
}

using LedgerDeathTest = LedgerTest;
TEST_F(LedgerDeathTest, StopsTheProgramWhenACoreOrDeviceIsTakenTwice) {
  Ledger ledger{nodes, 1};
  ledger.take(hold(1, 0), PartitionId{0});
  EXPECT_DEATH(ledger.take(hold(1, 1), PartitionId{0}), "taken twice");
  Allocation other = hold(1, 0);
  other.nodes[0].cores = {};
  other.nodes[0].cores.set(3);
  EXPECT_DEATH(ledger.take(other, PartitionId{0}), "1 of 1 in use");
}

}  // namespace
}  // namespace rehearse::test

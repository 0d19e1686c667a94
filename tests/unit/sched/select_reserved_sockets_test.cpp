// tests/unit/sched/select_reserved_sockets_test.cpp — sockets of which some cores are reserved,
// under CR_Socket, as asked of a slurmctld (scripts/reference/experiments/reserved_sockets.py).
#include <gtest/gtest.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Of one node of four sockets with four cores each the first cores are reserved.
class ReservedSockets : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.select_type_parameters.unit = ConsumableUnit::Socket;
    cluster.add(NodeLine{.names = {"n1"}, .sockets = 4, .cores = 4});
    cluster.build();
  }
  void reserve(std::size_t cores) {
    CoreSet& first = cluster.reserved[cluster.nodes[NodeId{0}].id];
    for (std::size_t core = 0; core < cores; ++core) first.set(core);
  }
  /// NumCPUs and cores, or "waits".
  std::string given(std::string_view options) {
    const auto allocation = cluster.place(options);
    if (!allocation) return "waits";
    return std::to_string(allocation->cpus) + " " + cluster.cores(allocation);
  }
  TestCluster cluster;
};

TEST_F(ReservedSockets, ServeWithTheCoresLeftAndCountWhole) {
  reserve(6);
  EXPECT_EQ(given("-N1 -n4"), "12 n1 6-15");
  EXPECT_EQ(given("-N1 -n10"), "12 n1 6-15");
  EXPECT_EQ(given("-N1 -n12"), "waits");
}

TEST_F(ReservedSockets, OfWhichNoneIsWhole) {
  reserve(13);
  EXPECT_EQ(given("-N1 -n1"), "4 n1 13-15");
  EXPECT_EQ(given("-N1 -n4"), "waits");
}

TEST_F(ReservedSockets, BesideWholeOnes) {
  reserve(2);
  EXPECT_EQ(given("-N1 -n4"), "16 n1 2-15");
  EXPECT_EQ(given("-N1 -n14"), "16 n1 2-15");
}

TEST_F(ReservedSockets, ServeNobodyBesideTheCoresOfAJob) {
  reserve(10);
  EXPECT_EQ(given("-N1 -n6"), "8 n1 10-15");
  cluster.hold("n1", {11});
  EXPECT_EQ(given("-N1 -n4"), "4 n1 12-15");
  EXPECT_EQ(given("-N1 -n5"), "waits");
}

}  // namespace
}  // namespace rehearse::test

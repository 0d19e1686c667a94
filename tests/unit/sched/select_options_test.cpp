// tests/unit/sched/select_options_test.cpp — memory, sharing, orders and features as a real 22.05.8
// showed them (scheduling.md §5.3, §5.4, §6.1, §6.2, §6.4).
#include <gtest/gtest.h>

#include "sim/sched/allocated_nodes.hpp"
#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

class SixNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.select_type_parameters.memory = true;
    cluster.add(NodeLine{
        .names = {"n1", "n2", "n3", "n4"}, .cores = 4, .memory_mib = 4000, .features = {"f"}});
    cluster.add(NodeLine{.names = {"n5", "n6"}, .cores = 4, .memory_mib = 4000, .features = {"g"}});
    for (const char* name : {"all", "lln", "force", "excl", "yes", "mc"}) {
      cluster.partition(name, {}).def_mem_per_cpu_mib = 100;
    }
    cluster.partition("nodef", {});
    conf("lln").lln = true;
    conf("force").over_subscribe = OverSubscribe::Force;
    conf("force").over_subscribe_count = 2;
    conf("excl").over_subscribe = OverSubscribe::Exclusive;
    conf("yes").over_subscribe = OverSubscribe::Yes;
    conf("yes").over_subscribe_count = 2;
    conf("mc").max_cpus_per_node = 2;
    cluster.build();
  }
  PartitionConf& conf(const std::string& name) {
    for (Partition& partition : cluster.partitions) {
      if (partition.conf.name == name) return partition.conf;
    }
    throw std::invalid_argument(name);
  }
  std::string place(std::string_view options, const std::string& partition = "all") {
    return cluster.cpus(cluster.place(options, partition));
  }
  TestCluster cluster;
};

TEST_F(SixNodes, GiveAllMemoryWhereNoDefaultIsSet) {
  EXPECT_EQ(cluster.start("-n1", "nodef"), "n1:1");
  EXPECT_EQ(cluster.ledger->use(NodeId{0}).memory_mib, 4000U);
  EXPECT_EQ(place("-n1"), "n2:1");
}

TEST_F(SixNodes, AreLimitedByMemoryPerCpuAndPerNode) {
  EXPECT_EQ(place("-n4 --mem-per-cpu=1500"), "n1:2 n2:2");
  EXPECT_EQ(place("-n4 --mem-per-cpu=1000"), "n1:4");
  EXPECT_EQ(cluster.start("-n1 --mem=3000", "all"), "n1:1");
  EXPECT_EQ(place("-n1 --mem=3000"), "n2:1");
}

TEST_F(SixNodes, AreOrderedByLoadOrFromTheEnd) {
  cluster.fill("n1", 1);
  cluster.fill("n2", 2);
  EXPECT_EQ(place("-n1", "lln"), "n3:1");
  EXPECT_EQ(place("-n6", "lln"), "n3:4 n4:2");
  EXPECT_EQ(place("-n1"), "n2:1");
  EXPECT_EQ(place("--contiguous -N2 -n8"), "n3:4 n4:4");
  cluster.conf.scheduler_parameters.pack_serial_at_end = true;
  EXPECT_EQ(place("-n1"), "n6:1");
  EXPECT_EQ(place("-n2"), "n2:2");
}

TEST_F(SixNodes, PreferBusyNodesInEstimatesWhenTold) {
  cluster.fill("n3", 1);
  cluster.conf.scheduler_parameters.bf_busy_nodes = true;
  EXPECT_EQ(place("-N2 -n2"), "n1:1 n2:1");
  cluster.future = true;
  EXPECT_EQ(place("-N2 -n2"), "n1:1 n3:1");
}

TEST_F(SixNodes, CountOnlyThePartitionsCpusForMaxCpusPerNode) {
  EXPECT_EQ(place("-n3", "mc"), "n1:2 n2:1");
  EXPECT_EQ(cluster.start("-n2", "mc"), "n1:2");
  EXPECT_EQ(place("-n1", "mc"), "n2:1");
  EXPECT_EQ(place("-n2"), "n1:2");
}

TEST_F(SixNodes, AreGivenWholeByExclusivePartitions) {
  EXPECT_EQ(place("-n1", "excl"), "n1:4");
  cluster.fill("n1", 1);
  EXPECT_EQ(place("-n1", "excl"), "n2:4");
}

TEST_F(SixNodes, ShareCoresByForceOrByConsent) {
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4", "force"), "n1:4");
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4", "force"), "n1:4");
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4", "force"), "waits");
  cluster.end_all();
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4 --oversubscribe", "yes"), "n1:4");
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4 --oversubscribe", "yes"), "n1:4");
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4 --oversubscribe", "yes"), "waits");
  cluster.end_all();
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4", "yes"), "n1:4");
  EXPECT_EQ(cluster.start("-w n1 -N1 -n4", "yes"), "waits");
}

TEST_F(SixNodes, UseFreeCoresBeforeSharedOnesAndDoNotMix) {
  cluster.start("-n2", "force");
  EXPECT_EQ(cluster.cores(cluster.place("-n2", "force")), "n1 2-3");
  EXPECT_EQ(cluster.cores(cluster.place("-n4", "force")), "n2 0-3");
  EXPECT_EQ(place("-n1"), "n2:1");
  cluster.end_all();
  cluster.start("-n2", "all");
  EXPECT_EQ(place("-n1", "force"), "n2:1");
}

TEST_F(SixNodes, HonourFeatures) {
  EXPECT_EQ(place("-N2 -n2 -C [f*1&g*1]"), "n1:1 n5:1");
  for (const char* twice : {"f*1&g*1", "f*1,g*1", "f*1|g*1", "f*2|f*1"}) {
    EXPECT_EQ(place(std::string("-N2 -n2 -C ") + twice), "waits") << "two counts need brackets";
  }
  EXPECT_EQ(place("-N2 -n2 -C g*2|f"), "n5:1 n6:1");
  EXPECT_EQ(place("-n1 -C f|g"), "n1:1");
  EXPECT_EQ(place("-N2 -n2 -C [g|f]"), "n5:1 n6:1");
  EXPECT_EQ(place("-N3 -n3 -C [g|f]"), "n1:1 n2:1 n3:1");
  EXPECT_EQ(place("-n1 -C f&g"), "waits");
  EXPECT_EQ(place("-n1 -C g"), "n5:1");
  EXPECT_EQ(place("-n1 -C h|g"), "n5:1");
  EXPECT_EQ(place("-n1 -C f&g|g"), "n5:1") << "strictly left to right";
  EXPECT_EQ(place("-n1 -C (f"), "waits");
}

TEST_F(SixNodes, KeepToTasksPerNode) {
  EXPECT_EQ(place("-n4 --ntasks-per-node=2"), "n1:2 n2:2");
  EXPECT_EQ(place("-N2 --ntasks-per-node=1 -c2"), "n1:2 n2:2");
}

TEST_F(SixNodes, BuyMemoryAboveTheMaximumWithCpus) {
  conf("all").max_mem_per_cpu_mib = 1000;
  cluster.build();
  const auto by_cpu = cluster.ruled("-n1 --mem-per-cpu=1500", "all");
  EXPECT_EQ(by_cpu.request.cpus_per_task, 2U);
  EXPECT_EQ(by_cpu.request.memory_mib, 750U);
  EXPECT_EQ(by_cpu.request.min_cpus, 2U);
  const auto by_node = cluster.ruled("-n1 -c2 --mem=3000", "all");
  EXPECT_EQ(by_node.request.pn_min_cpus, 3U);
  EXPECT_EQ(place("-n1 -c2 --mem=3000"), "n1:2") << "three CPUs are needed, one task uses two";
  conf("all").max_mem_per_cpu_mib = std::nullopt;
  conf("all").max_mem_per_node_mib = 2000;
  const auto refused = cluster.ruled("-n1 --mem=3000", "all").refusal;
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->reason, Reason::MaxMemPerLimit);
}

/// Leaves of two, three and three idle nodes.
class Tree : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.add(NodeLine{.names = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}, .cores = 4});
    cluster.topology = {{"s1", {"n1", "n2"}, {}, {}},
                        {"s2", {"n3", "n4", "n5"}, {}, {}},
                        {"s3", {"n6", "n7", "n8"}, {}, {}},
                        {"top", {}, {"s1", "s2", "s3"}, {}}};
    cluster.build();
  }
  std::string place(std::string_view options) { return cluster.cpus(cluster.place(options)); }
  TestCluster cluster;
};

TEST_F(Tree, LeavesAreChosenByNodes) {
  EXPECT_EQ(place("-n1"), "n1:1");
  EXPECT_EQ(place("-N2 -n8"), "n1:4 n2:4");
  EXPECT_EQ(place("-N3 -n12"), "n3:4 n4:4 n5:4");
  EXPECT_EQ(place("-N4 -n16"), "n1:4 n3:4 n4:4 n5:4");
  EXPECT_EQ(place("-N6 -n24"), "n3:4 n4:4 n5:4 n6:4 n7:4 n8:4");
  EXPECT_EQ(place("-N7 -n28"), "n1:4 n3:4 n4:4 n5:4 n6:4 n7:4 n8:4");
  EXPECT_EQ(place("-n5"), "n1:4 n2:1");
  EXPECT_EQ(place("-n12"), "n1:4 n2:4 n3:4");
  EXPECT_EQ(
      cluster.plugin->leaf_switches(nodes_of(*cluster.place("-N4 -n16"), cluster.nodes.size())),
      2U);
}

TEST_F(Tree, FullNodesChangeTheLeaf) {
  cluster.fill("n3", 4);
  EXPECT_EQ(place("-N3 -n12"), "n6:4 n7:4 n8:4");
  EXPECT_EQ(place("-N2 -n8"), "n1:4 n2:4");
  cluster.fill("n1", 2);
  EXPECT_EQ(place("-n2"), "n1:2");
  EXPECT_EQ(place("-N2 -n8"), "n4:4 n5:4");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_least_loaded_test.cpp — what counts as load, and CPUs that follow the
// memory asked: what a running 22.05.8 gave (scheduling.md §6.1, §6.4 rule 3).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// CR_CPU_Memory.
struct ByCpu : ::testing::Test {
  ByCpu() {
    cluster.conf.select_type_parameters.memory = true;
    cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  }
  /// a1 to a3: two sockets of four cores with two threads; 8000 MB a CPU at most.
  void add_threaded() {
    cluster.conf.max_mem_per_cpu_mib = 8000;
    cluster.add(NodeLine{
        .names = {"a1", "a2", "a3"}, .sockets = 2, .cores = 4, .threads = 2, .memory_mib = 128000});
  }
  std::string place(std::string_view options) {
    return cluster.cpus(cluster.place(options, "all"));
  }
  TestCluster cluster;
};

/// a1 and a2 of twelve CPUs, b1 and b2 of eight; the partition takes `cap` CPUs of each node.
struct Load : ByCpu {
  void build(std::uint32_t threads, std::uint32_t cap) {
    cluster.conf.select_type_parameters.lln = true;
    cluster.add(NodeLine{
        .names = {"a1", "a2"}, .cores = 12 / threads, .threads = threads, .memory_mib = 128000});
    cluster.add(NodeLine{.names = {"b1", "b2"}, .cores = 8, .memory_mib = 64000});
    PartitionConf& conf = cluster.partition("all", {});
    conf.def_mem_per_cpu_mib = 1;
    conf.max_cpus_per_node = cap;
    cluster.build();
  }
  /// The first node of each job, one after the other.
  std::string order(std::string_view options, int jobs) {
    std::string nodes;
    for (int i = 0; i < jobs; ++i) {
      const std::string given = cluster.start(options, "all");
      nodes += (i > 0 ? " " : "") + given.substr(0, given.find(':'));
    }
    return nodes;
  }
};

TEST_F(Load, LeavesMaxCpusPerNodeOut) {
  build(1, 6);
  EXPECT_EQ(order("-n1", 14), "a1 a2 b1 b2 a1 a2 b1 b2 a1 a2 a1 a2 b1 b2");
}

TEST_F(Load, LeavesMemoryOut) {
  build(1, 20);
  EXPECT_EQ(order("-n1 --mem-per-cpu=10000", 12), "a1 a2 b1 b2 a1 a2 b1 b2 a1 a2 a1 a2");
}

TEST_F(Load, CountsWholeCores) {
  build(2, 10);
  EXPECT_EQ(order("-n1", 14), "a1 a2 b1 b2 b1 b2 a1 a2 b1 b2 a1 a2 b1 b2");
}

TEST_F(Load, CountsThreadsThatTheJobLeavesIdle) {
  build(2, 20);
  EXPECT_EQ(order("-n1 --hint=nomultithread", 2), "a1 a2");
  EXPECT_EQ(order("-n2", 2), "b1 b2");
}

struct MemoryCpus : ByCpu {
  void SetUp() override {
    add_threaded();
    cluster.partition("all", {}).def_mem_per_cpu_mib = 1000;
    cluster.build();
  }
};

TEST_F(MemoryCpus, AreTheLeastOfEachNode) {
  EXPECT_EQ(place("-n1 --mem=20480"), "a1:3");
  EXPECT_EQ(place("-n2 --mem=20480"), "a1:3");
  EXPECT_EQ(place("-n5 --mem=20480"), "a1:5");
  EXPECT_EQ(place("-N2 --mem=20480"), "a1:3 a2:3");
  EXPECT_EQ(place("-n2 -N2 --mem=20480"), "a1:3 a2:3");
  EXPECT_EQ(place("-n4 -N2 --mem=20480"), "a1:3 a2:3");
  EXPECT_EQ(place("-n5 -N2 --mem=20480"), "a1:3 a2:3");
  EXPECT_EQ(place("-n8 -N2 --mem=20480"), "a1:5 a2:3");
  EXPECT_EQ(place("-n6 -N3 --mem=30720"), "a1:4 a2:4 a3:4");
  EXPECT_EQ(place("-n7 -N3 --mem=40000"), "a1:5 a2:5 a3:5");
  EXPECT_EQ(place("-n9 -N2 --mem=40000"), "a1:6 a2:4");
  EXPECT_EQ(place("-n12 -N2 --mem=40000"), "a1:7 a2:5");
}

TEST_F(MemoryCpus, OfTasksAreMoreOfEach) {
  EXPECT_EQ(place("-n4 -N2 --mem-per-cpu=12000"), "a1:6 a2:2");
  EXPECT_EQ(place("-n3 -N2 -c2 --mem=20480"), "a1:4 a2:2");
  EXPECT_EQ(place("-n2 -N2 -c2 --mem=20480"), "a1:3 a2:2");
  EXPECT_EQ(place("-n4 -N2 -c2 --mem=40000"), "a1:6 a2:4");
  EXPECT_EQ(place("-n3 -N3 -c3 --mem=40000"), "a1:5 a2:5 a3:3");
  EXPECT_EQ(place("-N2 --ntasks-per-node=2 --mem=40000"), "a1:5 a2:5");
}

/// a1 to a3: eight cores with two threads, b1 and b2: twelve cores; fourteen CPUs of each.
struct CappedNodes : ByCpu {
  void SetUp() override {
    add_threaded();
    cluster.add(NodeLine{.names = {"b1", "b2"}, .sockets = 2, .cores = 6, .memory_mib = 128000});
    PartitionConf& conf = cluster.partition("all", {});
    conf.def_mem_per_cpu_mib = 1000;
    conf.max_cpus_per_node = 14;
    cluster.build();
  }
};

// Memory above MaxMemPerCPU asks for CPUs of each node, as --mincpus does.
TEST_F(CappedNodes, GiveTheCpusAskedOfEachAboveTheCap) {
  EXPECT_EQ(place("-n1 --mem=120000"), "a1:15");
  for (const char* node : {"a1", "a2", "a3"}) cluster.fill(node, 12);
  for (const char* node : {"b1", "b2"}) cluster.fill(node, 11);
  EXPECT_EQ(place("-n1 --mem=24000"), "a1:3");
  EXPECT_EQ(place("-n2 -N2 --mem=24000"), "a1:3 a2:3");
  EXPECT_EQ(place("-n4 -N2 --mem=24000"), "a1:2 a2:2");
  EXPECT_FALSE(cluster.place("-n6 -N2 --mem=32000", "all"));
  EXPECT_FALSE(cluster.place("-n1 -c3", "all"));
  EXPECT_FALSE(cluster.place("-N2 --ntasks-per-node=3", "all"));
}

TEST_F(CappedNodes, CountWholeCoresOfOneCpuJobs) {
  for (int i = 0; i < 7; ++i) EXPECT_EQ(cluster.start("-n1 -w a1", "all"), "a1:1");
  EXPECT_FALSE(cluster.place("-n1 -w a1", "all"));  // 14 CPUs of seven cores
}

}  // namespace
}  // namespace rehearse::test

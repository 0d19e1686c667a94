// tests/unit/sched/select_shared_test.cpp — mps and shard as a real 22.05.8 placed them (gres.md
// §1.6, §4.5).
#include <gtest/gtest.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

class SharedNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.add(DeviceLine{.node = "m1", .name = "gpu", .type = "a100", .devices = {0, 1, 2}});
    cluster.add(DeviceLine{.node = "m1", .name = "mps", .count = 100});
    for (const char* node : {"m2", "m3", "s2"}) {
      cluster.add(DeviceLine{.node = node, .name = "gpu", .type = "a100", .devices = {0, 1}});
    }
    cluster.add(DeviceLine{.node = "m2", .name = "mps", .devices = {0}, .count = 100});
    cluster.add(DeviceLine{.node = "m2", .name = "mps", .devices = {1}, .count = 100});
    cluster.add(DeviceLine{.node = "m3", .name = "mps", .devices = {0, 1}, .count = 100});
    cluster.add(DeviceLine{.node = "s1", .name = "gpu", .devices = {0, 1}});
    cluster.add(DeviceLine{.node = "s1", .name = "shard", .count = 20});
    cluster.add(DeviceLine{.node = "s2", .name = "shard", .count = 20});
    cluster.add(DeviceLine{.node = "s3",
                           .name = "gpu",
                           .type = "a100",
                           .devices = {0},
                           .cores = {0, 1, 2, 3, 4, 5, 6, 7}});
    cluster.add(DeviceLine{.node = "s3",
                           .name = "gpu",
                           .type = "a100",
                           .devices = {1},
                           .cores = {8, 9, 10, 11, 12, 13, 14, 15}});
    cluster.add(DeviceLine{.node = "s3", .name = "shard", .devices = {0}, .count = 10});
    cluster.add(DeviceLine{.node = "s3", .name = "shard", .devices = {1}, .count = 10});
    add_node("m1", {{"gpu", "a100", 3}, {"mps", "", 100}});
    add_node("m2", {{"gpu", "a100", 2}, {"mps", "", 200}});
    add_node("m3", {{"gpu", "a100", 2}, {"mps", "", 100}});
    add_node("s1", {{"gpu", "", 2}, {"shard", "", 20}});
    add_node("s2", {{"gpu", "a100", 2}, {"shard", "", 20}});
    add_node("s3", {{"gpu", "a100", 2}, {"shard", "", 20}});
    cluster.add(DeviceLine{.node = "o1", .name = "gpu", .type = "a100", .devices = {0}});
    cluster.add(DeviceLine{.node = "o1", .name = "shard", .count = 4});
    add_node("o1", {{"gpu", "a100", 1}, {"shard", "", 4}});
    for (const char* name : {"m1", "m2", "m3", "s1", "s2", "s3", "o1"})
      cluster.partition(name, {name});
    cluster.partition("sd", {"s2"}).def_cpu_per_gpu = 4;
    cluster.build();
  }
  void add_node(const std::string& name, const std::vector<GresSpec>& gres) {
    cluster.add(NodeLine{.names = {name}, .sockets = 2, .cores = 8, .gres = gres});
  }
  /// The devices that the jobs get one after the other, as `0,1,waits`.
  std::string put(const std::string& node, const std::vector<std::string>& asked) {
    std::string text;
    for (const std::string& gres : asked) {
      const std::string options = "--gres=" + gres;
      const auto allocation = cluster.place(options, node);
      const std::string where = cluster.devices(allocation);
      text += (text.empty() ? "" : ",") + (allocation ? where.substr(3) : where);
      if (allocation) cluster.start(options, node);
    }
    return text;
  }
  TestCluster cluster;
};

TEST_F(SharedNodes, AreNotGivenWholeForUnitsOfSeveralGpus) {
  for (const char* node : {"s2", "s3"}) {
    for (const char* words : {"--exclusive --gres=shard:1", "--exclusive --gres=shard:10"}) {
      EXPECT_EQ(cluster.place(words, node), std::nullopt) << node << words;
      EXPECT_TRUE(cluster.ever(words, node)) << "accepted, and waits for ever";
    }
  }
  EXPECT_EQ(cluster.place("--exclusive --gres=mps:10", "m2"), std::nullopt);
  EXPECT_TRUE(cluster.place("--exclusive --gres=gpu:1", "s2"));
  const auto given = cluster.place("--exclusive --gres=shard:1", "o1");
  ASSERT_TRUE(given);
  ASSERT_EQ(given->nodes.front().devices.size(), 1U) << "the GPU, and no shard beside it";
  EXPECT_EQ(given->nodes.front().devices[0].gres, 0);
}

TEST_F(SharedNodes, DealMpsOverTheirGpus) {
  EXPECT_EQ(put("m1", {"mps:34"}), "2");
  cluster.end_all();
  EXPECT_EQ(put("m1", {"mps:33"}), "0");
  cluster.end_all();
  EXPECT_EQ(put("m1", {"mps:35"}), "waits");
  EXPECT_TRUE(cluster.ever("--gres=mps:35", "m1")) << "below the node's total: accepted, waits";
  EXPECT_EQ(put("m3", {"mps:50"}), "0");
  cluster.end_all();
  EXPECT_EQ(put("m3", {"mps:51"}), "waits");
}

TEST_F(SharedNodes, ShareOneGpuAtATimeByMps) {
  EXPECT_EQ(put("m2", {"mps:60", "mps:60", "mps:40", "gpu:1", "gpu:1"}), "0,waits,0,1,waits");
}

TEST_F(SharedNodes, FillGpusByShardsInIndexOrderOrBySocket) {
  for (const char* node : {"s1", "s2", "s3"}) {
    EXPECT_EQ(put(node, {"shard:6", "shard:6", "shard:4", "shard:4"}), "0,1,0,1") << node;
    cluster.end_all();
  }
  EXPECT_EQ(put("s2", {"shard:3", "shard:3"}), "0,0");
  cluster.end_all();
  EXPECT_EQ(put("s3", {"shard:3", "shard:3"}), "0,1");
}

TEST_F(SharedNodes, AcceptMoreThanOneGpuHoldsAndNeverStartIt) {
  for (const char* node : {"s1", "s2", "s3"}) {
    EXPECT_EQ(put(node, {"shard:12"}), "waits") << node;
    EXPECT_TRUE(cluster.ever("--gres=shard:12", node)) << node;
    EXPECT_FALSE(cluster.ever("--gres=shard:21", node)) << node;
  }
  cluster.version = SlurmVersion{23, 11};
  cluster.build();
  EXPECT_FALSE(cluster.ever("--gres=shard:12", "s2"));
}

TEST_F(SharedNodes, NeverLendAGpuBothWays) {
  for (const char* node : {"s1", "s2", "s3"}) {
    EXPECT_EQ(put(node, {"gpu:1", "shard:1", "gpu:1"}), "0,1,waits") << node;
    cluster.end_all();
    EXPECT_EQ(put(node, {"shard:1", "gpu:1", "gpu:1"}), "0,1,waits") << node;
    cluster.end_all();
    EXPECT_EQ(put(node, {"shard:1", "gpu:2"}), "0,waits") << node;
    cluster.end_all();
    EXPECT_EQ(put(node, {"gpu:2", "shard:1"}), "0-1,waits") << node;
    cluster.end_all();
  }
}

TEST_F(SharedNodes, LendTheGpuOnceTheFirstSharingJobEndsBefore2311) {
  EXPECT_EQ(put("m2", {"mps:60", "mps:30"}), "0,0");
  cluster.end(0);
  EXPECT_EQ(put("m2", {"gpu:2"}), "0-1") << "although mps:30 still runs on GPU 0";
}

TEST_F(SharedNodes, AreNotLentAgainWhileANewSharingJobMarksTheGpu) {
  EXPECT_EQ(put("m2", {"mps:60", "mps:30"}), "0,0");
  cluster.end(0);
  EXPECT_EQ(put("m2", {"mps:10", "gpu:2"}), "0,waits");
}

TEST_F(SharedNodes, StaySharedUntilTheLastUnitIsBackFrom2311On) {
  cluster.version = SlurmVersion{23, 11};
  cluster.build();
  EXPECT_EQ(put("m2", {"mps:60", "mps:30"}), "0,0");
  cluster.end(0);
  EXPECT_EQ(put("m2", {"gpu:2"}), "waits");
}

TEST_F(SharedNodes, TakeNoGpuDefaultsAndNoMixOfNames) {
  EXPECT_EQ(cluster.cpus(cluster.place("--gres=shard:2", "sd")), "s2:1");
  const std::string invalid = "Invalid generic resource (gres) specification";
  EXPECT_EQ(cluster.ruled("--gres=gpu:1,shard:1", "s2").refusal->message, invalid);
  EXPECT_EQ(cluster.devices(cluster.place("-N1 --exclusive", "s2")), "s2 0-1")
      << "whole nodes come with GPUs, not with shards";
}

/// The nodes and questions of scripts/reference/experiments/lent_gpus.py.
class LentGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    add_node("s", "a100", "shard", 32);
    add_node("m", "a100", "mps", 400);
    add_node("t", "v100", "shard", 32);
    cluster.build();
  }
  void add_node(const std::string& name, const std::string& second, const std::string& shared,
                std::uint64_t units) {
    cluster.add(DeviceLine{.node = name,
                           .name = "gpu",
                           .type = "a100",
                           .devices = {0, 1},
                           .cores = {0, 1, 2, 3, 4, 5, 6, 7}});
    cluster.add(DeviceLine{.node = name,
                           .name = "gpu",
                           .type = second,
                           .devices = {2, 3},
                           .cores = {8, 9, 10, 11, 12, 13, 14, 15}});
    cluster.add(DeviceLine{.node = name, .name = shared, .count = units});
    std::vector<GresSpec> gres{{"gpu", "a100", 4}, {shared, "", units}};
    if (second != "a100") gres = {{"gpu", "a100", 2}, {"gpu", second, 2}, {shared, "", units}};
    cluster.add(NodeLine{.names = {name}, .sockets = 2, .cores = 8, .gres = gres});
    cluster.partition(name, {name});
  }
  void hold(const std::string& node, const std::vector<std::string>& jobs) {
    cluster.end_all();
    for (const std::string& words : jobs) cluster.start(words, node);
  }
  /// The device of the only share, or `waits`.
  std::string device(const std::string& words, const std::string& node) {
    const std::string where = cluster.devices(cluster.place(words, node));
    return where == "waits" ? where : where.substr(2);
  }
  TestCluster cluster;
};

TEST_F(LentGpus, AreOfShardsAwayFromTheirCoresThoughAGpuJobHoldsThem) {
  hold("s", {"-n1 --gres=gpu:1", "-n8 --gres=shard:1", "-n1 --gres=shard:8"});
  EXPECT_EQ(device("-n1 --gres=shard:1", "s"), "0");
  EXPECT_EQ(device("-n3 --gres=shard:6", "s"), "0");
  EXPECT_EQ(device("-n1 --gres=shard:1 --gres-flags=enforce-binding", "s"), "waits");
  hold("s", {"-n1 --gres=gpu:1", "-n8 --gres=shard:8", "-n1 --gres=shard:8", "-n1 --gres=shard:8"});
  EXPECT_EQ(device("-n1 --gres=shard:1", "s"), "3") << "GPU 0 has none left";
  hold("s", {"-n1 --gres=gpu:2", "-n8 --gres=shard:8"});
  EXPECT_EQ(device("-n3 --gres=shard:6", "s"), "0") << "before GPU 3, which nobody has";
  hold("s", {"-n1 --gres=gpu:3", "-n4 --gres=shard:2"});
  EXPECT_EQ(device("-n1 --gres=shard:1", "s"), "1") << "beside the cores it is asked who has one";
}

TEST_F(LentGpus, DoNotCountWhereTheNodeIsChosen) {
  hold("s", {"-n1 --gres=gpu:1", "-n1 --gres=gpu:1", "-n2 --gres=shard:8", "-n6 --gres=shard:3"});
  EXPECT_EQ(device("-n3 --gres=shard:1", "s"), "3");
  EXPECT_EQ(device("-n1 --gres=shard:6", "s"), "waits");
}

TEST_F(LentGpus, AreOfMpsOnlyIfInUse) {
  hold("m", {"-n1 --gres=gpu:1", "-n8 --gres=mps:10"});
  EXPECT_EQ(device("-n1 --gres=mps:90", "m"), "2");
  EXPECT_EQ(device("-n1 --gres=mps:95", "m"), "waits");
}

TEST_F(LentGpus, MayBeOfAnotherType) {
  hold("t", {"-n8 --gres=shard:v100:1"});
  EXPECT_EQ(device("-n1 --gres=shard:v100:1", "t"), "0") << "an a100";
}

TEST_F(LentGpus, AreAskedForFrom2311On) {
  cluster.version = SlurmVersion{23, 11};
  cluster.build();
  hold("s", {"-n1 --gres=gpu:1", "-n8 --gres=shard:1", "-n1 --gres=shard:8"});
  EXPECT_EQ(device("-n1 --gres=shard:1", "s"), "2");
}

}  // namespace
}  // namespace rehearse::test

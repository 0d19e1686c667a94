// tests/unit/sched/examples_gres_test.cpp — conformance cases of gres.md §10 with the text's own
// numbers. The others (3, 4, 5, 7, 11) are in select_gpu_test and select_shared_test.
#include <gtest/gtest.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// A node n1 with two sockets of eight cores, GPUs 0 … and one line of a shared GRES.
class GresCases : public ::testing::Test {
 protected:
  void add_gpus(const std::string& node, std::uint32_t count) {
    DeviceLine line{.node = node, .name = "gpu", .type = "a100"};
    for (std::uint32_t i = 0; i < count; ++i) line.devices.push_back(i);
    cluster.add(line);
  }
  void add_node(const std::string& name, const std::vector<GresSpec>& gres,
                std::uint32_t cores = 8) {
    cluster.add(NodeLine{
        .names = {name}, .sockets = 2, .cores = cores, .memory_mib = 512000, .gres = gres});
  }
  /// The units of each device of the node's second GRES.
  std::vector<std::uint64_t> units() {
    std::vector<std::uint64_t> found;
    for (const auto& device : cluster.nodes[NodeId{0}].gres.at(1).devices) {
      found.push_back(device.units);
    }
    return found;
  }
  /// Starts the job; its devices, or `waits`.
  std::string put(const std::string& options) {
    const std::string where = cluster.devices(cluster.place(options));
    cluster.start(options);
    return where;
  }
  TestCluster cluster;
};

TEST_F(GresCases, Case1DealsATotalOverTheGpus) {  // gres.md §10 case 1 [V]
  add_gpus("n1", 3);
  cluster.add(DeviceLine{.node = "n1", .name = "mps", .count = 100});
  add_node("n1", {{"gpu", "a100", 3}, {"mps", "", 100}});
  cluster.build();
  EXPECT_EQ(units(), (std::vector<std::uint64_t>{33, 33, 34}));
}

TEST_F(GresCases, Case2DividesALineOverItsFiles) {  // gres.md §10 case 2 [V]
  add_gpus("n1", 2);
  cluster.add(DeviceLine{.node = "n1", .name = "mps", .devices = {0, 1}, .count = 100});
  add_node("n1", {{"gpu", "a100", 2}, {"mps", "", 100}});
  cluster.build();
  EXPECT_EQ(units(), (std::vector<std::uint64_t>{50, 50}));
}

/// Case 6: the same two jobs by mps and by shard on two GPUs of a hundred units each.
class GresCase6 : public GresCases, public ::testing::WithParamInterface<const char*> {};

TEST_P(GresCase6, MpsKeepsToOneGpuAndShardTakesTheNext) {  // gres.md §10 case 6 [V]
  const std::string name = GetParam();
  add_gpus("n1", 2);
  for (const std::uint32_t gpu : {0U, 1U}) {
    cluster.add(DeviceLine{.node = "n1", .name = name, .devices = {gpu}, .count = 100});
  }
  add_node("n1", {{"gpu", "a100", 2}, {name, "", 200}});
  cluster.build();
  EXPECT_EQ(put("--gres=" + name + ":60"), "n1 0");
  EXPECT_EQ(put("--gres=" + name + ":60"), name == "mps" ? "waits" : "n1 1");
}

INSTANTIATE_TEST_SUITE_P(Names, GresCase6, ::testing::Values("mps", "shard"));

TEST_F(GresCases, Case8MoreShardsThanOneGpuHoldsWaitUntil2311AndAreRefusedThen) {
  add_gpus("n1", 2);  // gres.md §10 case 8 [V] for 22.05
  for (const std::uint32_t gpu : {0U, 1U}) {
    cluster.add(DeviceLine{.node = "n1", .name = "shard", .devices = {gpu}, .count = 10});
  }
  add_node("n1", {{"gpu", "a100", 2}, {"shard", "", 20}});
  cluster.build();
  EXPECT_TRUE(cluster.ever("--gres=shard:12").has_value());
  EXPECT_EQ(cluster.place("--gres=shard:12"), std::nullopt);
  cluster.version = {23, 11};
  cluster.build();
  EXPECT_EQ(cluster.ever("--gres=shard:12"), std::nullopt);
}

TEST_F(GresCases, Case9And10GiveCpusAndMemoryByGpu) {  // gres.md §10 cases 9, 10
  cluster.conf.def_cpu_per_gpu = 8;
  cluster.conf.def_mem_per_gpu_mib = 64000;
  cluster.conf.def_mem_per_cpu_mib = 1000;
  cluster.conf.select_type_parameters.memory = true;
  add_gpus("n1", 4);
  add_node("n1", {{"gpu", "a100", 4}}, 16);
  cluster.build();
  const auto allocation = cluster.place("--gres=gpu:2");
  ASSERT_TRUE(allocation.has_value());
  EXPECT_EQ(cluster.cpus(allocation), "n1:16");
  EXPECT_EQ(allocation->nodes[0].memory_mib, 128000U) << "DefMemPerGPU replaces DefMemPerCPU";
  EXPECT_EQ(cluster.cpus(cluster.place("--gres=gpu:2 -c4")), "n1:4");
}

TEST_F(GresCases, Case12And13CountWhatIsAsked) {  // gres.md §10 cases 12, 13 [V]
  add_gpus("n1", 8);
  add_node("n1", {{"gpu", "a100", 8}});
  cluster.partition("all", {"n1"});
  cluster.build();
  EXPECT_TRUE(cluster.ruled("--gres=gpu:0", "all").request.gres.empty());
  const auto request = cluster.ruled("--gpus-per-task=2 -n3", "all").request;
  ASSERT_EQ(request.gres.size(), 1U);
  EXPECT_EQ(request.gres[0].per_job, 6U);
  EXPECT_EQ(put("--gpus-per-task=2 -n3"), "n1 0-5");
}

TEST_F(GresCases, Case14PrefersTheFullerNodeAndCountsGpusOnlyUpToTheRequest) {
  add_gpus("n1", 2);  // gres.md §10 case 14, as in §3.2 [V]
  add_gpus("n2", 4);
  add_node("n1", {{"gpu", "a100", 2}});
  add_node("n2", {{"gpu", "a100", 4}});
  cluster.build();
  cluster.fill("n2", 2);
  EXPECT_EQ(cluster.devices(cluster.place("--gres=gpu:2 -c1")), "n2 0-1") << "fewer CPUs are free";
  cluster.fill("n1", 4);
  EXPECT_EQ(cluster.devices(cluster.place("--gres=gpu:2 -c1")), "n1 0-1");
  EXPECT_EQ(cluster.devices(cluster.place("--gpus=4 -n1")), "n2 0-3");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_far_gpus_test.cpp — GPUs at sockets whose cores others hold: what a
// running 22.05.8 gave (gres.md §3.2, scripts/reference/experiments/far_gpus.py).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// n1 to n4: two sockets of four cores, two GPUs at each; `all` has a CPU for each GPU.
class FarGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.gres_types = {"gpu"};
    cluster.add_gpu_nodes(
        NodeLine{.names = {"n1", "n2", "n3", "n4"}, .sockets = 2, .cores = 4, .memory_mib = 64000},
        2);
    cluster.partition("all", {}).def_cpu_per_gpu = 1;
    cluster.partition("raw", {});
    cluster.build();
  }
  /// The first four cores, and GPU 0 if it is not left.
  void hold_socket(std::uint32_t node, bool gpu = false) {
    const std::vector<std::uint16_t> first = {0}, none;
    cluster.hold("n" + std::to_string(node), span(0, 3), gpu ? first : none);
  }
  std::string given(std::string_view options, const char* partition) {
    return cluster.given(options, partition);
  }
  TestCluster cluster;
};

TEST_F(FarGpus, AreGivenBeforeAnotherNodeIsTaken) {
  for (const std::uint32_t node : {1U, 2U, 3U}) hold_socket(node);
  cluster.fill("n4", 8);
  EXPECT_EQ(given("--gpus=4", "raw"), "n1 4 | n1 0-3");
  EXPECT_EQ(given("--gpus=6", "raw"), "n1 4; n2 4 | n1 0-3; n2 2-3");
  EXPECT_EQ(given("--gpus=12", "raw"), "n1 4; n2 4; n3 4 | n1 0-3; n2 0-3; n3 0-3");
  EXPECT_EQ(given("--gpus=14", "raw"), "none");
  EXPECT_EQ(given("--gpus=4", "all"), "n1 4-7 | n1 0-3");
  EXPECT_EQ(given("--gpus=6", "all"), "n1 4-7; n2 4-5 | n1 0-3; n2 2-3");
  EXPECT_EQ(given("--gpus=7", "all"), "n1 4-7; n2 4-6 | n1 0-3; n2 0,2-3");
  EXPECT_EQ(given("--gpus=6 --cpus-per-gpu=1", "raw"), "n1 4-7; n2 4-5 | n1 0-3; n2 2-3");
  EXPECT_EQ(given("-n4 --gpus=4", "raw"), "n1 4-7 | n1 0-3");
  EXPECT_EQ(given("--gres=gpu:4", "all"), "n1 4-7 | n1 0-3");
  EXPECT_EQ(given("-N2 --gres=gpu:3", "all"), "n1 4-6; n2 4-6 | n1 0,2-3; n2 0,2-3");
  EXPECT_EQ(given("-n4 --gpus-per-task=1", "raw"), "n1 4-5; n2 4-5 | n1 2-3; n2 2-3");
  EXPECT_EQ(given("-n8 --gpus-per-task=1", "raw"), "n1 4-7; n2 4-7 | n1 0-3; n2 0-3");
}

TEST_F(FarGpus, OfANodeBesideAnIdleOneBringTheirCpusToo) {
  hold_socket(1);
  for (const char* node : {"n3", "n4"}) cluster.fill(node, 8);
  EXPECT_EQ(given("--gpus=4", "raw"), "n2 0 | n2 0-3");
  EXPECT_EQ(given("--gpus=6", "raw"), "n1 4; n2 0 | n1 0-3; n2 0-1");
  EXPECT_EQ(given("--gpus=4", "all"), "n2 0-1,4-5 | n2 0-3");
  EXPECT_EQ(given("--gpus=6", "all"), "n1 4; n2 0-2,4-5 | n1 2-3; n2 0-3");
  EXPECT_EQ(given("--gpus=8", "all"), "n1 4; n2 0-6 | n1 0-3; n2 0-3");
  EXPECT_EQ(given("--gpus=8 --cpus-per-gpu=1", "raw"), "n1 4-7; n2 0-1,4-5 | n1 0-3; n2 0-3");
}

TEST_F(FarGpus, AreTakenAfterTheNodesThatHaveNearerOnes) {
  for (const std::uint32_t node : {1U, 2U}) hold_socket(node);
  EXPECT_EQ(given("--gpus=8", "all"), "n3 0-6; n4 0 | n3 0-3; n4 0-3");
  EXPECT_EQ(given("--gpus=12", "all"), "n1 4; n3 0-6; n4 0-1,4-5 | n1 0-3; n3 0-3; n4 0-3");
  EXPECT_EQ(given("--gpus=14", "all"),
            "n1 4; n2 4; n3 0-2,4-6; n4 0-2,4-6 | n1 0-3; n2 2-3; n3 0-3; n4 0-3");
  EXPECT_EQ(given("--gpus=14", "raw"), "n1 4; n2 4; n3 0; n4 0 | n1 0-3; n2 0-3; n3 0-3; n4 0-1");
}

TEST_F(FarGpus, BesideOnesInUseAreDealtAfterTheNearOnes) {
  for (const std::uint32_t node : {1U, 2U, 3U}) hold_socket(node, true);
  cluster.fill("n4", 8);
  EXPECT_EQ(given("--gpus=2", "raw"), "n1 4 | n1 2-3");
  EXPECT_EQ(given("--gpus=3", "raw"), "n1 4 | n1 1-3");
  EXPECT_EQ(given("--gpus=4", "raw"), "n1 4; n2 4 | n1 2-3; n2 2-3");
  EXPECT_EQ(given("--gpus=5", "raw"), "n1 4; n2 4 | n1 1-3; n2 2-3");
  EXPECT_EQ(given("--gpus=6", "raw"), "n1 4; n2 4 | n1 1-3; n2 1-3");
}

}  // namespace
}  // namespace rehearse::test

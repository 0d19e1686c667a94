// tests/unit/sched/select_near_gpus_test.cpp — a node counts with the cores beside its GPUs: what a
// running 22.05.8 chose (gres.md §3.2).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Of k1 and k2 (4 sockets of 4 cores) the four GPUs are at the first two sockets; of m1 and m2 (2
/// sockets of 4 cores) two at each.
class NearGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.gres_types = {"gpu"};
    for (const char* node : {"k1", "k2"}) {
      cluster.add(DeviceLine{
          .node = node, .name = "gpu", .devices = {0, 1, 2, 3}, .cores = {0, 1, 2, 3, 4, 5, 6, 7}});
    }
    for (const char* node : {"m1", "m2"}) {
      cluster.add(
          DeviceLine{.node = node, .name = "gpu", .devices = {0, 1}, .cores = {0, 1, 2, 3}});
      cluster.add(
          DeviceLine{.node = node, .name = "gpu", .devices = {2, 3}, .cores = {4, 5, 6, 7}});
    }
    for (const char* name : {"k1", "k2", "m1", "m2"}) {
      cluster.add(NodeLine{.names = {name},
                           .sockets = name[0] == 'k' ? 4U : 2U,
                           .cores = 4,
                           .memory_mib = 64000,
                           .gres = {{"gpu", "", 4}}});
    }
    cluster.partition("k", {"k1", "k2"});
    cluster.partition("m", {"m1", "m2"});
    cluster.build();
  }
  std::string ever(std::string_view options, const char* partition) {
    return cluster.cpus(cluster.ever(options, partition));
  }
  std::string cpus(std::string_view options, const char* partition) {
    return cluster.cpus(cluster.place(options, partition));
  }
  /// Where a job goes while m1 has so many cores busy.
  std::string beside(std::uint32_t busy, std::string_view options) {
    cluster.end_all();
    cluster.start("-w m1 -n" + std::to_string(busy), "m");
    return cluster.devices(cluster.place(options, "m"));
  }
  TestCluster cluster;
};

TEST_F(NearGpus, ThatTheCoresOfTheirSocketAreTooFewForAreLookedForElsewhere) {
  EXPECT_EQ(cpus("--gpus=4 --cpus-per-gpu=2", "k"), "k1:4 k2:4");
  EXPECT_EQ(cpus("--gpus=3 --cpus-per-gpu=2", "k"), "k1:4 k2:2");
  EXPECT_EQ(cpus("-n8 --gpus=4 --cpus-per-gpu=2", "k"), "k1:4 k2:4");
  EXPECT_EQ(cpus("--gpus=6 --cpus-per-gpu=1", "k"), "k1:4 k2:2");
  EXPECT_EQ(cpus("--gpus=2 --cpus-per-gpu=2", "k"), "k1:4");
  EXPECT_EQ(cpus("--gpus=4 --cpus-per-gpu=3", "m"), "m1:6 m2:6");
  EXPECT_EQ(cpus("--gpus=2 --cpus-per-gpu=3", "m"), "m1:6");
}

TEST_F(NearGpus, AreNoReasonToWaitByNodeButByJob) {
  EXPECT_EQ(ever("-N1 --gpus=4 --cpus-per-gpu=2", "k"), "waits");
  EXPECT_EQ(ever("-n1 --gpus=4 --cpus-per-gpu=2", "k"), "waits");
  EXPECT_EQ(cpus("--gres=gpu:4 --cpus-per-gpu=2", "k"), "k1:8");
  EXPECT_EQ(cpus("--gres=gpu:3 --cpus-per-gpu=2", "k"), "k1:6");
}

/// Recording `institute`, 08:23:46, job 17: with a core of each first socket busy two GPUs can be
/// had.
TEST_F(NearGpus, AreNotServedByCoresThatAnAttemptBeforeHasGivenAway) {
  cluster.start("-w k1 -n1 --gres=gpu:1", "k");
  cluster.start("-w k2 -n1 --gres=gpu:1", "k");
  EXPECT_EQ(cpus("--gpus=3 --cpus-per-gpu=2", "k"), "waits");
  EXPECT_EQ(cpus("--gpus=2 --cpus-per-gpu=2", "k"), "k1:2 k2:2");
  cluster.end(1);
  EXPECT_NE(cpus("--gpus=3 --cpus-per-gpu=2", "k"), "waits");
}

TEST_F(NearGpus, MakeTheNodeWithTheFewestCoresBesideThemTheBestFit) {
  for (const char* two : {"--gpus=2 --cpus-per-gpu=2", "--gres=gpu:2 --cpus-per-gpu=2"}) {
    EXPECT_EQ(beside(2, two).substr(0, 2), "m2") << two;  // m1 has three cores at each socket
    EXPECT_EQ(beside(3, two).substr(0, 2), "m2") << two;
    EXPECT_EQ(beside(4, two).substr(0, 2), "m1") << two;  // two at each, no more than are needed
  }
  EXPECT_EQ(beside(1, "--gpus=2 --cpus-per-gpu=2"), "m1 2-3") << "one socket has all four";
  EXPECT_EQ(beside(3, "--gpus=2"), "m1 2-3");
}

TEST_F(NearGpus, ComeFromTheEndForASerialJobWhateverItsGpusBring) {
  cluster.conf.scheduler_parameters.pack_serial_at_end = true;
  EXPECT_EQ(cpus("--gpus=2 --cpus-per-gpu=2", "k"), "k2:4");
  EXPECT_EQ(cpus("-n2 --gpus=4", "k"), "k1:2") << "no serial one";
  cluster.start("-w k2 -n1 --gres=gpu:1", "k");
  EXPECT_EQ(cpus("--gpus=2 --cpus-per-gpu=2", "k"), "k1:2 k2:2");
  EXPECT_EQ(ever("-n1 --gpus=4 --cpus-per-gpu=2", "k"), "waits");
}

// scheduling.md §6.4 rule 4; [V] serial_gpus.py.
TEST(GpusAtTheEnd, AreOneOfEachNodeBehindTheFirstWhereCpusComeWithThem) {
  TestCluster cluster;
  cluster.conf.gres_types = {"gpu"};
  cluster.conf.scheduler_parameters.pack_serial_at_end = true;
  for (const char* name : {"a1", "a2", "b1", "b2", "b3", "b4"}) {
    const bool is_a = name[0] == 'a';
    cluster.add(NodeLine{.names = {name},
                         .sockets = 2,
                         .cores = is_a ? 8U : 12U,
                         .memory_mib = 64000,
                         .gres = {{"gpu", "", is_a ? 2U : 8U}},
                         .weight = is_a ? 1U : 50U});
  }
  cluster.partition("all", {"a1", "a2", "b1", "b2", "b3", "b4"});
  cluster.partition("b", {"b1", "b2", "b3", "b4"});
  cluster.build();
  const auto cpus = [&](std::string_view options, const char* partition) {
    return cluster.cpus(cluster.place(options, partition));
  };
  EXPECT_EQ(cpus("--gpus=3 --cpus-per-gpu=4", "all"), "a1:4 a2:8");
  EXPECT_EQ(cpus("--gpus=4 --cpus-per-gpu=2", "all"), "a1:2 a2:4 b4:2");
  EXPECT_EQ(cpus("--gpus=6 --cpus-per-gpu=2", "all"), "a1:2 a2:4 b2:2 b3:2 b4:2");
  EXPECT_EQ(cluster.cpus(cluster.ever("--gpus=8 --cpus-per-gpu=1", "all")), "waits");
  EXPECT_EQ(cpus("--gpus=4 --cpus-per-gpu=2", "b"), "b4:8");
  EXPECT_EQ(cpus("--gpus=10 --cpus-per-gpu=1", "b"), "b2:1 b3:1 b4:8");
  EXPECT_EQ(cpus("--gpus=9 --cpus-per-gpu=2", "b"), "b3:2 b4:16");
  EXPECT_EQ(cpus("-n2 --gpus=4 --cpus-per-gpu=2", "all"), "a1:4 a2:4") << "no serial one";
}

}  // namespace
}  // namespace rehearse::test

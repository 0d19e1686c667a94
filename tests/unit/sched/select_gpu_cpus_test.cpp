// tests/unit/sched/select_gpu_cpus_test.cpp — the CPUs that GPUs bring, beside tasks by node and by
// GPU: what a running 22.05.8 gave (gres.md §2.4, scheduling.md §6.7).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// h1 to h3: two sockets of 16 cores, four GPUs at each; `def` has four CPUs a GPU, `raw` none.
class GpuCpus : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.gres_types = {"gpu"};
    cluster.conf.select_type_parameters.memory = true;
    cluster.add_gpu_nodes(
        NodeLine{.names = {"h1", "h2", "h3"}, .sockets = 2, .cores = 16, .memory_mib = 1000000}, 4);
    PartitionConf& def = cluster.partition("def", {"h1", "h2", "h3"});
    def.def_cpu_per_gpu = 4;
    def.def_mem_per_gpu_mib = 100000;
    cluster.partition("raw", {"h1", "h2", "h3"}).def_mem_per_gpu_mib = 100000;
    cluster.build();
  }
  std::string where(std::string_view options, const char* partition) {
    const auto allocation = cluster.place(options, partition);
    return allocation ? cluster.cpus(allocation) : "none";
  }
  void expect(std::string_view options, const char* with_default, const char* without) {
    EXPECT_EQ(where(options, "def"), with_default) << options;
    EXPECT_EQ(where(options, "raw"), without) << options;
  }
  TestCluster cluster;
};

TEST_F(GpuCpus, AreGivenBesideTasksByNode) {
  expect("-N1 --gres=gpu:8 --ntasks-per-node=8", "h1:32", "h1:8");
  expect("-N1 --gres=gpu:4 --ntasks-per-node=8", "h1:16", "h1:8");
  expect("--ntasks-per-node=2 --gres=gpu:4", "h1:16", "h1:2");
  expect("-N2 --gres=gpu:2 --ntasks-per-node=3", "h1:8 h2:8", "h1:3 h2:3");
  expect("--gpus=4 --ntasks-per-node=2", "h1:16", "h1:2");
  expect("--gpus=4 --ntasks-per-node=8", "h1:16", "h1:8");
  expect("--ntasks-per-node=2 --gres=gpu:4 --cpus-per-gpu=3", "h1:12", "h1:12");
  expect("--ntasks-per-node=4 --gres=gpu:4 -c2", "h1:8", "h1:8");
  expect("-n4 --ntasks-per-node=4 --gres=gpu:4", "h1:16", "h1:4");
  expect("-n8 --ntasks-per-node=4 --gres=gpu:4", "h1:16 h2:16", "h1:4 h2:4");
  expect("-N2 --gpus-per-node=4 --ntasks-per-node=4", "h1:16 h2:16", "h1:4 h2:4");
}

TEST_F(GpuCpus, ThatNoTaskHasAreDealtInTurnToNodesThatHaveThem) {
  expect("--gpus=12 --ntasks-per-node=2", "h1:24 h2:16", "h1:2 h2:2");
  expect("--gpus=12 --ntasks-per-node=2 --cpus-per-gpu=3", "h1:18 h2:12", "h1:18 h2:12");
  expect("-n12 --gpus=12 --ntasks-per-node=6", "h1:24 h2:16", "h1:6 h2:6");
}

TEST_F(GpuCpus, OfTheWholeJobAreSharedAsItsTasksAre) {
  expect("-N2 -n8 --gres=gpu:4", "h1:16 h2:16", "h1:7 h2:1");
  expect("-N2 -n3 --gres=gpu:1", "h1:4 h2:4", "h1:2 h2:1");
  expect("-n12 --gpus=12", "h1:32 h2:16", "h1:11 h2:1");
}

TEST_F(GpuCpus, AreNotTheDefaultWhereTasksAreCountedByGpu) {
  expect("-n1 --ntasks-per-gpu=1", "h1:1", "h1:1");
  expect("-n4 --ntasks-per-gpu=1", "h1:4", "h1:4");
  expect("-n4 --ntasks-per-gpu=2", "h1:4", "h1:4");
  expect("--gpus=4 --ntasks-per-gpu=2", "h1:8", "h1:8");
  expect("--gres=gpu:4 --ntasks-per-gpu=1", "h1:4", "h1:4");
  expect("-N2 --gres=gpu:4 --ntasks-per-gpu=1", "h1:4 h2:4", "h1:4 h2:4");
  expect("-n4 --ntasks-per-gpu=1 --cpus-per-gpu=3", "h1:12", "h1:12");
  expect("-n12 --ntasks-per-gpu=1 --cpus-per-gpu=3", "h1:24 h2:12", "h1:24 h2:12");
  expect("-n12 --ntasks-per-gpu=1 -c2", "h1:22 h2:2", "h1:22 h2:2");
  EXPECT_EQ(where("-n6 -N2 --ntasks-per-gpu=1", "raw"), "h1:3 h2:3");
  EXPECT_EQ(where("-n12 -N3 --ntasks-per-gpu=1", "raw"), "h1:4 h2:4 h3:4");
}

/// Four GPUs of h1 on twelve cores of each socket; the other four, all at the second, have four
/// cores beside them.
TEST_F(GpuCpus, AreTakenAtASocketWithoutGpusToo) {
  EXPECT_EQ(cluster.start("-n1 --gpus=4 --cpus-per-gpu=6", "def"), "h1:24");
  const auto beside = cluster.place("--gpus=4 -c8", "def");
  EXPECT_EQ(cluster.cores(beside), "h1 12-15,28-31");
  EXPECT_EQ(cluster.devices(beside), "h1 4-7");
}

TEST_F(GpuCpus, OfTasksByGpuAreForAllOfThemOnEachNode) {
  EXPECT_EQ(where("-n12 --ntasks-per-gpu=1", "def"), "h1:12 h2:12");
  EXPECT_EQ(where("-n20 --ntasks-per-gpu=1", "def"), "h1:20 h2:20 h3:20");
  EXPECT_EQ(where("-n24 --ntasks-per-gpu=2", "def"), "h1:24 h2:24");
  EXPECT_EQ(where("-n12 --ntasks-per-gpu=1", "raw"), "h1:11 h2:1");
  for (const char* node : {"-w h1", "-w h2", "-w h3"}) {
    cluster.start(std::string(node) + " -n22 --mem=1000", "raw");
  }
  EXPECT_EQ(where("-n12 --ntasks-per-gpu=1", "def"), "none");
  EXPECT_EQ(where("-n6 --ntasks-per-gpu=1", "def"), "h1:6");
}

TEST_F(GpuCpus, MakeTheNodeWithTheFewestBesideTheGpusTheBestFit) {
  cluster.start("-w h1 -n32 --mem=1000", "raw");
  cluster.start("-w h2 -n8 --mem=20000", "raw");
  EXPECT_EQ(cluster.cores(cluster.place("-w h2 --gpus=1", "def")), "h2 4-7");
  cluster.start("-w h2 --gpus=1", "def");
  cluster.start("-w h3 -n1 --gpus=4 --cpus-per-gpu=6", "def");
  cluster.start("-w h3 --gpus=4 -c8", "def");
  EXPECT_EQ(cluster.devices(cluster.place("-n4 --ntasks-per-gpu=1", "def")), "h2 4-7");
  EXPECT_EQ(cluster.cores(cluster.place("-n4 --ntasks-per-gpu=1", "def")), "h2 20-23");
  EXPECT_EQ(cluster.cores(cluster.place("-n4 --gpus=4", "raw")), "h2 20-23");
  const auto by_default = cluster.place("--gpus=4", "def");
  EXPECT_EQ(cluster.cores(by_default), "h2 8-15,20-27");
  EXPECT_EQ(cluster.devices(by_default), "h2 1-4");
}

TEST_F(GpuCpus, AlternateSocketsBesideAJobWithoutGpus) {
  const auto put = [&](const std::string& options, const char* partition) {
    const auto allocation = cluster.place("-w h1 " + options, partition);
    if (!allocation) return std::string("none");
    cluster.start("-w h1 " + options, partition);
    const std::string devices = cluster.devices(allocation);
    return cluster.cores(allocation).substr(3) + " / " + (devices.empty() ? "" : devices.substr(3));
  };
  const auto after_eight = [&](const std::string& options) {
    cluster.end_all();
    put("-n8 --mem=20000", "raw");
    const std::string first = put(options, "def");
    return first + "; " + put(options, "def");
  };
  EXPECT_EQ(after_eight("--gpus-per-task=1 -n1"), "4-7 / 0; 20-23 / 4");
  EXPECT_EQ(after_eight("--gpus=1"), "4-7 / 0; 20-23 / 4");
  EXPECT_EQ(after_eight("--gres=gpu:1"), "4-7 / 0; 20-23 / 4");
  EXPECT_EQ(after_eight("-n1 --ntasks-per-gpu=1"), "4 / 0; 20 / 4");
  EXPECT_EQ(after_eight("--gpus=1 -c2"), "4-5 / 0; 20-21 / 4");
  EXPECT_EQ(after_eight("--gpus-per-task=1 -n2"), "4-11 / 0-1; 20-27 / 4-5");
  EXPECT_EQ(after_eight("--gpus=2"), "4-11 / 0-1; 20-27 / 4-5");
  EXPECT_EQ(after_eight("--gres=gpu:2 -n2"), "4-11 / 0-1; 20-27 / 4-5");
  EXPECT_EQ(after_eight("--gpus=1 -c8"), "4-11 / 0; 20-27 / 4");
  cluster.end_all();
  EXPECT_EQ(put("-n9 --mem=20000", "raw"), "0-4,16-19 / ");
  EXPECT_EQ(put("--gres=gpu:1", "def"), "20-23 / 4");
  EXPECT_EQ(put("--gpus-per-task=1 -n1", "def"), "5-8 / 0");
  EXPECT_EQ(put("--gpus=2", "def"), "24-31 / 5-6");
  EXPECT_EQ(put("--gpus=1", "def"), "9-12 / 1");
}

/// Eight and twelve cores are free of h2, four and three GPUs beside them; h3 is idle. Where the
/// tasks of a node are known it counts with their cores only.
TEST_F(GpuCpus, OfKnownTasksAreAllThatANodeCountsFor) {
  cluster.start("-w h1 -n32 --mem=1000", "raw");
  cluster.start("-w h2 -n4 -c2 --mem=20000", "raw");
  cluster.start("-w h2 --gpus-per-task=1 -n1", "def");
  const auto cores = [&](std::string_view options, const char* partition) {
    return cluster.cores(cluster.place(options, partition));
  };
  EXPECT_EQ(cores("-n4 --ntasks-per-gpu=1", "def"), "h2 8-9,20-21");
  EXPECT_EQ(cores("-n4 --ntasks-per-gpu=1", "raw"), "h2 8-9,20-21");
  EXPECT_EQ(cores("--gpus=4 --ntasks-per-gpu=1", "raw"), "h2 8-9,20-21");
  EXPECT_EQ(cores("-n4 --gpus=4 --ntasks-per-gpu=1", "raw"), "h2 8-9,20-21");
  EXPECT_EQ(cores("-n3 --ntasks-per-gpu=1", "def"), "h2 20-22");
  EXPECT_EQ(cores("-n3 --ntasks-per-gpu=1", "raw"), "h2 20-22");
  EXPECT_EQ(cores("-N1 -n4 --ntasks-per-gpu=1", "def"), "h2 8-9,20-21");
  EXPECT_EQ(cores("-N1 -n4 --gpus=4", "raw"), "h2 8-9,20-21");
  EXPECT_EQ(cores("-n5 --ntasks-per-gpu=1", "def"), "h2 8-9,20-22");
  EXPECT_EQ(cores("-n5 --ntasks-per-gpu=1", "raw"), "h2 8-9,20-22");
  EXPECT_EQ(cores("-n4 --gpus=4", "raw"), "h3 0-3");
  EXPECT_EQ(cores("--gpus=4", "raw"), "h3 0");
  EXPECT_EQ(cores("--gpus-per-task=1 -n2", "def"), "h2 20-27");
  EXPECT_EQ(cores("--gpus=1", "def"), "h2 20-23");
}

/// Recording `training`, 08:28:27, job 21: the first node that serves them, not the fullest.
TEST_F(GpuCpus, OfTasksThatBringGpusAreKnownToo) {
  cluster.start("-w h2 -n4 -c2 --mem=20000", "raw");
  cluster.start("-w h2 --gpus-per-task=1 -n1", "def");
  cluster.start("-w h2 -n4 --ntasks-per-gpu=1", "def");
  EXPECT_EQ(cluster.cores(cluster.place("--gpus-per-task=1 -n2", "def")), "h1 0-7");
  EXPECT_EQ(cluster.cores(cluster.place("--gpus=2", "def")), "h2 22-29");
  EXPECT_EQ(cluster.cores(cluster.place("--gres=gpu:2", "def")), "h2 22-29");
}

/// Two GPUs with 15 cores beside them are left of h1, three with 15 of h2.
TEST_F(GpuCpus, OfADefaultDoNotFollowTheGpusOverSeveralNodes) {
  cluster.start("-w h1 -n2 --gres=gpu:6", "raw");
  cluster.start("-w h2 -n2 --gres=gpu:5", "raw");
  cluster.start("-w h3 -n32 --mem=1000", "raw");
  const auto split = [&](const char* options, const char* partition) {
    const auto given = cluster.place(options, partition);
    return cluster.cpus(given) + " | " + cluster.devices(given);
  };
  EXPECT_EQ(split("--gpus=5", "def"), "h1:5 h2:15 | h1 6-7; h2 5-7");
  EXPECT_EQ(split("-N2 --gpus=5", "def"), "h1:5 h2:15 | h1 6-7; h2 5-7");
  EXPECT_EQ(split("-n5 --gpus=5 --mem=5000", "def"), "h1:5 h2:15 | h1 6-7; h2 5-7");
  EXPECT_EQ(split("--gpus=4", "def"), "h1:4 h2:12 | h1 6-7; h2 5-6");
  EXPECT_EQ(split("-n4 --gpus=4", "def"), "h1:4 h2:12 | h1 6-7; h2 5-6");
  EXPECT_EQ(split("--gpus=5 --cpus-per-gpu=4", "raw"), "h1:8 h2:12 | h1 6-7; h2 5-7");
  EXPECT_EQ(split("--gpus=5 --cpus-per-gpu=4", "def"), "h1:8 h2:12 | h1 6-7; h2 5-7");
  EXPECT_EQ(split("-n5 --gpus=5 --cpus-per-gpu=4", "raw"), "h1:8 h2:12 | h1 6-7; h2 5-7");
  EXPECT_EQ(split("--gpus=4 --cpus-per-gpu=4", "raw"), "h1:4 h2:12 | h1 6; h2 5-7");
}

}  // namespace
}  // namespace rehearse::test

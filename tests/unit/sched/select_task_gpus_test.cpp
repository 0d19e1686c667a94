// tests/unit/sched/select_task_gpus_test.cpp — GPUs by task on nodes of which others hold a part:
// what a running 22.05.8 gave (gres.md §3.2, scheduling.md §6.7,
// scripts/reference/experiments/task_gpus.py).
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// g1 to g3 under CR_CPU: two sockets of twelve cores with two threads, four GPUs at each socket;
/// `six` gives six CPUs to a GPU.
class TaskGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.gres_types = {"gpu"};
    cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
    cluster.conf.select_type_parameters.memory = true;
    cluster.conf.def_mem_per_cpu_mib = 2000;  // as in task_gpus.py
    cluster.add_gpu_nodes(NodeLine{.names = {"g1", "g2", "g3"},
                                   .sockets = 2,
                                   .cores = 12,
                                   .threads = 2,
                                   .memory_mib = 256000},
                          4);
    cluster.partition("none", {});
    cluster.partition("six", {}).def_cpu_per_gpu = 6;
    cluster.build();
  }
  std::string given(std::string_view options, const char* partition = "none") {
    return cluster.given(options, partition);
  }
  TestCluster cluster;
};

TEST_F(TaskGpus, CoresOfCrCpuAreTakenInOrder) {
  EXPECT_EQ(given("-n1"), "g1 0 | g1 ");
  EXPECT_EQ(given("-n6"), "g1 0-2 | g1 ");
  EXPECT_EQ(given("-n30"), "g1 0-14 | g1 ");
  EXPECT_EQ(given("-n6 -m block:cyclic"), "g1 0-2 | g1 ");
  EXPECT_EQ(given("-n2 -c3"), "g1 0-2 | g1 ");
}

/// A node counts for the tasks of its free GPUs: what is too much goes core by core, so that of an
/// odd number one may be too few.
TEST_F(TaskGpus, ThatAreLeftHaveRoomForWholeTasks) {
  cluster.hold("g1", {12}, {0, 1, 4, 5, 6, 7});
  EXPECT_EQ(given("--gpus-per-task=1 -n1 -c3"), "g1 0-1 | g1 2");
  EXPECT_EQ(given("--gpus-per-task=1 -n2"), "g1 0 | g1 2-3");
  EXPECT_EQ(given("--gpus-per-task=1 -n2 -c4"), "g1 0-3 | g1 2-3");
  EXPECT_EQ(given("--gpus-per-task=1 -n2 -c3"), "g2 0-2 | g2 0-1");
  EXPECT_EQ(given("--gpus-per-task=1 -n2 -c3 -w g1"), "g1 0-1; g2 0-1 | g1 2; g2 0");
  EXPECT_EQ(given("--gpus-per-task=1 -n2 -c5 -w g1"), "g1 0-2; g2 0-2 | g1 2; g2 0");
  EXPECT_EQ(given("--gpus-per-task=1 -n3 -c2 -w g1"), "g1 0-1; g2 0 | g1 2-3; g2 0");
}

TEST_F(TaskGpus, OfAnEvenNumberOfCpusHaveRoomForAllTheirTasks) {
  cluster.hold("g1", {0}, {0, 1});
  cluster.hold("g1", span(12, 19), {4, 5, 6, 7});
  EXPECT_EQ(given("--gpus-per-task=1 -n2 -c3"), "g1 1-3 | g1 2-3");
  EXPECT_EQ(given("--gpus-per-task=1 -n2 -c5"), "g1 1-5 | g1 2-3");
}

TEST_F(TaskGpus, BesideNoFreeCoreServeASingleNodeAlone) {
  for (const char* node : {"g1", "g2", "g3"}) cluster.hold(node, span(0, 17));
  EXPECT_EQ(given("--gpus-per-task=1 -n4 -c3", "six"), "g1 18-23 | g1 4-7");
  EXPECT_EQ(given("--gpus-per-task=1 -n2", "six"), "g1 18-23 | g1 4-5");
  EXPECT_EQ(given("--gpus-per-task=1 -n4", "six"), "g1 18-23; g2 18-23 | g1 4-5; g2 4-5");
  EXPECT_EQ(given("--gpus-per-task=1 -n3 -c1", "six"), "g1 18-19 | g1 4-6");
  EXPECT_EQ(given("--gpus-per-task=1 -n5 -c2"), "g1 18-21; g2 18 | g1 4-7; g2 4");
  EXPECT_EQ(given("--gpus-per-task=1 -n5 -N1 -c2"), "g1 18-22 | g1 0,4-7");
  EXPECT_EQ(given("--gpus-per-task=2 -n3 -c2"), "g1 18-19; g2 18 | g1 4-7; g2 4-5");
}

}  // namespace
}  // namespace rehearse::test

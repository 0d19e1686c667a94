// tests/unit/sched/select_tasks_by_gpu_test.cpp — nodes that have the CPUs for tasks which GPUs
// count, as scripts/reference/experiments/tasks_beside_few_cpus.py asked (scheduling.md §6.2).
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// The CPUs that a job gets of n1 and n2, of which so many are held.
std::string beside(int first, int second, const std::string& options,
                   const char* partition = "all") {
  TestCluster cluster;
  cluster.conf.gres_types = {"gpu"};
  cluster.add_gpu_nodes(
      NodeLine{.names = {"n1", "n2"}, .sockets = 2, .cores = 12, .memory_mib = 64000}, 2);
  cluster.partition("all", {"n1", "n2"});
  cluster.partition("cap", {"n1", "n2"}).max_cpus_per_node = 16;
  cluster.build();
  cluster.start("-w n1 -n" + std::to_string(first), partition);
  cluster.start("-w n2 -n" + std::to_string(second), partition);
  const auto allocation = cluster.place(options, partition);
  return allocation ? cluster.cpus(allocation) : "none";
}

TEST(TasksByGpu, OfAnOpenNumberOfNodesWantTheCpusOfAllOnEach) {
  EXPECT_EQ(beside(20, 20, "-n8 --ntasks-per-gpu=4"), "none");
  EXPECT_EQ(beside(16, 20, "-n8 --ntasks-per-gpu=4"), "n1:8");
  EXPECT_EQ(beside(20, 20, "-n8 --gpus=2 --ntasks-per-gpu=4"), "none");
  EXPECT_EQ(beside(20, 20, "-n8 --gpus=2"), "n1:4 n2:4");
  EXPECT_EQ(beside(16, 17, "-n8 --ntasks-per-gpu=1"), "none");
  EXPECT_EQ(beside(16, 16, "-n8 --ntasks-per-gpu=1"), "n1:7 n2:1");
  EXPECT_EQ(beside(19, 19, "--gpus=6 --ntasks-per-gpu=1"), "none");
  EXPECT_EQ(beside(18, 18, "--gpus=6 --ntasks-per-gpu=1"), "n1:5 n2:1");
  EXPECT_EQ(beside(13, 13, "-n6 -c2 --ntasks-per-gpu=1"), "none");
  EXPECT_EQ(beside(12, 12, "-n6 -c2 --ntasks-per-gpu=1"), "n1:10 n2:2");
}

TEST(TasksByGpu, OfSoManyNodesWantThoseOfTheirShare) {
  EXPECT_EQ(beside(19, 21, "-N2 -n8 --ntasks-per-gpu=4"), "none");
  EXPECT_EQ(beside(20, 20, "-N2 -n8 --ntasks-per-gpu=4"), "n1:4 n2:4");
  EXPECT_EQ(beside(20, 20, "-w n1,n2 -n8 --ntasks-per-gpu=4"), "n1:4 n2:4");
  EXPECT_EQ(beside(17, 19, "-N2 -n12 --ntasks-per-gpu=2"), "none");
}

TEST(TasksByGpu, AreKeptOffByMaxCpusPerNodeToo) {
  EXPECT_EQ(beside(9, 9, "-n8 --ntasks-per-gpu=4", "cap"), "none");
  EXPECT_EQ(beside(8, 12, "-n8 --ntasks-per-gpu=4", "cap"), "n1:8");
  EXPECT_EQ(beside(9, 9, "-N2 -n8 --ntasks-per-gpu=4", "cap"), "n1:4 n2:4");
}

// scripts/reference/experiments/overcommitted_gpus.py
TEST(TasksByGpu, OfEachNodeWantItsCpusForAllOfThem) {
  EXPECT_EQ(beside(16, 16, "--ntasks-per-gpu=4 --gres=gpu:2"), "n1:8");
  EXPECT_EQ(beside(16, 16, "--ntasks-per-gpu=4 --gres=gpu:3"), "none");
  EXPECT_EQ(beside(16, 16, "-N2 --ntasks-per-gpu=4 --gres=gpu:2"), "n1:8 n2:8");
}

TEST(TasksByGpu, WantTheirCpusWithOvercommitToo) {
  EXPECT_EQ(beside(16, 16, "-O --ntasks-per-gpu=2 --gpus=4"), "n1:1");
  EXPECT_EQ(beside(16, 16, "-O -n12 --ntasks-per-gpu=4"), "none");
  EXPECT_EQ(beside(16, 16, "-O -N1 --ntasks-per-gpu=4 --gpus=3"), "none");
  EXPECT_EQ(beside(16, 16, "-O --ntasks-per-gpu=4 --gres=gpu:3"), "none");
  EXPECT_EQ(beside(16, 16, "-O --ntasks-per-gpu=4 --gres=gpu:2"), "n1:1");
  EXPECT_EQ(beside(16, 16, "-O -N2 --ntasks-per-gpu=4 --gpus=4"), "n1:1 n2:1");
  EXPECT_EQ(beside(16, 16, "-O -N2 --ntasks-per-gpu=4 --gpus=6"), "none");
  EXPECT_EQ(beside(16, 16, "-O -c2 --ntasks-per-gpu=2 --gpus=3"), "none");
  EXPECT_EQ(beside(16, 17, "-O -n8 --ntasks-per-gpu=1"), "n1:1 n2:1") << "one node lacks the GPUs";
}

}  // namespace
}  // namespace rehearse::test

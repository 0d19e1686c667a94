// tests/unit/sched/select_any_socket_test.cpp — nodes of which some GPUs are at no socket of their
// own: the cores and devices that a running 22.05.8 gave on idle nodes (gres.md §3.3).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Two sockets of eight cores. k1: a 0-1 and a 2-3 at the sockets, l 4-5 at both; s1: the same of
/// one type; r1: one l; o1: a 0-1 at the first, l 2-3 at both; p1: four at both; t1: a 0-1, b 2-3
/// at the sockets; q1: four at the first.
class AnySocket : public ::testing::Test {
 protected:
  struct Line {
    const char* node;
    const char* type;
    std::uint32_t first, last;
    std::uint32_t first_core, last_core;
  };
  void SetUp() override {
    cluster.conf.gres_types = {"gpu"};
    const std::vector<Line> lines{
        {"k1", "a", 0, 1, 0, 7}, {"k1", "a", 2, 3, 8, 15}, {"k1", "l", 4, 5, 0, 15},
        {"s1", "a", 0, 1, 0, 7}, {"s1", "a", 2, 3, 8, 15}, {"s1", "a", 4, 5, 0, 15},
        {"r1", "a", 0, 1, 0, 7}, {"r1", "a", 2, 3, 8, 15}, {"r1", "l", 4, 4, 0, 15},
        {"o1", "a", 0, 1, 0, 7}, {"o1", "l", 2, 3, 0, 15}, {"p1", "l", 0, 3, 0, 15},
        {"t1", "a", 0, 1, 0, 7}, {"t1", "b", 2, 3, 8, 15}, {"q1", "a", 0, 3, 0, 7}};
    for (const Line& line : lines) {
      cluster.add(DeviceLine{.node = line.node,
                             .name = "gpu",
                             .type = line.type,
                             .devices = span(line.first, line.last),
                             .cores = span(line.first_core, line.last_core)});
    }
    const auto add = [this](const char* name, const std::vector<GresSpec>& gres) {
      cluster.add(
          NodeLine{.names = {name}, .sockets = 2, .cores = 8, .memory_mib = 64000, .gres = gres});
    };
    add("k1", {{"gpu", "a", 4}, {"gpu", "l", 2}});
    add("o1", {{"gpu", "a", 2}, {"gpu", "l", 2}});
    add("p1", {{"gpu", "l", 4}});
    add("q1", {{"gpu", "a", 4}});
    add("r1", {{"gpu", "a", 4}, {"gpu", "l", 1}});
    add("s1", {{"gpu", "a", 6}});
    add("t1", {{"gpu", "a", 2}, {"gpu", "b", 2}});
    for (const char* node : kNodes) {
      cluster.partition(node, {node});
      cluster.partition(std::string(node) + "d", {node}).def_cpu_per_gpu = 2;
    }
    cluster.build();
  }
  /// `cores / devices` of a job on each idle node.
  void expect(std::string_view options, const std::vector<std::string>& there,
              const char* suffix = "") {
    ASSERT_EQ(there.size(), std::size(kNodes));
    for (std::size_t i = 0; i < there.size(); ++i) {
      const std::string partition = std::string(kNodes[i]) + suffix;
      const auto allocation = cluster.place(options, partition);
      const std::string given = allocation ? cluster.cores(allocation).substr(3) + " / " +
                                                 cluster.devices(allocation).substr(3)
                                           : "none";
      EXPECT_EQ(given, there[i]) << options << " in " << partition;
    }
  }
  static constexpr const char* kNodes[] = {"k1", "o1", "p1", "q1", "r1", "s1", "t1"};
  TestCluster cluster;
};

TEST_F(AnySocket, KeepTheCoresOfOneThatAsksByNode) {
  expect("--gres=gpu:1", {"0 / 4", "0 / 2", "0 / 0", "0 / 0", "0 / 4", "0 / 4", "0 / 0"});
  expect("--gres=gpu:2",
         {"0 / 0,4", "0 / 0,2", "0 / 0-1", "0 / 0-1", "0 / 0,4", "0 / 0,4", "0 / 0-1"});
  expect("--gres=gpu:3",
         {"0 / 0,4-5", "0 / 0,2-3", "0 / 0-2", "0 / 0-2", "0 / 0-1,4", "0 / 0,4-5", "0 / 0-2"});
  expect("--gres=gpu:4",
         {"0 / 0-1,4-5", "0 / 0-3", "0 / 0-3", "0 / 0-3", "0 / 0-2,4", "0 / 0-1,4-5", "0 / 0-3"});
  expect("--gres=gpu:5", {"0 / 0-2,4-5", "none", "none", "none", "0 / 0-4", "0 / 0-2,4-5", "none"});
  expect("--gres=gpu:6", {"0 / 0-5", "none", "none", "none", "none", "0 / 0-5", "none"});
  expect("-n4 --gres=gpu:3", {"0-1,8-9 / 0,2,4", "0-1,8-9 / 0,2-3", "0-1,8-9 / 0-2", "0-3 / 0-2",
                              "0-1,8-9 / 0,2,4", "0-1,8-9 / 0,2,4", "0-1,8-9 / 0-2"});
  expect("-n4 --gres=gpu:4", {"0-1,8-9 / 0,2,4-5", "0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-3 / 0-3",
                              "0-1,8-9 / 0-2,4", "0-1,8-9 / 0,2,4-5", "0-1,8-9 / 0-3"});
  expect("-N1 -n4 --gres=gpu:4",
         {"0-1,8-9 / 0,2,4-5", "0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-3 / 0-3", "0-1,8-9 / 0-2,4",
          "0-1,8-9 / 0,2,4-5", "0-1,8-9 / 0-3"});
  expect("-N1 -n4 --gres=gpu:1", {"0-1,8-9 / 4", "0-1,8-9 / 2", "0-1,8-9 / 0", "0-3 / 0",
                                  "0-1,8-9 / 4", "0-1,8-9 / 4", "0-3 / 0"});
  expect("-c3 --gres=gpu:3", {"0-2 / 0,4-5", "0-2 / 0,2-3", "0-2 / 0-2", "0-2 / 0-2", "0-2 / 0-1,4",
                              "0-2 / 0,4-5", "0-2 / 0-2"});
  expect("-c3 --gres=gpu:1",
         {"0-2 / 4", "0-2 / 2", "0-2 / 0", "0-2 / 0", "0-2 / 4", "0-2 / 4", "0-2 / 0"});
  expect("-n2 -c3 --gres=gpu:4", {"0-5 / 0-1,4-5", "0-5 / 0-3", "0-5 / 0-3", "0-5 / 0-3",
                                  "0-5 / 0-2,4", "0-5 / 0-1,4-5", "0-5 / 0-3"});
  expect("--gres=gpu:1",
         {"0,8 / 4", "0,8 / 2", "0,8 / 0", "0-1 / 0", "0,8 / 4", "0,8 / 4", "0-1 / 0"}, "d");
  expect("--gres=gpu:3",
         {"0-2,8-10 / 0,2,4", "0-2,8-10 / 0,2-3", "0-2,8-10 / 0-2", "0-5 / 0-2", "0-2,8-10 / 0,2,4",
          "0-2,8-10 / 0,2,4", "0-2,8-10 / 0-2"},
         "d");
  expect("--gres=gpu:4",
         {"0-3,8-11 / 0,2,4-5", "0-3,8-11 / 0-3", "0-3,8-11 / 0-3", "0-7 / 0-3", "0-3,8-11 / 0-2,4",
          "0-3,8-11 / 0,2,4-5", "0-3,8-11 / 0-3"},
         "d");
}

TEST_F(AnySocket, KeepTheCoresOfOneThatAsksByJob) {
  expect("--gpus=1", {"0 / 4", "0 / 2", "0 / 0", "0 / 0", "0 / 4", "0 / 4", "0 / 0"});
  expect("--gpus=2", {"0 / 4-5", "0 / 2-3", "0 / 0-1", "0 / 0-1", "0 / 0,4", "0 / 4-5", "0 / 0-1"});
  expect("--gpus=3",
         {"0 / 0,4-5", "0 / 0,2-3", "0 / 0-2", "0 / 0-2", "0 / 0-1,4", "0 / 0,4-5", "0 / 0-2"});
  expect("--gpus=4",
         {"0 / 0-1,4-5", "0 / 0-3", "0 / 0-3", "0 / 0-3", "0 / 0-2,4", "0 / 0-1,4-5", "0 / 0-3"});
  expect("--gpus=5", {"0 / 0-2,4-5", "none", "none", "none", "0 / 0-4", "0 / 0-2,4-5", "none"});
  expect("--gpus=6", {"0 / 0-5", "none", "none", "none", "none", "0 / 0-5", "none"});
  expect("-N1 -n4 --gpus=4", {"0-1,8-9 / 0-1,4-5", "0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-3 / 0-3",
                              "0-1,8-9 / 0-2,4", "0-1,8-9 / 0-1,4-5", "0-1,8-9 / 0-3"});
  expect("-n4 --gpus=3", {"0-1,8-9 / 0,4-5", "0-1,8-9 / 0,2-3", "0-1,8-9 / 0-2", "0-3 / 0-2",
                          "0-1,8-9 / 0-1,4", "0-1,8-9 / 0,4-5", "0-1,8-9 / 0-2"});
  expect("-c3 --gpus=3", {"0-2 / 0,4-5", "0-2 / 0,2-3", "0-2 / 0-2", "0-2 / 0-2", "0-2 / 0-1,4",
                          "0-2 / 0,4-5", "0-2 / 0-2"});
  expect("--gpus=3",
         {"0-2,8-10 / 0,4-5", "0-2,8-10 / 0,2-3", "0-2,8-10 / 0-2", "0-5 / 0-2", "0-2,8-10 / 0-1,4",
          "0-2,8-10 / 0,4-5", "0-2,8-10 / 0-2"},
         "d");
  expect("--gpus=4",
         {"0-3,8-11 / 0-1,4-5", "0-3,8-11 / 0-3", "0-3,8-11 / 0-3", "0-7 / 0-3", "0-3,8-11 / 0-2,4",
          "0-3,8-11 / 0-1,4-5", "0-3,8-11 / 0-3"},
         "d");
}

TEST_F(AnySocket, LeaveOneThatAsksByTaskItsLastCores) {
  expect("-n1 --gpus-per-task=1", {"8 / 2", "8 / 2", "8 / 0", "0 / 0", "8 / 2", "8 / 2", "0 / 0"});
  expect("-n2 --gpus-per-task=1", {"0,8 / 0,2", "0,8 / 0,2", "0,8 / 0-1", "0-1 / 0-1", "0,8 / 0,2",
                                   "0,8 / 0,2", "0-1 / 0-1"});
  expect("-n4 --gpus-per-task=1", {"0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-3 / 0-3",
                                   "0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-1,8-9 / 0-3"});
  expect("-n1 --gpus-per-task=2",
         {"8 / 2-3", "8 / 2-3", "8 / 0-1", "0 / 0-1", "8 / 2-3", "8 / 2-3", "0 / 0-1"});
  expect("-n2 -N1 --gpus-per-task=1", {"0,8 / 0,2", "0,8 / 0,2", "0,8 / 0-1", "0-1 / 0-1",
                                       "0,8 / 0,2", "0,8 / 0,2", "0-1 / 0-1"});
  expect("-n2 -N1 --gpus-per-task=2", {"0,8 / 0-3", "0,8 / 0-3", "0,8 / 0-3", "0-1 / 0-3",
                                       "0,8 / 0-3", "0,8 / 0-3", "0,8 / 0-3"});
  expect("-n1 --gpus-per-task=3",
         {"8 / 2-4", "8 / 0,2-3", "8 / 0-2", "0 / 0-2", "8 / 2-4", "8 / 2-4", "8 / 0,2-3"});
  expect("-n1 --gpus-per-task=1",
         {"0,8 / 0", "0,8 / 0", "0,8 / 0", "0-1 / 0", "0,8 / 0", "0,8 / 0", "0-1 / 0"}, "d");
  expect("-n2 --gpus-per-task=1",
         {"0-1,8-9 / 0-1", "0-1,8-9 / 0-1", "0-1,8-9 / 0-1", "0-3 / 0-1", "0-1,8-9 / 0-1",
          "0-1,8-9 / 0-1", "0-3 / 0-1"},
         "d");
  expect("-n4 --gpus-per-task=1",
         {"0-3,8-11 / 0-1,4-5", "0-3,8-11 / 0-3", "0-3,8-11 / 0-3", "0-7 / 0-3", "0-3,8-11 / 0-2,4",
          "0-3,8-11 / 0-1,4-5", "0-3,8-11 / 0-3"},
         "d");
}

TEST_F(AnySocket, KeepTheCoresOfTasksPerNode) {
  expect("-N1 --ntasks-per-node=4 --gres=gpu:4",
         {"0-1,8-9 / 0,2,4-5", "0-1,8-9 / 0-3", "0-1,8-9 / 0-3", "0-3 / 0-3", "0-1,8-9 / 0-2,4",
          "0-1,8-9 / 0,2,4-5", "0-1,8-9 / 0-3"});
  expect("--ntasks-per-node=4 --gres=gpu:3",
         {"0-1,8-9 / 0,2,4", "0-1,8-9 / 0,2-3", "0-1,8-9 / 0-2", "0-3 / 0-2", "0-1,8-9 / 0,2,4",
          "0-1,8-9 / 0,2,4", "0-1,8-9 / 0-2"});
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_linear_tree_test.cpp — select/linear under topology/tree (scheduling.md
// §6.6), and that it looks at no layout of tasks (§6).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// k1 to k8 of 4 cores, k9 to k12 of 8, of these weights; their names.
std::vector<std::string> add_small_and_large(TestCluster& cluster, std::uint32_t small,
                                             std::uint32_t large) {
  std::vector<std::string> names;
  for (std::uint32_t i = 1; i <= 12; ++i) {
    names.push_back("k" + std::to_string(i));
    cluster.add(NodeLine{.names = {names.back()},
                         .sockets = 1,
                         .cores = i <= 8 ? 4U : 8U,
                         .memory_mib = 16000,
                         .weight = i <= 8 ? small : large});
  }
  return names;
}

TEST(LinearTree, FillsOneSwitchLeafByLeafAsARunningSlurmctldDid) {
  TestCluster cluster;
  cluster.conf.select_type = SelectType::Linear;
  const std::vector<std::string> names = add_small_and_large(cluster, 1, 10);
  cluster.topology = {{"s1", {"k1", "k2", "k3", "k4"}, {}, {}},
                      {"s2", {"k5", "k6", "k7", "k8"}, {}, {}},
                      {"s3", {"k9", "k10"}, {}, {}},
                      {"s4", {"k11", "k12"}, {}, {}},
                      {"r1", {}, {"s1", "s2"}, {}},
                      {"r2", {}, {"s3", "s4"}, {}},
                      {"top", {}, {"r1", "r2"}, {}}};
  cluster.partition("a", names);
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "linear_tree.txt", "1 10"), 81U);
}

/// The leaves of scripts/reference/experiments/linear_leaves.py that are unlike.
TEST(LinearTree, FillsTheLeafWithTheFewestCpusFirst) {
  TestCluster cluster;
  cluster.conf.select_type = SelectType::Linear;
  const auto add = [&](std::vector<std::string> names, std::uint32_t cores) {
    cluster.add(
        NodeLine{.names = std::move(names), .sockets = 1, .cores = cores, .memory_mib = 16000});
  };
  add({"k1", "k2", "k3", "k4"}, 4);
  add({"k5", "k6"}, 16);
  add({"k9", "k10", "k11"}, 8);
  cluster.topology = {{"s1", {"k1", "k2", "k3", "k4"}, {}, {}},
                      {"s2", {"k5", "k6"}, {}, {}},
                      {"s3", {"k9", "k10", "k11"}, {}, {}},
                      {"top", {}, {"s1", "s2", "s3"}, {}}};
  cluster.partition("a", {"k1", "k2", "k3", "k4", "k5", "k6", "k9", "k10", "k11"});
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "linear_leaves.txt", "leaves"), 7U);
}

/// The nodes of scripts/reference/experiments/linear_sets.py, of the weights of its `conf:` line.
TEST(LinearSets, AreOfNeighboursWhereJobsMayBePreempted) {
  std::size_t asked = 0;
  for (const auto& [small, large] : {std::pair{1U, 10U}, {1U, 1U}, {10U, 1U}}) {
    TestCluster cluster;
    cluster.conf.select_type = SelectType::Linear;
    cluster.conf.preempt_mode = PreemptMode::Requeue;
    cluster.partition("a", add_small_and_large(cluster, small, large));
    cluster.build();
    const std::string section = std::to_string(small) + " " + std::to_string(large);
    asked += expect_placements(cluster, "linear_sets.txt", section);
  }
  EXPECT_EQ(asked, 285U);
}

/// The nodes of scripts/reference/experiments/linear_layout.py.
TEST(LinearNodes, CountTheirCpusHoweverTasksWouldLieOnThem) {
  TestCluster cluster;
  cluster.conf.select_type = SelectType::Linear;
  const auto add = [&](const std::string& letter, std::uint32_t sockets, std::uint32_t cores,
                       std::uint32_t threads) {
    std::vector<std::string> names;
    for (const char* number : {"1", "2", "3", "4"}) names.push_back(letter + number);
    cluster.add(NodeLine{.names = names,
                         .sockets = sockets,
                         .cores = cores,
                         .threads = threads,
                         .memory_mib = 16000});
    cluster.partition(letter, names);
  };
  add("a", 1, 16, 2);
  add("b", 1, 32, 1);
  add("d", 2, 4, 1);
  add("e", 2, 4, 2);
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "linear_layout.txt"), 122U);
}

}  // namespace
}  // namespace rehearse::test

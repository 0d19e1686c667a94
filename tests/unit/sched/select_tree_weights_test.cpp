// tests/unit/sched/select_tree_weights_test.cpp — topology/tree over nodes of two weights
// (scheduling.md §6.6), as scripts/reference/experiments/range_over_weights.py asked a slurmctld.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

struct Question {
  std::vector<std::string> held;
  std::string options;
  std::vector<std::string> answer;
};

const std::vector<Question> kQuestions = {
    {{"a2", "a3"}, "-N1-3 -n8", {"a1"}},
    {{"a2", "a3"}, "-N1-3 -n16", {"a1"}},
    {{"a2", "a3"}, "-N1-3 -n24", {"a1", "b1", "b2"}},
    {{"a2", "a3"}, "-N2-3 -n8", {"a1", "b1", "b2"}},
    {{"a2", "a3"}, "-N1-2 -n2", {"a1"}},
    {{"a2", "a3"}, "-N1-3 -n1", {"a1"}},
    {{"a1"}, "-N1-3 -n8", {"a2", "a3"}},
    {{"a1"}, "-N2-3 -n8", {"a2", "a3"}},
    {{"a1"}, "-N3-4 -n8", {"a2", "a3", "b1", "b2"}},
    {{"a1"}, "-N1-4 -n40", {"a2", "a3", "b1", "b2"}},
    {{"a1"}, "-N1-3 -n20", {"a2", "a3"}},
    {{"a3"}, "-N1-3 -n8", {"a1", "a2"}},
    {{"a3"}, "-N3-4 -n8", {"a1", "a2", "b1", "b2"}},
    {{"a3"}, "-N1-4 -n8 -w a2", {"a1", "a2"}},
    {{"a3"}, "-N3-4 -n8 -w a2", {"a1", "a2", "b1", "b2"}},
    {{"a3"}, "-N1-5 -n8 -w b1", {"a1", "a2", "b1"}},
    {{"a1", "a2", "a3"}, "-N1-3 -n8", {"b1", "b2", "b3"}},
    {{"b4"}, "-N1-5 -n8", {"a1", "a2", "a3"}},
    {{"b4"}, "-N4-5 -n8", {"a1", "a2", "a3", "b1", "b2"}},
};

TEST(TreeWeights, GiveARangeNodesOfTheLowestWeightsThatHaveItsLeast) {
  for (const ConsumableUnit unit : {ConsumableUnit::Core, ConsumableUnit::Socket}) {
    TestCluster cluster;
    cluster.conf.select_type_parameters.unit = unit;
    const std::vector<std::string> light{"a1", "a2", "a3"}, heavy{"b1", "b2", "b3", "b4"};
    for (const auto& names : {light, heavy}) {
      cluster.add(NodeLine{.names = names,
                           .sockets = 2,
                           .cores = 8,
                           .memory_mib = 16000,
                           .weight = names == light ? 1U : 10U});
    }
    cluster.topology = {{"s1", {"a1"}, {}, {}},
                        {"s2", {"a2", "a3"}, {}, {}},
                        {"s3", heavy, {}, {}},
                        {"top", {}, {"s1", "s2", "s3"}, {}}};
    std::vector<std::string> all = light;
    all.insert(all.end(), heavy.begin(), heavy.end());
    cluster.partition("p", all);
    cluster.build();
    for (const auto& [held, options, answer] : kQuestions) {
      for (const std::string& node : held) cluster.start("-N1 --exclusive -w " + node, "p");
      std::vector<std::string> got;
      if (const auto given = cluster.place(options, "p")) {
        for (const NodeShare& share : given->nodes) {
          got.emplace_back(cluster.names.text(cluster.nodes[share.node].name));
        }
      }
      EXPECT_EQ(got, answer) << options;
      cluster.end_all();
    }
  }
}

/// How many GPUs are free on n1 to n6, two leaves of three nodes of four GPUs each; the nodes that
/// are chosen (scripts/reference/experiments/filled_leaves.py).
struct Filled {
  std::vector<std::uint32_t> free;
  std::string options;
  std::vector<std::string> answer;
};

const std::vector<Filled> kFilled = {
    {{4, 2, 2, 0, 0, 0}, "-N2 --gpus=8", {"n1", "n2", "n3"}},
    {{4, 2, 2, 0, 0, 0}, "-N2 --gpus=7", {"n1", "n2", "n3"}},
    {{4, 2, 2, 0, 0, 0}, "-N2 --gpus=6", {"n1", "n2"}},
    {{4, 2, 2, 0, 0, 0}, "-N1-2 --gpus=8", {"n1", "n2", "n3"}},
    {{4, 2, 2, 0, 0, 0}, "-N2 --gpus=8 --ntasks-per-node=4", {"n1", "n2", "n3"}},
    {{4, 2, 0, 2, 0, 0}, "-N2 --gpus=8", {}},
    {{4, 2, 2, 2, 0, 0}, "-N2 --gpus=10", {"n1", "n2", "n3", "n4"}},
    {{4, 2, 2, 2, 0, 0}, "-N3 --gpus=10", {}},
    {{4, 2, 2, 2, 2, 0}, "-N2 --gpus=12", {"n1", "n2", "n3", "n4", "n5"}},
    {{4, 2, 2, 2, 2, 0}, "-N3 --gpus=12", {}},
    {{4, 0, 0, 2, 2, 2}, "-N3 --gpus=10", {}},
    {{4, 0, 0, 2, 2, 2}, "-N3 --gpus=8", {"n1", "n4", "n5"}},
    {{4, 2, 1, 1, 2, 2}, "-N2 --gpus=8", {}},
    {{4, 2, 1, 1, 2, 2}, "-N4 --gpus=12 --ntasks-per-node=4", {}},
    {{3, 3, 3, 0, 0, 0}, "-N2 --gpus=8", {}},
    {{2, 1, 0, 0, 0, 0}, "-N1 --gpus=3", {}},
};

TEST(TreeWeights, FillLeavesThatHoldATakenNodeBeyondTheMostNodes) {
  for (const auto& [free, options, answer] : kFilled) {
    TestCluster cluster;
    const std::vector<std::string> names{"n1", "n2", "n3", "n4", "n5", "n6"};
    cluster.conf.gres_types = {"gpu"};
    for (const std::string& name : names) {
      cluster.add(DeviceLine{.node = name, .name = "gpu", .type = "h", .devices = {0, 1, 2, 3}});
    }
    cluster.add(NodeLine{
        .names = names, .sockets = 2, .cores = 16, .memory_mib = 16000, .gres = {{"gpu", "h", 4}}});
    cluster.topology = {{"s1", {"n1", "n2", "n3"}, {}, {}},
                        {"s2", {"n4", "n5", "n6"}, {}, {}},
                        {"top", {}, {"s1", "s2"}, {}}};
    cluster.partition("p", names);
    cluster.build();
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (free[i] == 4) continue;
      cluster.start("-N1 -w " + names[i] + " --gres=gpu:" + std::to_string(4 - free[i]), "p");
    }
    std::vector<std::string> got;
    if (const auto given = cluster.place(options, "p")) {
      for (const NodeShare& share : given->nodes) {
        got.emplace_back(cluster.names.text(cluster.nodes[share.node].name));
      }
    }
    EXPECT_EQ(got, answer) << options;
  }
}

}  // namespace
}  // namespace rehearse::test

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

}  // namespace
}  // namespace rehearse::test

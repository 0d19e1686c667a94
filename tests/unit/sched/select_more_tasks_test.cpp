// tests/unit/sched/select_more_tasks_test.cpp — more tasks than the CPUs that --gpus with
// --cpus-per-gpu brings (gres.md §3.2; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/more_tasks.py.
void furnish_with_few_gpus(TestCluster& cluster) {
  const std::vector<std::uint32_t> four = {0, 1, 2, 3};
  furnish(cluster, {{"a", 4, 2, 8, 1, {{0, 1}}, {{}}},
                    {"c", 2, 2, 12, 1, {four}, {{}}},
                    {"n", 4, 2, 8, 2, {four}, {{}}},
                    {"s", 3, 2, 8, 1, {{0, 1}, {2, 3}}, {span(0, 7), span(8, 15)}}});
}

TEST(MoreTasks, CountAgainstTheCpusOfAllGpusOfANodeInBestFit) {
  TestCluster cluster;
  furnish_with_few_gpus(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "more_tasks.txt", "topology/none"), 100U);
}

TEST(MoreTasks, GoOnToNodesWithoutGpusForThemUnderATree) {
  TestCluster cluster;
  furnish_with_few_gpus(cluster);
  cluster.topology = {{"l1", {"a1", "a2"}, {}, {}},
                      {"l2", {"a3", "a4"}, {}, {}},
                      {"l3", {"c1", "c2"}, {}, {}},
                      {"l4", {"n1", "n2"}, {}, {}},
                      {"l5", {"n3", "n4"}, {}, {}},
                      {"l6", {"s1", "s2", "s3"}, {}, {}},
                      {"root", {}, {"l1", "l2", "l3", "l4", "l5", "l6"}, {}}};
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "more_tasks.txt", "topology/tree"), 100U);
}

TEST(MoreTasks, OfOvercommitBringTheirGpusToNodesInTurn) {
  TestCluster cluster;
  furnish_with_few_gpus(cluster);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "overcommitted_tasks.txt"), 90U);
}

}  // namespace
}  // namespace rehearse::test

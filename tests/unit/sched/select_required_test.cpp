// tests/unit/sched/select_required_test.cpp — nodes beside those that -w names (scheduling.md
// §6.5).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

void expect_beside_named(const std::string& file, const std::string& section,
                         const std::vector<std::uint32_t>& weights) {
  TestCluster cluster;
  std::vector<std::string> names;
  for (const std::uint32_t weight : weights) {
    names.push_back("k" + std::to_string(names.size() + 1));
    cluster.add(NodeLine{
        .names = {names.back()}, .sockets = 2, .cores = 4, .memory_mib = 16000, .weight = weight});
  }
  cluster.partition("a", names);
  cluster.build();
  EXPECT_GT(expect_placements(cluster, file, section), 20U);
}

TEST(RequiredNodes, DrawOthersOfTheirSetAsARunningSlurmctldDid) {
  expect_beside_named("required_sets.txt", "10 10 1 1 1 1 1 5 5", {10, 10, 1, 1, 1, 1, 1, 5, 5});
  expect_beside_named("required_sets.txt", "1 1 5 1 1 5 5 1 5", {1, 1, 5, 1, 1, 5, 5, 1, 5});
}

TEST(RequiredNodes, BehindAGapAreSeenInTheirSetAsARunningSlurmctldDid) {
  expect_beside_named("required_gaps.txt", "1 1 1 1 1 1 1 1 1", {1, 1, 1, 1, 1, 1, 1, 1, 1});
  expect_beside_named("required_gaps.txt", "1 1 1 5 5 5 1 1 1", {1, 1, 1, 5, 5, 5, 1, 1, 1});
}

}  // namespace
}  // namespace rehearse::test

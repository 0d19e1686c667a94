// tests/unit/sched/select_growing_sets_test.cpp — select/cons_res over nodes of several weights
// (scheduling.md §5.5).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

TEST(GrowingSets, AreShownToConsResAsARunningSlurmctldDid) {
  const std::vector<std::pair<std::string, std::vector<std::uint32_t>>> sections = {
      {"5 5 5 1 1 1 10 10 1", {5, 5, 5, 1, 1, 1, 10, 10, 1}},
      {"10 1 5 1 1 5 10 10 1", {10, 1, 5, 1, 1, 5, 10, 10, 1}}};
  for (const auto& [section, weights] : sections) {
    TestCluster cluster;
    cluster.conf.select_type = SelectType::ConsRes;
    std::vector<std::string> names;
    for (const std::uint32_t weight : weights) {
      names.push_back("k" + std::to_string(names.size() + 1));
      cluster.add(NodeLine{.names = {names.back()},
                           .sockets = 2,
                           .cores = 4,
                           .memory_mib = 16000,
                           .weight = weight});
    }
    cluster.partition("a", names);
    cluster.build();
    EXPECT_GT(expect_placements(cluster, "growing_sets.txt", section), 25U);
  }
}

}  // namespace
}  // namespace rehearse::test

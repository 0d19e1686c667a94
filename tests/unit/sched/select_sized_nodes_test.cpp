// tests/unit/sched/select_sized_nodes_test.cpp — how large a node counts where the small ones are
// left out step by step (scheduling.md §6.4; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/sized_nodes.py.
void furnish_nodes_of_many_sizes(TestCluster& cluster) {
  constexpr std::array<std::uint32_t, 10> kCores = {12, 14, 16, 18, 19, 20, 21, 22, 23, 24};
  std::vector<Make> makes = {{"b", 20, 1, 16, 2, {{0}}, {{}}},
                             {"c", 3, 2, 8, 1, {span(0, 7)}, {{}}, {}, 10}};
  for (std::size_t i = 0; i < kCores.size(); ++i) {
    makes.push_back(
        {std::string(1, static_cast<char>('d' + i)), 1, 1, kCores[i], 1, {{0, 1}}, {{}}});
  }
  furnish(cluster, makes);
  std::vector<std::string> all;
  for (const Make& make : makes) {
    for (const std::string& name : names_of(make)) all.push_back(name);
  }
  cluster.partition("all", all);
  for (std::size_t most = 10; most <= 20; ++most) {
    std::vector<std::string> nodes = {"c1", "c2", "c3"};
    for (std::size_t i = 1; i <= most; ++i) nodes.push_back("b" + std::to_string(i));
    cluster.partition("b" + std::to_string(most), nodes);
  }
  for (std::size_t i = 0; i < kCores.size(); ++i) {
    cluster.partition("p" + std::to_string(kCores[i]),
                      {std::string(1, static_cast<char>('d' + i)) + "1", "c1", "c2", "c3"});
  }
  cluster.build();
}

TEST(SizedNodes, CountForAllFreeGpusAndATakenOneInFullUnderCrCpu) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_nodes_of_many_sizes(cluster);
  EXPECT_EQ(expect_placements(cluster, "sized_nodes.txt", "CR_CPU"), 70U);
}

TEST(SizedNodes, CountForAllFreeGpusAndATakenOneInFullUnderCrCore) {
  TestCluster cluster;
  furnish_nodes_of_many_sizes(cluster);
  EXPECT_EQ(expect_placements(cluster, "sized_nodes.txt", "CR_Core"), 70U);
}

}  // namespace
}  // namespace rehearse::test

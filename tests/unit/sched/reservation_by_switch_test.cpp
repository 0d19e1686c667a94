// tests/unit/sched/reservation_by_switch_test.cpp — nodes of a reservation under
// topology/tree (lifecycle.md §13).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/sched/reservations/node_pick.hpp"
#include "sim/sched/reservations/switch_pick.hpp"
#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

// [V] scripts/reference/experiments/reserved_cores_by_switch.py.
TEST(ReservationBySwitch, TakesNodesWithTheirShareOfTheCores) {
  Loops loops(8);
  loops.inputs.slurm_conf.partitions.clear();
  loops.partition("all", {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}).is_default = true;
  loops.inputs.slurm_conf.topology_plugin = TopologyPlugin::Tree;
  loops.inputs.topology = parse_topology_conf(
      "SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n[4-8]\nSwitchName=top Switches=s[1-2]\n",
      "topology.conf", ".", loops.found);
  loops.build();
  const auto picked = [&](std::uint32_t nodes, std::uint32_t cores) {
    Reservation made;
    made.start = clock_time("13:00:00");
    made.end = clock_time("14:00:00");
    const auto pick =
        pick_nodes(*loops.cluster, {made, {nodes}, {cores}, {}}, clock_time("12:00:00"));
    if (!pick) return std::string("busy");
    std::string text;
    std::size_t has = 0;
    for_each_bit(pick->nodes, [&](std::size_t i) { text += std::to_string(i + 1); });
    for (const auto& [node, some] : pick->cores) has += some.count();
    return text + " " + std::to_string(has);
  };
  EXPECT_EQ(picked(3, 6), "123 6");
  EXPECT_EQ(picked(4, 13), "4567 13");
  EXPECT_EQ(picked(6, 12), "145678 12");
  loops.running("-n2", {"n1"}, "22:00:00");
  loops.running("-n4", {"n5"}, "22:00:00");
  loops.running("-n1", {"n6"}, "22:00:00");
  EXPECT_EQ(picked(4, 8), "4678 8");
  EXPECT_EQ(picked(6, 12), "124678 12");
  EXPECT_EQ(picked(3, 12), "478 12");
  EXPECT_EQ(picked(3, 9), "467 9");
  EXPECT_EQ(picked(4, 13), "4678 13") << "three of each will do";
  EXPECT_EQ(picked(3, 8), "123 8") << "two of each will do";
  EXPECT_EQ(picked(5, 20), "23478 20");
  EXPECT_EQ(picked(8, 16), "busy");
}

// [V] scripts/reference/experiments/reserved_by_switch.py.
TEST(ReservationBySwitch, TakesTheSwitchWithJustEnoughThenLeafAfterLeaf) {
  Loops loops(12);  // n1-n4, n5-n7, n8-n10 and n11-n12 under leaves
  loops.inputs.slurm_conf.topology_plugin = TopologyPlugin::Tree;
  loops.inputs.topology = parse_topology_conf(
      "SwitchName=s1 Nodes=n[8-10]\nSwitchName=s2 Nodes=n[11-12]\nSwitchName=s3 Nodes=n[5-7]\n"
      "SwitchName=s4 Nodes=n[1-4]\nSwitchName=t1 Switches=s[1-2]\nSwitchName=t2 Switches=s[3-4]\n"
      "SwitchName=top Switches=t[1-2]\n",
      "topology.conf", ".", loops.found);
  loops.build();
  const SwitchPick pick(loops.cluster->topology);
  const auto picked = [&](std::size_t count, std::vector<std::size_t> held = {}) {
    NodeSet free(12);
    free.set(0, 12, true);
    for (const std::size_t node : held) free.reset(node - 1);
    const auto nodes = pick.pick(free, count);
    std::string text;
    if (nodes) for_each_bit(*nodes, [&](std::size_t i) { text += " " + std::to_string(i + 1); });
    return nodes ? text : "none";
  };
  EXPECT_EQ(picked(1), " 11");
  EXPECT_EQ(picked(3), " 8 9 10") << "the first of two";
  EXPECT_EQ(picked(5), " 8 9 10 11 12");
  EXPECT_EQ(picked(6), " 1 2 3 4 5 6");
  EXPECT_EQ(picked(8), " 1 2 3 4 8 9 10 11");
  EXPECT_EQ(picked(9), " 1 2 3 4 8 9 10 11 12");
  EXPECT_EQ(picked(3, {9, 10, 6}), " 1 2 3") << "a leaf before a switch above with as many";
  EXPECT_EQ(picked(7, {1, 5}), " 2 3 4 8 9 10 11");
  EXPECT_EQ(picked(12, {1}), "none");
}

// [V] scripts/reference/experiments/reserved_too_many.py.
TEST(ReservationBySwitch, TakesNoMoreNodesThanOthersLeave) {
  Loops loops(5);
  loops.inputs.slurm_conf.partitions.clear();
  loops.partition("all", {"n1", "n2", "n3", "n4", "n5"}).is_default = true;
  loops.inputs.slurm_conf.topology_plugin = TopologyPlugin::Tree;
  loops.inputs.topology = parse_topology_conf(
      "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-5]\nSwitchName=top Switches=s[1-2]\n",
      "topology.conf", ".", loops.found);
  loops.build();
  const auto picked = [&](std::vector<std::uint32_t> counts) {
    Reservation made;
    made.start = clock_time("13:00:00");
    made.end = clock_time("14:00:00");
    const auto pick =
        pick_nodes(*loops.cluster, {made, std::move(counts), {}, {}}, clock_time("12:00:00"));
    return pick ? pick->nodes.count() : 0;
  };
  EXPECT_EQ(picked({6}), 5U);
  EXPECT_EQ(picked({2, 2}), 4U);
  EXPECT_EQ(picked({4, 4}), 5U);
  loops.running("-n1", {"n1"}, "22:00:00");
  EXPECT_EQ(picked({6}), 0U) << "of those with jobs it does not";
}

}  // namespace
}  // namespace rehearse::test

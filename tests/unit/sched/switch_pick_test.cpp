// tests/unit/sched/switch_pick_test.cpp — nodes of a reservation under topology/tree, as a running
// 22.05.8 took them (lifecycle.md §13, scripts/reference/experiments/reserved_leaves.py).
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "sim/sched/reservations/creation.hpp"
#include "sim/sched/reservations/switch_pick.hpp"
#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

constexpr std::size_t kNodes = 15;

/// n1 to n4, n5 to n10, n11 to n15; the first two leaves under one switch.
Topology tree() {
  Topology made;
  const auto add = [&](std::uint32_t level, std::int32_t parent, std::size_t first,
                       std::size_t last) {
    Switch& each = made.switches.emplace_back();
    each.level = level;
    each.parent = parent;
    each.nodes = NodeSet(kNodes);
    for (std::size_t i = first; i <= last; ++i) each.nodes.set(i - 1);
  };
  add(0, 3, 1, 4);
  add(0, 3, 5, 10);
  add(0, 4, 11, 15);
  add(1, 4, 1, 10);
  add(2, -1, 1, 15);
  return made;
}

/// `1,5,6`
std::string text_of(const NodeSet& nodes) {
  std::string text;
  for_each_bit(nodes,
               [&](std::size_t i) { text += (text.empty() ? "" : ",") + std::to_string(i + 1); });
  return text;
}

std::string picked(std::uint32_t count, std::initializer_list<std::size_t> busy = {}) {
  NodeSet free(kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) free.set(i);
  for (const std::size_t node : busy) free.reset(node - 1);
  const auto nodes = SwitchPick(tree()).pick(free, count);
  return nodes ? text_of(*nodes) : "";
}

TEST(SwitchPick, TakesTheSmallestLeafThatSuffices) {  // [V]
  EXPECT_EQ(picked(1), "1");
  EXPECT_EQ(picked(4), "1,2,3,4");
  EXPECT_EQ(picked(5), "11,12,13,14,15");
  EXPECT_EQ(picked(6), "5,6,7,8,9,10");
  EXPECT_EQ(picked(3, {1}), "2,3,4");
  EXPECT_EQ(picked(4, {1}), "11,12,13,14");
  EXPECT_EQ(picked(2, {11, 12, 13}), "14,15");
  EXPECT_EQ(picked(4, {3, 4, 5, 6, 11, 12}), "7,8,9,10");
}

TEST(SwitchPick, GoesOnFromTheLargestLeafBelowTheLowestSwitch) {  // [V]
  EXPECT_EQ(picked(7), "1,5,6,7,8,9,10");
  EXPECT_EQ(picked(11), "5,6,7,8,9,10,11,12,13,14,15");
  EXPECT_EQ(picked(12), "1,5,6,7,8,9,10,11,12,13,14,15");
  EXPECT_EQ(picked(5, {3, 4, 5, 6, 11, 12}), "1,7,8,9,10");
  EXPECT_EQ(picked(7, {3, 4, 5, 6, 11, 12}), "7,8,9,10,13,14,15");
  EXPECT_EQ(picked(6, {5, 6, 7, 8, 9, 10}), "1,11,12,13,14,15");
}

TEST(SwitchPick, TakesNothingWhereNoSwitchHasEnough) {
  EXPECT_EQ(picked(4, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), "");
}

/// Six nodes under two leaves of two and four.
class ReservedLeaves : public ::testing::Test {
 protected:
  ReservedLeaves() : loops_(6) {
    loops_.inputs.slurm_conf.partitions.clear();
    loops_.inputs.slurm_conf.topology_plugin = TopologyPlugin::Tree;
    SwitchConf& small = loops_.inputs.topology.emplace_back();
    small.name = "small";
    small.nodes = {"n1", "n2"};
    SwitchConf& large = loops_.inputs.topology.emplace_back();
    large.name = "large";
    large.nodes = {"n3", "n4", "n5", "n6"};
    SwitchConf& top = loops_.inputs.topology.emplace_back();
    top.name = "top";
    top.switches = {"small", "large"};
    loops_.partition("all", {"n1", "n2", "n3", "n4", "n5", "n6"}).is_default = true;
    loops_.build();
  }

  std::string create(const std::string& words) {
    Diagnostics found;
    const SlurmTime at = clock_time("12:00:00");
    const auto command = read_reservation_command("scontrol create reservation " + words,
                                                  {"events.csv", 2, 9}, at, TimeZone::utc(), found);
    auto made = create_reservation(command->words, *loops_.cluster, at);
    if (const auto* refusal = std::get_if<std::string>(&made)) return *refusal;
    return text_of(std::get<Reservation>(made).nodes);
  }

  Loops loops_;
};

TEST_F(ReservedLeaves, AreLookedForByTheLargestCountFirst) {  // [V]
  EXPECT_EQ(create("ReservationName=r Users=root StartTime=now+60 Duration=10 NodeCnt=3"), "3,4,5");
  EXPECT_EQ(create("ReservationName=r Users=root StartTime=now+60 Duration=10 NodeCnt=1,2"),
            "1,2,3");
}

TEST_F(ReservedLeaves, AreThoseWithoutJobsFirstWhereJobsAreIgnored) {  // [V]
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(
      create(
          "ReservationName=r Users=root StartTime=now+60 Duration=10 NodeCnt=2 Flags=IGNORE_JOBS"),
      "3,4");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/versions_test.cpp — what later releases decide otherwise, each switch both ways.
// Others stand beside what they switch: example 6 and 8, limits, billing, size, selection, gres.
#include <gtest/gtest.h>

#include "sim/cluster/reason.hpp"
#include "tests/unit/sched/cluster_fixture.hpp"
#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

/// A on n1 until 12:10:45, B wants both nodes for 30 minutes: C's plan for ten minutes.
std::string plan_behind_a_plan(SlurmVersion version) {
  Loops loops(2);
  loops.emulate(version);
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "12:10:45");
  loops.pending("-N2 -n8", 30);
  Job& c = loops.pending("-N1 -n4", 10);
  loops.cycle("12:00:00");
  return loops.plan(c);
}

TEST(PlanEnd, IsRoundedDownUntil2411AndUpFromThenOn) {  // scheduling.md §13
  EXPECT_EQ(plan_behind_a_plan({22, 5}), "12:40:00 n2");
  EXPECT_EQ(plan_behind_a_plan({24, 5}), "12:40:00 n2");
  EXPECT_EQ(plan_behind_a_plan({24, 11}), "12:41:00 n2");
}

/// With a resolution of ten minutes, C of five minutes behind B on the node that A leaves.
std::string plan_shorter_than_the_resolution(SlurmVersion version) {
  Loops loops(2);
  loops.emulate(version);
  loops.parameters().bf_resolution = Seconds{600};
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "12:10:45");
  loops.running("-N1 -n4", {"n2"}, "13:30:00");
  loops.pending("-N1 -n4", 30);
  Job& c = loops.pending("-N1 -n4", 5);
  loops.cycle("12:00:00");
  return loops.plan(c);
}

TEST(PlanEnd, OfAShortJobIsNoConflictBefore2405) {  // scheduling.md §13
  EXPECT_EQ(plan_shorter_than_the_resolution({23, 11}), "12:10:45 n1") << "on top of B's plan";
  EXPECT_EQ(plan_shorter_than_the_resolution({24, 5}), "12:40:00 n1");
}

/// T asks for 120 minutes and at least ten, on a node that is planned 25 minutes from now or never.
Minutes limit_of_time_min(SlurmVersion version, bool with_plan) {
  Loops loops(2);
  loops.emulate(version);
  loops.build();
  loops.running("-N1 -n4", {"n2"}, "12:25:00");
  if (with_plan) loops.pending("-N2 -n8", 60);
  Job& t = loops.pending("-N1 -n4", 120);
  loops.spec_of(t).time_min = Minutes{10};
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.where(t), "n1:4");
  return t.time_limit.value();
}

TEST(TimeMin, StaysTheLimitUntil2505) {  // scheduling.md §8.7 [V] for 22.05
  EXPECT_EQ(limit_of_time_min({22, 5}, true), Minutes{10});
  EXPECT_EQ(limit_of_time_min({24, 11}, false), Minutes{10});
}

TEST(TimeMin, IsRaisedUpToTheNextPlanFrom2505On) {  // scheduling.md §8.7
  EXPECT_EQ(limit_of_time_min({25, 5}, true), Minutes{25});
  EXPECT_EQ(limit_of_time_min({25, 5}, false), Minutes{120});
}

std::uint32_t started_with_job_test_of_two(SlurmVersion version) {
  Loops loops(4);
  loops.emulate(version);
  loops.parameters().bf_max_job_test = 2;
  loops.build();
  loops.array(100, 6, 0, "-n1", 60);
  return loops.cycle("12:00:00").started;
}

TEST(JobTest, OfAnArrayIsCountedByTaskFrom2302On) {  // scheduling.md §8.2
  EXPECT_EQ(started_with_job_test_of_two({22, 5}), 6U);
  EXPECT_EQ(started_with_job_test_of_two({23, 2}), 2U);
}

/// Three tasks of an hour behind a job that runs until 12:30.
std::string shown_of_array(SlurmVersion version) {
  Loops loops(1);
  loops.emulate(version);
  loops.build();
  loops.keep_plans(true);
  loops.running("-N1 -n4", {"n1"}, "12:30:00");
  const Job& tasks = loops.array(100, 3, 0, "-n4", 60);
  loops.cycle("12:00:00");
  return loops.plan(tasks);
}

TEST(ArrayStart, IsThatOfTheLastTaskPlannedUntil2311) {  // scheduling.md §8.9
  EXPECT_EQ(shown_of_array({22, 5}), "14:30:00 n1");
  EXPECT_EQ(shown_of_array({23, 2}), "14:30:00 n1");
  EXPECT_EQ(shown_of_array({23, 11}), "12:30:00 n1");
}

TEST(PolicyBlocked, AreAllLimitReasonsFrom2405On) {  // limits.md §6.4
  EXPECT_TRUE(is_policy_blocked(Reason::AssocGrpCpuLimit, {22, 5}));
  for (const Reason reason : {Reason::AssocGrpGRES, Reason::MaxCpuPerAccount}) {
    EXPECT_FALSE(is_policy_blocked(reason, {23, 11}));
    EXPECT_TRUE(is_policy_blocked(reason, {24, 5}));
  }
  EXPECT_FALSE(is_policy_blocked(Reason::Resources, {25, 5}));
}

/// One node of two sockets with GPUs 0 and 1 on each, or GPU 0 bound to none.
TestCluster& add_node(TestCluster& cluster, bool first_is_unbound, SlurmVersion version) {
  const std::vector<std::uint32_t> low{0, 1, 2, 3}, high{4, 5, 6, 7};
  cluster.add(DeviceLine{.node = "n1",
                         .name = "gpu",
                         .devices = {0},
                         .cores = first_is_unbound ? decltype(low){} : low});
  cluster.add(DeviceLine{.node = "n1", .name = "gpu", .devices = {1}, .cores = low});
  cluster.add(DeviceLine{.node = "n1", .name = "gpu", .devices = {2, 3}, .cores = high});
  cluster.add(NodeLine{.names = {"n1"}, .sockets = 2, .cores = 4, .gres = {{"gpu", "", 4}}});
  cluster.version = version;
  cluster.build();
  return cluster;
}

TEST(GpuBinding, KeepsAJobOfOneCpuToOneSocketUntil2311) {  // gres.md §3.1
  const char* const options = "-n1 --gpus=3 --gres-flags=enforce-binding";
  TestCluster before, after;
  EXPECT_EQ(add_node(before, false, {23, 2}).place(options), std::nullopt);
  EXPECT_EQ(after.devices(add_node(after, false, {23, 11}).place(options)), "n1 0-2");
}

TEST(GpuOrder, TakesUsedSocketsBeforeTheRestFrom2311On) {  // gres.md §4.7
  const char* const options = "--gres=gpu:1";
  TestCluster before, after;
  EXPECT_EQ(before.devices(add_node(before, true, {22, 5}).place(options)), "n1 0");
  EXPECT_EQ(after.devices(add_node(after, true, {23, 11}).place(options)), "n1 1");
}

}  // namespace
}  // namespace rehearse::test

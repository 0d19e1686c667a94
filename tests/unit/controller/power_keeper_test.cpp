// tests/unit/controller/power_keeper_test.cpp — nodes that are put to sleep and woken for jobs.
#include "sim/controller/power_keeper.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

std::string saving(const std::string& more) {
  return "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
         "SuspendProgram=/s\nResumeProgram=/r\nSuspendTimeout=30\nResumeTimeout=300\n" +
         more + "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n";
}

// lifecycle.md §14: idle for longer than SuspendTime, found by the thread; then SuspendTimeout.
TEST(PowerSaving, PutsIdleNodesToSleep) {
  RunSite site(saving("SuspendTime=100\nSuspendExcNodes=n2\n"));
  site.job(1, 400, 10);
  site.run();
  const Lines n1 = site.lines("node n1");
  ASSERT_GE(n1.size(), 2U);
  EXPECT_EQ(n1[0], "110 node n1 POWERING_DOWN");
  EXPECT_EQ(n1[1], "141 node n1 POWERED_DOWN");
  EXPECT_TRUE(site.lines("node n2").empty()) << "SuspendExcNodes";
}

TEST(PowerSaving, TakesNodesThatAreUpFirst) {
  RunSite site(saving("SuspendTime=100\nSuspendExcNodes=n2\n"));
  site.job(1, 400, 10);
  site.run();
  EXPECT_NE(site.lines("start 1").at(0).find("n2"), std::string::npos);
}

TEST(PowerSaving, WakesANodeForAJobThatIsConfiguringMeanwhile) {
  RunSite site(saving("SuspendTime=100\n"));
  site.site().power.boot_time = Seconds{60};
  site.job(1, 400, 50);
  site.run();
  const std::int64_t allocated = site.second_of("start 1");
  const std::int64_t configured = site.second_of("configured 1");
  // Ordered at the next second, up a minute later, found ready by the 30-s scan.
  EXPECT_GE(configured, allocated + 60);
  EXPECT_LE(configured, allocated + 60 + 32);
  EXPECT_EQ(site.second_of("end 1"), configured + 50);
}

TEST(PowerSaving, GivesUpANodeThatDoesNotComeInTime) {
  RunSite site(saving("SuspendTime=100\nReturnToService=0\n"));
  site.site().power.boot_time = Seconds{400};
  site.job(1, 400, 50);
  site.command(3000, "scontrol update NodeName=n[1-2] State=RESUME");
  site.run();
  const std::int64_t allocated = site.second_of("start 1");
  const Lines ends = site.lines("end 1");
  ASSERT_FALSE(ends.empty());
  EXPECT_NE(ends[0].find("NODE_FAIL"), std::string::npos);
  EXPECT_GE(std::stoll(ends[0]), allocated + 299);
  EXPECT_LE(std::stoll(ends[0]), allocated + 303);
  const std::int64_t given_up = std::stoll(ends[0]);
  EXPECT_EQ(site.lines("requeued 1").at(0),
            fmt::format("{} requeued 1 begin {}", given_up, given_up + 121));
  EXPECT_NE(site.lines("ResumeTimeout reached").at(0).find("DOWN+POWERED_DOWN"), std::string::npos);
}

TEST(PowerSaving, KeepsToItsRates) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSuspendProgram=/s\n"
      "ResumeProgram=/r\nSuspendTime=100\nSuspendRate=2\n"
      "NodeName=n[1-5] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 600, 10);
  site.run();
  const std::vector<std::int64_t> orders = site.seconds_of("POWERING_DOWN");
  ASSERT_GE(orders.size(), 5U);
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_GE(orders[2], orders[0] + 60);
  EXPECT_GE(orders[4], orders[2] + 60);
}

TEST(PowerSaving, NeedsBothPrograms) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSuspendTime=100\n"
      "SuspendProgram=/s\nNodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 600, 10);
  site.run();
  EXPECT_TRUE(site.lines("node").empty());
}

TEST(PowerSaving, TakesTheLongestTimeOfANodesPartitions) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSuspendProgram=/s\n"
      "ResumeProgram=/r\nSuspendTime=50\nNodeName=n[1-3] CPUs=1\n"
      "PartitionName=p Nodes=ALL Default=YES\n"
      "PartitionName=q Nodes=n[1-2] SuspendTime=200\nPartitionName=r Nodes=n1 SuspendTime=300\n");
  site.job(1, 600, 10);
  site.run();
  EXPECT_EQ(site.lines("node n3").at(0), "60 node n3 POWERING_DOWN");
  EXPECT_EQ(site.lines("node n2").at(0), "210 node n2 POWERING_DOWN");
  EXPECT_EQ(site.lines("node n1").at(0), "310 node n1 POWERING_DOWN");
}

TEST(PowerCommands, PutANodeToSleepAndWakeIt) {
  RunSite site(saving("SuspendTime=10000\n"));
  site.site().power.boot_time = Seconds{60};
  site.command(100, "scontrol update NodeName=n1 State=POWER_DOWN");
  site.command(300, "scontrol update NodeName=n1 State=POWER_UP");
  site.job(1, 500, 10);
  site.run();
  const Lines n1 = site.lines("node n1");
  ASSERT_EQ(n1.size(), 4U);
  EXPECT_NE(n1[0].find("POWERING_DOWN"), std::string::npos);
  EXPECT_NE(n1[1].find("POWERED_DOWN"), std::string::npos);
  EXPECT_EQ(n1[2], "300 node n1 POWERING_UP");
  EXPECT_EQ(n1[3], "361 node n1 UP");
}

TEST(CloudNodes, SleepAtFirst) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSuspendProgram=/s\n"
      "ResumeProgram=/r\nSuspendTime=1000\nResumeTimeout=300\n"
      "NodeName=n1 CPUs=1 State=CLOUD\nPartitionName=p Nodes=ALL Default=YES\n");
  site.site().power.boot_time = Seconds{60};
  site.job(1, 100, 10);
  site.run();
  EXPECT_NE(site.lines("node n1").at(0).find("POWERING_UP"), std::string::npos);
  EXPECT_EQ(site.lines("configured 1").size(), 1U);
  EXPECT_NE(site.lines("end 1").at(0).find("COMPLETED"), std::string::npos);
}

TEST(PowerSaving, PutsNodesToSleepThatAreDown) {
  RunSite site(saving("SuspendTime=100\nSuspendExcNodes=n2\n"));
  site.command(50, "scontrol update NodeName=n1 State=DOWN Reason=fan");
  site.job(1, 1000, 10);
  site.run();
  EXPECT_EQ(site.lines("node n1 DOWN+POWERED_DOWN fan").size(), 1U);
}

// Manual: nodes become idle, whatever they were, so that they can be resumed later.
TEST(PowerSaving, MakesASuspendedNodeIdleWithIdleOnNodeSuspend) {
  RunSite site(
      saving("SuspendTime=100\nSuspendExcNodes=n2\nSlurmctldParameters=idle_on_node_suspend\n"));
  site.site().power.boot_time = Seconds{60};
  site.command(50, "scontrol update NodeName=n1 State=DOWN Reason=fan");
  site.job(1, 1000, 10, 2);
  site.run();
  EXPECT_EQ(site.lines("DOWN+POWERED_DOWN").size(), 0U);
  EXPECT_EQ(site.lines("end 1 COMPLETED").size(), 1U);
}

}  // namespace
}  // namespace rehearse::test

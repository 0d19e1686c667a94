// tests/unit/controller/node_keeper_test.cpp — nodes that are set down, fall silent and come back.
#include "sim/controller/node_keeper.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kTwoNodes =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n";

std::string two_nodes(const std::string& more) {
  return more + kTwoNodes;
}

TEST(NodeDown, RequeuesABatchJobForTwoMinutesAndASecondLater) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 1000);
  site.command(100, "scontrol update NodeName=n1 State=DOWN Reason=gpu");
  site.run();
  EXPECT_EQ(site.lines("end 1").front(), "100 end 1 NODE_FAIL");
  // A DOWN node is not waited for: the clean-up is over in the same second.
  EXPECT_EQ(site.lines("requeued 1"), Lines{"100 requeued 1 begin 221"});
  ASSERT_EQ(site.lines("start 1").size(), 2U);
  EXPECT_NE(site.lines("start 1")[1].find("n2"), std::string::npos);
  EXPECT_GE(site.seconds_of("start 1").at(1), 221);
}

TEST(NodeDown, LeavesARequeuedJobItsPriorityUntilTheTick) {  // priority.md §4
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
      "PriorityType=priority/multifactor\nPriorityWeightAge=100000\n"
      "AccountingStorageType=accounting_storage/slurmdbd\n"
      "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 10, 1000, 2);
  site.job(2, 20, 1000);
  site.command(1200, "scontrol update NodeName=n1 State=DOWN Reason=gpu");
  std::vector<std::uint32_t> first, second;
  site.at_each_event = [&](const Cluster& cluster) {
    if (cluster.jobs.size() < 2) return;
    const Job& job = cluster.jobs[JobIndex{1}];
    (job.restarts == 0 ? first : second).push_back(job.priority);
  };
  site.run();
  EXPECT_GT(first.back(), 100U) << "it had waited";
  ASSERT_FALSE(second.empty());
  EXPECT_EQ(second.front(), first.back());
  EXPECT_NE(second.back(), first.back()) << "a tick came";
}

TEST(NodeDown, EndsAJobThatMayNotBeRequeued) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 1000).requeue = false;
  site.job(2, 10, 1000).batch = false;
  site.command(100, "scontrol update NodeName=n[1-2] State=DOWN Reason=gpu");
  site.run();
  EXPECT_EQ(site.lines("end"), (Lines{"100 end 1 NODE_FAIL", "100 end 2 NODE_FAIL"}));
  EXPECT_TRUE(site.lines("requeued").empty());
}

TEST(NodeDown, LeavesTheOtherTenantsAlone) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 300);
  site.job(2, 10, 300);
  site.command(100, "scontrol update NodeName=n2 State=DOWN Reason=gpu");
  site.run();
  EXPECT_EQ(site.lines("end 1").size(), 1U);
  EXPECT_NE(site.lines("end 1")[0].find("COMPLETED"), std::string::npos);
  EXPECT_EQ(site.lines("end 2").size(), 2U);
}

TEST(NodeDown, StaysSoUntilResumedByDefault) {
  RunSite site(two_nodes("ReturnToService=1\n"));
  site.command(100, "scontrol update NodeName=n1 State=DOWN Reason=gpu");
  site.job(1, 4000, 10, 2);
  site.command(5000, "scontrol update NodeName=n1 State=RESUME");
  site.run();
  EXPECT_EQ(site.lines("node n1"),
            (Lines{"100 node n1 DOWN gpu", "5000 node n1 NOT_RESPONDING", "5001 node n1 UP"}));
  EXPECT_GE(site.second_of("start 1"), 5001);
}

TEST(NodeDown, ComesBackAtItsFirstAnswerWithReturnToServiceTwo) {
  RunSite site(two_nodes("ReturnToService=2\n"));
  site.job(1, 10, 1000).requeue = false;
  site.command(100,
               "scontrol update NodeName=n1 State=DOWN Reason=gpu");  // its job is ended: answers
  site.command(110, "scontrol update NodeName=n2 State=DOWN Reason=gpu");  // waits for its ping
  site.run();
  EXPECT_EQ(site.lines("node n1"), (Lines{"100 node n1 DOWN gpu", "100 node n1 UP"}));
  EXPECT_EQ(site.lines("node n2"), (Lines{"110 node n2 DOWN gpu"}));
}

TEST(NodeDown, ComesBackWhenALogTellsThatItAnswered) {
  RunSite site(two_nodes("ReturnToService=2\n"));
  site.recorded.emplace();
  const auto at = [](std::int64_t second) {
    return Time{from_epoch_seconds(RunSite::kStart + second)};
  };
  site.recorded->answers["n2"] = {at(40), at(350)};  // the first of them came before
  site.command(110, "scontrol update NodeName=n2 State=DOWN Reason=gpu");
  site.job(1, 400, 10, 2);
  site.run();
  EXPECT_EQ(site.lines("node n2"), (Lines{"110 node n2 DOWN gpu", "350 node n2 UP"}));
}

TEST(Resume, IsNotSeenByThePassOfTheTurnThatAsksTheNode) {
  RunSite site(two_nodes(""));
  site.command(100, "scontrol update NodeName=n1 State=DRAIN Reason=x");
  site.job(1, 150, 10, 2);
  site.command(200, "scontrol update NodeName=n1 State=RESUME");
  site.run();
  EXPECT_EQ(site.lines("node n1"),
            (Lines{"100 node n1 DRAIN x", "200 node n1 NOT_RESPONDING", "201 node n1 UP"}));
}

TEST(Resume, DoesNothingToANodeThatIsUp) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 10);
  site.command(20, "scontrol update NodeName=n1 State=RESUME");
  site.run();
  EXPECT_TRUE(site.lines("node").empty());
}

TEST(Drain, LetsRunningJobsEndAndTakesNoOthers) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 300, 2);
  site.command(100, "scontrol update NodeName=n1 State=DRAIN Reason=x");
  site.job(2, 110, 10, 2);
  site.command(1000, "scontrol update NodeName=n1 State=UNDRAIN");
  site.run();
  EXPECT_NE(site.lines("end 1").at(0).find("COMPLETED"), std::string::npos);
  EXPECT_GE(site.second_of("start 2"), 1000);
  EXPECT_EQ(site.lines("node n1").back(), "1000 node n1 UP") << "no question is asked";
}

// lifecycle.md L7, but for its clock: rounds at 100, 200, 300 … after the controller's start.
TEST(Silence, IsFlaggedAndSetDownByPings) {
  RunSite site(two_nodes("SlurmdTimeout=300\n"));
  site.job(1, 30, 2000);  // the last answer: its launch
  site.command(40, "node crash n1");
  site.run();
  const std::int64_t launched = site.second_of("start 1");
  ASSERT_LT(launched, 40);
  // 100: heard from within the period, left out. 200: the first ping that fails. DOWN needs the
  // last answer at or before the previous round - 300: at 500 that is 100.
  EXPECT_EQ(site.lines("node n1"), (Lines{"212 node n1 NOT_RESPONDING",
                                          "500 node n1 DOWN+NOT_RESPONDING Not responding"}));
  EXPECT_EQ(site.lines("requeued 1"), Lines{"500 requeued 1 begin 621"});
}

TEST(Silence, OfTheDaemonAloneLosesNoEndOfAJob) {
  RunSite site(two_nodes("SlurmdTimeout=300\n"));
  site.job(1, 30, 100);
  site.command(40, "slurmd down n1");
  site.command(400, "slurmd up n1");
  site.run();
  ASSERT_EQ(site.lines("end 1").size(), 1U);
  EXPECT_NE(site.lines("end 1")[0].find("COMPLETED"), std::string::npos);
  EXPECT_EQ(site.lines("node n1"), (Lines{"212 node n1 NOT_RESPONDING", "400 node n1 UP"}));
}

TEST(Silence, KeepsAnEndedJobCompletingUntilItsNodeAnswers) {
  RunSite site(two_nodes("SlurmdTimeout=300\n"));
  site.job(1, 30, 20);
  site.command(40, "slurmd down n1");
  site.command(150, "slurmd up n1");
  site.job(2, 60, 10, 2);
  site.run();
  EXPECT_GE(site.second_of("start 2"), 150);
}

TEST(Reboot, ThatNobodyOrderedIsFoundWhenTheNodeRegisters) {
  RunSite site(two_nodes("SlurmdTimeout=300\nReturnToService=1\nBatchStartTimeout=600\n"));
  site.job(1, 30, 2000);
  site.command(40, "node crash n1");
  site.command(90, "node boot n1");
  site.run();
  EXPECT_EQ(site.lines("node n1"), Lines{"90 node n1 DOWN Node unexpectedly rebooted"});
  EXPECT_EQ(site.lines("requeued 1"), Lines{"90 requeued 1 begin 211"});
}

// [V: recording node_failures, f3] A node that was set DOWN for its silence and boots stays DOWN.
TEST(Reboot, OfANodeThatWasGivenUpLeavesItDownUnlessReturnToServiceIsTwo) {
  for (const int mode : {1, 2}) {
    RunSite site(two_nodes(fmt::format("SlurmdTimeout=300\nReturnToService={}\n", mode)));
    site.command(60, "node crash n1");
    site.command(2000, "node boot n1");
    site.job(1, 2100, 10);
    site.run();
    const std::string last = site.lines("node n1").back();
    EXPECT_EQ(last, mode == 1 ? "2000 node n1 DOWN Not responding" : "2000 node n1 UP");
  }
}

// [V: recording node_failures, f4] A slurmd that comes back on the same boot without its jobs.
TEST(Registration, RequeuesABatchJobWhoseScriptIsMissing) {
  RunSite site(two_nodes("SlurmdTimeout=300\nReturnToService=1\nBatchStartTimeout=60\n"));
  site.job(1, 30, 2000);
  site.job(2, 31, 2000).requeue = false;
  site.command(140, "node crash n[1-2]");
  site.command(190, "slurmd up n[1-2]");
  site.run();
  EXPECT_TRUE(site.lines("DOWN").empty());
  EXPECT_EQ(site.lines("end").at(0), "190 end 1 NODE_FAIL");
  EXPECT_EQ(site.lines("end").at(1), "190 end 2 NODE_FAIL");
  EXPECT_EQ(site.lines("requeued"), Lines{"190 requeued 1 begin 311"});
}

TEST(Registration, GivesAScriptTheTimeToBeLaunched) {
  RunSite site(two_nodes("SlurmdTimeout=300\nReturnToService=1\nBatchStartTimeout=600\n"));
  site.job(1, 30, 200).time_limit = Minutes{5};
  site.command(140, "node crash n1");
  site.command(190, "slurmd up n1");
  site.run();
  // Nobody misses it: it runs into its limit.
  EXPECT_NE(site.lines("end 1").at(0).find("TIMEOUT"), std::string::npos);
}

// [V: 48 questions of scripts/reference/experiments/missing_scripts.py] Ten seconds more than that.
TEST(Registration, MissesAScriptTenSecondsAfterTheTimeToStartIt) {
  RunSite site(two_nodes("SlurmdTimeout=300\nReturnToService=2\nBatchStartTimeout=60\n"));
  site.job(1, 119, 2000).requeue = false;
  site.job(2, 121, 200).time_limit = Minutes{5};
  site.command(140, "node crash n[1-2]");
  site.command(190, "node boot n[1-2]");
  site.run();
  EXPECT_EQ(site.lines("end 1").at(0), "190 end 1 NODE_FAIL");
  EXPECT_NE(site.lines("end 2").at(0).find("TIMEOUT"), std::string::npos);
}

// [V: recording drawn_falls, job 59]
TEST(Registration, GivesAScriptThatTimeAfterABootTooWithReturnToServiceTwo) {
  RunSite site(two_nodes("SlurmdTimeout=300\nReturnToService=2\nBatchStartTimeout=600\n"));
  site.job(1, 30, 200).time_limit = Minutes{5};
  site.command(140, "node crash n1");
  site.command(190, "node boot n1");
  site.run();
  EXPECT_TRUE(site.lines("DOWN").empty());
  EXPECT_NE(site.lines("end 1").at(0).find("TIMEOUT"), std::string::npos);
}

// [V: recording node_failures, job 23] slurmctld takes the job back without submitting it anew when
// the node that tells of its clean-up is DOWN by then.
TEST(Registration, AfterABootPutsTheMissingJobBackAsItWas) {
  RunSite site(two_nodes("SlurmdTimeout=300\nReturnToService=1\nBatchStartTimeout=60\n"));
  site.job(1, 30, 2000);
  site.command(140, "node crash n1");
  site.command(190, "node boot n1");
  site.run();
  EXPECT_EQ(site.lines("end 1").at(0), "190 end 1 NODE_FAIL");
  ASSERT_EQ(site.lines("requeued 1").size(), 1U);
  const std::string back = site.lines("requeued 1")[0];
  EXPECT_LE(std::stoi(back.substr(back.rfind(' '))), 40) << "the old begin: " << back;
}

// [V: recordings node_failures, node_failures_a] --no-kill.
TEST(NoKill, LosesTheNodeAndGoesOn) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 1000, 2).no_kill = true;
  site.command(100, "scontrol update NodeName=n2 State=DOWN Reason=gpu");
  site.command(200, "scontrol update NodeName=n2 State=RESUME");
  site.job(2, 150, 10);
  site.run();
  EXPECT_EQ(site.lines("resized 1"), Lines{"100 resized 1 n1"});
  EXPECT_NE(site.lines("end 1").at(0).find("COMPLETED"), std::string::npos);
  EXPECT_NE(site.lines("start 2").at(0).find("n2"), std::string::npos) << "n2 is free again";
}

TEST(NoKill, SavesNoJobFromTheLossOfItsLastNode) {
  RunSite site(two_nodes(""));
  site.job(1, 10, 1000, 2).no_kill = true;
  site.command(100, "scontrol update NodeName=n[1-2] State=DOWN Reason=gpu");
  site.run();
  EXPECT_EQ(site.lines("resized 1"), Lines{"100 resized 1 n2"});
  EXPECT_EQ(site.lines("end 1").at(0), "100 end 1 NODE_FAIL");
}

TEST(Crash, OfAnotherNodeThanTheFirstDoesNotEndAScriptThatWaits) {
  RunSite site(two_nodes("SlurmdTimeout=300\n"));
  site.job(1, 30, 100, 2).run.sleeps = true;
  site.command(40, "node crash n2");
  site.run();
  EXPECT_NE(site.lines("end 1").at(0).find("COMPLETED"), std::string::npos);
}

TEST(ReturnToService, BringsASilentNodeBackUnlessItIsZero) {
  for (const int mode : {0, 1, 2}) {
    RunSite site(two_nodes(fmt::format("SlurmdTimeout=300\nReturnToService={}\n", mode)));
    site.job(1, 30, 10);
    site.command(60, "slurmd down n1");
    site.command(2000, "slurmd up n1");
    site.run();
    const std::string last = site.lines("node n1").back();
    EXPECT_EQ(last, mode == 0 ? "2000 node n1 DOWN Not responding" : "2000 node n1 UP");
  }
}

}  // namespace
}  // namespace rehearse::test

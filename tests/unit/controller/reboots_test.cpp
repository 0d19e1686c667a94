// tests/unit/controller/reboots_test.cpp — `scontrol reboot`: nodes reboot when they are idle
// (lifecycle.md §12.1).
#include "sim/controller/reboots.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "RebootProgram=/sbin/reboot\nResumeTimeout=300\nNodeName=n[1-2] CPUs=1\n"
    "PartitionName=p Nodes=ALL Default=YES\n";

JobSpec& on(RunSite& site, std::uint32_t id, std::int64_t at, std::int64_t runtime,
            const std::string& node) {
  Request request;
  request.max_nodes = 1;
  request.required_nodes = {site.names().intern(node)};
  return site.job(id, at, runtime, request);
}

TEST(Reboots, WaitForAnIdleNodeAndTakeAsLongAsTheSiteSays) {
  RunSite site(kConf);
  site.site().power.boot_time = Seconds{120};
  on(site, 1, 10, 500, "n1");
  site.command(100, "scontrol reboot n1");
  on(site, 2, 520, 50, "n1");
  site.run();
  const std::int64_t ended = site.second_of("end 1");
  const std::int64_t issued = site.second_of("node n1 UP reboot requested : reboot issued");
  EXPECT_GE(issued, ended);
  EXPECT_LE(issued, ended + 3);
  EXPECT_GE(site.second_of("start 2"), issued + 120);
  EXPECT_LE(site.second_of("start 2"), issued + 125);
}

TEST(Reboots, WithoutAsapLetOtherJobsStartBefore) {
  for (const bool asap : {false, true}) {
    RunSite site(kConf);
    site.site().power.boot_time = Seconds{60};
    on(site, 1, 10, 500, "n1");
    site.command(100, std::string("scontrol reboot ") + (asap ? "ASAP " : "") + "n1");
    site.job(2, 1500, 10, 2);
    site.run();
    EXPECT_EQ(site.lines("DRAIN Reboot ASAP").size(), asap ? 2U : 0U);
    // ASAP's DRAIN goes with the registration.
    EXPECT_EQ(site.lines("node n1").back().substr(site.lines("node n1").back().find("node")),
              "node n1 UP");
  }
}

TEST(Reboots, LeaveTheNodeDownWhereThatIsItsNextState) {
  RunSite site(kConf);
  site.command(100, "scontrol reboot ASAP nextstate=DOWN reason=firmware n1");
  site.job(1, 2000, 10);
  site.run();
  EXPECT_EQ(site.lines("node n1").back().substr(site.lines("node n1").back().find("node")),
            "node n1 DOWN firmware : reboot issued : reboot complete");
}

TEST(Reboots, ThatDoNotEndInTimeSetTheNodeDown) {
  RunSite site(kConf);
  site.site().power.boot_time = Seconds{400};
  site.command(100, "scontrol reboot n1");
  site.job(1, 2000, 10);
  site.run();
  const std::int64_t issued = site.second_of("reboot issued");
  EXPECT_EQ(site.second_of("reboot timed out"), issued + 300);
  EXPECT_NE(site.lines("reboot timed out").at(0).find("DOWN"), std::string::npos);
}

TEST(Reboots, CanBeTakenBackWhileTheyWait) {
  RunSite site(kConf);
  on(site, 1, 10, 500, "n1");
  site.command(100, "scontrol reboot ASAP n1");
  site.command(200, "scontrol cancel_reboot n1");
  on(site, 2, 520, 50, "n1");
  site.run();
  EXPECT_EQ(site.lines("reboot issued").size(), 0U);
  EXPECT_LE(site.second_of("start 2"), 530);
}

TEST(Reboots, AreRefusedWithoutAProgram) {
  RunSite site("NodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.command(100, "scontrol reboot n1");
  site.understand();
  ASSERT_EQ(site.findings().size(), 1U);
  EXPECT_NE(site.findings()[0].find("no RebootProgram"), std::string::npos);
}

TEST(Reboots, TellWhatIsNotUnderstood) {
  for (const char* words :
       {"scontrol reboot", "scontrol reboot nextstate=UP n1", "scontrol reboot n1 n2",
        "scontrol reboot n9", "scontrol cancel_reboot", "scontrol reboot ASAP=1 n1"}) {
    RunSite site(kConf);
    site.command(100, words);
    site.understand();
    EXPECT_EQ(site.findings().size(), 1U) << words;
  }
}

}  // namespace
}  // namespace rehearse::test

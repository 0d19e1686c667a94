// tests/unit/controller/hung_nodes_test.cpp — nodes on which nothing can be killed (lifecycle.md
// §5).
#include "sim/controller/hung_nodes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

/// Job 1 holds n1 from 10 s on; n1 hangs at 50 s.
RunSite hung_site(std::uint32_t nodes = 1) {
  RunSite site(
      "KillWait=30\nUnkillableStepTimeout=60\nSelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 10, 1000, nodes);
  site.command(50, "node hang n1");
  return site;
}

// [V] lifecycle.md §5: the job was cancelled, 90 s later its node drained, and only then clean.
TEST(HungNodes, AreDrainedAfterKillWaitAndUnkillableStepTimeout) {
  RunSite site = hung_site();
  site.job(2, 20, 2000);  // on n2
  site.job(3, 30, 10);
  site.command(100, "scancel 1");
  site.command(600, "scontrol update NodeName=n1 State=RESUME");
  site.run();
  EXPECT_EQ(site.lines("end 1"), Lines{"100 end 1 CANCELLED"});
  ASSERT_EQ(site.lines("Kill task failed").size(), 1U);
  EXPECT_NE(site.lines("Kill task failed")[0].find("node n1 DRAIN"), std::string::npos);
  EXPECT_GE(site.second_of("Kill task failed"), 190);
  EXPECT_LE(site.second_of("Kill task failed"), 192);
  EXPECT_GE(site.second_of("start 3"), 600) << "drained until an admin looks";
}

TEST(HungNodes, ThatRecoverInTimeAreNotDrained) {
  RunSite site = hung_site();
  site.job(2, 20, 2000);
  site.job(3, 30, 10);
  site.command(100, "scancel 1");
  site.command(150, "node recover n1");
  site.run();
  EXPECT_TRUE(site.lines("DRAIN").empty());
  EXPECT_GE(site.second_of("start 3"), 150) << "COMPLETING until then";
  EXPECT_LE(site.second_of("start 3"), 155);
}

TEST(HungNodes, HoldOnlyThemselves) {
  RunSite site = hung_site(2);
  site.job(2, 30, 10);
  site.command(100, "scancel 1");
  site.run();
  ASSERT_EQ(site.lines("start 2").size(), 1U);
  EXPECT_NE(site.lines("start 2")[0].find("n2"), std::string::npos);
  EXPECT_LE(site.second_of("start 2"), 135) << "the job's other node is clean";
  EXPECT_EQ(site.lines("Kill task failed").size(), 1U);
}

TEST(HungNodes, AreNotNoticedByAJobThatEndsByItself) {
  RunSite site = hung_site();
  site.run();
  EXPECT_NE(site.lines("end 1").at(0).find("COMPLETED"), std::string::npos);
  EXPECT_TRUE(site.lines("DRAIN").empty());
}

TEST(HungNodes, AreCleanAfterABoot) {
  RunSite site = hung_site();
  site.job(2, 20, 2000);
  site.job(3, 30, 10);
  site.command(100, "scancel 1");
  site.command(120, "node boot n1");
  site.command(130, "scontrol update NodeName=n1 State=RESUME");
  site.run();
  EXPECT_TRUE(site.lines("Kill task failed").empty());
  EXPECT_LE(site.second_of("start 3"), 150);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/prefer_test.cpp — where --prefer leads a job, and whom its extra record
// keeps back: what a running slurmctld did (scheduling.md §3.1;
// scripts/reference/experiments/prefer.py).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kMain = "sched_interval=50000,bf_interval=-1";
constexpr const char* kBackfill = "sched_interval=-1,bf_interval=10";

/// `held` nodes are taken for an hour; at 100 s the job and one behind it are looked at together,
/// by one loop. Answers `NODES of the job NODES of the other`; `-`: it waits, `!`: it is refused.
std::string ask(const char* loop, const std::vector<std::string>& held, const std::string& job,
                const std::string& behind) {
  RunSite site(std::string("SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                           "PriorityType=priority/basic\nSchedulerParameters=") +
               loop +
               "\nNodeName=s[1-2] CPUs=4 Feature=slow Weight=1\n"
               "NodeName=f[1-2] CPUs=4 Feature=fast Weight=9\n"
               "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n");
  std::uint32_t id = 0;
  for (const std::string& node : held) {
    site.job(++id, 1, 3600, ask_request("-n4 -w " + node, site.names()));
  }
  site.command(60, "scontrol update partitionname=all state=down");
  site.job(11, 70, 3000, ask_request(job, site.names())).time_limit = Minutes{30};
  site.job(12, 71, 200, ask_request(behind, site.names())).time_limit = Minutes{5};
  site.command(100, "scontrol update partitionname=all state=up");
  site.run();
  const auto told = [&](const std::string& number) {
    if (!site.lines("reject " + number).empty()) return std::string("!");
    const std::string start = site.lines(" start " + number).at(0);
    if (std::stoi(start) > 130) return std::string("-");
    return start.substr(start.rfind(' ') + 1);
  };
  return told("11") + " " + told("12");
}

TEST(Prefer, LeadsToTheNodesWithItsFeaturesWhereTheyAreFree) {
  for (const char* loop : {kMain, kBackfill}) {
    EXPECT_EQ(ask(loop, {}, "-n1 --prefer=fast", "-n1"), "f1 s1") << loop;
    EXPECT_EQ(ask(loop, {}, "-n1 -C slow --prefer=fast", "-n1"), "f1 s1") << loop;
    EXPECT_EQ(ask(loop, {"s1", "s2"}, "-n4 -C slow --prefer=fast", "-n1"), "f1 f2") << loop;
  }
}

TEST(Prefer, BlocksThePartitionInTheMainLoopWhereTheyAreBusy) {
  EXPECT_EQ(ask(kMain, {"f1", "f2"}, "-n1 --prefer=fast", "-n1"), "- -");
  EXPECT_EQ(ask(kMain, {"f1"}, "-N2 -n8 --prefer=fast", "-n1"), "- -");
  EXPECT_EQ(ask(kMain, {"f1", "f2"}, "-n1 -C slow --prefer=fast", "-n1"), "- -");
}

TEST(Prefer, IsTriedForNowAloneByBackfill) {
  EXPECT_EQ(ask(kBackfill, {"f1", "f2"}, "-n1 --prefer=fast", "-n1"), "s1 s1");
  EXPECT_EQ(ask(kBackfill, {"f1"}, "-N2 -n8 --prefer=fast", "-n1"), "s1,s2 f2");
  EXPECT_EQ(ask(kBackfill, {"f1", "f2"}, "-n1 -C slow --prefer=fast", "-n1"), "s1 s1");
  EXPECT_EQ(ask(kBackfill, {"s1", "s2", "f1"}, "-N2 -n8 --prefer=fast", "-n1"), "- f2");
}

TEST(Prefer, IsAllThatASubmissionIsJudgedBy) {
  EXPECT_EQ(ask(kMain, {"f1", "f2"}, "-N3 -n12 --prefer=fast", "-n1"), "! s1");
  EXPECT_EQ(ask(kMain, {}, "-n1 --prefer=none", "-n1"), "! s1");
  EXPECT_EQ(ask(kMain, {}, "-n1 -C fast|none", "-n1"), "! s1");
  EXPECT_EQ(ask(kMain, {}, "-N3 -n3 -C slow --prefer=fast|slow", "-n1"), "f1,s1,s2 s1");
}

TEST(Prefer, IsForgottenByARequeue) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=s1 CPUs=4 Feature=slow\nNodeName=f1 CPUs=4 Feature=fast\n"
      "PartitionName=all Nodes=ALL Default=YES\n");
  site.job(1, 10, 3000, ask_request("-n4 --prefer=fast", site.names()));
  site.command(100, "scontrol requeue 1");
  site.command(101, "scontrol update nodename=f1 state=drain reason=x");
  site.run();
  const auto starts = site.lines(" start 1");
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_NE(starts[0].find("f1"), std::string::npos);
  EXPECT_NE(starts[1].find("s1"), std::string::npos);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/partition_access_test.cpp — jobs that their partition refuses, in both loops:
// what a running 22.05.8 did (scheduling.md §3.1, §8.7).
#include <gtest/gtest.h>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

/// Partition `red` of n1 for the account of that name; job 1 is of account blue, job 2 of red.
struct RefusedAccount : ::testing::Test {
  void SetUp() override {
    loops.partition("batch", {"n1", "n2"});
    loops.partition("red", {"n1"}).allow_accounts = {"red", "pink"};
    loops.build();
    refused = &loops.pending("-N1 -n4", 60, "red");
    loops.spec_of(*refused).account = loops.names.intern("blue");
    behind = &loops.pending("-N1 -n4", 30, "red");
    loops.spec_of(*behind).account = loops.names.intern("red");
  }
  Loops loops{2};
  Job* refused = nullptr;
  Job* behind = nullptr;
};

TEST_F(RefusedAccount, KeepsNobodyBackInTheMainLoop) {
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(*refused), "pending");
  EXPECT_EQ(refused->reason_text,
            "Job's account not permitted to use this partition (red allows red,pink not blue)");
  EXPECT_EQ(loops.where(*behind), "n1:4");
}

TEST_F(RefusedAccount, IsPlannedFromNowOnByBackfill) {
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(*refused), "12:00:00 n1");
  EXPECT_EQ(refused->reason, Reason::AccountNotAllowed);
  EXPECT_EQ(loops.where(*behind), "pending");
  EXPECT_EQ(loops.plan(*behind), "13:00:00 n1");
}

TEST(RefusedQos, IsNotPlanned) {
  Loops loops(1);
  loops.partition("gold", {"n1"}).deny_qos = {"normal"};
  loops.build();
  Job& job = loops.pending("-N1 -n4", 60, "gold");
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(job), "none");
}

TEST(TimeMin, KeepsToMaxTimeForBackfillAlone) {
  Loops loops(1);
  loops.partition("short", {"n1"}).max_time = Minutes{60};
  loops.build();
  Job& job = loops.pending("-N1 -n4", 90, "short");
  loops.spec_of(job).time_min = Minutes{30};
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(job), "pending");
  EXPECT_EQ(job.reason, Reason::PartitionTimeLimit);
  loops.cycle("12:00:30");
  EXPECT_EQ(loops.where(job), "n1:4");
  EXPECT_EQ(job.time_limit, Minutes{30});
}

}  // namespace
}  // namespace rehearse::test

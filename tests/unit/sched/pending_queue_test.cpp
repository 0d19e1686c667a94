// tests/unit/sched/pending_queue_test.cpp — what a tick makes of a queue that was built before it.
#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

TEST(PendingQueue, GoesByThePrioritiesOfTheLastTick) {
  Loops loops(1);
  loops.build();
  Job& before = loops.running("-N1 -n4", {"n1"}, "13:00:00");
  Job& first = loops.pending("-N1 -n4", 10);
  Job& second = loops.pending("-N1 -n4", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(first.reason, Reason::Resources);
  EXPECT_EQ(second.reason, Reason::Priority);
  std::swap(first.priority, second.priority);
  loops.tick();
  loops.stop(before);
  loops.pass("12:01:00");
  EXPECT_EQ(loops.where(first), "pending");
  EXPECT_EQ(loops.where(second), "n1:4");
}

TEST(PendingQueue, OfEqualPrioritiesThePartitionsOfAJobGoInItsOrderAgain) {
  Loops loops(2);
  loops.partition("a", {"n1"});
  loops.partition("b", {"n2"});
  loops.build();
  Job& before = loops.running("-N1 -n4", {"n1"}, "13:00:00", "a");
  Job& other = loops.running("-N1 -n4", {"n2"}, "13:00:00", "b");
  Job& job = loops.pending("-N1 -n4", 10, "a");
  job.partitions.push_back(PartitionId{1});
  job.partition_priority = {10, 20};
  loops.pass("12:00:00");
  job.partition_priority = {20, 20};
  loops.tick();
  loops.stop(before);
  loops.stop(other);
  loops.pass("12:01:00");
  EXPECT_EQ(loops.where(job), "n1:4");
}

TEST(PendingQueue, ATickTestsUsageThresholdsAnew) {
  // limits.md §7.3: below UsageThreshold nothing starts.
  Loops loops(1);
  loops.build();
  Qos qos;
  qos.conf.flags.enforce_usage_threshold = true;
  qos.conf.usage_threshold = 0.5;
  const QosId id = loops.cluster->accounts.qos.push_back(qos);
  Job& before = loops.running("-N1 -n4", {"n1"}, "13:00:00");
  Job& job = loops.pending("-N1 -n4", 10);
  job.qos = id;
  job.factors.fair_share = 0.6;
  loops.pass("12:00:00");
  EXPECT_EQ(job.reason, Reason::Resources);
  job.factors.fair_share = 0.4;
  loops.tick();
  loops.stop(before);
  loops.pass("12:01:00");
  EXPECT_EQ(job.reason, Reason::QOSUsageThreshold);
  EXPECT_EQ(loops.where(job), "pending");
  job.factors.fair_share = 0.6;
  loops.tick();
  loops.pass("12:02:00");
  EXPECT_EQ(loops.where(job), "n1:4");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/known_cycles_test.cpp — the recorded cycle that the present one is.
#include "sim/controller/known_cycles.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

Time at(Duration since) {
  return Time{from_epoch_seconds(1'800'000'000)} + since;
}

struct Tested {
  JobSpec spec;
  Job job;
  Tested(std::uint32_t id, std::uint32_t array = 0) {
    job.spec = &spec;
    job.id = JobId{id};
    job.array_job = JobId{array};
  }
};

KnownCycles two_cycles() {
  KnownCycles known;
  known.follow({{at(10s), {{JobId{1}, at(10s)}}, {}},
                {at(40s),
                 {{JobId{1}, at(40'100ms)},
                  {JobId{5}, at(40'200ms)},
                  {JobId{5}, at(40'900ms)},
                  {JobId{3}, at(43s)}},
                 {{JobId{5}, at(42'500ms)}}}});
  return known;
}

TEST(KnownCycles, TellWhenTheRecordedOneCameToAJob) {
  KnownCycles known = two_cycles();
  known.began(at(40'020ms));
  EXPECT_EQ(known.tried(Tested(1).job, 1), at(40'100ms));
  EXPECT_EQ(known.tried(Tested(6, 5).job, 2), at(40'200ms)) << "a task: by its array";
  EXPECT_EQ(known.tried(Tested(7, 5).job, 3), at(40'900ms)) << "the next task: the next try";
  EXPECT_EQ(known.tried(Tested(8).job, 2), at(40'200ms)) << "it did not: by its count of tries";
  EXPECT_EQ(known.tried(Tested(8).job, 99), at(43s));
  EXPECT_EQ(known.tried(Tested(3).job, 4), at(43s));
}

TEST(KnownCycles, AreNoneWhereTheRecordingHasNone) {
  KnownCycles known = two_cycles();
  known.began(at(25s));
  EXPECT_EQ(known.tried(Tested(1).job, 1), std::nullopt);
  EXPECT_EQ(known.next_sleep(), nullptr);
}

TEST(KnownCycles, TellThePriorityOfTheFirstTestOfARecord) {
  KnownCycles known;
  EXPECT_FALSE(known.any());
  known.follow({{at(10s), {{JobId{5}, at(10s), 700}, {JobId{5}, at(11s), 650}}, {}}});
  EXPECT_TRUE(known.any());
  EXPECT_EQ(known.priority_of(JobId{5}), 0u) << "before its cycle begins";
  known.began(at(10s));
  EXPECT_EQ(known.priority_of(JobId{5}), 700u);
  EXPECT_EQ(known.priority_of(JobId{6}), 0u) << "not tested";
}

TEST(KnownCycles, TellThePriorityOfTheNextTestBeforeATick) {
  KnownCycles known;
  known.follow({{at(10s), {{JobId{5}, at(10s), 700}}, {}},
                {at(40s), {{JobId{6}, at(40s), 600}}, {}},
                {at(70s), {{JobId{5}, at(70s), 800}}, {}}});
  EXPECT_EQ(known.priority_to_come(JobId{5}, at(5s), at(60s)), 700u);
  EXPECT_EQ(known.priority_to_come(JobId{6}, at(5s), at(60s)), 600u) << "the cycle after the next";
  EXPECT_EQ(known.priority_to_come(JobId{5}, at(20s), at(60s)), 0u) << "it has another then";
  EXPECT_EQ(known.priority_to_come(JobId{5}, at(20s), at(90s)), 800u);
}

TEST(KnownCycles, SleepOnceAfterTheJobThatTheRecordedOneHadTried) {
  KnownCycles known = two_cycles();
  known.began(at(40s));
  ASSERT_NE(known.next_sleep(), nullptr);
  EXPECT_EQ(known.next_sleep()->after, JobId{5});
  EXPECT_EQ(known.next_sleep()->awake, at(42'500ms));
  known.slept();
  EXPECT_EQ(known.next_sleep(), nullptr);
}

}  // namespace
}  // namespace rehearse::test

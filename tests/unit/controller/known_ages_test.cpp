// tests/unit/controller/known_ages_test.cpp — since when an array under %N ages, by a recorded test
// (priority.md §3.1).
#include "sim/controller/known_ages.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

constexpr SlurmTime kSubmitted{Seconds{1'800'000'000}};

/// A point of age every ten seconds.
PriorityConf ten_seconds_a_point() {
  PriorityConf conf;
  conf.weight_age = 1000;
  conf.max_age = Seconds{10'000};
  return conf;
}

/// Of array 5, which ages since its submission, ten minutes ago: 60 of 1060 points.
Job aged_array() {
  Job job;
  job.id = job.array_job = JobId{5};
  job.partitions = {PartitionId{0}};
  job.accrue = kSubmitted;
  job.factors.age = 60;
  job.priority = 1060;
  return job;
}

TEST(KnownAges, AreAsSimulatedWhereThePrioritiesAreTheSame) {
  KnownAges ages;
  EXPECT_FALSE(ages.later(aged_array(), 1060, ten_seconds_a_point()));
  EXPECT_FALSE(ages.later(aged_array(), 1061, ten_seconds_a_point())) << "both are cut";
}

TEST(KnownAges, OfATestWithoutAgeHaveNotBegun) {
  KnownAges ages;
  const auto since = ages.later(aged_array(), 1000, ten_seconds_a_point());
  ASSERT_TRUE(since);
  EXPECT_FALSE(since->accrue);
}

TEST(KnownAges, BeginAtTheSlotThatExplainsTheTest) {
  KnownAges ages;
  for (const int slot : {100, 395, 590}) {
    ages.found_eligible(aged_array(), kSubmitted + Seconds{slot});
  }
  const auto since = ages.later(aged_array(), 1020, ten_seconds_a_point());
  ASSERT_TRUE(since);
  EXPECT_EQ(since->accrue, kSubmitted + Seconds{395});
}

TEST(KnownAges, StayWhereNoSlotExplainsTheDifference) {
  KnownAges ages;
  ages.found_eligible(aged_array(), kSubmitted + Seconds{100});
  EXPECT_FALSE(ages.later(aged_array(), 1020, ten_seconds_a_point()));
  EXPECT_FALSE(ages.later(aged_array(), 1080, ten_seconds_a_point())) << "older there";
  EXPECT_FALSE(ages.later(aged_array(), 900, ten_seconds_a_point())) << "more than its age";
}

TEST(KnownAges, GoByTheFirstTestThatCanTell) {
  KnownAges ages;
  EXPECT_FALSE(ages.later(aged_array(), 1060, ten_seconds_a_point()));
  EXPECT_FALSE(ages.later(aged_array(), 1000, ten_seconds_a_point())) << "it differs since then";
  Job again = aged_array();
  again.accrue = kSubmitted + Seconds{1};  // another clock
  EXPECT_TRUE(ages.later(again, 1000, ten_seconds_a_point()));
}

TEST(KnownAges, AreNotToldByATestOfAYoungJobNorWithoutOne) {
  KnownAges ages;
  Job young = aged_array();
  young.factors.age = 1.5;
  EXPECT_FALSE(ages.later(young, 1058, ten_seconds_a_point()));
  EXPECT_FALSE(ages.later(aged_array(), 0, ten_seconds_a_point()));
  EXPECT_TRUE(ages.later(aged_array(), 1000, ten_seconds_a_point())) << "not settled by these";
}

TEST(KnownAges, OfSeveralPartitionsGoByTheNearest) {
  KnownAges ages;
  Job job = aged_array();
  job.partitions = {PartitionId{0}, PartitionId{1}};
  job.partition_priority = {1060, 3060};
  EXPECT_FALSE(ages.later(job, 3060, ten_seconds_a_point()));
  job.accrue = kSubmitted + Seconds{1};
  EXPECT_TRUE(ages.later(job, 3000, ten_seconds_a_point()));
}

}  // namespace
}  // namespace rehearse::test

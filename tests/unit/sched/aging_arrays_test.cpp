// tests/unit/sched/aging_arrays_test.cpp — since when arrays age that wait for nobody, as asked of
// a slurmctld (scripts/reference/experiments/aging_arrays.py).
#include <gtest/gtest.h>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

TEST(AgingArrays, HaveNoAgeWhereACycleStartsTheFirstTask) {
  Loops loops(1);
  loops.build();
  const Job& first = loops.array(100, 4, 1, "-n1", 60);
  loops.cycle("12:00:02");
  ASSERT_TRUE(first.is_running());
  EXPECT_EQ(first.accrue, std::nullopt);
  EXPECT_EQ(loops.cluster->jobs[JobIndex{1}].accrue, std::nullopt);
}

TEST(AgingArrays, AgeFromThePassThatStartsTheFirstTask) {
  Loops loops(1);
  loops.build();
  const Job& first = loops.array(100, 4, 1, "-n1", 60);
  loops.pass("12:00:02");
  ASSERT_TRUE(first.is_running());
  EXPECT_EQ(first.accrue, clock_time("12:00:02"));
  EXPECT_EQ(loops.cluster->jobs[JobIndex{1}].accrue, clock_time("12:00:02"));
}

TEST(AgingArrays, AgeFromTheCycleThatFoundThemWhereTheyWait) {
  Loops loops(1);
  loops.build();
  loops.running("-n4", {"n1"}, "13:00:00");
  const Job& array = loops.array(100, 4, 1, "-n1", 60);
  loops.cycle("12:00:02");
  EXPECT_EQ(array.accrue, std::nullopt);
  loops.pass("12:00:30");
  EXPECT_EQ(array.accrue, clock_time("12:00:02"));
}

}  // namespace
}  // namespace rehearse::test

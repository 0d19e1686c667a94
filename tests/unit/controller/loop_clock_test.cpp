// tests/unit/controller/loop_clock_test.cpp — when passes and cycles begin (scheduling.md §2.1,
// §8.1).
#include "sim/controller/loop_clock.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

using std::chrono::milliseconds;
using Due = BackgroundClock::Due;

Time at(std::int64_t ms) {
  return Time{milliseconds{ms}};
}

TEST(BackgroundClock, RunsAFullPassEverySchedInterval) {
  BackgroundClock clock({}, at(0), Duration{1000000});
  ASSERT_EQ(clock.next_due(at(1)), at(60000));
  EXPECT_EQ(clock.at_turn(at(60000)), Due::Full);
  EXPECT_EQ(clock.next_due(at(60001)), at(120000));
}

TEST(BackgroundClock, ServesAQueuedRequestThreeSecondsAfterTheLastPassItStarted) {
  // Example 10 of scheduling.md §14: turns at :58.7, :59.7 …, the last pass at second 58.
  BackgroundClock clock({}, at(-1300), Duration{1000000});  // 58.7
  clock.request();
  const auto due = clock.next_due(at(400));  // submitted at 00.4
  ASSERT_EQ(due, at(1700));                  // 00.7 is second 60: 60 − 58 < 3; 01.7 is 61
  EXPECT_EQ(clock.at_turn(at(700)), Due::Nothing);
  EXPECT_EQ(clock.at_turn(at(1700)), Due::Partial);
  clock.request();                                // submitted at 02.0
  EXPECT_EQ(clock.next_due(at(2000)), at(4700));  // 64 is the first second with 64 − 61 ≥ 3
}

TEST(BackgroundClock, MergesRequestsIntoThePassThatComes) {
  BackgroundClock clock({}, at(0), Duration{1000000});
  clock.request();
  clock.request();
  EXPECT_EQ(clock.at_turn(at(3000)), Due::Partial);
  EXPECT_EQ(clock.at_turn(at(6000)), Due::Nothing);
}

TEST(BackgroundClock, StaysSilentWithSchedIntervalMinusOne) {
  SchedulerParameters parameters;
  parameters.sched_interval.reset();
  BackgroundClock clock(parameters, at(0), Duration{1000000});
  clock.request();
  EXPECT_FALSE(clock.next_due(at(5000)).has_value());
}

TEST(BackgroundClock, RunsKnownPassesAndLetsItsOwnWaitForThem) {
  BackgroundClock clock({}, at(0), Duration{1000000});
  clock.follow_passes({{at(5500), Due::Partial}, {at(60900), Due::Full}});
  EXPECT_TRUE(clock.knows_pass_within(at(5000), milliseconds{500}));
  EXPECT_FALSE(clock.knows_pass_within(at(5500), milliseconds{500}));
  clock.request();
  EXPECT_EQ(clock.next_due(at(1)), at(5500)) << "its own would be due at 3 s";
  EXPECT_EQ(clock.at_turn(at(5500)), Due::Partial);
  EXPECT_EQ(clock.next_due(at(5501)), at(60900));
  EXPECT_EQ(clock.at_turn(at(60900)), Due::Full);
  EXPECT_EQ(clock.next_due(at(60901)), at(120000)) << "its own, once no more is known";
  clock.request();
  EXPECT_EQ(clock.next_due(at(60901)), at(63000));
}

TEST(BackgroundClock, RunsNoPassOfItsOwnInATurnThatTakesLong) {
  BackgroundClock clock({}, at(0), Duration{1000000});
  clock.follow_passes({{at(10500), Due::Partial}, {at(60900), Due::Full}});
  clock.follow_turns({{at(2500), at(9000)}});
  clock.request();
  EXPECT_EQ(clock.next_due(at(1)), at(10500)) << "due at 3 s, at work until 9 s";
  EXPECT_EQ(clock.at_turn(at(10500)), Due::Partial);
  clock.request();
  EXPECT_EQ(clock.next_due(at(10501)), at(13000)) << "no turn that took long";
}

TEST(BackgroundClock, SpreadsScansEvenlyBetweenTheKnownOnes) {
  BackgroundClock clock({}, at(0000), Duration{1000000});
  clock.follow_scans({at(62000), at(200000)});
  EXPECT_EQ(clock.scan_at(at(1000)), at(31000));
  EXPECT_EQ(clock.scan_at(at(31000)), at(31000));
  EXPECT_EQ(clock.scan_at(at(32000)), at(62000));
  EXPECT_EQ(clock.scan_at(at(62000)), at(62000));
  EXPECT_EQ(clock.scan_at(at(63000)), at(62000) + Duration{34'500'000}) << "138 s in four";
  EXPECT_EQ(clock.scan_at(at(199000)), at(200000));
  EXPECT_EQ(clock.scan_at(at(201000)), at(230120)) << "the mean period after the last";
}

TEST(BackgroundClock, ScansOfAWholeSecondClockMayComeAFractionEarly) {
  BackgroundClock clock({}, at(0), Duration{1000000});
  clock.follow_scans({at(62467), at(272437)});
  EXPECT_EQ(clock.scan_at(at(93000)), at(272437) - 5 * Duration{29'995'714}) << "210 s in seven";
}

TEST(BackgroundClock, ScansTimeLimitsEveryThirtySecondsFromTheStart) {
  BackgroundClock clock({}, at(12000), Duration{1000000});
  EXPECT_EQ(clock.scan_at(at(12500)), at(42000));
  EXPECT_EQ(clock.scan_at(at(42000)), at(42000));
  EXPECT_EQ(clock.scan_at(at(42001)), at(72000));
}

TEST(BackfillClock, BeginsIntervalSecondsAfterTheLastCycleEnded) {
  BackfillClock clock(Seconds{30}, at(0));
  EXPECT_EQ(clock.next_due(), at(30000));
  clock.cycle_ended(at(30000), true);
  EXPECT_EQ(clock.next_due(), at(60000));
}

TEST(BackfillClock, SkipsCyclesWhileNothingChangesAndPollsEachSecond) {
  BackfillClock clock(Seconds{30}, at(0));
  clock.cycle_ended(at(30000), false);
  EXPECT_FALSE(clock.next_due().has_value());
  clock.changed(at(72300));
  EXPECT_EQ(clock.next_due(), at(73000));
}

// lifecycle.md §12.2.
TEST(BackfillClock, SleepsOnWhenTheIntervalChangesAndThenTheRestOfALongerOne) {
  BackfillClock clock(Seconds{30}, at(0));
  clock.cycle_ended(at(30000), true);
  clock.change(Seconds{120});
  EXPECT_EQ(clock.next_due(), at(150000));
  clock.change(Seconds{10});
  EXPECT_EQ(clock.next_due(), at(60000)) << "it had lain down for 30 s";
  clock.cycle_ended(at(60000), true);
  EXPECT_EQ(clock.next_due(), at(70000));
}

TEST(BackfillClock, IsOffWithoutAnInterval) {
  BackfillClock clock(std::nullopt, at(0));
  clock.changed(at(1));
  EXPECT_FALSE(clock.next_due().has_value());
}

}  // namespace
}  // namespace rehearse::test

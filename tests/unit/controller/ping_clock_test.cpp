// tests/unit/controller/ping_clock_test.cpp — when a silent node is flagged, and when it is DOWN.
#include "sim/controller/ping_clock.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

/// 12:00:00 is an hour after the origin.
constexpr Time at(int minute, int second) {
  return Time{Seconds{3600 + minute * 60 + second}};
}

/// lifecycle.md L7: SlurmdTimeout 300, rounds at 12:01:00, 12:02:40 …, last answer 12:00:00.
PingClock l7() {
  return {300s, at(1, 0) - 5000s, Duration{1s}};
}

TEST(PingClock, HasRoundsEveryThirdOfTheTimeout) {
  EXPECT_EQ(l7().round_after(at(0, 0)), at(1, 0));
  EXPECT_EQ(l7().round_after(at(1, 0)), at(2, 40));
  EXPECT_EQ(l7().round_before(at(2, 40)), at(1, 0));
}

TEST(PingClock, LeavesOutANodeHeardFromSinceTheRoundBefore) {
  EXPECT_TRUE(l7().leaves_out(at(0, 0), at(1, 0)));
  EXPECT_FALSE(l7().leaves_out(at(0, 0), at(2, 40)));
}

TEST(PingClock, GivesUpWhereTheWorkedExampleSays) {
  EXPECT_FALSE(l7().is_given_up(at(0, 0), at(6, 0)));
  EXPECT_TRUE(l7().is_given_up(at(0, 0), at(7, 40)));
}

TEST(PingClock, PingsAnIdleNodeEverySecondRound) {
  EXPECT_EQ(l7().last_heard(at(0, 0), at(2, 39)), at(0, 0));
  EXPECT_EQ(l7().last_heard(at(0, 0), at(2, 40)), at(2, 40));
  EXPECT_EQ(l7().last_heard(at(0, 0), at(5, 59)), at(2, 40));
  EXPECT_EQ(l7().last_heard(at(0, 0), at(6, 0)), at(6, 0));
}

TEST(PingClock, CountsItsRoundsFromAResume) {
  PingClock clock = l7();
  clock.restart(at(3, 0));
  EXPECT_EQ(clock.round_after(at(2, 50)), at(3, 0));
  EXPECT_EQ(clock.round_before(at(3, 0)), at(2, 40));
  EXPECT_EQ(clock.round_after(at(3, 0)), at(4, 40));
}

/// An hour with rounds every 100 s from 12:00:00 on, which is round 0: 12:31:40 is round 19.
TEST(PingClock, AsksAllNodesToRegisterInEveryTwentiethRound) {
  const PingClock clock(300s, at(0, 0), Duration{1s});
  EXPECT_TRUE(clock.leaves_out(at(29, 0), at(30, 0)));
  EXPECT_FALSE(clock.leaves_out(at(31, 0), at(31, 40)));
  EXPECT_TRUE(clock.leaves_out(at(33, 0), at(33, 20)));
  EXPECT_FALSE(clock.leaves_out(at(65, 0), at(65, 0))) << "round 39";
  // Left out of round 18 for its message, it answers round 19, and is left out of round 20.
  EXPECT_EQ(clock.last_heard(at(28, 30), at(31, 39)), at(28, 30));
  EXPECT_EQ(clock.last_heard(at(28, 30), at(34, 59)), at(31, 40));
  EXPECT_EQ(clock.last_heard(at(28, 30), at(35, 0)), at(35, 0));
}

TEST(PingClock, CountsARoundOfAResumeAmongThoseBetweenRegistrations) {
  PingClock clock(300s, at(0, 0), Duration{1s});
  clock.restart(at(2, 0));  // after rounds 0 and 1: round 2
  EXPECT_FALSE(clock.leaves_out(at(30, 0), at(30, 20))) << "round 19";
}

TEST(PingClock, NeverPingsWithoutATimeout) {
  const PingClock clock(0s, at(0, 0), Duration{1s});
  EXPECT_FALSE(clock.is_on());
  EXPECT_EQ(clock.last_heard(at(1, 0), at(9, 0)), at(1, 0));
}

}  // namespace
}  // namespace rehearse::test

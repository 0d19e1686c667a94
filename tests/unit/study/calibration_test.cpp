// tests/unit/study/calibration_test.cpp — ranks and errors by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/study/calibration/waits.hpp"

namespace rehearse::test {
namespace {

TEST(RankCorrelation, IsOneOfTheSameOrderAndMinusOneOfTheOpposite) {
  EXPECT_DOUBLE_EQ(rank_correlation({1, 5, 9}, {10, 20, 900}), 1.0);
  EXPECT_DOUBLE_EQ(rank_correlation({1, 5, 9}, {3, 2, 1}), -1.0);
}

TEST(RankCorrelation, SharesRanksAmongTies) {
  // scipy.stats.spearmanr([1, 2, 2, 4], [1, 3, 2, 4]) = 0.9486832980505138
  EXPECT_NEAR(rank_correlation({1, 2, 2, 4}, {1, 3, 2, 4}), 0.9486832980505138, 1e-12);
  EXPECT_TRUE(std::isnan(rank_correlation({1, 1, 1}, {1, 2, 3})));
}

TEST(WaitGroup, MeasuresItsErrorAgainstAMinuteAtLeast) {
  WaitGroup group;
  group.jobs = 10;
  group.recorded[0] = 3600;
  group.simulated[0] = 3960;
  EXPECT_DOUBLE_EQ(group.relative_error(), 0.1);
  EXPECT_DOUBLE_EQ(group.wrong_hours(), 1.0);
  group.recorded[0] = 1;
  group.simulated[0] = 7;
  EXPECT_DOUBLE_EQ(group.relative_error(), 0.1) << "six seconds are no error of 600 %";
}

}  // namespace
}  // namespace rehearse::test

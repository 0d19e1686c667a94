// tests/unit/study/populations_test.cpp — what other populations of users make of a figure.
#include "sim/study/comparison/populations.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sim/core/rng.hpp"

namespace rehearse {
namespace {

PopulationFigure figure_of(std::vector<double> a, std::vector<double> b) {
  return {find_figure("wait_mean"), std::move(a), std::move(b)};
}

/// Differences 1 … n, in another order.
PopulationFigure steps(std::size_t n) {
  std::vector<double> a(n, 100), b;
  for (std::size_t i = 0; i < n; ++i) b.push_back(100 + static_cast<double>((i * 7) % n + 1));
  return figure_of(std::move(a), std::move(b));
}

TEST(Populations, ThirtyNineGiveNinetyFivePercentFromTheLeastToTheGreatest) {
  const PopulationSummary of = summary_of(steps(39), 0.95);
  EXPECT_EQ(of.measured, 39U);
  EXPECT_DOUBLE_EQ(of.range.low, 1);
  EXPECT_DOUBLE_EQ(of.range.high, 39);
  EXPECT_DOUBLE_EQ(of.covers, 0.95);
  EXPECT_DOUBLE_EQ(of.median_difference, 20);
  EXPECT_DOUBLE_EQ(of.median_a, 100);
  EXPECT_DOUBLE_EQ(of.median_b, 120);
  EXPECT_EQ(of.b_more, 39U);
  EXPECT_EQ(of.b_less, 0U);
}

TEST(Populations, MoreOfThemLeaveTheOutermostAside) {
  const PopulationSummary of = summary_of(steps(199), 0.95);  // the 5th of each end of 200 gaps
  EXPECT_DOUBLE_EQ(of.range.low, 5);
  EXPECT_DOUBLE_EQ(of.range.high, 195);
  EXPECT_DOUBLE_EQ(of.covers, 0.95);
}

TEST(Populations, FewHoldLessAndSayHowMuch) {
  const PopulationSummary of = summary_of(steps(9), 0.95);
  EXPECT_DOUBLE_EQ(of.range.low, 1);
  EXPECT_DOUBLE_EQ(of.range.high, 9);
  EXPECT_DOUBLE_EQ(of.covers, 0.8);
  EXPECT_DOUBLE_EQ(summary_of(steps(2), 0.95).covers, 1.0 / 3);
}

TEST(Populations, ThoseWithoutTheFigureAreLeftOut) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const PopulationSummary of =
      summary_of(figure_of({10, kNothing, 10, 10}, {8, 3, kNothing, 10}), 0.95);
  EXPECT_EQ(of.measured, 2U);
  EXPECT_EQ(of.b_less, 1U);
  EXPECT_EQ(of.b_more, 0U);
  EXPECT_EQ(summary_of(figure_of({10}, {8}), 0.95).measured, 1U);
}

/// A further draw of the same kind lies in the range as often as is said, whatever its
/// distribution.
TEST(Populations, TheRangeHoldsFurtherDrawsAsOftenAsItSays) {
  constexpr int kRounds = 4000;
  Rng rng(1, "test/populations", 0);
  const auto skewed = [&] {
    const double u = rng.uniform();
    return u * u * u * u * 1000 - 50;
  };
  int held = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> a(39, 0), b;
    for (int i = 0; i < 39; ++i) b.push_back(skewed());
    const Interval range = summary_of(figure_of(std::move(a), std::move(b)), 0.95).range;
    const double further = skewed();
    if (further >= range.low && further <= range.high) ++held;
  }
  EXPECT_NEAR(held / static_cast<double>(kRounds), 0.95, 0.015);  // four standard errors
}

}  // namespace
}  // namespace rehearse

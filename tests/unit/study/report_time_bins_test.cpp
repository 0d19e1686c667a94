// tests/unit/study/report_time_bins_test.cpp — a run in pieces that a chart can show.
#include <gtest/gtest.h>

#include "sim/study/report/time_bins.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kDay = 86400;

TEST(ReportTimeBins, CoverTheRunAndAreNoMoreThanAskedFor) {
  Result result;
  for (const std::int64_t length : {std::int64_t{1}, std::int64_t{3600}, 3 * kDay, 400 * kDay}) {
    result.begin = 1'700'000'123;
    result.end = result.begin + length;
    const TimeBins bins = time_bins(result, {result.begin, result.end}, 96);
    ASSERT_GE(bins.count, 1U) << length;
    EXPECT_LE(bins.count, 96U) << length;
    EXPECT_LE(bins.time(0), result.begin) << length;
    EXPECT_GT(bins.time(0) + bins.period_s, result.begin) << length;
    EXPECT_GE(bins.time(bins.count), result.end) << length;
  }
}

TEST(ReportTimeBins, OfDaysBeginAtTheSitesMidnight) {
  Result result;
  result.cluster.time_zone = "America/New_York";
  result.begin = 1'736'000'000;  // 2025-01-04T09:13:20 there: five hours behind UTC
  result.end = result.begin + 100 * kDay;
  const TimeBins bins = time_bins(result, {result.begin, result.end}, 120);
  EXPECT_EQ(bins.period_s, kDay);
  EXPECT_EQ(bins.time(0) % kDay, 5 * 3600);
}

TEST(ReportTimeBins, AnEmptyRunHasNone) {
  EXPECT_EQ(time_bins(Result(), {}, 96).count, 0U);
}

TEST(ReportTimeBins, MeansWeighCellsByTheirLength) {
  Result result;
  result.begin = 0;
  result.end = 700;  // two whole cells of 300 s, and one of 100 s
  result.series.time = {0, 300, 600};
  result.series.series.push_back({"x", "1", "x", {1, 4, 7}, 0});
  TimeBins bins;
  bins.period_s = 900;
  bins.count = 1;
  const std::vector<double> means = means_over(result, "x", bins);
  ASSERT_EQ(means.size(), 1U);
  EXPECT_DOUBLE_EQ(means[0], (1 * 300 + 4 * 300 + 7 * 100) / 700.0);
  EXPECT_TRUE(means_over(result, "y", bins).empty());
}

TEST(ReportTimeBins, LeaveOutWhatComesAfterTheLast) {
  Result result;
  result.begin = 0;
  result.end = 900;
  result.series.time = {0, 300, 600};
  result.series.series.push_back({"x", "1", "x", {1, 4, 7}, 0});
  const TimeBins bins = time_bins(result, {0, 600}, 96);
  ASSERT_EQ(bins.count, 2U);
  EXPECT_EQ(means_over(result, "x", bins), (std::vector<double>{1, 4}));
}

}  // namespace
}  // namespace rehearse::test

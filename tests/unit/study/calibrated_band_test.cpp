// tests/unit/study/calibrated_band_test.cpp — bands made as wide as past ones should have been.
#include "sim/study/forecast/calibrated_band.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/core/rng.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kDay = 86400;
constexpr int kJobs = 20;

SlurmTime day(std::int64_t number) {
  return from_epoch_seconds(1'700'000'000 + number * kDay);
}

/// Starts within (0, 4 h), of which the true band holds 24 .. 216 min.
std::int64_t drawn_start(Rng& rng) {
  return rng.between(0, 14'400);
}

/// The share of 40 days' starts inside of `band` made right by all days before each.
double coverage_of(const ForecastBand& band) {
  Rng rng(5, "test/band", 0);
  BandHistory history;
  double held = 0;
  double asked = 0;
  for (std::int64_t number = 0; number < 50; ++number) {
    const auto shift = history.shift(day(number));
    const ForecastBand shown = shift ? shift->applied(band) : band;
    for (int i = 0; i < kJobs; ++i) {
      const std::int64_t start = drawn_start(rng);
      if (number >= 10) {
        held += start >= shown.low && start <= shown.high ? 1 : 0;
        asked += 1;
      }
      history.add(day(number), band, day(number) + Seconds{start});
    }
  }
  return held / asked;
}

TEST(BandHistory, WidensABandThatHeldTooSeldom) {
  EXPECT_NEAR(coverage_of({6000, 7200, 8400}), 0.8, 0.05);
}

TEST(BandHistory, NarrowsABandThatHeldTooOften) {
  EXPECT_NEAR(coverage_of({0, 7200, 14'400}), 0.8, 0.05);
}

TEST(BandHistory, MovesOneEndWhereOnlyOneIsWrong) {
  BandHistory history;
  for (std::int64_t number = 0; number < 5; ++number) {
    history.add(day(number), {600, 1200, 1800}, day(number) + Seconds{3600});
  }
  const auto shift = history.shift(day(5));
  ASSERT_TRUE(shift);
  const ForecastBand band = shift->applied({600, 1200, 1800});
  EXPECT_EQ(band.high, 3600);
  EXPECT_EQ(band.middle, 1200);
  EXPECT_EQ(band.low, 1200) << "never across the middle";
}

TEST(BandHistory, SaysNothingOfFewInstants) {
  BandHistory history;
  for (std::int64_t number = 0; number < 2; ++number) {
    history.add(day(number), {600, 1200, 1800}, day(number) + Seconds{1200});
  }
  EXPECT_FALSE(history.shift(day(9)));
  history.add(day(9), {600, 1200, 1800}, day(9) + Seconds{1200});
  EXPECT_FALSE(history.shift(day(9))) << "its own instant is no past";
  EXPECT_TRUE(history.shift(day(10)));
}

TEST(BandHistory, KnowsOnlyWhatHadHappened) {
  BandHistory later;
  BandHistory never;
  for (std::int64_t number = 0; number < 4; ++number) {
    later.add(day(number), {600, 1200, 1800}, day(30 + number));
    never.add(day(number), {600, 1200, 1800}, std::nullopt);
  }
  const auto a = later.shift(day(4));
  const auto b = never.shift(day(4));
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->high, b->high);
  EXPECT_EQ(a->low, b->low);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/app/pace_test.cpp — how often it is told how far a run is.
#include "sim/app/pace.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

/// The seconds at which a line is due, asked every `step`.
std::vector<std::int64_t> lines(Pace::Onto onto, std::chrono::milliseconds step,
                                std::chrono::milliseconds end) {
  Pace pace(onto);
  std::vector<std::int64_t> due;
  for (auto at = 0ms; at <= end; at += step) {
    if (pace.is_due(at))
      due.push_back(std::chrono::duration_cast<std::chrono::seconds>(at).count());
  }
  return due;
}

TEST(Pace, OfALogIsALineAMinuteThenOneInTenMinutes) {
  EXPECT_EQ(lines(Pace::Onto::File, 1s, 59s), std::vector<std::int64_t>{});
  EXPECT_EQ(
      lines(Pace::Onto::File, 1s, 31min),
      (std::vector<std::int64_t>{60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800}));
}

TEST(Pace, OfALogIsThatOfWhatThereIsToTellWhereThatIsSlower) {
  EXPECT_EQ(lines(Pace::Onto::File, 7min, 30min), (std::vector<std::int64_t>{420, 840, 1260}));
}

TEST(Pace, OfATerminalIsFiveLinesASecondAfterTwo) {
  EXPECT_EQ(lines(Pace::Onto::Terminal, 10ms, 1990ms).size(), 0U);
  EXPECT_EQ(lines(Pace::Onto::Terminal, 10ms, 2990ms).size(), 5U);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/workloads/local_time_test.cpp — local times of sacct, the two odd hours of a year,
// --begin.
#include "workloads/local_time.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

std::int64_t seconds(std::string_view text, const std::string& zone = "UTC") {
  LocalClock clock(zone);
  const ParsedTime parsed = parse_sacct_time(text, clock);
  return parsed.word == TimeWord::Told ? epoch_seconds(parsed.utc.time) : -1;
}

TEST(SacctTime, IsReadInEveryFormThatSacctAndItsUsersWrite) {
  EXPECT_EQ(seconds("1970-01-02T00:00:01"), 86401);
  EXPECT_EQ(seconds("2027-01-15T08:00:00"), 1800000000);
  EXPECT_EQ(seconds("2027-01-15 08:00:00"), 1800000000);
  EXPECT_EQ(seconds("1800000000"), 1800000000);
  EXPECT_EQ(seconds("2027-01-15T08:00:00Z", "Europe/Oslo"), 1800000000);
  EXPECT_EQ(seconds("2027-01-15T10:30:00+02:30", "Europe/Oslo"), 1800000000);
  EXPECT_EQ(seconds("2027-01-15T02:00:00.75-0600"), 1800000000);
}

TEST(SacctTime, UsesTheZoneInSummerAndWinter) {
  EXPECT_EQ(seconds("2027-01-15T09:00:00", "Europe/Oslo"), 1800000000);
  EXPECT_EQ(seconds("2025-07-01T02:00:00", "Europe/Oslo"), seconds("2025-07-01T00:00:00"));
}

TEST(SacctTime, KnowsTheWordsForNoTimeAndRefusesTheRest) {
  LocalClock clock("UTC");
  for (const char* word : {"", "Unknown", "None", "N/A", "0"}) {
    EXPECT_EQ(parse_sacct_time(word, clock).word, TimeWord::None) << word;
  }
  for (const char* bad : {"yesterday", "2027-02-30T00:00:00", "2027-01-15T24:00:00", "2027-01-15",
                          "2027-01-15T08:00:00+25:00", "2027-01-15T08:00:00x",
                          "9999-12-31T23:59:59", "99999999999"}) {
    EXPECT_EQ(parse_sacct_time(bad, clock).word, TimeWord::Bad) << bad;
  }
}

TEST(LocalClock, TellsBothAnswersOfTheHourThatOccursTwice) {
  LocalClock oslo("Europe/Oslo");  // 2025-10-26: 03:00 summer time became 02:00
  const UtcTime twice = parse_sacct_time("2025-10-26T02:30:00", oslo).utc;
  EXPECT_EQ(epoch_seconds(twice.time), seconds("2025-10-26T00:30:00"));
  ASSERT_TRUE(twice.later.has_value());
  EXPECT_EQ(epoch_seconds(*twice.later), seconds("2025-10-26T01:30:00"));
}

TEST(LocalClock, MarksTheHourThatDoesNotExist) {
  LocalClock oslo("Europe/Oslo");  // 2025-03-30: 02:00 became 03:00
  const UtcTime gap = parse_sacct_time("2025-03-30T02:30:00", oslo).utc;
  EXPECT_TRUE(gap.skipped);
  EXPECT_EQ(epoch_seconds(gap.time), seconds("2025-03-30T01:30:00"));
}

TEST(LocalClock, DoesNotRememberAnOffsetAcrossAChangeOfTheClock) {
  LocalClock oslo("Europe/Oslo");
  for (int turn = 0; turn < 2; ++turn) {  // to and fro: the kept span must not answer for the other
    EXPECT_EQ(epoch_seconds(parse_sacct_time("2025-07-01T12:00:00", oslo).utc.time),
              seconds("2025-07-01T10:00:00"));
    EXPECT_EQ(epoch_seconds(parse_sacct_time("2025-12-01T12:00:00", oslo).utc.time),
              seconds("2025-12-01T11:00:00"));
  }
}

TEST(LocalClock, RefusesAZoneThatDoesNotExist) {
  EXPECT_THROW(LocalClock("Europe/Atlantis"), InputError);
}

}  // namespace
}  // namespace rehearse::test

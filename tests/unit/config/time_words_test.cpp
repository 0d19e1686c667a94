// tests/unit/config/time_words_test.cpp — one reader for the moments that sbatch and scontrol take.
#include "sim/config/time_words.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rehearse::test {
namespace {

// A Friday, 08:42:02.
SlurmTime friday() {
  return TimeZone::utc().read("2027-01-15T08:42:02").value();
}

std::string moment(std::string_view text) {
  const auto at = read_time_words(text, friday(), TimeZone::utc());
  return at ? TimeZone::utc().print(*at) : "none";
}

TEST(TimeWords, AreThoseOfScontrol) {  // scontrol(1), StartTime
  EXPECT_EQ(moment("now"), "2027-01-15T08:42:02");
  EXPECT_EQ(moment("now+5400"), "2027-01-15T10:12:02");
  EXPECT_EQ(moment("now+10minutes"), "2027-01-15T08:52:02");
  EXPECT_EQ(moment("now+2hours"), "2027-01-15T10:42:02");
  EXPECT_EQ(moment("now+1week"), "2027-01-22T08:42:02");
  EXPECT_EQ(moment("tomorrow"), "2027-01-16T00:00:00");
  EXPECT_EQ(moment("16:30"), "2027-01-15T16:30:00");
  EXPECT_EQ(moment("08:00"), "2027-01-16T08:00:00");  // is past
  EXPECT_EQ(moment("4:30PM"), "2027-01-15T16:30:00");
  EXPECT_EQ(moment("noon"), "2027-01-15T12:00:00");
  EXPECT_EQ(moment("fika"), "2027-01-15T15:00:00");
  EXPECT_EQ(moment("teatime"), "2027-01-15T16:00:00");
  EXPECT_EQ(moment("midnight"), "2027-01-16T00:00:00");
  EXPECT_EQ(moment("2027-02-01"), "2027-02-01T00:00:00");
  EXPECT_EQ(moment("2027-02-01T06:00"), "2027-02-01T06:00:00");
  EXPECT_EQ(moment("02/01/27"), "2027-02-01T00:00:00");
  EXPECT_EQ(moment("0201"), "2027-02-01T00:00:00");
  EXPECT_EQ(moment("01.10"), "2028-01-10T00:00:00");
  EXPECT_EQ(moment("tomorrow 16:00"), "2027-01-16T16:00:00");
  EXPECT_EQ(moment("soon"), "none");
  EXPECT_EQ(moment("now+5fortnights"), "none");
  EXPECT_EQ(moment("25:00"), "none");
}

TEST(TimeWords, AreThoseOfSbatchToo) {
  const SlurmTime submit = from_epoch_seconds(1800000000);  // 2027-01-15T08:00:00, a Friday
  const auto after = [&](std::string_view text) -> std::int64_t {
    const auto at = read_time_words(text, submit, TimeZone::utc());
    return at ? (*at - submit).count() : -1;
  };
  EXPECT_EQ(after("now"), 0);
  EXPECT_EQ(after("now+1800"), 1800);
  EXPECT_EQ(after("now+30minutes"), 1800);
  EXPECT_EQ(after("now+2hours"), 7200);
  EXPECT_EQ(after("now+1week"), 7 * 86400);
  EXPECT_EQ(after("16:00"), 8 * 3600);
  EXPECT_EQ(after("4:30pm"), 8 * 3600 + 1800);
  EXPECT_EQ(after("07:00"), 23 * 3600);  // has passed today
  EXPECT_EQ(after("tomorrow"), 16 * 3600);
  EXPECT_EQ(after("2027-01-16"), 16 * 3600);
  EXPECT_EQ(after("2027-01-15T08:00:10"), 10);
  EXPECT_EQ(after("01/16/27"), 16 * 3600);
  EXPECT_EQ(after("011627"), 16 * 3600);
  EXPECT_EQ(after("some day"), -1);
}

TEST(TimeWords, OfAPastDateWithoutAYearAreOfTheNextOne) {
  EXPECT_EQ(moment("01/10"), "2028-01-10T00:00:00");
  EXPECT_EQ(moment("01/20"), "2027-01-20T00:00:00");
}

}  // namespace
}  // namespace rehearse::test

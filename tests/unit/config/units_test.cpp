// tests/unit/config/units_test.cpp — times, sizes and numbers as Slurm reads them.
#include "sim/config/units.hpp"

#include <gtest/gtest.h>

#include "sim/config/text.hpp"

namespace rehearse::test {
namespace {

TEST(TimeString, ABareNumberIsMinutes) {
  EXPECT_EQ(parse_time_string("90"), Seconds{5400});
  EXPECT_EQ(parse_time_minutes("7"), Minutes{7});
}

TEST(TimeString, ReadsEveryForm) {
  EXPECT_EQ(parse_time_string("24:00"), Seconds{24 * 60});  // minutes and seconds, not hours
  EXPECT_EQ(parse_time_string("24:00:00"), Seconds{86400});
  EXPECT_EQ(parse_time_string("7-0"), Seconds{7 * 86400});
  EXPECT_EQ(parse_time_string("1-2:3"), Seconds{86400 + 2 * 3600 + 3 * 60});
  EXPECT_EQ(parse_time_string("1-2:3:4"), Seconds{86400 + 2 * 3600 + 3 * 60 + 4});
  EXPECT_EQ(parse_time_string("0"), Seconds{0});
}

TEST(TimeString, UnlimitedHasThreeSpellings) {
  for (const char* word : {"-1", "INFINITE", "Unlimited", "unlimited"}) {
    EXPECT_EQ(parse_time_string(word), Seconds{kUnlimited}) << word;
    EXPECT_EQ(parse_time_minutes(word), kUnlimited) << word;
  }
}

TEST(TimeString, MinutesRoundUp) {
  EXPECT_EQ(parse_time_minutes("0:30"), Minutes{1});
  EXPECT_EQ(parse_time_minutes("1:00"), Minutes{1});
  EXPECT_EQ(parse_time_minutes("1:01"), Minutes{2});
  EXPECT_EQ(parse_time_minutes("0"), Minutes{0});
}

TEST(TimeString, RefusesWhatIsNoTime) {
  for (const char* text : {"", "-", "-2", "1h", "-1:00", "1:2:3:4", "1::2", ":", "1-2-3", " 1",
                           "1 ", "99999999999999999999", "2147483647", "0x10", "1.5"}) {
    EXPECT_EQ(parse_time_string(text), std::nullopt) << text;
  }
}

TEST(Elapsed, ReadsWhatSacctPrints) {
  EXPECT_EQ(parse_elapsed("00:00:05"), Seconds{5});
  EXPECT_EQ(parse_elapsed("1-00:00:00"), Seconds{86400});
  EXPECT_EQ(parse_elapsed("05:07.123"), Seconds{307});
  EXPECT_EQ(parse_elapsed("10:00:00"), Seconds{36000});
}

TEST(Elapsed, RefusesWhatSacctNeverPrints) {
  for (const char* text : {"", "5", "1-00:00", "00:60", "00:60:00", "1-24:00:00", "a:b", "1:2:"}) {
    EXPECT_EQ(parse_elapsed(text), std::nullopt) << text;
  }
}

TEST(ConfNumber, IsReadAsStrtoulBaseZeroDoes) {
  EXPECT_EQ(parse_conf_uint("10", 99), 10U);
  EXPECT_EQ(parse_conf_uint("010", 99), 8U);
  EXPECT_EQ(parse_conf_uint("0x10", 99), 16U);
  EXPECT_EQ(parse_conf_uint("0", 99), 0U);
}

TEST(ConfNumber, KnowsTheSuffixKAndNoOther) {
  EXPECT_EQ(parse_conf_uint("64K", 99), 65536U);
  EXPECT_EQ(parse_conf_uint("4k", 99), 4096U);
  for (const char* text : {"512G", "4M", "k", "", "-1", "8 ", "08", "0x", "1e3", "4KB", "1.5"}) {
    EXPECT_EQ(parse_conf_uint(text, 99), std::nullopt) << text;
  }
}

TEST(ConfNumber, TellsInfinityAndRefusesOverflow) {
  EXPECT_EQ(parse_conf_uint("INFINITE", 99), 99U);
  EXPECT_EQ(parse_conf_uint("unlimited", 99), 99U);
  EXPECT_EQ(parse_conf_uint("18446744073709551615", 99), 18446744073709551615U);
  EXPECT_EQ(parse_conf_uint("18446744073709551616", 99), std::nullopt);
  EXPECT_EQ(parse_conf_uint("18446744073709551615K", 99), std::nullopt);
}

TEST(Memory, IsMebibytesUnlessItSaysOtherwise) {
  EXPECT_EQ(parse_memory_mib("400"), 400U);
  EXPECT_EQ(parse_memory_mib("4G"), 4096U);
  EXPECT_EQ(parse_memory_mib("4gb"), 4096U);
  EXPECT_EQ(parse_memory_mib("1T"), 1048576U);
  EXPECT_EQ(parse_memory_mib("1P"), 1073741824U);
  EXPECT_EQ(parse_memory_mib("2.50G"), 2560U);
  EXPECT_EQ(parse_memory_mib("0"), 0U);
}

TEST(Memory, RoundsKibibytesUp) {
  EXPECT_EQ(parse_memory_mib("1K"), 1U);
  EXPECT_EQ(parse_memory_mib("1024K"), 1U);
  EXPECT_EQ(parse_memory_mib("1025KB"), 2U);
}

TEST(Memory, RefusesWhatIsNoSize) {
  for (const char* text : {"", "G", "4X", "-4", "4B", "1.G", ".5G", "4GG", "16?", "4Gn"}) {
    EXPECT_EQ(parse_memory_mib(text), std::nullopt) << text;
  }
}

TEST(Memory, IsPrintedExactly) {  // limits.md §11.1
  EXPECT_EQ(format_memory_mib(1024), "1G");
  EXPECT_EQ(format_memory_mib(1536), "1.50G");
  EXPECT_EQ(format_memory_mib(1000), "1000M");
  EXPECT_EQ(format_memory_mib(1024000), "1000G");
  EXPECT_EQ(format_memory_mib(2560), "2.50G");
  EXPECT_EQ(format_memory_mib(2561), "2561M");
  EXPECT_EQ(format_memory_mib(1048576), "1T");
  EXPECT_EQ(format_memory_mib(65536), "64G");
  EXPECT_EQ(format_memory_mib(512), "512M");
  EXPECT_EQ(format_memory_mib(0), "0");
}

TEST(Elapsed, IsPrintedWithDaysOnlyWhereThereAreSome) {
  EXPECT_EQ(format_elapsed(Seconds{0}), "00:00:00");
  EXPECT_EQ(format_elapsed(Seconds{86399}), "23:59:59");
  EXPECT_EQ(format_elapsed(Seconds{7 * 86400 + 61}), "7-00:01:01");
  EXPECT_EQ(format_elapsed(Seconds{-1}), "INVALID");
  EXPECT_EQ(format_elapsed(Seconds{kUnlimited}), "UNLIMITED");
}

TEST(ConfBool, HasFourWordsEach) {
  for (const char* word : {"yes", "UP", "True", "1"}) EXPECT_EQ(parse_conf_bool(word), true);
  for (const char* word : {"no", "DOWN", "False", "0"}) EXPECT_EQ(parse_conf_bool(word), false);
  for (const char* word : {"", "maybe", "on", "y", "2"})
    EXPECT_EQ(parse_conf_bool(word), std::nullopt);
}

TEST(Shown, NeverGrowsWithItsInput) {
  EXPECT_EQ(shown("a b"), "'a b'");
  EXPECT_EQ(shown(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
  EXPECT_EQ(shown(std::string_view("a\0\n", 3)), "'a\\x00\\x0A'");
  EXPECT_EQ(shown("\xFFz"), "'\\xFFz'");
  EXPECT_EQ(shown("\xC3\xA9"), "'\xC3\xA9'");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/config/sdiag_test.cpp — the costs that the output of sdiag tells.
#include "sim/config/sdiag_table.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kText =
    "Main schedule statistics (microseconds):\n"
    "\tLast cycle:   4070\n\tMax cycle:    118449\n\tTotal cycles: 702\n"
    "\tMean cycle:   18325\n\tMean depth cycle:  5\n\tLast queue length: 0\n\n"
    "Backfilling stats\n\tTotal cycles: 668\n\tLast cycle: 13979\n\tMean cycle: 50369\n"
    "\tDepth Mean: 7\n\tDepth Mean (try depth): 5\n\tMean table size: 3\n\n"
    "Latency for 1000 calls to gettimeofday(): 2675 microseconds\n";

TEST(Sdiag, GivesMeanCyclesOverMeanDepths) {
  const ScratchFolder folder;
  Diagnostics found;
  const LoopTimes times = read_sdiag(folder.write("sdiag.txt", kText), found);
  EXPECT_TRUE(found.all().empty());
  EXPECT_EQ(times.main_per_record, Duration{3665});
  EXPECT_EQ(times.main_per_pass, Duration{0});
  EXPECT_EQ(times.backfill_per_try, Duration{10073});
  EXPECT_EQ(times.backfill_per_cycle, Duration{0});
}

TEST(Sdiag, WithoutADepthGivesTheCycle) {
  const ScratchFolder folder;
  Diagnostics found;
  const LoopTimes times =
      read_sdiag(folder.write("sdiag.txt",
                              "Main schedule statistics (microseconds):\n\tMean cycle: 20\n"
                              "\tMean depth cycle: 0\n\nBackfilling stats\n\tMean cycle: 30\n\n"),
                 found);
  EXPECT_TRUE(found.all().empty());
  EXPECT_EQ(times.main_per_pass, Duration{20});
  EXPECT_EQ(times.backfill_per_cycle, Duration{30});
}

TEST(Sdiag, OfAnotherFormIsRefusedWithWhatIsMissing) {
  const ScratchFolder folder;
  Diagnostics found;
  (void)read_sdiag(folder.write("sdiag.txt",
                                "Main schedule statistics (microseconds):\n"
                                "\tMean cycle: soon\n\tMean depth cycle: 1\n"),
                   found);
  ASSERT_EQ(found.all().size(), 2U);
  EXPECT_EQ(found.all()[0].what, "Mean cycle: 'soon' is not a number");
  EXPECT_EQ(found.all()[0].where.line, 2U);
  EXPECT_EQ(found.all()[1].what, "no 'Backfilling stats'");
}

}  // namespace
}  // namespace rehearse::test

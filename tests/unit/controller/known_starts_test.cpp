// tests/unit/controller/known_starts_test.cpp — the second that a recorded pass had come to when it
// started a job.
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

Time second(std::int64_t at) {
  return Time{from_epoch_seconds(RunSite::kStart + at)};
}

/// Job 2 waits for job 1, is started by the pass at 31.96 s and runs for a hundred seconds.
std::string end_with(const std::map<JobId, SlurmTime>& first_starts) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "SchedulerParameters=bf_interval=-1\nNodeName=n1 CPUs=1\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 1, 27);
  site.job(2, 12, 100);
  site.recorded.emplace();
  site.recorded->main_passes = {{second(2)}, {second(14)}, {second(31) + 960ms}};
  site.recorded->first_starts = first_starts;
  site.run();
  const auto lines = site.lines("end 2");
  return lines.size() == 1 ? lines[0] : "";
}

TEST(KnownStarts, OfAJobInTheSecondAfterItsPassBeganMoveItsEnd) {  // lifecycle.md §4
  EXPECT_EQ(end_with({}), "131 end 2 COMPLETED");
  EXPECT_EQ(end_with({{JobId{2}, whole_second(second(32))}}), "132 end 2 COMPLETED");
  EXPECT_EQ(end_with({{JobId{2}, whole_second(second(31))}}), "131 end 2 COMPLETED");
  EXPECT_EQ(end_with({{JobId{2}, whole_second(second(33))}}), "131 end 2 COMPLETED")
      << "another pass's";
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/known_starts_test.cpp — the second that a recorded pass had come to when it
// started a job.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

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

/// Job 2 is planned for the end of job 1, from 3660 s on; job 3, of an hour, would end before as
/// long as it is tested at 59 s.
std::int64_t start_of_job_3(std::vector<KnownCycle::Tried> tries) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "SchedulerParameters=bf_interval=30\nNodeName=n1 CPUs=2\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 1, 200).time_limit = Minutes{61};
  Request both;
  both.num_tasks = both.min_cpus = 2;
  site.job(2, 5, 100, both).time_limit = Minutes{10};
  site.job(3, 6, 100).time_limit = Minutes{60};
  site.recorded.emplace();
  site.recorded->backfill = {second(59) + 900ms};
  site.recorded->cycles = {{second(59) + 900ms, std::move(tries), {}}};
  site.run();
  return site.second_of("start 3 ");
}

TEST(KnownStarts, ATestGoesByTheSecondInWhichItsCycleCameToIt) {  // scheduling.md §8.7
  EXPECT_EQ(start_of_job_3({{JobId{2}, second(59) + 920ms}, {JobId{3}, second(59) + 950ms}}), 59);
  EXPECT_GT(start_of_job_3({{JobId{2}, second(59) + 950ms}, {JobId{3}, second(60) + 50ms}}), 200);
}

/// Job 1 has a limit of a minute from 2 s on; scans at 32.1 and 92.3 s are known, one between them
/// falls on 62.2 s.
std::int64_t end_of_job_1(const std::map<JobId, std::vector<Time>>& overdue) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 1, 1000).time_limit = Minutes{1};
  site.recorded.emplace();
  site.recorded->main_passes = {{second(2)}};
  site.recorded->limit_scans = {second(32) + 100ms, second(92) + 300ms};
  site.recorded->overdue = overdue;
  site.run();
  return site.second_of("end 1 ");
}

TEST(KnownStarts, AScanThatFoundAJobIsTheFirstAfterItsLimit) {  // lifecycle.md §6
  EXPECT_EQ(end_of_job_1({}), 62);
  EXPECT_EQ(end_of_job_1({{JobId{1}, {second(92) + 300ms}}}), 92)
      << "the one before it lay before 62 s";
  EXPECT_EQ(end_of_job_1({{JobId{1}, {second(32) + 100ms}}}), 62) << "another run's";
  EXPECT_EQ(end_of_job_1({{JobId{1}, {second(122) + 300ms}}}), 62) << "not within a period";
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/output/sdiag_view_test.cpp — slurmctld's counters at an instant (outputs.md §6).
#include <gtest/gtest.h>

#include "sim/output/views/view.hpp"
#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kMidnight = 57'600;  // 16 hours after 08:00

Result counted() {
  Result result = small_result();
  result.loops_by_hour.kept = true;
  result.loops_by_hour.time = {kStart + 3600, kStart + 7200};
  result.loops_by_hour.main_passes = {10, 150};
  result.loops_by_hour.main_records = {45, 465};
  result.loops_by_hour.backfill_cycles = {3, 5};
  return result;
}

ViewOptions options_at(std::int64_t second) {
  ViewOptions options;
  options.at = kStart + second;
  return options;
}

TEST(ShowSdiag, CountsJobsToTheInstantAndCyclesToTheHour) {
  const View view = sdiag_view(counted(), options_at(5000));
  EXPECT_EQ(view.text,
            "*******************************************************\n"
            "sdiag output at Fri Jan 15 09:23:20 2027 (1800005000)\n"
            "Data since      Fri Jan 15 08:00:00 2027 (1800000000)\n"
            "*******************************************************\n"
            "\n"
            "Jobs submitted: 6\n"
            "Jobs started:   4\n"
            "Jobs completed: 2\n"
            "Jobs canceled:  1\n"
            "Jobs failed:    0\n"
            "\n"
            "Job states ts:  Fri Jan 15 09:23:20 2027 (1800005000)\n"
            "Jobs pending:   2\n"
            "Jobs running:   1\n"
            "\n"
            "Main schedule statistics (microseconds):\n"
            "\tTotal cycles: 10\n"
            "\tMean depth cycle:  4\n"
            "\tCycles per minute: 0\n"
            "\n"
            "Backfilling stats\n"
            "\tTotal backfilled jobs (since last slurm start): 1\n"
            "\tTotal backfilled jobs (since last stats cycle start): 1\n"
            "\tTotal backfilled heterogeneous job components: 0\n"
            "\tTotal cycles: 3\n");
  EXPECT_EQ(view.note,
            "cycles that could change nothing are not simulated, and not counted; the others are "
            "counted until 2027-01-15T09:00:00");
}

TEST(ShowSdiag, CountsAllOfARunAtItsEnd) {
  ViewOptions options = options_at(7200);
  options.parsable = options.no_header = true;
  const View view = sdiag_view(counted(), options);
  EXPECT_EQ(view.text,
            "jobs_submitted|6\njobs_started|4\njobs_completed|3\njobs_canceled|1\njobs_failed|0\n"
            "jobs_pending|2\njobs_running|0\nschedule_cycle_total|150\n"
            "schedule_cycle_mean_depth|3\nschedule_cycle_per_minute|1\nbf_backfilled_jobs|1\n"
            "bf_last_backfilled_jobs|1\nbf_backfilled_het_jobs|0\nbf_cycle_counter|5\n");
  EXPECT_EQ(view.note, "cycles that could change nothing are not simulated, and not counted");
}

TEST(ShowSdiag, BeginsAnewAtMidnightUtcButForTheJobsOfBackfill) {
  ViewOptions options = options_at(kMidnight + 60);
  options.json = true;
  Result result = counted();
  result.end = kStart + kMidnight + 60;
  const std::string json = view_json(result, "sdiag", options, sdiag_view(result, options));
  EXPECT_NE(json.find("\"req_time\":1800057660,\"req_time_start\":1800057600,"
                      "\"jobs_submitted\":0,\"jobs_started\":0,\"jobs_completed\":0,"
                      "\"jobs_canceled\":0,\"jobs_failed\":0,\"jobs_pending\":2,"
                      "\"jobs_running\":0,\"schedule_cycle_total\":0,\"bf_backfilled_jobs\":1,"
                      "\"bf_last_backfilled_jobs\":0,"),
            std::string::npos)
      << json;
}

TEST(ShowSdiag, OfAFileWithoutCyclesLeavesThemOutAndSaysSo) {
  Result result = counted();
  result.loops_by_hour = {};
  const View view = sdiag_view(result, options_at(5000));
  EXPECT_EQ(view.text.find("Total cycles"), std::string::npos) << view.text;
  EXPECT_NE(view.note.find("does not tell how many cycles"), std::string::npos) << view.note;
}

TEST(ShowSdiag, ARequeuedRunHasNotEnded) {
  ViewOptions options = options_at(1000);  // job 2 was preempted at 900 and waits again
  options.parsable = true;
  const std::string text = sdiag_view(counted(), options).text;
  EXPECT_EQ(text.find("FIELD|VALUE\njobs_submitted|3\njobs_started|2\njobs_completed|0\n"
                      "jobs_canceled|0\n"),
            0U)
      << text;
}

TEST(Recorder, KeepsWhatLoopsDidByTheHourAndWhoWasCompleting) {
  SmallCluster small;
  LoopCounts counts;
  counts.main_passes = 7;
  counts.main_records = 21;
  counts.backfill_cycles = 2;
  Job& job = small.add_job(1, "ann", 0, 8, 8, 1000);
  small.recorder.job_submitted(job, at(0));
  small.start(job, 0, {1});
  small.recorder.hour_passed(counts, at(3600));
  small.recorder.hour_passed(counts, at(7200));  // nothing was done
  small.end(job, 7300, JobState::Completed);
  small.recorder.job_cleaned(job, at(7330));
  Job& other = small.add_job(2, "ann", 7400, 8, 8, 1000);
  small.recorder.job_submitted(other, at(7400));
  small.start(other, 7400, {1});
  small.end(other, 7500, JobState::Completed);
  small.recorder.job_cleaned(other, at(7500));  // within its second
  Job& last = small.add_job(3, "ann", 7600, 8, 8, 1000);
  small.recorder.job_submitted(last, at(7600));
  small.start(last, 7600, {1});
  small.end(last, 7700, JobState::Completed);
  last.completing = true;
  counts.main_passes = 9;
  small.recorder.run_ended(*small.cluster, at(7800), counts);
  const Result result = small.recorder.take(true);
  EXPECT_TRUE(result.loops_by_hour.kept && result.completing.kept);
  EXPECT_EQ(result.loops_by_hour.time, (std::vector<std::int64_t>{kStart + 3600, kStart + 7800}));
  EXPECT_EQ(result.loops_by_hour.main_passes, (std::vector<std::uint64_t>{7, 9}));
  EXPECT_EQ(result.completing.run, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(result.completing.end, (std::vector<std::int64_t>{kStart + 7330, kNoTime}));
  EXPECT_EQ(result.cluster.min_job_age_s, 300);
  ASSERT_EQ(result.cluster.tres.size(), 9U);
  EXPECT_EQ(result.cluster.tres.back(), "gres/gpu");
}

}  // namespace
}  // namespace rehearse::test

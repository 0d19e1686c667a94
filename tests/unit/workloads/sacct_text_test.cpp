// tests/unit/workloads/sacct_text_test.cpp — the rules of formats.md §10 and §17, one row at a
// time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "reading.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kHeader =
    "JobID|JobIDRaw|User|Submit|Eligible|Start|End|Elapsed|Timelimit|State|ExitCode|ReqTRES|"
    "AllocTRES|NodeList|SubmitLine\n";
constexpr const char* kTres = "billing=1,cpu=1,node=1";

/// A row of kHeader at minutes of 2027-01-15 after 08:00.
std::string row(const std::string& id, int submit, int start, int end, const std::string& state,
                const std::string& line = "") {
  const auto at = [](int minute) {
    return minute < 0 ? std::string("Unknown")
                      : fmt::format("2027-01-15T{:02}:{:02}:00", 8 + minute / 60, minute % 60);
  };
  const bool started = start >= 0;
  const std::string elapsed =
      started && end >= 0 ? fmt::format("{:02}:{:02}:00", (end - start) / 60, (end - start) % 60)
                          : "00:00:00";
  const std::string raw = id.find_first_of("_+") == std::string::npos ? id : "";
  return fmt::format("{}|{}|ann|{}|{}|{}|{}|{}|01:00:00|{}|0:0|{}|{}|{}|{}\n", id, raw, at(submit),
                     at(submit), at(start), at(end), elapsed, state, kTres, started ? kTres : "",
                     started ? "n1" : "None assigned", line);
}

constexpr std::int64_t kBase = 1800000000;  // 2027-01-15T08:00:00Z

TEST(SacctText, ReadsColumnsInAnyOrderAndCase) {
  const Reading read(
      "state|SUBMIT|jobid|Start|END|elapsedRAW|ReqTRES\n"
      "COMPLETED|2027-01-15T08:00:00|7|2027-01-15T08:01:00|2027-01-15T08:02:00|60|cpu=4,node=1\n");
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  EXPECT_EQ(read.job(0).id, JobId{7});
  EXPECT_EQ(read.job(0).run.runtime, Seconds{60});
  EXPECT_EQ(read.request(0).min_cpus, 4U);
  EXPECT_EQ(read.job(0).source_row, 2U);
}

TEST(SacctText, ReadsTheFormWithATrailingDelimiterAndOtherDelimiters) {
  const Reading with_end("JobID|Submit|State|\n7|2027-01-15T08:00:00|PENDING|\n");
  EXPECT_EQ(with_end.trace.report.job_rows, 1U);
  const Reading other("JobID;;Submit;;State\n7;;2027-01-15T08:00:00;;PENDING\n");
  EXPECT_EQ(other.trace.report.job_rows, 1U);
  const Reading csv("JobID,Submit,State,ReqTRES\n7,2027-01-15T08:00:00,PENDING,\"cpu=4,node=1\"\n");
  EXPECT_EQ(csv.request(0).min_cpus, 4U);
}

TEST(SacctText, TasksWithoutARowGetIdsThatNoRowHas) {
  const Reading read(std::string(kHeader) + row("100_[0-4]", 0, -1, -1, "PENDING") +
                     row("101", 10, 11, 40, "COMPLETED") + row("102", 10, 11, 40, "COMPLETED"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 3U);
  const std::vector<ArrayTask>& tasks = read.job(0).extras->array;
  ASSERT_EQ(tasks.size(), 5U);
  std::set<JobId> ids{JobId{101}, JobId{102}};
  for (const ArrayTask& task : tasks) EXPECT_TRUE(ids.insert(task.id).second);
  EXPECT_EQ(tasks.back().id, JobId{100});  // the last task bears the array's
}

TEST(SacctText, ANegativeElapsedIsNone) {
  const Reading read(
      "JobID|JobIDRaw|Submit|Start|End|ElapsedRaw|State|NodeList\n"
      "7|7|2027-01-15T08:00:00|2027-01-15T08:00:00|2027-01-15T08:10:00|-3000|COMPLETED|n1\n");
  EXPECT_EQ(read.job(0).run.runtime, Seconds{600});
  EXPECT_EQ(read.count(Assumed::ElapsedFromTimes), 1U);
}

TEST(SacctText, ElapsedSettlesTheHourThatOccursTwice) {
  SacctOptions berlin;  // 2025-10-26: 03:00 summer time became 02:00
  berlin.time_zone = "Europe/Berlin";
  const auto wait = [&](const char* start, const char* end, const char* elapsed) {
    const Reading read(fmt::format("JobIDRaw|Submit|Start|End|Elapsed|State|NodeList\n"
                                   "1|2025-10-25T21:21:22|{}|{}|{}|COMPLETED|n1\n",
                                   start, end, elapsed),
                       berlin);
    EXPECT_EQ(read.count(Assumed::ElapsedDiffers), 0U);
    return *read.job(0).recorded_start - read.job(0).submit;
  };
  constexpr Seconds kFirst{18397}, kSecond{21997};  // 02:27:59, the first and the second
  EXPECT_EQ(wait("2025-10-26T02:27:59", "2025-10-26T03:46:14", "01:18:15"), kSecond);
  EXPECT_EQ(wait("2025-10-26T02:27:59", "2025-10-26T03:46:14", "02:18:15"), kFirst);
  EXPECT_EQ(wait("2025-10-26T02:27:59", "2025-10-26T02:37:59", "00:10:00"), kFirst);
  EXPECT_EQ(wait("2025-10-26T02:27:59", "2025-10-26T02:37:59", "01:10:00"), kFirst);
}

TEST(SacctText, IdsTellInWhichOfTheTwoHoursAJobWasSubmitted) {
  SacctOptions berlin;
  berlin.time_zone = "Europe/Berlin";
  const auto line = [](const char* id, const char* raw, const char* minute, const char* end) {
    return fmt::format("{}|{}|2025-10-26T02:{}|2025-10-26T02:{}|2025-10-26T02:{}|00:05:00|{}|n1\n",
                       id, raw, minute, minute, end, "COMPLETED");
  };
  const Reading read("JobID|JobIDRaw|Submit|Start|End|Elapsed|State|NodeList\n" +
                         line("1", "1", "47:40", "52:40") + line("2", "2", "00:56", "05:56") +
                         line("3", "3", "50:00", "55:00") + line("5", "5", "51:00", "56:00"),
                     berlin);
  const auto submitted = [&](std::size_t at) {
    return read.job(at).submit - read.job(0).submit;  // the first at 02:47:40 summer time
  };
  EXPECT_EQ(submitted(1), Seconds{13 * 60 + 16});
  EXPECT_EQ(submitted(2), Seconds{62 * 60 + 20});
  EXPECT_EQ(submitted(3), Seconds{63 * 60 + 20});
  EXPECT_EQ(*read.job(1).recorded_start, read.job(1).submit);
  EXPECT_EQ(read.count(Assumed::ElapsedDiffers), 0U);
  // A task of an array got its own id later than its submission: the array's counts.
  const Reading array("JobID|JobIDRaw|Submit|Start|End|Elapsed|State|NodeList\n" +
                          line("1_0", "1", "10:00", "15:00") + line("2", "2", "40:00", "45:00") +
                          line("1_1", "3", "10:00", "15:00"),
                      berlin);
  EXPECT_EQ(array.job(1).submit - array.job(0).submit, Seconds{30 * 60});
  const Reading second("JobID|JobIDRaw|Submit|Start|End|Elapsed|State|NodeList\n" +
                           line("1", "1", "47:40", "52:40") + line("2_0", "2", "10:00", "15:00") +
                           line("2_1", "3", "10:00", "15:00"),
                       berlin);
  EXPECT_EQ(second.trace.jobs.specs().size(), 2U);  // both tasks came at once
  EXPECT_EQ(second.job(1).submit - second.job(0).submit, Seconds{22 * 60 + 20});
}

TEST(SacctText, WhereIdsAreRawATaskDoesNotStartBeforeItCame) {
  SacctOptions berlin;
  berlin.time_zone = "Europe/Berlin";
  const auto line = [](const char* raw, const char* submit, const char* start, const char* end) {
    return fmt::format("{}|2025-10-26T02:{}|2025-10-26T0{}|2025-10-26T0{}|{}|n1\n", raw, submit,
                       start, end, "COMPLETED");
  };
  const Reading read("JobIDRaw|Submit|Start|End|State|NodeList\n" +
                         line("1", "47:40", "2:47:40", "2:52:40") +
                         line("2", "00:56", "2:00:56", "2:05:56") +  // of the second hour
                         line("3", "10:00", "2:05:00", "3:15:00"),  // a task, at 02:10 of the first
                     berlin);
  // In the order of their submissions: 3, 1, 2.
  EXPECT_EQ(read.job(1).submit - read.job(0).submit, Seconds{37 * 60 + 40});
  EXPECT_EQ(read.job(2).submit - read.job(1).submit, Seconds{13 * 60 + 16});
}

TEST(SacctText, RefusesTheTableForm) {
  const Reading read("JobID       State\n------------ ----------\n7            COMPLETED\n");
  ASSERT_EQ(read.found.error_count(), 1U);
  EXPECT_NE(read.found.all()[0].hint.find("-P"), std::string::npos);
}

TEST(SacctText, SkipsStepsAndExplainsThem) {
  const Reading read(kHeader + row("7", 0, 1, 2, "COMPLETED") +
                     row("7.batch", 0, 1, 2, "COMPLETED") + row("7.extern", 0, 1, 2, "COMPLETED") +
                     row("7.0", 0, 1, 2, "COMPLETED"));
  EXPECT_EQ(read.trace.report.rows_read, 4U);
  EXPECT_EQ(read.trace.report.job_rows, 1U);
  EXPECT_EQ(read.count(Explained::Step), 3U);
}

TEST(SacctText, JoinsTheRunsOfARequeuedJob) {
  const Reading read(kHeader + row("7", 0, 1, 5, "PREEMPTED") + row("7", 6, 20, 50, "COMPLETED"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  const JobSpec& job = read.job(0);
  EXPECT_EQ(job.submit, Time{utc(kBase)});
  EXPECT_EQ(job.run.runtime, Seconds{30 * 60});
  EXPECT_EQ(job.run.outcome, RunOutcome::Completed);
  EXPECT_EQ(job.recorded_start, utc(kBase + 60));
  EXPECT_EQ(job.recorded_end, utc(kBase + 50 * 60));
  EXPECT_EQ(job.begin, std::nullopt);
  EXPECT_EQ(read.count(Explained::EarlierRun), 1U);
  ASSERT_EQ(read.trace.jobs.requeued().size(), 1U);
  EXPECT_EQ(read.trace.jobs.requeued()[0].runs, 2U);
}

/// Rows as slurmdbd has them: after a failed node the second begins there, after an update of
/// NumNodes it begins where the job did.
TEST(SacctText, CountsTheRunOfAJobThatWasMadeSmallerOnce) {
  const Reading failed(kHeader + row("7", 0, 1, 15, "RESIZING") +
                       row("7", 15, 15, 26, "COMPLETED"));
  EXPECT_EQ(failed.job(0).run.runtime, Seconds{25 * 60});
  const Reading updated(kHeader + row("7", 0, 1, 15, "RESIZING") +
                        row("7", 15, 1, 26, "COMPLETED"));
  EXPECT_EQ(updated.job(0).run.runtime, Seconds{25 * 60});
  EXPECT_EQ(updated.count(Explained::Resized), 1U);
}

TEST(SacctText, KeepsTheLongestRunOfAJobThatNeverEndedByItself) {
  const Reading read(kHeader + row("7", 0, 1, 31, "PREEMPTED") + row("7", 32, 40, 50, "PREEMPTED"));
  EXPECT_EQ(read.job(0).run.runtime, Seconds{30 * 60});
  EXPECT_EQ(read.count(Assumed::CutShortLongestRun), 1U);
}

TEST(SacctText, KnowsWhatEachEndMeansForTheTruth) {
  const Reading read(kHeader + row("1", 0, 1, 61, "TIMEOUT") +
                     row("2", 0, 1, 5, "CANCELLED by 1000") + row("3", 0, 1, 5, "OUT_OF_MEMORY") +
                     row("4", 0, 1, 5, "NODE_FAIL") + row("5", 0, 1, -1, "RUNNING") +
                     row("6", 0, -1, -1, "PENDING") + row("7", 0, -1, 9, "CANCELLED by 1000"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 7U);
  EXPECT_EQ(read.job(0).run.outcome, RunOutcome::UntilKilled);
  EXPECT_EQ(read.job(1).run.outcome, RunOutcome::Cancelled);
  EXPECT_EQ(read.job(1).run.runtime, Seconds{240});
  EXPECT_EQ(read.job(1).cancel_at, std::nullopt);
  EXPECT_EQ(read.job(2).run.outcome, RunOutcome::OutOfMemory);
  EXPECT_EQ(read.job(3).run.outcome, RunOutcome::NodeFailure);
  EXPECT_EQ(read.job(4).run.outcome, RunOutcome::UntilKilled);
  EXPECT_EQ(read.job(5).run.outcome, RunOutcome::UntilKilled);
  EXPECT_EQ(read.job(5).recorded_start, std::nullopt);
  EXPECT_EQ(read.job(6).cancel_at, utc(kBase + 9 * 60));
  EXPECT_EQ(read.job(6).recorded_start, std::nullopt);
}

TEST(SacctText, AJobThatMissedADeadlineNobodyTellsHasTheOneItMissedAtItsEnd) {
  // lifecycle.md §7: missed once the limit of an hour no longer fits before it.
  const Reading read(kHeader + row("1", 0, -1, 30, "DEADLINE") +
                     row("2", 0, -1, 30, "DEADLINE", "sbatch --deadline=10:00 x.sh") +
                     row("3_[0-1]", 0, -1, 30, "DEADLINE"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 3U);
  for (const std::size_t job : {0U, 2U}) {
    EXPECT_EQ(read.job(job).cancel_at, std::nullopt);
    ASSERT_NE(read.job(job).extras, nullptr);
    EXPECT_EQ(read.job(job).extras->deadline, utc(kBase + 90 * 60 - 1));
  }
  EXPECT_EQ(read.job(2).extras->array.at(1).cancel_at, std::nullopt);
  EXPECT_EQ(read.job(1).cancel_at, std::nullopt);
  EXPECT_EQ(read.job(1).extras->deadline, utc(kBase + 120 * 60));
  EXPECT_EQ(read.count(Assumed::DeadlineFromEnd), 2U);
}

TEST(SacctText, AJobCancelledByADeadlineWithoutALimitIsCancelledAtItsEnd) {
  std::string text = row("1", 0, -1, 30, "DEADLINE");
  text.replace(text.find("01:00:00"), 8, "UNLIMITED");
  const Reading read(kHeader + text);
  EXPECT_EQ(read.job(0).cancel_at, utc(kBase + 30 * 60));
  EXPECT_EQ(read.job(0).extras, nullptr);
}

TEST(SacctText, AnArrayOfATraceWithoutEligibleHasNoBeginTime) {
  // When its first task started is a decision, and no word of when it was eligible.
  const std::string columns = "JobID|JobIDRaw|Submit|Start|End|State|AllocTRES|NodeList";
  const std::string times = "|2027-01-15T08:00:00|2027-01-15T11:00:00|2027-01-15T12:00:00";
  for (const auto& [more, cell] :
       {std::pair<std::string, std::string>{"", ""}, {"|Eligible", "|"}}) {
    const Reading read(columns + more + "\n10_1|11" + times + "|COMPLETED|cpu=1|n1" + cell +
                       "\n10_2|10" + times + "|COMPLETED|cpu=1|n1" + cell + "\n");
    ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
    EXPECT_EQ(read.job(0).begin, std::nullopt);
    EXPECT_EQ(read.count(Assumed::BeginFromEligible), 0U);
  }
}

TEST(SacctText, KnowsAJobCancelledWhilePendingWhoseStartIsItsEnd) {
  // formats.md §17 rule 2: Slurm 22.05 prints the time of the cancellation as Start and End.
  std::string text = row("7", 0, 9, 9, "CANCELLED by 1000");
  text.replace(text.rfind("|billing"), std::string_view("|billing=1,cpu=1,node=1").size(), "|");
  text.replace(text.find("n1|"), 2, "None assigned");
  const Reading read(kHeader + text);
  EXPECT_EQ(read.job(0).recorded_start, std::nullopt);
  EXPECT_EQ(read.job(0).cancel_at, utc(kBase + 9 * 60));
}

TEST(SacctText, TakesRunTimesOfTheFileOnlyWhereElapsedIsNotTheTruth) {
  SacctOptions options;
  options.runtimes = {{1, Seconds{9999}, 3}, {2, Seconds{7777}, 0}};
  const Reading read(kHeader + row("1", 0, 1, 61, "TIMEOUT") + row("2", 0, 1, 5, "COMPLETED"),
                     options);
  EXPECT_EQ(read.job(0).run.runtime, Seconds{9999});
  EXPECT_EQ(read.job(0).run.outcome, RunOutcome::Failed);
  EXPECT_EQ(read.job(0).run.exit_code, 3);
  EXPECT_EQ(read.job(1).run.runtime, Seconds{240});
}

TEST(SacctText, GathersTheTasksOfAnArrayAndItsRest) {
  const Reading read(kHeader + row("9_1", 0, 1, 5, "COMPLETED") + row("9_0", 0, 1, 6, "COMPLETED") +
                     row("9_[2-4,8%2]", 0, -1, 30, "CANCELLED by 1000"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  const JobSpec& job = read.job(0);
  ASSERT_NE(job.extras, nullptr);
  EXPECT_EQ(job.id, JobId{9});
  EXPECT_EQ(job.extras->array_max_running, 2U);
  ASSERT_EQ(job.extras->array.size(), 6U);
  EXPECT_EQ(job.extras->array[0].index, 0U);
  EXPECT_EQ(job.extras->array[0].run.runtime, Seconds{300});
  EXPECT_EQ(job.extras->array[5].index, 8U);
  EXPECT_EQ(job.extras->array[5].cancel_at, utc(kBase + 30 * 60));
  EXPECT_EQ(job.extras->array_text, "0-4,8%2");
  EXPECT_EQ(read.trace.report.job_rows, 3U);
  EXPECT_EQ(read.trace.report.tasks, 6U);
}

// [V] recording `forge`, 130_0: started in the second of its submission, Eligible Unknown.
TEST(SacctText, ATaskThatStartedWasEligibleThoughSacctDoesNotKnowWhen) {
  const std::string header = "JobID|JobIDRaw|User|Account|Submit|Eligible|Start|End|State\n";
  const Reading read(
      header +
      "9_0|10|u|a|2027-01-15T08:00:00|Unknown|2027-01-15T08:00:01|2027-01-15T08:05:00|"
      "COMPLETED\n"
      "9_1|9|u|a|2027-01-15T08:00:00|2027-01-15T08:05:00|2027-01-15T08:05:00|"
      "2027-01-15T08:10:00|COMPLETED\n");
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  EXPECT_EQ(read.job(0).begin, std::nullopt);
}

// [V] a drawn day (seed 9708), array 143: tested from its submission on, all tasks but the last
// Unknown.
TEST(SacctText, AnArrayWhoseTasksSacctDoesNotKnowHasNoBeginThatItsSubmitLineDoesNotName) {
  const std::string header =
      "JobID|JobIDRaw|User|Account|Submit|Eligible|Start|End|State|SubmitLine\n";
  const auto begin_of = [&](const std::string& words) {
    const std::string line = "|COMPLETED|sbatch " + words + " -a 2,3%1 x.sh\n";
    const Reading read(
        header + "9_2|10|u|a|2027-01-15T08:00:00|Unknown|2027-01-15T08:11:00|2027-01-15T08:12:00" +
        line +
        "9_3|9|u|a|2027-01-15T08:00:00|2027-01-15T08:12:00|2027-01-15T08:12:01|"
        "2027-01-15T08:13:00" +
        line);
    return read.job(0).begin;
  };
  EXPECT_EQ(begin_of("-n1"), std::nullopt);
  EXPECT_EQ(begin_of("-n1 --hold"), utc(kBase + 11 * 60));  // released by hand at the latest then
}

/// Rows of tasks 0 and 1 of array 9, which ran from minute 1 to 5 and to 6, submitted with `words`.
std::string two_tasks(const std::string& words) {
  const std::string line = "sbatch " + words + " x.sh";
  return kHeader + row("9_0", 0, 1, 5, "COMPLETED", line) + row("9_1", 0, 1, 6, "COMPLETED", line);
}

// formats.md §17 rule 4a; [V] 31 of 31 arrays of the recordings that lack their last tasks alone.
TEST(SacctText, TasksBehindAFullArrayWaitedThoughTheyHaveNoRow) {
  const Reading read(two_tasks("-a 0-3%2"));
  const std::vector<ArrayTask>& tasks = read.job(0).extras->array;
  ASSERT_EQ(tasks.size(), 4U);
  for (const std::size_t at : {2U, 3U}) {
    EXPECT_EQ(tasks[at].index, at);
    EXPECT_TRUE(tasks[at].run.is_unknown);
    EXPECT_EQ(tasks[at].recorded_start, std::nullopt);
    EXPECT_EQ(tasks[at].cancel_at, utc(kBase + 5 * 60));  // a slot was free then
  }
  EXPECT_EQ(read.count(Assumed::TasksThatWaited), 1U);
  EXPECT_EQ(read.count(Assumed::TasksWithoutRow), 0U);
}

TEST(SacctText, TasksThatWaitedAreCancelledByCommandsAloneWhereTheseTellCancellations) {
  SacctOptions options;
  options.cancels_are_told = true;
  const Reading read(two_tasks("-a 0-2%2"), options);
  ASSERT_EQ(read.job(0).extras->array.size(), 3U);
  EXPECT_EQ(read.job(0).extras->array[2].cancel_at, std::nullopt);
}

TEST(SacctText, TasksWithoutARowAreLeftOutWhereNothingKeptThemWaiting) {
  for (const char* words : {"-a 0-3", "-a 0-3%3", "-a 0-1,2-3%1"}) {  // two ran: not one, not three
    const Reading read(two_tasks(words));
    EXPECT_EQ(read.job(0).extras->array.size(), 2U) << words;
    EXPECT_EQ(read.count(Assumed::TasksWithoutRow), 1U) << words;
  }
}

TEST(SacctText, ATaskBetweenOthersRanAndItsRowIsLost) {
  const std::string line = "sbatch -a 0-2%2 x.sh";
  const Reading read(kHeader + row("9_0", 0, 1, 5, "COMPLETED", line) +
                     row("9_2", 0, 1, 6, "COMPLETED", line));
  EXPECT_EQ(read.job(0).extras->array.size(), 2U);
}

// [V] a drawn day (seed 9713), array 45: tasks 1 to 10 split off, 11 and 12 ran once the target was
// purged.
TEST(SacctText, TasksOfAftercorrThatNeverRanHaveNoRow) {
  const std::string line = "sbatch -d aftercorr:4 -a 1-12%6 x.sh";
  const Reading read(kHeader + row("9_11", 0, 1, 5, "COMPLETED", line) +
                     row("9_12", 0, 1, 6, "COMPLETED", line));
  const std::vector<ArrayTask>& tasks = read.job(0).extras->array;
  ASSERT_EQ(tasks.size(), 12U);
  EXPECT_EQ(tasks.front().index, 1U);
  EXPECT_EQ(tasks.front().cancel_at, utc(kBase + 6 * 60));
}

TEST(SacctText, ExplainsATaskSetThatSacctCutShort) {
  const Reading read(kHeader + row("9_[1,3,5,7,...]", 0, -1, -1, "PENDING"));
  EXPECT_EQ(read.trace.report.job_rows, 0U);
  EXPECT_EQ(read.count(Explained::CutTaskSet), 1U);
}

TEST(SacctText, KeepsComponentsOfAHeterogeneousJobTogether) {
  const Reading read(kHeader + row("20+0", 0, 1, 5, "COMPLETED") +
                     row("20+1", 0, 1, 5, "COMPLETED"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 2U);
  EXPECT_EQ(read.job(1).id, JobId{21});
  ASSERT_NE(read.job(1).extras, nullptr);
  EXPECT_EQ(read.job(1).extras->het_leader, JobId{20});
  EXPECT_EQ(read.job(1).extras->het_offset, 1U);
}

TEST(SacctText, GivesEachComponentItsPartOfTheSubmitLine) {
  const std::string line = "sbatch -n1 -L lic:2 -d afterok:3 : -n4 --gpus-per-task=1 : a.sh";
  const Reading read(
      kHeader + row("20+0", 0, 1, 5, "COMPLETED", line) + row("20+1", 0, 1, 5, "COMPLETED", line) +
      row("20+2", 0, 1, 5, "COMPLETED", line) + row("20+3", 0, 1, 5, "COMPLETED", line));
  ASSERT_EQ(read.trace.jobs.specs().size(), 4U);
  ASSERT_EQ(read.request(0).licenses.size(), 1U);
  EXPECT_EQ(read.job(0).extras->dependency, "afterok:3");
  EXPECT_EQ(read.job(0).extras->het_leader, JobId{20});
  EXPECT_TRUE(read.request(1).licenses.empty());
  EXPECT_EQ(read.request(1).num_tasks, 4U);
  ASSERT_EQ(read.request(1).gres.size(), 1U);
  EXPECT_EQ(read.request(1).gres[0].per_task, 1U);
  EXPECT_EQ(read.job(1).extras->dependency, "afterok:3");
  EXPECT_EQ(read.job(3).extras->het_offset, 3U) << "no part: its row alone";
}

TEST(SacctText, ReadsAComponentThatNeverBecameEligibleFromTheSubmitLine) {
  const std::string line =
      "sbatch -n1 -p gpu -t 5 -d singleton -J night : -n4 -t 30 : -n2 -J b --wrap true";
  const Reading read(kHeader + row("20+0", 0, -1, 9, "CANCELLED", line) +
                     row("20+2", 0, -1, 9, "CANCELLED", line));
  ASSERT_EQ(read.trace.jobs.specs().size(), 3U);
  const JobSpec& made = read.job(1);
  EXPECT_EQ(made.id, JobId{21});
  EXPECT_EQ(made.extras->het_leader, JobId{20});
  EXPECT_EQ(made.extras->het_offset, 1U);
  EXPECT_EQ(made.extras->dependency, "singleton");
  EXPECT_EQ(read.name(made.name), "night") << "kept from the part before";
  EXPECT_EQ(made.partitions, kNoName) << "each part's own";
  EXPECT_EQ(made.time_limit, Minutes{30});
  EXPECT_EQ(read.request(1).num_tasks, 4U);
  EXPECT_EQ(read.count(Assumed::ComponentWithoutRow), 1U);
  EXPECT_EQ(read.trace.report.job_rows, 2U);
}

TEST(SacctText, MakesNoComponentOfAJobThatRan) {
  const std::string line = "sbatch -n1 : -n4 --wrap true";
  const Reading read(kHeader + row("20+0", 0, 1, 5, "COMPLETED", line));
  EXPECT_EQ(read.trace.jobs.specs().size(), 1U);
}

TEST(SacctText, LeavesTheMemoryOfTheRowOutWhereAllOptionsOfTheJobStandOnItsLine) {
  const auto asks_memory = [](const std::string& id) {  // all of the node's, by no word of the user
    std::string text = row(id, 0, 1, 5, "COMPLETED", "sbatch -n1 : -n4 --wrap true");
    return text.replace(text.find("cpu=1,"), 6, "cpu=1,mem=4G,");
  };
  const Reading read(kHeader + asks_memory("20+0") + asks_memory("20+1"));
  EXPECT_EQ(read.request(0).memory_mode, MemoryMode::None);
  EXPECT_EQ(read.request(1).memory_mode, MemoryMode::None);
}

TEST(SacctText, PrefersTheSubmitLine) {
  const Reading read(kHeader +
                     row("7", 0, 1, 2, "COMPLETED",
                         "sbatch -N 1-4 --gpus-per-task=2 -n 4 -p a,b -A acc -t 30 --nice=7 "
                         "--dependency=afterok:3 --wrap 'true'"));
  const JobSpec& job = read.job(0);
  EXPECT_EQ(read.name(job.partitions), "a,b");
  EXPECT_EQ(read.name(job.account), "acc");
  EXPECT_EQ(read.name(job.user), "ann");
  EXPECT_EQ(job.time_limit, Minutes{30});
  EXPECT_EQ(job.nice, 7);
  ASSERT_NE(job.extras, nullptr);
  EXPECT_EQ(job.extras->dependency, "afterok:3");
  EXPECT_EQ(read.request(0).max_nodes, 4U);
  EXPECT_EQ(read.request(0).gres.at(0).per_task, 2U);
}

// [V: scripts/reference/experiments/submit_priority.py]
TEST(SacctText, TakesAPriorityOfOperatorsAlone) {
  const auto read = [](const std::string& line, const SacctOptions& options) {
    return Reading(kHeader + row("7", 0, 1, 2, "COMPLETED", line), options);
  };
  const auto priority = [&](const std::string& line, const SacctOptions& options) {
    const Reading made = read(line, options);
    const auto& extras = made.job(0).extras;
    return extras ? extras->direct_priority : std::nullopt;
  };
  const std::string line = "sbatch --priority=5000 x.sh";
  SacctOptions operators;
  operators.operators = {"ann"};
  EXPECT_EQ(priority(line, {}), std::nullopt);
  EXPECT_EQ(read(line, {}).count(Assumed::PriorityOfNoOperator), 1U);
  EXPECT_EQ(priority(line, operators), 5000U);
  EXPECT_EQ(priority("sbatch --uid=ann --priority=5000 x.sh", {}), 5000U) << "root's";
  EXPECT_EQ(priority("sbatch --priority=0 x.sh", operators), std::nullopt) << "nobody's";
}

// Recordings telco (jobs 104 and 259) and vision (array 112).
TEST(SacctText, TakesTheDefaultWhereAColumnShowsWhatACommandToldLater) {
  const auto read = [](const std::string& line, std::vector<UpdatedWord> updated) {
    SacctOptions options;
    options.updated = std::move(updated);
    return Reading(
        std::string("Partition|") + kHeader + "gpu|" + row("7", 0, 1, 2, "COMPLETED", line),
        options);
  };
  const std::string plain = "sbatch --wrap true", told = "sbatch -p gpu --wrap true";
  EXPECT_NE(read(plain, {}).job(0).partitions, kNoName);
  EXPECT_NE(read(plain, {{JobId{8}, "partition", "gpu"}}).job(0).partitions, kNoName) << "another";
  EXPECT_NE(read(plain, {{JobId{7}, "partition", "x"}}).job(0).partitions, kNoName);
  EXPECT_NE(read(told, {{JobId{7}, "partition", "gpu"}}).job(0).partitions, kNoName);
  const Reading moved = read(plain, {{JobId{7}, "partition", "gpu"}});
  EXPECT_EQ(moved.job(0).partitions, kNoName);
  EXPECT_EQ(moved.count(Assumed::UpdatedLater), 1U);
}

TEST(SacctText, AsksReqTresWhatAScriptsOwnOptionsWere) {
  std::string text = row("7", 0, 1, 2, "COMPLETED", "sbatch -p gpu train.sh");
  const std::string full = "billing=16,cpu=16,gres/gpu=8,mem=64G,node=2";
  text.replace(text.find(kTres), std::string_view(kTres).size(), full);
  const Reading read(kHeader + text);
  EXPECT_EQ(read.request(0).min_nodes, 2U);
  EXPECT_EQ(read.request(0).min_cpus, 16U);
  EXPECT_EQ(read.request(0).gres.at(0).per_node, 4U);
  EXPECT_EQ(read.request(0).memory_mib, 32U * 1024U);
  EXPECT_EQ(read.count(Assumed::ScriptOptions), 1U);
}

TEST(SacctText, TellsWholeNodesByTheNodesOfEachRow) {
  const std::string head = "JobID|Submit|Start|End|State|ReqTRES|AllocTRES|NodeList\n";
  const auto of = [](int id, const std::string& node) {
    return fmt::format(
        "{}|2027-01-15T08:00:00|2027-01-15T08:00:00|2027-01-15T08:10:00|COMPLETED|cpu=1,node=1|"
        "cpu=8,node=1|{}\n",
        id, node);
  };
  SacctOptions options;
  options.cpus_of_node = [](std::string_view node) { return node == "small" ? 8U : 64U; };
  const Reading read(head + of(1, "big") + of(2, "small") + of(3, "big") + of(4, "small"), options);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool is_whole = i % 2 == 1;
    EXPECT_EQ(read.request(i).exclusive,
              is_whole ? ExclusiveRequest::Exclusive : ExclusiveRequest::None)
        << "job " << i + 1;
  }
  EXPECT_EQ(read.count(Assumed::ExclusiveFromAllocation), 2U);
}

TEST(SacctText, FindsDelimitersWhereverTheyStandInALine) {
  // Lengths that pass each boundary of eight characters, and empty fields in a row.
  for (int length = 0; length < 20; ++length) {
    const std::string name(static_cast<std::size_t>(length), 'x');
    const Reading read(
        fmt::format("JobName|User|Account|JobID|Submit|State\n{}||{}|7|2027-01-15T08:00:00|"
                    "PENDING\n",
                    name, name));
    ASSERT_EQ(read.trace.jobs.specs().size(), 1U) << length;
    EXPECT_EQ(read.name(read.job(0).name), name);
    EXPECT_EQ(read.job(0).user, kNoName);
    EXPECT_EQ(read.name(read.job(0).account), name);
  }
}

TEST(SacctText, TakesEligibleAsBeginOnlyWithoutADependency) {
  std::string plain = row("7", 0, 30, 40, "COMPLETED");
  std::string dependent = row("8", 0, 30, 40, "COMPLETED", "sbatch -d afterany:7 --wrap true");
  for (std::string* text : {&plain, &dependent}) {
    const std::string submit = "2027-01-15T08:00:00";
    text->replace(text->rfind(submit), submit.size(), "2027-01-15T08:20:00");
  }
  const Reading read(kHeader + plain + dependent);
  EXPECT_EQ(read.job(0).begin, utc(kBase + 20 * 60));
  EXPECT_EQ(read.job(1).begin, std::nullopt);
  EXPECT_EQ(read.count(Assumed::BeginFromEligible), 1U);
}

TEST(SacctText, EligibleBehindTheStartOfTheRunIsNoBegin) {
  std::string requeued = row("7", 0, 30, 40, "COMPLETED");  // 08:30 to 08:40
  const std::string submit = "2027-01-15T08:00:00";
  requeued.replace(requeued.rfind(submit), submit.size(), "2027-01-15T08:32:00");
  const Reading read(kHeader + requeued);
  EXPECT_EQ(read.job(0).begin, std::nullopt);
}

TEST(SacctText, ReservationsOfTheSiteAreNoBeginTimeAndOthersAre) {
  std::string known = row("7", 0, 30, 40, "COMPLETED", "sbatch --reservation=maint --wrap true");
  std::string unknown = row("8", 0, 30, 40, "COMPLETED", "sbatch --reservation=gone --wrap true");
  for (std::string* text : {&known, &unknown}) {
    const std::string submit = "2027-01-15T08:00:00";
    text->replace(text->rfind(submit), submit.size(), "2027-01-15T08:20:00");
  }
  SacctOptions options;
  options.reservations = {"maint"};
  const Reading read(kHeader + known + unknown, options);
  EXPECT_EQ(read.job(0).begin, std::nullopt) << "it waits for its reservation by itself";
  EXPECT_EQ(read.job(1).begin, utc(kBase + 20 * 60));
}

/// sbatch counts from its own clock, up to a second before the submission (formats.md §17 rule 4).
TEST(SacctText, TakesTheBeginOfNowPlusMinutesFromEligible) {
  const auto begin_of = [](const std::string& words, const std::string& eligible) {
    std::string text = row("7", 0, 30, 40, "COMPLETED", "sbatch --begin=" + words + " --wrap true");
    const std::string submit = "2027-01-15T08:00:00";
    text.replace(text.rfind(submit), submit.size(), "2027-01-15T" + eligible);
    return Reading(kHeader + text).job(0).begin;
  };
  EXPECT_EQ(begin_of("now+7minutes", "08:06:59"), utc(kBase + 7 * 60 - 1));
  EXPECT_EQ(begin_of("now+7minutes", "08:07:00"), utc(kBase + 7 * 60));
  EXPECT_EQ(begin_of("now+7minutes", "08:09:00"), utc(kBase + 7 * 60)) << "a limit who ages";
  EXPECT_EQ(begin_of("now+7minutes", "08:01:00"), utc(kBase + 7 * 60));
  EXPECT_EQ(begin_of("2027-01-15T08:07:00", "08:06:59"), utc(kBase + 7 * 60));
}

TEST(SacctText, TakesEligibleAsBeginOfADependencyOnAJobThatIsNotThere) {
  // Job 7 ended at 08:10; the jobs 8 to 12 were eligible at 08:20.
  std::string rows = row("7", 0, 1, 10, "COMPLETED");
  const std::vector<std::string> depending = {"afterany:3", "afterany:7:3", "afterany:7",
                                              "afterok:3?afterok:7", "singleton"};
  for (std::size_t i = 0; i < depending.size(); ++i) {
    std::string text = row(std::to_string(8 + i), 0, 30, 40, "COMPLETED",
                           "sbatch -d " + depending[i] + " --wrap true");
    const std::string submit = "2027-01-15T08:00:00";
    text.replace(text.rfind(submit), submit.size(), "2027-01-15T08:20:00");
    rows += text;
  }
  const Reading read(kHeader + rows);
  EXPECT_EQ(read.job(1).begin, utc(kBase + 20 * 60));
  EXPECT_EQ(read.job(2).begin, utc(kBase + 20 * 60));
  EXPECT_EQ(read.job(3).begin, std::nullopt);
  EXPECT_EQ(read.job(4).begin, utc(kBase + 20 * 60));
  EXPECT_EQ(read.job(5).begin, std::nullopt);
  EXPECT_EQ(read.count(Assumed::BeginForJobsNotThere), 3U);
}

TEST(SacctText, TakesNoEligibleWhereTheJobsThatAreThereMayHaveKeptIt) {
  std::string rows = row("7", 0, 1, 19, "COMPLETED");
  std::string text = row("8", 0, 30, 40, "COMPLETED", "sbatch -d afterany:7:3 --wrap true");
  const std::string submit = "2027-01-15T08:00:00";
  text.replace(text.rfind(submit), submit.size(), "2027-01-15T08:20:00");
  EXPECT_EQ(Reading(kHeader + rows + text).job(1).begin, std::nullopt);
}

TEST(SacctText, GivesADelimiterInTheLastTextBack) {
  const Reading read(kHeader + row("7", 0, 1, 2, "COMPLETED", "sbatch -c 3 --wrap 'a | b | c'"));
  EXPECT_EQ(read.trace.report.job_rows, 1U);
  EXPECT_EQ(read.request(0).min_cpus, 3U);
  EXPECT_EQ(read.count(Assumed::Repaired), 1U);
}

TEST(SacctText, GivesFeaturesOfWhichOneIsEnoughTheirDelimiterBack) {
  const std::string times = "2027-01-15T08:00:00|2027-01-15T08:00:10|2027-01-15T08:01:00|00:00:50";
  const std::string head = "JobID|JobName|User|Account|Submit|Start|End|Elapsed|NCPUS|Constraints|";
  for (const std::string_view features : {"[a100|h100]", "a100|h100|t4", "ib&[a100|h100]"}) {
    const std::string row = fmt::format("7|n|u|a|{}|8|{}|", times, features);
    const auto told = [&](const std::string& text) {
      const Reading read(text);
      EXPECT_EQ(read.trace.report.job_rows, 1U) << features;
      EXPECT_EQ(read.count(Assumed::Repaired), 1U) << features;
      EXPECT_FALSE(read.found.has_errors()) << features;
      return fmt::format("{} {}", read.name(read.request(0).features),
                         read.request(0).cpus_per_task.value_or(0));
    };
    EXPECT_EQ(told(head + "Reason|State|SubmitLine\n" + row +
                   fmt::format("None|COMPLETED|sbatch -c 3 -C '{}' --wrap 'a | b'\n", features)),
              fmt::format("{} 3", features));
    EXPECT_EQ(told(head + "Reason|State\n" + row + "None|COMPLETED\n"),
              fmt::format("{} 0", features));
  }
}

TEST(SacctText, TellsThatTheHeaderIsMissingThoughTheFirstWordIsAField) {
  const Reading read("JobName|ann|gpu|n1|4|COMPLETED|2027-01-15T08:00:00\n");
  ASSERT_EQ(read.found.all().size(), 1U);
  EXPECT_NE(read.found.all()[0].what.find("1 of 7 words are fields of sacct: the header line is "
                                          "missing"),
            std::string::npos)
      << read.found.all()[0].what;
}

TEST(SacctText, GivesFeaturesBackThatTheSubmitLineHasToo) {
  const std::string times = "2027-01-15T08:00:00|2027-01-15T08:00:10|2027-01-15T08:01:00|00:00:50";
  const std::string head =
      "JobID|User|Account|Submit|Start|End|Elapsed|NCPUS|Comment|Constraints|State|SubmitLine\n";
  const auto features = [&](const std::string& torn, const std::string& submit_line) {
    const Reading read(head +
                       fmt::format("7|u|a|{}|8|{}|COMPLETED|{}\n", times, torn, submit_line));
    return read.found.has_errors() ? std::string("left out")
                                   : std::string(read.name(read.request(0).features));
  };
  EXPECT_EQ(features("rule x|a100|h100", "sbatch -C 'a100|h100' job"), "a100|h100");
  EXPECT_EQ(features("x|y|a100|h100|t4", "sbatch -C 'a100|h100|t4' job"), "a100|h100|t4");
  EXPECT_EQ(features("rule x|a100|h100", "sbatch job"), "left out");
  EXPECT_EQ(features("rule|b|ib", "sbatch job"), "left out");  // `b` is in sbatch, and is none
}

/// The job of a row of that head, as far as a shifted column would change it; or what was said.
std::string read_torn(const std::string& head, const std::string& row) {
  const Reading read(head + "\n" + row + "\n");
  if (read.found.has_errors()) return read.found.all()[0].what;
  return fmt::format("{}, {} of {}, {} CPUs, {}", read.name(read.job(0).name),
                     read.name(read.job(0).user), read.name(read.job(0).account),
                     read.request(0).cpus_per_task.value_or(read.request(0).min_cpus),
                     read.name(read.request(0).features));
}

constexpr const char* kTimes =
    "2027-01-15T08:00:00|2027-01-15T08:00:10|2027-01-15T08:01:00|00:00:50";

TEST(SacctText, GivesADelimiterToAnyTextThatItFits) {
  const std::string times = kTimes;
  // An empty last column is no sign of sacct -p: this row had been read one column to the left.
  EXPECT_EQ(read_torn("JobID|Submit|Start|End|Elapsed|State|JobName|User|Account|NCPUS|Comment",
                      "7|" + times + "|COMPLETED|a|b|ann|phys|4|"),
            "a|b, ann of phys, 4 CPUs, ");
  EXPECT_EQ(read_torn("JobID|JobName|User|Account|Submit|Start|End|Elapsed|State|NCPUS|Comment",
                      "7|a|b|ann|phys|" + times + "|COMPLETED|4|"),
            "a|b, ann of phys, 4 CPUs, ");
  EXPECT_EQ(read_torn("JobID|JobName|User|Account|Submit|Start|End|Elapsed|State|NCPUS|Comment|",
                      "7|a|b|ann|phys|" + times + "|COMPLETED|4|why|not||"),
            "a|b, ann of phys, 4 CPUs, ");
  // The order of --format=ALL: names and commands, with further texts before, behind and beside.
  EXPECT_EQ(
      read_torn("Account|AdminComment|Comment|Constraints|Container|Elapsed|End|JobID|JobName|"
                "NCPUS|Start|State|Submit|SubmitLine|Suspended|SystemComment|TimelimitRaw|UID|"
                "User|WorkDir",
                "phys|||x|y||00:00:50|2027-01-15T08:01:00|7|a|b|4|2027-01-15T08:00:10|"
                "COMPLETED|2027-01-15T08:00:00|sbatch -J a|b -c 4 -C x|y --wrap c | d|00:00:00|"
                "|120|1001|ann|/home"),
      "a|b, ann of phys, 4 CPUs, x|y");
}

TEST(SacctText, RefusesARowOfWhichTwoTextsMayHoldTheDelimiter) {
  const std::string times = kTimes;
  EXPECT_EQ(read_torn("JobID|Submit|Start|End|Elapsed|State|NCPUS|JobName|User|Account|Comment",
                      "7|" + times + "|COMPLETED|4|a|b|ann|phys|why"),
            "has 12 fields, the header 11, and more than one of its texts may hold a delimiter");
  EXPECT_EQ(read_torn("JobID|Submit|Start|End|Elapsed|State|NCPUS|JobName|User|Account|Comment",
                      "7|" + times + "|COMPLETED|4|a|b|ann|phys|"),
            "has 12 fields, the header 11, and more than one of its texts may hold a delimiter");
}

TEST(SacctText, TakesALastDelimiterAlsoWhereTheHeaderHasNone) {
  EXPECT_EQ(read_torn("JobID|JobName|User|Account|Submit|Start|End|Elapsed|State|NCPUS",
                      std::string("7|a|ann|phys|") + kTimes + "|COMPLETED|4|"),
            "a, ann of phys, 4 CPUs, ");
}

TEST(SacctText, JoinsANewlineInTheLastText) {
  const Reading read(kHeader + row("7", 0, 1, 2, "COMPLETED", "sbatch -c 3 --wrap 'a\nb|c'") +
                     row("8", 0, 1, 2, "COMPLETED"));
  EXPECT_EQ(read.trace.report.rows_read, 3U);
  EXPECT_EQ(read.trace.report.job_rows, 2U);
  EXPECT_EQ(read.count(Explained::Continuation), 1U);
  EXPECT_FALSE(read.found.has_errors());
}

TEST(SacctText, CountsLinesRightlyAroundJoinedOnesAndBlankOnes) {
  for (const std::string end : {"\n", "\r\n"}) {
    const std::string text = "JobID|JobName|Submit|State" + end + "7|two" + end + end +
                             "lines|2027-01-15T08:00:00|PENDING" + end + "8|x|never|PENDING" + end;
    const Reading read(text);
    EXPECT_EQ(read.trace.report.rows_read, 3U);  // the blank line is no row
    EXPECT_EQ(read.count(Explained::Continuation), 1U);
    ASSERT_EQ(read.found.error_count(), 1U);
    EXPECT_EQ(read.found.all()[0].where.line, 5U);
  }
}

TEST(SacctText, JoinsANewlineInsideAJobName) {
  const Reading read(
      "JobID|JobName|Submit|State\n7|two\nlines|2027-01-15T08:00:00|PENDING\n"
      "8|x|2027-01-15T08:00:00|PENDING\n");
  EXPECT_EQ(read.trace.report.job_rows, 2U);
  EXPECT_EQ(read.count(Explained::Continuation), 1U);
}

TEST(SacctText, PointsAtTheFieldThatIsWrong) {
  const Reading read("JobID|Submit|State\n7|yesterday|PENDING\n8|2027-01-15T08:00:00|SLEEPING\n");
  ASSERT_EQ(read.found.error_count(), 2U);
  EXPECT_EQ(read.found.all()[0].where.line, 2U);
  EXPECT_EQ(read.found.all()[0].where.column, 3U);
  EXPECT_EQ(read.found.all()[1].where.column, 23U);
  EXPECT_EQ(read.count(Explained::Unusable), 2U);
  EXPECT_TRUE(read.trace.report.adds_up());
}

TEST(SacctText, ReadsAnExitCodeWithoutItsSignal) {
  const Reading read(
      "JobID|Submit|Start|End|Elapsed|State|ExitCode\n"
      "7|2027-01-15T08:00:00|2027-01-15T08:01:00|2027-01-15T08:02:00|00:01:00|FAILED|127\n"
      "8|2027-01-15T08:00:00|2027-01-15T08:01:00|2027-01-15T08:02:00|00:01:00|FAILED|0:9\n");
  EXPECT_EQ(read.job(0).run.exit_code, 127);
  EXPECT_EQ(read.job(1).run.exit_code, 1);  // by signal 9: not a success
}

TEST(SacctText, ShowsTwentyFindingsAndCountsTheRest) {
  std::string text = "JobID|Submit|State\n";
  for (int i = 0; i < 80; ++i) text += "7|yesterday|PENDING\n";
  const Reading read(text);
  EXPECT_EQ(read.found.error_count(), 21U);  // fewer than a terminal is shown: the last one is too
  EXPECT_EQ(read.found.all().back().what, "60 more rows cannot be used");
}

TEST(SacctText, LeavesBadRowsOutWhereThatIsAskedFor) {
  SacctOptions options;
  options.unusable_rows = UnusableRows::AreLeftOut;
  const Reading read("JobID|Submit|State\n7|yesterday|PENDING\n8|2027-01-15T08:00:00|PENDING\n",
                     options);
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.job_rows, 1U);
}

TEST(SacctText, ExplainsWhatIsOutsideTheWindow) {
  SacctOptions options;
  options.from = utc(kBase + 10 * 60);
  options.to = utc(kBase + 20 * 60);
  const Reading read(kHeader + row("1", 0, 1, 2, "COMPLETED") + row("2", 0, 1, 15, "COMPLETED") +
                         row("3", 0, 12, 15, "COMPLETED") + row("4", 10, 12, 15, "COMPLETED") +
                         row("5", 20, 21, 25, "COMPLETED"),
                     options);
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  EXPECT_EQ(read.job(0).id, JobId{4});
  EXPECT_EQ(read.count(Explained::BeforeWindow), 1U);
  EXPECT_EQ(read.count(Explained::RunningAtWindowStart), 1U);
  EXPECT_EQ(read.count(Explained::WaitingAtWindowStart), 1U);
  EXPECT_EQ(read.count(Explained::AfterWindow), 1U);
}

TEST(SacctText, CountsJobsAndTasksThatAreThereAsTheWindowBeginsOnceEach) {
  SacctOptions options;
  options.from = utc(kBase + 10 * 60);
  const Reading read(kHeader + row("1", 0, 1, 2, "REQUEUED") + row("1", 2, 3, 15, "COMPLETED") +
                         row("2_1", 0, 1, 2, "COMPLETED") + row("2_2", 0, 1, 15, "COMPLETED") +
                         row("2_3", 0, 12, 15, "COMPLETED") + row("4", 10, 12, 15, "COMPLETED"),
                     options);
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  EXPECT_EQ(read.count(Explained::RunningAtWindowStart), 2U) << "1 and 2_2";
  EXPECT_EQ(read.count(Explained::WaitingAtWindowStart), 1U) << "2_3";
  EXPECT_EQ(read.count(Explained::BeforeWindow), 1U) << "2_1";
  EXPECT_EQ(read.count(Explained::EarlierRun), 1U);
  EXPECT_TRUE(read.trace.report.adds_up());
}

TEST(SacctText, RefusesTwoClustersUnlessOneIsNamed) {
  const std::string text =
      "JobID|Cluster|Submit|State\n7|a|2027-01-15T08:00:00|PENDING\n7|b|2027-01-15T08:00:00|"
      "PENDING\n";
  EXPECT_TRUE(Reading(text).found.has_errors());
  SacctOptions options;
  options.cluster = "b";
  const Reading read(text, options);
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.count(Explained::OtherCluster), 1U);
}

TEST(SacctText, TellsAReusedJobIdFromARequeue) {
  std::string other = row("7", 30, 31, 32, "COMPLETED");
  other.replace(other.find("ann"), 3, "bob");
  const Reading read(kHeader + row("7", 0, 1, 2, "COMPLETED") + other);
  ASSERT_EQ(read.trace.jobs.specs().size(), 2U);
  EXPECT_EQ(read.job(1).id, JobId{8});
  EXPECT_EQ(read.count(Assumed::IdReused), 1U);
}

TEST(SacctText, DropsARecordThatOverlappingExportsGiveTwice) {
  const Reading read(kHeader + row("7", 0, 1, -1, "RUNNING") + row("7", 0, 1, 5, "COMPLETED"));
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  EXPECT_EQ(read.job(0).run.outcome, RunOutcome::Completed);
  EXPECT_EQ(read.count(Explained::SameRowAgain), 1U);
}

/// Each job of the trace: how its run ended, and how long it was.
std::string read_runs(const std::string& rows) {
  const Reading read(kHeader + rows);
  std::string told;
  for (const JobSpec& job : read.trace.jobs.specs()) {
    told += fmt::format("{} outcome {} after {} cancelled {}, ", index_of(job.id),
                        static_cast<int>(job.run.outcome), job.run.runtime.count(),
                        job.cancel_at.has_value());
    if (!job.extras) continue;
    for (const ArrayTask& task : job.extras->array) {
      told += fmt::format("[{} {} {}]", task.index, static_cast<int>(task.run.outcome),
                          task.cancel_at.has_value());
    }
  }
  EXPECT_TRUE(read.trace.report.adds_up());
  return told;
}

TEST(SacctText, ExportsThatOverlapGiveTheSameJobsInWhateverOrderTheyAreJoined) {
  // What one export saw waiting or running, the next one saw ended.
  const std::string early = row("7", 0, -1, -1, "PENDING") + row("8", 0, 1, -1, "RUNNING") +
                            row("9", 0, -1, -1, "PENDING") + row("10_[1-3]", 0, -1, -1, "PENDING") +
                            row("11", 0, -1, -1, "PENDING");
  const std::string late =
      row("7", 0, 4, 9, "COMPLETED") + row("8", 0, 1, 5, "COMPLETED") +
      row("9", 0, -1, 6, "CANCELLED by 7") + row("10_1", 0, 4, 5, "COMPLETED") +
      row("10_[2-3]", 0, -1, 6, "CANCELLED by 7") + row("11", 0, 2, -1, "RUNNING");
  const std::string alone = read_runs(late);
  EXPECT_EQ(read_runs(early + late), alone);
  EXPECT_EQ(read_runs(late + early), alone);
}

TEST(TraceJobs, GivesJobsInOrderOfSubmissionAndTwice) {
  Reading read(kHeader + row("9", 5, 6, 7, "COMPLETED") + row("8", 5, 6, 7, "COMPLETED") +
               row("7", 6, 6, 7, "COMPLETED"));
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(read.trace.jobs.next()->id, JobId{8});
    EXPECT_EQ(read.trace.jobs.next()->id, JobId{9});
    EXPECT_EQ(read.trace.jobs.next()->id, JobId{7});
    EXPECT_EQ(read.trace.jobs.next(), nullptr);
    read.trace.jobs.rewind();
  }
}

TEST(TraceJobs, StandInOrderHoweverTheRowsDid) {
  constexpr int kJobs = 60;
  std::string text = kHeader;
  for (int i = 0; i < kJobs; ++i) {  // ids ascend, submissions jump about
    const int submit = i * 37 % 50;
    text += row(fmt::format("{}", i + 1), submit, submit + 1, submit + 2, "COMPLETED");
  }
  const Reading read(text);
  ASSERT_EQ(read.trace.jobs.specs().size(), std::size_t{kJobs});
  for (std::size_t i = 0; i < kJobs; ++i) {
    const JobSpec& spec = read.job(i);
    const int number = static_cast<int>(spec.source_row) - 2;
    EXPECT_EQ(spec.id, static_cast<JobId>(number + 1)) << "a spec keeps its own row";
    EXPECT_EQ(spec.submit, utc(kBase + 60 * (number * 37 % 50)));
    if (i == 0) continue;
    const JobSpec& before = read.job(i - 1);
    EXPECT_TRUE(before.submit < spec.submit ||
                (before.submit == spec.submit && before.id < spec.id));
  }
}

TEST(TraceReplay, GivesTheJobsOfTheTraceAndACopyOfOneHasItsOwnExtras) {
  JobSpec spec;
  spec.no_kill = true;
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->wckey = "night";
  std::vector<JobSpec> specs;
  specs.push_back(spec);
  const TraceJobs jobs(std::move(specs));
  const JobSpec* given = TraceReplay(jobs).next();
  ASSERT_EQ(given, &jobs.specs().front());
  const JobSpec copy = *given;
  EXPECT_TRUE(copy.no_kill);
  EXPECT_EQ(copy.extras->wckey, "night");
  EXPECT_NE(copy.extras.get(), given->extras.get());
}

TEST(SacctTruth, KnowsARunThatSlippedThroughItsLimit) {
  const std::string head =
      "JobIDRaw|User|Account|Submit|Start|End|Elapsed|Timelimit|State|NNodes|NCPUS\n";
  const auto row = [](const std::string& elapsed, const std::string& state) {
    return "1|u|a|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:10|" + elapsed +
           "|00:01:00|" + state + "|1|1\n";
  };
  EXPECT_TRUE(Reading(head + row("00:01:10", "COMPLETED")).job(0).run.outlived_limit);
  EXPECT_TRUE(Reading(head + row("00:01:10", "FAILED")).job(0).run.outlived_limit);
  EXPECT_FALSE(Reading(head + row("00:01:00", "COMPLETED")).job(0).run.outlived_limit);
}

TEST(SacctTruth, KnowsThatASleepGoesOnWhileItIsSuspended) {
  const std::string head =
      "JobIDRaw|User|Account|Submit|Start|End|Elapsed|Suspended|Timelimit|State|NNodes|NCPUS|"
      "SubmitLine\n";
  const auto row = [](const std::string& id, const std::string& end, const std::string& elapsed,
                      const std::string& suspended, const std::string& script) {
    return id + "|u|a|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T" + end + "|" + elapsed +
           "|" + suspended + "|01:00:00|COMPLETED|1|1|sbatch -n1 --wrap " + script + "\n";
  };
  SacctOptions options;
  options.runtimes = {{1, Seconds{600}, 0}, {2, Seconds{600}, 0}, {3, Seconds{600}, 0}};
  const Reading read(head + row("1", "00:10:02", "00:04:02", "00:06:00", "sleep 600; exit 0") +
                         row("2", "00:20:01", "00:05:01", "00:15:00", "sleep 600; exit 0") +
                         row("3", "00:16:00", "00:10:00", "00:06:00", "./train.sh"),
                     options);
  EXPECT_TRUE(read.job(0).run.sleeps);
  EXPECT_EQ(read.job(0).run.runtime, Seconds{602}) << "it ended at its hour";
  EXPECT_EQ(read.job(1).run.runtime, Seconds{600}) << "its end was put off";
  EXPECT_FALSE(read.job(2).run.sleeps);
  EXPECT_EQ(read.job(2).run.runtime, Seconds{600}) << "Elapsed is without the time suspended";
  EXPECT_EQ(read.job(2).run.suspended, Seconds{360});
}

TEST(SacctTruth, KeepsTheSignalThatEndedARunEarly) {
  const std::string head =
      "JobIDRaw|User|Account|Submit|Start|End|Elapsed|State|ExitCode|NNodes|NCPUS\n";
  const std::string cut =
      "1|u|a|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:08:50|00:08:50|PREEMPTED|0:0|1|"
      "1\n";
  const auto last = [](const std::string& id) {
    return id + "|u|a|2025-01-01T00:08:51|2025-01-01T01:00:00|2025-01-01T01:08:32|00:08:32|" +
           "FAILED|0:10|1|1\n";
  };
  SacctOptions options;
  options.runtimes = {{1, Seconds{1000}, 0}, {2, Seconds{1000}, 0}};
  const Reading read(head + cut + last("1") + last("2"), options);
  EXPECT_EQ(read.job(0).run.runtime, Seconds{1000});
  EXPECT_EQ(read.job(0).run.exit_code, -10);
  EXPECT_EQ(read.job(1).run.runtime, Seconds{512}) << "nothing tells that it runs longer";
  EXPECT_EQ(read.job(1).run.exit_code, 1);
}

TEST(SacctTruth, KnowsThatALongerRunWasCutBeforeOneThatWasEndedEarly) {
  const std::string head = "JobIDRaw|User|Account|Submit|Start|End|Elapsed|State|NNodes|NCPUS\n";
  const auto rows = [](const std::string& id) {
    return id + "|u|a|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:08:50|00:08:50|" +
           "NODE_FAIL|1|1\n" + id +
           "|u|a|2025-01-01T00:08:51|2025-01-01T01:00:00|2025-01-01T01:08:32|00:08:32|FAILED|1|1\n";
  };
  SacctOptions options;
  options.runtimes = {{1, Seconds{531}, 0}, {2, Seconds{500}, 0}};
  const Reading read(head + rows("1") + rows("2") + rows("3"), options);
  EXPECT_EQ(read.job(0).run.runtime, Seconds{531}) << "both runs were cut";
  EXPECT_EQ(read.job(0).run.outcome, RunOutcome::Completed);
  EXPECT_EQ(read.job(1).run.runtime, Seconds{512}) << "it is not that long";
  EXPECT_EQ(read.job(2).run.runtime, Seconds{512});
  EXPECT_EQ(read.job(2).run.outcome, RunOutcome::Failed);
}

}  // namespace
}  // namespace rehearse::test

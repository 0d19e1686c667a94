// tests/unit/workloads/sacct_samples_test.cpp — real rows: every one counted, by hand, from the
// file.
#include <gtest/gtest.h>

#include "reading.hpp"

namespace rehearse::test {
namespace {

std::string text_of(const std::string& name) {
  return read_input(sample("sacct/" + name)).text;
}

SacctOptions columns(std::vector<std::string> names) {
  SacctOptions options;
  options.form.columns = std::move(names);
  return options;
}

TEST(Samples, FoxDayIsReadRowByRow) {
  SacctOptions options;
  options.time_zone = "Europe/Oslo";
  const Reading read(text_of("fox_day.txt"), options);
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.rows_read, 96U);
  EXPECT_EQ(read.trace.report.job_rows, 96U);
  const JobSpec& job = read.job(0);  // 1639021, submitted 2025-05-02T14:09:39+02:00
  EXPECT_EQ(job.id, JobId{1639021});
  EXPECT_EQ(job.submit, Time{utc(1746187779)});
  EXPECT_EQ(job.run.outcome, RunOutcome::UntilKilled);
  EXPECT_EQ(read.name(read.request(0).gres.at(0).type), "a100");
}

TEST(Samples, FoxLiveHasJobsThatRunAndThatWait) {
  const Reading read(text_of("fox_live.txt"));
  EXPECT_EQ(read.trace.report.job_rows, 19U);
  EXPECT_EQ(read.count(Assumed::StillPending), 8U);
  EXPECT_EQ(read.count(Assumed::StillRunning), 11U);
}

TEST(Samples, JobanalyzerCsvIsTheSameDayWithSteps) {
  const Reading read(text_of("jobanalyzer.csv"));
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.rows_read, 40U);
  EXPECT_EQ(read.trace.report.job_rows, 14U);
  EXPECT_EQ(read.count(Explained::Step), 26U);
  EXPECT_EQ(read.job(0).submit, Time{utc(1746187779)});
  EXPECT_EQ(read.job(0).time_limit, Minutes{1440});
}

TEST(Samples, SonarTextHasNoHeaderAndSaysSo) {
  EXPECT_TRUE(Reading(text_of("sonar_no_header.txt")).found.has_errors());
  const Reading read(
      text_of("sonar_no_header.txt"),
      columns({"JobID",        "JobIDRaw",    "User",       "Account",     "State",
               "Start",        "End",         "AveCPU",     "AveDiskRead", "AveDiskWrite",
               "AveRSS",       "AveVMSize",   "ElapsedRaw", "ExitCode",    "Layout",
               "MaxRSS",       "MaxVMSize",   "MinCPU",     "ReqCPUS",     "ReqMem",
               "ReqNodes",     "Reservation", "Submit",     "Suspended",   "SystemCPU",
               "TimelimitRaw", "UserCPU",     "NodeList",   "Partition",   "AllocTRES",
               "Priority",     "JobName"}));
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.rows_read, 20U);
  EXPECT_EQ(read.count(Explained::Step), 5U);  // two .batch, two .extern, one .0
  EXPECT_EQ(read.trace.report.job_rows, 15U);
}

TEST(Samples, EagleTasksFormOneArray) {
  const Reading read(text_of("eagle_array.txt"));
  EXPECT_EQ(read.trace.report.rows_read, 17U);
  EXPECT_EQ(read.trace.report.job_rows, 17U);
  ASSERT_EQ(read.trace.jobs.specs().size(), 6U);
  const JobSpec& array = read.job(5);
  EXPECT_EQ(array.id, JobId{532939});
  ASSERT_NE(array.extras, nullptr);
  ASSERT_EQ(array.extras->array.size(), 12U);
  EXPECT_EQ(array.extras->array[0].index, 1U);
  EXPECT_EQ(array.extras->array[0].run.runtime, Seconds{4 * 3600 + 2 * 60 + 14});
  EXPECT_EQ(array.extras->array_text, "1-12");
}

TEST(Samples, PhillipsLogOfSlurm16IsReadByColumnList) {
  const Reading read(
      text_of("phillips_no_header.log"),
      columns({"jobid",   "jobidraw",  "cluster",   "partition", "qos",      "account", "group",
               "gid",     "user",      "uid",       "submit",    "eligible", "start",   "end",
               "elapsed", "exitcode",  "state",     "nnodes",    "ncpus",    "reqcpus", "reqmem",
               "reqtres", "alloctres", "timelimit", "nodelist",  "jobname"}));
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.job_rows, 18U);
  EXPECT_GE(read.count(Assumed::MemoryFlagUndone), 1U);
  EXPECT_EQ(read.job(0).id, JobId{163485});
  EXPECT_EQ(read.request(0).memory_mode, MemoryMode::PerNode);
  EXPECT_EQ(read.request(0).memory_mib, 31000U);
  EXPECT_EQ(read.request(0).gres.at(0).per_node, 2U);  // only its AllocTRES has them
  EXPECT_EQ(read.job(0).run.outcome, RunOutcome::Cancelled);
}

TEST(Samples, RecordedArrayKeepsTaskIdsAndThrottle) {
  const Reading read(text_of("recorded_arrays.txt"));
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.rows_read, 20U);
  EXPECT_EQ(read.trace.report.job_rows, 20U);
  EXPECT_EQ(read.trace.report.arrays, 2U);
  const JobSpec& array = read.job(1);
  EXPECT_EQ(array.id, JobId{6});
  EXPECT_EQ(array.extras->array_text, "0-9%1");
  EXPECT_EQ(array.extras->array_max_running, 1U);
  ASSERT_EQ(array.extras->array.size(), 10U);
  EXPECT_EQ(array.extras->array[0].id, JobId{7});
  EXPECT_EQ(array.extras->array[9].id, JobId{6});  // the last task bears the array's own id
  EXPECT_EQ(array.begin, std::nullopt);            // later tasks wait for %1, not for a time
}

TEST(Samples, RecordedBeginIsWhatTheLineSays) {
  const Reading read(text_of("recorded_arrays.txt"));
  const JobSpec& job = read.job(2);  // 10: --begin=now+1800, submitted 08:33:08
  EXPECT_EQ(job.id, JobId{10});
  EXPECT_EQ(job.begin, whole_second(job.submit) + Seconds{1800});
  EXPECT_EQ(read.job(3).extras->dependency, "afterok:4:2");
  EXPECT_EQ(read.job(3).extras->kill_on_invalid_dep, true);
}

TEST(Samples, RequestsOfRecordedLinesAreWhatSlurmRecorded) {
  for (const char* name : {"recorded_arrays.txt", "recorded_requeues.txt"}) {
    const Reading read(text_of(name));
    for (const JobSpec& job : read.trace.jobs.specs()) {
      const Request& request = read.requests[job.request];
      // Every ReqTRES of these files has node=1, and cpu=4 or cpu=8 by file.
      EXPECT_EQ(request.min_nodes, 1U);
      EXPECT_EQ(request.min_cpus, std::string(name) == "recorded_arrays.txt" ? 4U : 8U);
    }
  }
}

TEST(Samples, RecordedRequeuesAreOneJobEach) {
  const Reading read(text_of("recorded_requeues.txt"));
  EXPECT_EQ(read.trace.report.rows_read, 13U);
  EXPECT_EQ(read.trace.report.job_rows, 6U);
  EXPECT_EQ(read.count(Explained::EarlierRun), 7U);
  EXPECT_EQ(read.trace.report.requeued, 5U);
  EXPECT_EQ(read.job(0).run.runtime,
            Seconds{3600 + 18 * 60 + 2});      // the last of job 1's three runs
  EXPECT_EQ(read.job(0).begin, std::nullopt);  // Eligible of a requeue is not a begin time
}

TEST(Samples, RecordedJobsThatNeverStartedAreCancelledWhenTheyWere) {
  const Reading read(text_of("recorded_never_started.txt"));
  EXPECT_EQ(read.trace.report.job_rows, 4U);
  EXPECT_EQ(read.job(0).cancel_at, utc(1800096170));  // 2027-01-16T10:42:50
  EXPECT_EQ(read.job(0).recorded_start, std::nullopt);
}

}  // namespace
}  // namespace rehearse::test

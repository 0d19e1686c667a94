// tests/unit/output/sacct_writer_test.cpp — rows as the recordings of 22.05.8 have them.
#include "sim/output/sacct_writer.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/output/export/export.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

TEST(SacctWriter, HasTheColumnsOfTheRecordings) {
  std::ifstream recorded(source_folder() / "tests/unit/output/recorded_header.txt");
  std::string header;
  std::getline(recorded, header);
  // The recordings also have SubmitLine, which a simulation does not know.
  EXPECT_EQ(sacct_header() + "|SubmitLine", header);
}

TEST(SacctWriter, WritesARunAsSlurmDoes) {
  const Result result = small_result();
  EXPECT_EQ(sacct_row(result, 0, TimeZone::utc()),
            "1|1|train|ann|ml|gpu|normal|2027-01-15T08:01:00|2027-01-15T08:01:00|"
            "2027-01-15T08:01:00|2027-01-15T09:01:00|01:00:00|00:00:00|01:00:00|TIMEOUT|0:0|1|8|8|"
            "62.50G|billing=8,cpu=8,gres/gpu=8,mem=62.50G,node=1|"
            "billing=8,cpu=8,gres/gpu=8,mem=62.50G,node=1|g01|5000||None|SchedMain,StartRecieved");
}

TEST(SacctWriter, APreemptedJobHasARowForEachRun) {
  const Result result = small_result();
  const std::string first = sacct_row(result, 1, TimeZone::utc());
  const std::string second = sacct_row(result, 3, TimeZone::utc());
  EXPECT_NE(first.find("|PREEMPTED|0:0|"), std::string::npos) << first;
  EXPECT_NE(first.find("|None|SchedBackfill,StartRecieved"), std::string::npos) << first;
  // Submit at the end of the clean-up, Eligible after the credential window (formats.md §10.4).
  EXPECT_NE(second.find("|2027-01-15T08:15:01|2027-01-15T08:17:02|2027-01-15T08:46:40|"),
            std::string::npos)
      << second;
  EXPECT_NE(second.find("|BeginTime|SchedMain,StartRecieved"), std::string::npos) << second;
}

TEST(SacctWriter, AJobCancelledWhilePendingHasNoStartAndNoNodes) {
  const Result result = small_result();
  EXPECT_EQ(sacct_row(result, 2, TimeZone::utc()),
            "3|3|train|bob|ds|gpu|normal|2027-01-15T08:10:00|2027-01-15T08:10:00|None|"
            "2027-01-15T09:10:00|00:00:00|00:00:00|01:00:00|CANCELLED|0:0|1|64|64|100000M|"
            "billing=64,cpu=64,gres/gpu=8,mem=100000M,node=1||None assigned|5000||"
            "QOSMaxGRESPerUser|StartRecieved");
}

TEST(SacctWriter, ARefusedJobStartsAndEndsAtItsSubmission) {
  Result result = small_result();
  result.runs.state[2] = static_cast<std::uint8_t>(JobState::Failed);
  EXPECT_NE(sacct_row(result, 2, TimeZone::utc()).find("|2027-01-15T08:10:00|2027-01-15T09:10:00|"),
            std::string::npos);
}

TEST(SacctExport, KeepsItsFieldsInPlaceUnderANameWithABar) {
  Result result = small_result();
  result.runs.job_name[0] =
      static_cast<std::uint32_t>(index_of(result.names.job_name.intern("train|eval")));
  std::vector<std::string> lines;
  export_sacct(result, {.no_header = true, .utc = true},
               [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_NE(lines.at(0).find("|01:00:00|g01|train|eval\n"), std::string::npos) << lines.at(0);
}

TEST(SacctWriter, AnArrayIsItsTasksAndWhatIsLeftOfIt) {
  const Result result = small_result();
  EXPECT_EQ(job_id_text(result, 4), "4_0");
  EXPECT_EQ(job_id_text(result, 5), "4_[1-2%1]");
}

TEST(SacctWriter, TimesAreLocalToTheSite) {
  const Result result = small_result();
  const auto zone = TimeZone::find("Europe/Berlin");
  ASSERT_TRUE(zone);
  EXPECT_NE(sacct_row(result, 0, *zone).find("|2027-01-15T09:01:00|"), std::string::npos);
}

// priority.md §4.3 [V].
TEST(SacctWriter, HasThePriorityAtTheSubmissionAndOfATaskThatOfItsOwnRecord) {
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 4, 1, 1000);
  job.priority = 100;
  small.recorder.job_submitted(job, at(0));
  Job& array = small.add_job(2, "ann", 0, 1, 0, 1000);
  array.priority = 200;
  array.array_job = JobId{2};
  array.pending_tasks = {0, 1};
  auto extras = std::make_unique<JobExtras>();
  extras->array.resize(2);
  extras->array[1].index = 1;
  small.specs.back()->extras = std::move(extras);
  small.recorder.job_submitted(array, at(0));
  job.priority = 111;
  small.start(job, 600, {1});
  Job& rest = small.add_job(2, "ann", 0, 1, 0, 1000);
  rest.spec = array.spec;
  rest.array_job = JobId{2};
  rest.pending_tasks = {1};
  rest.priority = array.priority = 222;
  array.pending_tasks.clear();
  array.array_task = 0;
  array.id = JobId{3};
  small.start(array, 600, {0});
  rest.pending_tasks.clear();
  rest.array_task = 1;  // the last one is the record of the array itself
  rest.priority = 233;
  small.start(rest, 900, {0});
  small.recorder.run_ended(*small.cluster, at(1000), {});
  const RunColumns runs = small.recorder.take(true).runs;
  EXPECT_EQ(runs.priority_recorded, (std::vector<std::uint32_t>{100, 222, 200}));
  EXPECT_EQ(runs.priority, (std::vector<std::uint32_t>{111, 222, 233}));
}

// priority.md §4.3: counted in recordings.
TEST(SacctWriter, AJobInSeveralPartitionsHasTheLowestNumberIfItMayStartAtOnce) {
  SmallCluster small;
  for (const std::int64_t begin : {0, 60}) {
    Job& job = small.add_job(begin == 0 ? 1 : 2, "ann", 0, 4, 0, 1000);
    job.begin = at(begin);
    job.partitions = {PartitionId{0}, PartitionId{1}};
    job.partition_priority = {700, 500};
    job.priority = 700;
    small.recorder.job_submitted(job, at(0));
  }
  small.recorder.run_ended(*small.cluster, at(1000), {});
  EXPECT_EQ(small.recorder.take(true).runs.priority_recorded,
            (std::vector<std::uint32_t>{500, 700}));
}

}  // namespace
}  // namespace rehearse::test

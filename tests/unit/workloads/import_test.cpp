// tests/unit/workloads/import_test.cpp — foreign traces become sacct text, and say what was
// invented.
#include "workloads/import.hpp"

#include <gtest/gtest.h>

#include "reading.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse::test {
namespace {

/// The imported sacct text, unpacked again.
std::string text_of(const ImportedSite& site) {
  const ScratchFolder folder;
  return read_input(folder.write("imported.txt.xz", site.files.at(0).bytes)).text;
}

ImportedSite import_text(std::string_view format, const std::string& text,
                         const ImportOptions& options, Diagnostics& found) {
  const ScratchFolder folder;
  return import_trace(format, {folder.write("foreign.txt", text)}, options, found);
}

TEST(ImportSwf, WritesTheJobsOfTheLublinModel) {
  Diagnostics found;
  ImportOptions options;
  options.processors_per_node = 4;
  options.invent_limits = true;
  const ImportedSite site = import_trace("swf", {sample("swf/lublin_256.swf")}, options, found);
  EXPECT_TRUE(found.all().empty());
  EXPECT_EQ(site.report.rows_read, 30U);
  EXPECT_EQ(site.report.job_rows, 30U);
  const Reading read(text_of(site));
  ASSERT_EQ(read.trace.jobs.specs().size(), 30U);
  const JobSpec& job = read.job(0);  // 5094 s, 12072 s long, 16 processors
  EXPECT_EQ(job.submit, Time{utc(1672617600 + 5094)});
  EXPECT_EQ(job.run.runtime, Seconds{12072});
  EXPECT_EQ(job.time_limit, Minutes{480});
  EXPECT_EQ(read.request(0).min_nodes, 4U);
  EXPECT_EQ(read.request(0).min_cpus, 16U);
}

TEST(ImportSwf, AsksForTheNodeSizeWhereTheHeaderLacksIt) {
  Diagnostics found;
  (void)import_trace("swf", {sample("swf/lublin_256.swf")}, {}, found);
  EXPECT_EQ(found.error_count(), 1U);
}

constexpr const char* kSwf =
    "; UnixStartTime: 1800000000\n; MaxNodes: 4\n; MaxProcs: 32\n"
    "1 0 10 100 8 -1 -1 -1 3600 2048 1 7 3 2 1 -1 -1 -1\n"
    "2 5 20 -1 -1 -1 -1 16 3600 -1 5 7 3 2 2 -1 -1 -1\n"
    "3 6 0 50 4 -1 -1 4 -1 -1 0 -1 -1 -1 1 -1 1 60\n"
    "4 7 0 50 4 -1 -1 4 -1 -1 5 7 3 2 1 -1 -1 -1\n"
    "5 8 -1 -1 4 -1 -1 4 -1 -1 5 7 3 2 1 -1 -1 -1\n"
    "6 9 0 90 4 -1 -1 4 -1 -1 1 7 3 2 1 -1 -1 -1\n"
    "6 9 0 40 4 -1 -1 4 -1 -1 2 7 3 2 1 -1 -1 -1\n"
    "6 9 0 50 4 -1 -1 4 -1 -1 3 7 3 2 1 -1 -1 -1\n";

TEST(ImportSwf, FollowsTheMeaningOfEachStatusAndOfMinusOne) {
  Diagnostics found;
  ImportOptions options;
  options.queue_gpus[2] = {1, 4};
  const ImportedSite site = import_text("swf", kSwf, options, found);
  EXPECT_FALSE(found.has_errors());
  EXPECT_EQ(site.report.rows_read, 8U);
  EXPECT_EQ(site.report.job_rows, 5U);
  EXPECT_EQ(site.report[Explained::NotCalled].count, 1U);
  EXPECT_EQ(site.report[Explained::EarlierRun].count, 2U);
  EXPECT_EQ(site.report[Assumed::ThinkTime].count, 1U);
  const Reading read(text_of(site));
  ASSERT_EQ(read.trace.jobs.specs().size(), 5U);
  EXPECT_EQ(read.job(0).recorded_start, utc(1800000010));
  EXPECT_EQ(read.job(0).time_limit, Minutes{60});
  EXPECT_EQ(read.request(0).memory_mib, 16U);  // 2048 KB a processor, 8 processors
  EXPECT_EQ(read.job(1).cancel_at, utc(1800000025));
  EXPECT_EQ(read.request(1).min_nodes, 2U);
  EXPECT_EQ(read.request(1).gres.at(0).per_node, 2U);
  EXPECT_EQ(read.job(2).run.outcome, RunOutcome::Failed);
  EXPECT_EQ(read.job(2).time_limit, std::nullopt);
  EXPECT_EQ(read.job(2).extras->dependency, "afterany:1");
  EXPECT_EQ(read.request(2).min_cpus, 4U);
  EXPECT_EQ(read.job(3).run.outcome, RunOutcome::Cancelled);
  EXPECT_EQ(read.job(4).run.runtime, Seconds{90});
}

TEST(ImportSwf, PointsAtABrokenLine) {
  Diagnostics found;
  const ImportedSite site =
      import_text("swf",
                  "; MaxNodes: 1\n; MaxProcs: 4\n1 0 x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
                  "1 2 3\n",
                  {}, found);
  ASSERT_EQ(found.error_count(), 2U);
  EXPECT_EQ(found.all()[0].where.line, 3U);
  EXPECT_EQ(found.all()[0].where.column, 5U);
  EXPECT_TRUE(site.report.adds_up());
}

TEST(ImportSwf, ReadsNumbersOfTheHeaderWithARemarkBehindThem) {
  Diagnostics found;
  const ImportedSite site = import_text("swf",
                                        ";  MaxNodes: 144 (nodes 1-144)\n; MaxProcs: 1,152\n"
                                        "; UnixStartTime: 1800000000 of the first job\n"
                                        "1 0 10 100 8 -1 -1 -1 3600 2048 1 7 3 2 1 -1 -1 -1\n",
                                        {}, found);
  EXPECT_FALSE(found.has_errors());
  ASSERT_FALSE(site.report.notes.empty());
  EXPECT_EQ(site.report.notes[0], "8 processors a node: MaxProcs / MaxNodes");
  for (const std::string& note : site.report.notes) {
    EXPECT_EQ(note.find("no UnixStartTime"), std::string::npos) << note;
  }
}

TEST(ImportSwf, TellsANumberThatTwoJobsHave) {
  Diagnostics found;
  (void)import_text("swf",
                    "; MaxNodes: 1\n; MaxProcs: 4\n"
                    "8 0 5 60 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1\n"
                    "8 9 5 60 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1\n",
                    {}, found);
  ASSERT_EQ(found.error_count(), 1U);
  EXPECT_EQ(found.all()[0].where.line, 4U);
  EXPECT_EQ(found.all()[0].what, "job 8 is on line 3, too");
}

TEST(ImportPhilly, WritesTheRowsOfTheExtract) {
  Diagnostics found;
  const ImportedSite site = import_trace("philly", {sample("philly/philly.csv")}, {}, found);
  EXPECT_TRUE(found.all().empty());
  EXPECT_EQ(site.report.rows_read, 30U);
  const Reading read(text_of(site));
  EXPECT_EQ(read.trace.report.job_rows, 30U);
  EXPECT_EQ(read.trace.report.gpu_milli_seconds, site.report.gpu_milli_seconds);
  EXPECT_NE(site.files.at(1).bytes.find("invented: 4 CPUs"), std::string::npos);
}

TEST(ImportPhilly, AddsUpTheAttemptsOfTheOriginalJson) {
  Diagnostics found;
  const ImportedSite site =
      import_trace("philly", {sample("philly/cluster_job_log.json")}, {}, found);
  EXPECT_TRUE(found.all().empty());
  const Reading read(text_of(site));
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  // 01:12:09–01:13:23 and 01:13:30–06:53:12 two days later: 74 s and 193,182 s, on 8 GPUs.
  EXPECT_EQ(read.job(0).run.runtime, Seconds{74 + 193'182});
  EXPECT_EQ(read.request(0).gres.at(0).per_node, 8U);
  EXPECT_EQ(read.name(read.job(0).user), "ce2f4c");
  EXPECT_EQ(read.name(read.job(0).account), "vc_ee9e8c");
}

TEST(ImportTrace, GivesTheSameBytesTwice) {
  Diagnostics found;
  const auto once = import_trace("philly", {sample("philly/philly.csv")}, {}, found);
  const auto again = import_trace("philly", {sample("philly/philly.csv")}, {}, found);
  EXPECT_EQ(once.files.at(0).bytes, again.files.at(0).bytes);
}

TEST(ImportSacct, SaysWhereJsonBelongs) {
  Diagnostics found;
  (void)import_text("sacct", R"({"jobs":[{"job_id":1}]})", {}, found);
  ASSERT_EQ(found.error_count(), 1U);
  EXPECT_NE(found.all()[0].hint.find("sacct.json"), std::string::npos);
}

TEST(ImportTrace, NamesTheFormatsItKnows) {
  Diagnostics found;
  try {
    (void)import_trace("pbs", {"x"}, {}, found);
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("known are acme, eagle, helios, openb, pai, philly, sacct, sonar, swf"),
              std::string::npos);
  }
}

TEST(InventedLimit, IsTheNextRoundValueOverOneAndAHalfTimesTheRunTime) {
  EXPECT_EQ(invented_limit(Seconds{1}), Minutes{15});
  EXPECT_EQ(invented_limit(Seconds{600}), Minutes{15});
  EXPECT_EQ(invented_limit(Seconds{601}), Minutes{30});
  EXPECT_EQ(invented_limit(Seconds{20 * 86400}), Minutes{30 * 1440});
  EXPECT_EQ(invented_limit(Seconds{2240194}), Minutes{56005});  // 38-21:25:00 of the shipped trace
}

}  // namespace
}  // namespace rehearse::test

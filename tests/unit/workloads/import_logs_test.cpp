// tests/unit/workloads/import_logs_test.cpp — the CSV logs of GPU clusters become sacct text.
#include <gtest/gtest.h>

#include "reading.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "workloads/import.hpp"

namespace rehearse::test {
namespace {

/// An import, and its text read again as a site's.
struct Imported {
  Imported(std::string_view format, const std::filesystem::path& file)
      : Imported(format, std::vector{file}) {}
  Imported(std::string_view format, const std::vector<std::filesystem::path>& files)
      : site(import_trace(format, files, {}, found)), read(unpacked()) {}
  [[nodiscard]] std::string unpacked() const {
    const ScratchFolder folder;
    return read_input(folder.write("sacct.txt.xz", site.files.at(0).bytes)).text;
  }
  Diagnostics found;
  ImportedSite site;
  Reading read;
};

Imported of_text(std::string_view format, const std::string& text) {
  const ScratchFolder folder;
  return {format, folder.write("trace.csv", text)};
}

TEST(ImportHelios, WritesTheRowsThatItsPublishersShow) {
  const Imported helios("helios", sample("helios/cluster_log.csv"));
  EXPECT_TRUE(helios.found.all().empty());
  ASSERT_EQ(helios.read.trace.jobs.specs().size(), 3U);
  const JobSpec& job = helios.read.job(1);
  EXPECT_EQ(helios.read.name(job.user), "uVMrF");
  EXPECT_EQ(helios.read.name(job.account), "vchbv");
  EXPECT_EQ(job.run.outcome, RunOutcome::Failed);
  EXPECT_EQ(job.run.runtime, Seconds{249});
  EXPECT_EQ(job.time_limit, Minutes{15});
  EXPECT_EQ(helios.read.request(1).min_cpus, 16U);
  EXPECT_EQ(helios.read.request(1).gres.at(0).per_node, 4U);
  EXPECT_EQ(helios.site.report.gpu_milli_seconds, 1000 * (36848U + 4 * 249 + 675233));
  EXPECT_EQ(helios.read.job(2).run.outcome, RunOutcome::Cancelled);
}

TEST(ImportHelios, AJobThatNeverRanIsCancelledWhileItWaits) {
  const Imported helios =
      of_text("helios",
              "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time\n"
              "1,u,v,1,1,0,CANCELLED,2020-06-09 18:00:00,None,2020-06-09 19:00:00\n");
  EXPECT_FALSE(helios.found.has_errors());
  ASSERT_EQ(helios.read.trace.jobs.specs().size(), 1U);
  EXPECT_EQ(helios.read.job(0).cancel_at, whole_second(helios.read.job(0).submit) + Seconds{3600});
}

TEST(ImportHelios, AJobThatRanOutOfTimeHadTheLimitOfItsRunTime) {
  const Imported helios = of_text(
      "helios",
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time\n"
      "1,u,v,1,1,1,TIMEOUT,2020-06-09 18:00:00,2020-06-09 18:10:00,2020-06-09 19:10:12\n"
      "2,u,v,1,1,1,COMPLETED,2020-06-09 18:30:00,2020-06-09 18:20:00,2020-06-09 18:40:00\n");
  EXPECT_FALSE(helios.found.has_errors());
  ASSERT_EQ(helios.read.trace.jobs.specs().size(), 2U);
  EXPECT_EQ(helios.read.job(0).time_limit, Minutes{60});
  EXPECT_EQ(helios.read.job(0).run.outcome, RunOutcome::UntilKilled);
  EXPECT_EQ(helios.read.job(1).time_limit, Minutes{30});
  EXPECT_EQ(helios.read.job(1).submit - helios.read.job(0).submit, Seconds{1200}) << "its start";
}

TEST(ImportAcme, KalosRunsFromStartToEndAndItsMemoryIsOfEachPod) {
  const Imported kalos("acme", sample("acme/acme_trace_kalos.csv"));
  EXPECT_TRUE(kalos.found.all().empty());
  ASSERT_EQ(kalos.read.trace.jobs.specs().size(), 2U);
  EXPECT_EQ(kalos.read.job(0).run.runtime, Seconds{8});  // its duration says 18: with the queue
  EXPECT_EQ(kalos.read.request(0).min_nodes, 8U);
  EXPECT_EQ(kalos.read.request(0).memory_mib, 1000U * 1024);
  const Imported seren("acme", sample("acme/acme_trace_seren.csv"));
  EXPECT_TRUE(seren.found.all().empty());
  EXPECT_EQ(seren.read.job(1).run.runtime, Seconds{2693});
  EXPECT_NE(seren.unpacked().find("2023-02-28T16:18:22"), std::string::npos);  // 00:18 at +08:00
}

TEST(ImportOpenb, APartOfAGpuIsShards) {
  const Imported openb("openb", sample("openb/openb_pod_list.csv"));
  EXPECT_TRUE(openb.found.all().empty());
  EXPECT_EQ(openb.site.report.rows_read, 30U);
  EXPECT_TRUE(openb.site.report.adds_up());
  const std::string text = openb.unpacked();
  EXPECT_NE(text.find("openb-pod-0001|u_ls|ls|gpu|ls|2023-01-06T22:37:41"), std::string::npos);
  EXPECT_NE(text.find("gres/shard=4"), std::string::npos);  // 460 thousandths of 8
  // gpu_milli x seconds, or num_gpu where the GPUs are whole, summed over the file with csv.
  EXPECT_EQ(openb.site.report.gpu_milli_seconds, 126348635930U);
}

/// The notes of a report, a line each.
std::string notes_of(const Imported& imported) {
  std::string all;
  for (const std::string& note : imported.site.report.notes) all += note + "\n";
  return all;
}

TEST(ImportPai, TasksOfAJobAreOneJobWithTheSumOfTheirPlans) {
  const Imported pai("pai", sample("pai/pai_task_table.csv"));
  EXPECT_FALSE(pai.found.has_errors());
  const ImportReport& report = pai.site.report;
  EXPECT_EQ(report.rows_read, 6U);
  EXPECT_EQ(report.job_rows, 5U) << "two rows are one job";
  EXPECT_EQ(report.jobs, 4U);
  EXPECT_EQ(report[Explained::NotCalled].count, 1U) << "one has not started";
  const std::string text = pai.unpacked();
  EXPECT_NE(text.find("cpu=6,gres/shard=4,mem=30000M"), std::string::npos) << text;
  // 2 of 4 CPUs and 4 of 8; 4 halves of a GPU; from the first start to the last end.
  EXPECT_NE(
      text.find("|FAILED|1:0|1|40|100G|billing=40,cpu=40,gres/gpu:v100=2,gres/gpu=2,mem=100G"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("|01:00:05|"), std::string::npos) << text;
  EXPECT_NE(text.find("gres/gpu:t4=3,gres/gpu=3,mem=90000M,node=2"), std::string::npos) << text;
  EXPECT_NE(notes_of(pai).find("give pai_job_table"), std::string::npos);
}

TEST(ImportPai, TheTableOfJobsTellsUsersAndSubmissions) {
  const Imported pai("pai", {sample("pai/pai_task_table.csv"), sample("pai/pai_job_table.csv")});
  EXPECT_FALSE(pai.found.has_errors());
  const std::string text = pai.unpacked();
  // 1799000 s after 2020-07-02T00:00:00.
  EXPECT_NE(text.find("0000000000000000000000aa|user-one|user-one|pai|normal|2020-07-22T19:43:20"),
            std::string::npos)
      << text;
  const std::string notes = notes_of(pai);
  EXPECT_NE(notes.find("1 jobs started before they were submitted"), std::string::npos) << notes;
  EXPECT_NE(notes.find("2 jobs are not in the table of jobs"), std::string::npos) << notes;
  EXPECT_NE(notes.find("2 jobs of the table of jobs have no task"), std::string::npos) << notes;
}

TEST(ImportPai, TheListOfTheSimulatorCountsInstances) {
  const Imported pai("pai", sample("pai/pai_job_no_estimate_100K.csv"));
  EXPECT_TRUE(pai.found.all().empty());
  EXPECT_EQ(pai.site.report.rows_read, 5U);
  const std::string text = pai.unpacked();
  EXPECT_NE(text.find("cpu=72,gres/gpu:t4=3,gres/gpu=3,node=2"), std::string::npos) << text;
  const Imported two("pai", {sample("pai/pai_job_no_estimate_100K.csv"),
                             sample("pai/pai_job_no_estimate_100K.csv")});
  ASSERT_TRUE(two.found.has_errors()) << "rows of a second list would be lost";
  EXPECT_EQ(two.found.all().front().what, "is a list of jobs, which is one file; 2 are given");
}

TEST(ImportPai, ABrokenRowIsToldWithItsPlaceAndMoreFilesThanTablesAreRefused) {
  const Imported pai = of_text("pai",
                               "j,t,1.0,Terminated,20.0,10.0,100.0,1.0,0.0,\n"
                               "j,t,1.0,Terminated,x,10.0,100.0,1.0,0.0,\nj,t\n");
  EXPECT_EQ(pai.found.error_count(), 3U);
  EXPECT_TRUE(pai.site.report.adds_up());
  EXPECT_EQ(pai.found.all().at(0).where.line, 1U) << "there is no header line";
  Diagnostics found;
  EXPECT_THROW((void)import_trace("helios", {"a", "b"}, {}, found), InputError);
}

TEST(ImportSonar, TheLastSampleOfAJobCountsAndStepsAreExplained) {
  const Imported sonar("sonar", sample("sonar/job_slurm.json"));
  EXPECT_FALSE(sonar.found.has_errors());
  const ImportReport& report = sonar.site.report;
  EXPECT_EQ(report.rows_read, 14U);
  EXPECT_EQ(report.jobs, 5U);
  EXPECT_EQ(report[Explained::Step].count, 4U);
  EXPECT_EQ(report[Explained::SameRowAgain].count, 5U);
  EXPECT_TRUE(report.adds_up());
  EXPECT_EQ(report.gpu_milli_seconds, 1000 * (4 * 451099U + 19861)) << "of the last samples alone";
  const std::string text = sonar.unpacked();
  // Submitted after its start, by its date: Submit = Start. 604802 s are 7 days.
  EXPECT_NE(text.find("1621683|interactive|u10007|a10000|accel_long|normal|2025-04-28T01:43:51|"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("|7-00:00:00|RUNNING|0:0|1|48|384G|billing=48,cpu=48,gres/gpu:a100=4,"),
            std::string::npos)
      << text;
  EXPECT_NE(notes_of(sonar).find("2 rows have a submission after the start"), std::string::npos);
  EXPECT_NE(notes_of(sonar).find("2 rows tell neither memory nor GPUs"), std::string::npos);
}

TEST(ImportSonar, WhatIsCutOrOfAnotherFormIsTold) {
  for (const char* text : {"", "v=0.1.0,JobID=1\n", "{\"data\":{\"type\":\"job\"", "{} x"}) {
    Diagnostics found;
    const ScratchFolder folder;
    (void)import_trace("sonar", {folder.write("trace.json", text)}, {}, found);
    EXPECT_TRUE(found.has_errors()) << text;
  }
}

TEST(ImportEagle, AnIdInSeveralRowsIsAnArray) {
  const Imported eagle("eagle", sample("eagle/eagle_data.csv"));
  EXPECT_TRUE(eagle.found.all().empty());
  EXPECT_EQ(eagle.site.report.rows_read, 14U);
  EXPECT_EQ(eagle.site.report.arrays, 1U);
  ASSERT_EQ(eagle.read.trace.jobs.specs().size(), 10U);
  std::size_t tasks = 0;
  std::size_t timeouts = 0;
  for (const JobSpec& spec : eagle.read.trace.jobs.specs()) {
    if (spec.extras) tasks += spec.extras->array.size();
    timeouts += spec.run.outcome == RunOutcome::UntilKilled ? 1 : 0;
  }
  EXPECT_EQ(tasks, 5U);
  EXPECT_EQ(timeouts, 2U);
}

TEST(ImportLogs, PointAtWhatIsBroken) {
  const Imported state =
      of_text("helios",
              "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time\n"
              "1,u,v,1,1,1,COMPLETD,2020-06-09 18:00:00,2020-06-09 18:00:00,2020-06-09 19:00:00\n"
              "2,u,v,-1,1,1,COMPLETED,2020-06-09 18:00:00,2020-06-09 18:00:00,2020-06-09 19:00:00\n"
              "3,u,v,1,1,1,COMPLETED,2020-06-09 18:00:00,2020-06-09 18:00:00,2020-06-09 17:00:00\n"
              "4,u,v\n");
  EXPECT_EQ(state.found.error_count(), 4U);
  EXPECT_EQ(state.found.all()[0].where.line, 2U);
  EXPECT_EQ(state.found.all()[0].where.column, 13U);
  EXPECT_EQ(state.found.all()[1].where.line, 3U);
  EXPECT_EQ(state.found.all()[1].where.column, 7U);
  EXPECT_TRUE(state.site.report.adds_up());
  for (const char* format : {"helios", "acme", "openb", "eagle"}) {
    EXPECT_EQ(of_text(format, "").found.error_count(), 1U) << format;
    EXPECT_EQ(of_text(format, "a,b\n1,2\n").found.error_count(), 1U) << format;
  }
}

}  // namespace
}  // namespace rehearse::test

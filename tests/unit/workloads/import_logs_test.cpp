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
      : site(import_trace(format, {file}, {}, found)), read(unpacked()) {}
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
  EXPECT_EQ(helios.site.report.gpu_seconds, 36848U + 4 * 249 + 675233);
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

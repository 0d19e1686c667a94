// tests/unit/study/site_feedback_test.cpp — users who wait for their jobs, simulated whole: what
// they submit comes earlier where there is more room.
#include "sim/study/site_feedback.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/output/kpi/kpi.hpp"
#include "sim/output/result_file.hpp"
#include "sim/study/comparison/comparison.hpp"
#include "sim/study/simulate.hpp"
#include "sim/study/site_provenance.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kZero = 1'735'689'600;  // 2025-01-01T00:00:00Z
constexpr const char* kClosed = "site.yaml:feedback.mode=think_time";
constexpr const char* kTwoNodes = "Nodes=n1:Count=2";

std::string clock(std::int64_t second) {
  return fmt::format("2025-01-01T{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
}

/// One node of 8 CPUs. In the record bob holds it for ten minutes while ann waits; she comes again
/// a minute after the end of her job.
class SiteFeedbackTest : public testing::Test {
 protected:
  SiteFeedbackTest() {
    (void)folder_.write("slurm.conf",
                        "ClusterName=mine\nSlurmctldHost=ctl\nSelectType=select/cons_tres\n"
                        "SelectTypeParameters=CR_Core\nNodeName=n1 CPUs=8 RealMemory=32000\n"
                        "PartitionName=batch Nodes=n1 Default=YES MaxTime=1-0\n"
                        "PartitionName=shut Nodes=n1 State=DOWN\n");
    row(10, "bob", 0, 0, 600);
    row(1, "ann", 60, 600, 900);
    row(2, "ann", 960, 960, 1260);
  }

  void row(int id, const char* user, int submit, int start, int end,
           const std::string& partition = "batch", const std::string& job = {}) {
    rows_ +=
        fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|60|COMPLETED|0:0|1|8|cpu=8,node=1|cpu=8,node=1|n1\n",
                    id, job.empty() ? std::to_string(id) : job, user, partition, clock(submit),
                    clock(start), clock(end), end - start);
  }

  struct Ran {
    std::int64_t submit = 0, start = -1, end = -1;
  };

  Side side(const std::vector<std::string>& set) {
    (void)folder_.write("sacct.txt",
                        "JobIDRaw|JobID|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|"
                        "State|ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES|NodeList\n" +
                            rows_);
    LoadOptions options;
    options.set = set;
    Diagnostics found;
    const auto site = load_site(folder_.path(), options, found);
    Side side;
    side.provenance = provenance_of(*site, options, {"1", "c"}, "x");
    side.result = simulate(*site, {}, nullptr).result;
    side.kpis = compute_kpis(side.result);
    return side;
  }

  static std::map<std::uint32_t, Ran> jobs_of(const Result& result) {
    std::map<std::uint32_t, Ran> jobs;
    const RunColumns& r = result.runs;
    const auto from_zero = [](std::int64_t at) { return at == kNoTime ? -1 : at - kZero; };
    for (std::size_t i = 0; i < r.size(); ++i) {
      jobs[r.job_id[i]] = {r.submit[i] - kZero, from_zero(r.start[i]), from_zero(r.end[i])};
    }
    return jobs;
  }

  ScratchFolder folder_;
  std::string rows_;
};

TEST_F(SiteFeedbackTest, TheScheduleOfTheRecordKeepsItsSubmissions) {
  const Side open = side({}), closed = side({kClosed});
  EXPECT_FALSE(open.result.feedback.kept);
  EXPECT_TRUE(closed.result.feedback.kept);
  // The loops start ann's first job within some seconds of the end that it waits for, as recorded.
  const auto jobs = jobs_of(closed.result);
  EXPECT_EQ(jobs.at(2).submit, jobs.at(1).end + 60);
  EXPECT_NEAR(static_cast<double>(jobs.at(2).submit), 960, 5);
}

TEST_F(SiteFeedbackTest, WithTwiceTheNodesTheNextJobComesEarlierAsItsUserWaitsLess) {
  const auto open = jobs_of(side({kTwoNodes}).result);
  EXPECT_EQ(open.at(2).submit, 960);
  const Side closed = side({kClosed, kTwoNodes});
  const auto jobs = jobs_of(closed.result);
  EXPECT_NEAR(static_cast<double>(jobs.at(1).start), 60, 5);  // not 600
  EXPECT_EQ(jobs.at(2).submit, jobs.at(1).end + 60);
  EXPECT_NEAR(static_cast<double>(jobs.at(2).submit), 420, 5);  // not 960
  EXPECT_EQ(jobs.at(10).submit, 0);
  EXPECT_EQ(closed.kpis.overall("feedback_jobs_after_end"), 1);
  EXPECT_EQ(closed.kpis.overall("feedback_jobs_earlier"), 1);
  EXPECT_NEAR(closed.kpis.overall("feedback_earlier_mean"), 540, 5);
  EXPECT_EQ(closed.kpis.overall("feedback_jobs_later"), 0);
}

TEST_F(SiteFeedbackTest, ComparedJobsArePairedThoughTheyMoveAndTheMoveIsTold) {
  const Side one = side({kClosed}), two = side({kClosed, kTwoNodes});
  const Compared compared(one, two, {});
  EXPECT_EQ(compared.value().pairs.pairs.size(), 3U);
  EXPECT_EQ(compared.value().pairs.only_a.jobs + compared.value().pairs.only_b.jobs, 0U);
  const JobPair& moved = compared.value().pairs.pairs[1];  // ann's second, by id
  EXPECT_EQ(moved.a.key.id, 2U);
  EXPECT_EQ(moved.b.wait(), moved.b.start - moved.b.submit);
  EXPECT_LT(moved.b.submit, moved.a.submit);
  EXPECT_LT(moved.b.wait(), 10);
  ASSERT_FALSE(compared.value().doubts.empty());
  EXPECT_NE(compared.value().doubts.front().find("1 jobs are submitted earlier in B and 0 later"),
            std::string::npos)
      << compared.value().doubts.front();
}

TEST_F(SiteFeedbackTest, OpenAgainstClosedIsADifferenceOfTheConfigurations) {
  const Side open = side({kTwoNodes}), closed = side({kClosed, kTwoNodes});
  const Compared compared(open, closed, {});
  ASSERT_FALSE(compared.value().conf.keys.empty());
  EXPECT_EQ(compared.value().conf.keys.front().key, "feedback.mode");
  EXPECT_EQ(compared.value().conf.keys.front().b, "think_time");
}

TEST_F(SiteFeedbackTest, TheResultFileKeepsTheRecordedSubmissions) {
  const Side closed = side({kClosed, kTwoNodes});
  const auto path = folder_.path() / "out.h5";
  write_result(path, closed.result, closed.kpis, closed.provenance);
  const ResultFile read = read_result(path);
  EXPECT_TRUE(read.result.feedback.kept);
  EXPECT_EQ(read.result.feedback.recorded_submit, closed.result.feedback.recorded_submit);
  EXPECT_EQ(read.result.feedback.rule, closed.result.feedback.rule);
  EXPECT_EQ(read.kpis.overall("feedback_jobs_earlier"), 1);
}

TEST_F(SiteFeedbackTest, WhoWaitsForWhatNeverEndsNeverComesAndIsCounted) {
  row(20, "eve", 100, 300, 400, "shut");
  row(21, "eve", 430, 430, 500);
  const Side closed = side({kClosed});
  EXPECT_FALSE(jobs_of(closed.result).contains(21));
  EXPECT_EQ(closed.result.feedback.held_back, 1U);
  EXPECT_EQ(closed.kpis.overall("feedback_jobs_held_back"), 1);
}

TEST_F(SiteFeedbackTest, WhatFollowsARefusedJobComesWhenItDid) {
  row(20, "eve", 100, 300, 400, "none");
  row(21, "eve", 430, 430, 500);
  const Side closed = side({kClosed});
  EXPECT_EQ(closed.result.rejections.size(), 1U);
  EXPECT_EQ(jobs_of(closed.result).at(21).submit, 430);
}

TEST_F(SiteFeedbackTest, AnArrayIsOverWithItsLastTask) {
  row(30, "eve", 100, 1300, 1400, "batch", "30_0");
  row(31, "eve", 100, 1400, 1500, "batch", "30_1");
  row(32, "eve", 1530, 1530, 1600);
  const auto jobs = jobs_of(side({kClosed, kTwoNodes}).result);
  EXPECT_EQ(jobs.at(32).submit, std::max(jobs.at(30).end, jobs.at(31).end) + 30);
  EXPECT_LT(jobs.at(32).submit, 1530);
}

TEST_F(SiteFeedbackTest, AJobThatACommandNamesKeepsItsTime) {
  (void)folder_.write("events.csv", "time,command\n2025-01-01T00:20:00,scancel 2\n");
  EXPECT_EQ(jobs_of(side({kClosed, kTwoNodes}).result).at(2).submit, 960);
}

TEST_F(SiteFeedbackTest, SharedJobsMoveInEachRunForItself) {
  (void)side({});  // writes the jobs
  LoadOptions options;
  options.set = {kClosed, kTwoNodes};
  Diagnostics found;
  const auto reader = load_site(folder_.path(), {}, found);
  const auto closed = load_site(folder_.path(), options, found, {reader.get()});
  ASSERT_EQ(closed->jobs_of, reader.get());
  EXPECT_LT(jobs_of(simulate(*closed, {}, nullptr).result).at(2).submit, 500);
  EXPECT_EQ(jobs_of(simulate(*reader, {}, nullptr).result).at(2).submit, 960);
}

}  // namespace
}  // namespace rehearse::test

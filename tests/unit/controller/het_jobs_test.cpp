// tests/unit/controller/het_jobs_test.cpp — heterogeneous jobs: components start and end together.
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "Licenses=lic:1\nNodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=n[1-2] Default=YES\n"
    "PartitionName=q Nodes=n3\n";

JobSpec& component(RunSite& site, std::uint32_t leader, std::uint32_t offset, std::int64_t at,
                   std::int64_t runtime) {
  JobSpec& spec = site.job(leader + offset, at, runtime);
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->het_leader = JobId{leader};
  spec.extras->het_offset = offset;
  return spec;
}

std::int64_t second_of(const RunSite& site, const std::string& what) {
  const auto lines = site.lines(what);
  return lines.empty() ? -1 : std::stoll(lines.front());
}

TEST(HetJobs, StartAllComponentsAtOneInstantByBackfill) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 500);
  component(site, 1, 1, 10, 500).partitions = site.names().intern("q");
  site.run();
  EXPECT_GE(second_of(site, "start 1"), 10);
  EXPECT_EQ(second_of(site, "start 1"), second_of(site, "start 2"));
}

TEST(HetJobs, WaitUntilEveryComponentFits) {
  RunSite site(kConf);
  site.job(9, 5, 1000).partitions = site.names().intern("q");
  component(site, 10, 0, 20, 500);
  component(site, 10, 1, 20, 500).partitions = site.names().intern("q");
  site.run();
  EXPECT_GE(second_of(site, "start 10"), second_of(site, "end 9"));
  EXPECT_EQ(second_of(site, "start 10"), second_of(site, "start 11"));
}

TEST(HetJobs, NeedANodeForEachComponent) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n");
  component(site, 1, 0, 10, 500);
  component(site, 1, 1, 10, 500);
  site.run();
  EXPECT_EQ(site.lines("start").size(), 0U);  // scheduling.md §11
}

TEST(HetJobs, EndWithTheirLeader) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 300);
  component(site, 1, 1, 10, 900);
  site.run();
  EXPECT_EQ(second_of(site, "end 1 COMPLETED"), second_of(site, "end 2 COMPLETED"));
}

TEST(HetJobs, AreCancelledTogether) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 3000);
  component(site, 1, 1, 10, 3000);
  site.command(500, "scancel 1");
  site.run();
  EXPECT_EQ(second_of(site, "end 1 CANCELLED"), 500);
  EXPECT_EQ(second_of(site, "end 2 CANCELLED"), 500);
}

TEST(HetJobs, CountTheirLicencesTogether) {
  RunSite site(kConf);
  for (std::uint32_t i = 0; i < 2; ++i) {
    Request request;
    request.licenses = {{site.names().intern("lic"), 1}};
    request.max_nodes = 1;
    JobSpec& spec = site.job(1 + i, 10, 100, request);
    spec.extras = std::make_unique<JobExtras>();
    spec.extras->het_leader = JobId{1};
    spec.extras->het_offset = i;
  }
  site.run();
  EXPECT_EQ(site.lines("start").size(), 0U);  // there is one licence, they ask for two
}

TEST(HetJobs, AreRefusedWholeForOneComponent) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 100);
  component(site, 1, 1, 10, 100).partitions = site.names().intern("nowhere");
  component(site, 1, 2, 10, 100);
  site.run();
  EXPECT_EQ(site.lines("reject").size(), 2U);
  EXPECT_EQ(site.lines("cancel 1").size(), 1U);
  EXPECT_EQ(site.lines("start").size(), 0U);
}

TEST(HetJobs, ThatWaitAreNotCancelledInPart) {
  RunSite site(kConf);
  site.job(9, 5, 1000).partitions = site.names().intern("q");
  component(site, 10, 0, 20, 500);
  component(site, 10, 1, 20, 500).partitions = site.names().intern("q");
  site.command(100, "scancel 10+1");
  site.command(200, "scancel 10");
  site.run();
  EXPECT_EQ(site.lines("refuse scancel 10+1").size(), 1U);
  EXPECT_EQ(site.lines("200 cancel").size(), 2U);
}

TEST(Licences, ThatTheClusterDoesNotHaveAreRefusedAtSubmission) {
  RunSite site(kConf);
  Request request;
  request.licenses = {{site.names().intern("lic"), 2}};
  site.job(1, 10, 100, request);
  request.licenses = {{site.names().intern("other"), 1}};
  site.job(2, 10, 100, request);
  site.run();
  EXPECT_NE(site.lines("reject 1").at(0).find("Invalid license"), std::string::npos);
  EXPECT_EQ(site.lines("reject 2").size(), 1U);
}

TEST(HetJobs, BlockTheirPartitionsInTheMainLoop) {
  RunSite site(std::string("SchedulerType=sched/builtin\n") + kConf);
  component(site, 1, 0, 10, 500);
  component(site, 1, 1, 10, 500).partitions = site.names().intern("q");
  site.job(5, 20, 100);
  site.command(900, "scancel 1");
  site.run();
  EXPECT_GE(second_of(site, "start 5"), 900);  // only backfill starts them, and there is none
}

// [V: `scontrol hold 22`, `release 22+2`: the others stay held; `requeue 28+1` is refused.]
TEST(HetJobs, AreHeldAndReleasedInPartUnlessWholeHetjobIsSet) {
  for (const bool whole : {false, true}) {
    RunSite site(std::string(whole ? "SchedulerParameters=whole_hetjob\n" : "") + kConf);
    component(site, 1, 0, 10, 100).begin = from_epoch_seconds(RunSite::kStart + 300);
    component(site, 1, 1, 10, 100).partitions = site.names().intern("q");
    site.command(20, "scontrol hold 1");
    site.command(30, "scontrol release 1+1");
    site.command(1000, "scancel 1");
    site.run();
    EXPECT_EQ(site.lines("start").size(), whole ? 2U : 0U);
  }
}

TEST(HetJobs, ThatWaitAreCancelledWholeForAComponentWithWholeHetjob) {
  RunSite site(std::string("SchedulerParameters=whole_hetjob\n") + kConf);
  site.job(9, 5, 1000).partitions = site.names().intern("q");
  component(site, 10, 0, 20, 500);
  component(site, 10, 1, 20, 500).partitions = site.names().intern("q");
  site.command(100, "scancel 10+1");
  site.run();
  EXPECT_EQ(site.lines("100 cancel").size(), 2U);
}

TEST(HetJobs, AreNotRequeuedInPart) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 300);
  component(site, 1, 1, 10, 300).partitions = site.names().intern("q");
  site.command(100, "scontrol requeue 1+1");
  site.run();
  EXPECT_EQ(site.lines("refuse scontrol requeue 1+1: Invalid job id").size(), 1U);
  EXPECT_EQ(site.lines("requeued").size(), 0U);
}

/// Priorities 30 and 10 of the components of job 1, and 20 of job 5 between them; one node is left
/// for which component 1+1 and job 5 compete.
std::vector<std::string> first_starts(const std::string& prio) {
  RunSite site("SchedulerParameters=" + prio +
               "\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
               "PriorityType=priority/basic\nNodeName=n[1-3] CPUs=1\n"
               "PartitionName=p Nodes=n[1-2] Default=YES\nPartitionName=q Nodes=n3\n");
  site.job(9, 5, 600, 2);
  site.job(8, 5, 600).partitions = site.names().intern("q");
  component(site, 1, 0, 20, 100).extras->direct_priority = 30;
  JobSpec& second = component(site, 1, 1, 20, 100);
  second.partitions = site.names().intern("q");
  second.extras->direct_priority = 10;
  JobSpec& between = site.job(5, 21, 100);
  between.partitions = site.names().intern("q");
  between.extras = std::make_unique<JobExtras>();
  between.extras->direct_priority = 20;
  site.run();
  std::vector<std::string> starts;
  for (const std::string& line : site.lines("start")) {
    starts.push_back(line.substr(line.find("start")));
  }
  return starts;
}

TEST(HetJobs, RankByTheValuesOfTheirGroupWithBfHetjobPrio) {
  const auto position = [](const std::vector<std::string>& starts, const std::string& who) {
    return std::find(starts.begin(), starts.end(), who) - starts.begin();
  };
  const auto by_max = first_starts("bf_hetjob_prio=max");
  EXPECT_LT(position(by_max, "start 2 n3"), position(by_max, "start 5 n3"));
  const auto by_min = first_starts("bf_hetjob_prio=min");
  EXPECT_GT(position(by_min, "start 2 n3"), position(by_min, "start 5 n3"));
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/het_jobs_test.cpp — heterogeneous jobs: components start and end together.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/controller/component.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "Licenses=lic:1\nNodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=n[1-2] Default=YES\n"
    "PartitionName=q Nodes=n3\n";

JobSpec& component(RunSite& site, std::uint32_t leader, std::uint32_t offset, std::int64_t at,
                   std::int64_t runtime) {
  return make_component(site.job(leader + offset, at, runtime), leader, offset);
}

TEST(HetJobs, StartAllComponentsAtOneInstantByBackfill) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 500);
  component(site, 1, 1, 10, 500).partitions = site.names().intern("q");
  site.run();
  EXPECT_GE(site.second_of("start 1"), 10);
  EXPECT_EQ(site.second_of("start 1"), site.second_of("start 2"));
}

/// Job 9 may start from second 12 on, in whichever pass comes then: of another job's submission, or
/// the full one of a minute.
TEST(HetJobs, AskForNoPassAtTheirSubmission) {
  const std::string conf = std::string(kConf) + "SchedulerParameters=bf_interval=600\n";
  const auto start_beside = [&](bool components) {
    RunSite site(conf);
    site.job(9, 5, 1000).begin = from_epoch_seconds(RunSite::kStart + 12);
    if (components) {
      component(site, 20, 0, 20, 500);
      component(site, 20, 1, 20, 500).partitions = site.names().intern("q");
    } else {
      site.job(20, 20, 500);
    }
    site.run();
    return site.second_of("start 9");
  };
  EXPECT_LT(start_beside(false), 25);
  EXPECT_GT(start_beside(true), 50);
}

TEST(HetJobs, WaitUntilEveryComponentFits) {
  RunSite site(kConf);
  site.job(9, 5, 1000).partitions = site.names().intern("q");
  component(site, 10, 0, 20, 500);
  component(site, 10, 1, 20, 500).partitions = site.names().intern("q");
  site.run();
  EXPECT_GE(site.second_of("start 10"), site.second_of("end 9"));
  EXPECT_EQ(site.second_of("start 10"), site.second_of("start 11"));
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
  EXPECT_EQ(site.second_of("end 1 COMPLETED"), site.second_of("end 2 COMPLETED"));
}

TEST(HetJobs, AreCancelledTogether) {
  RunSite site(kConf);
  component(site, 1, 0, 10, 3000);
  component(site, 1, 1, 10, 3000);
  site.command(500, "scancel 1");
  site.run();
  EXPECT_EQ(site.second_of("end 1 CANCELLED"), 500);
  EXPECT_EQ(site.second_of("end 2 CANCELLED"), 500);
}

// [V] on a small cluster (Used=2 of Total=1); recording `telco`, 157.
TEST(HetJobs, StartTogetherWithMoreLicencesThanThereAre) {
  RunSite site(kConf);
  for (std::uint32_t i = 0; i < 2; ++i) {
    Request request;
    request.licenses = {{site.names().intern("lic"), 1}};
    request.max_nodes = 1;
    JobSpec& spec = site.job(1 + i, 10, 100, request);
    make_component(spec, 1, i);
  }
  site.run();
  EXPECT_EQ(site.lines("start").size(), 2U);  // each was tested by itself
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
  EXPECT_GE(site.second_of("start 5"), 900);  // only backfill starts them, and there is none
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

const std::string kLimitedConf =
    std::string("AccountingStorageEnforce=associations,limits\n") + kConf;

/// Runs two components of one account, and another job that it has, with two of this TRES at most.
void ask_beyond(RunSite& site, const char* tres) {
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  root.qos = {"normal"};
  root.limits.grp_tres = {{tres, 2}};
  const NameId account = site.names().intern("root");
  site.job(9, 5, 100).account = account;
  component(site, 1, 0, 20, 50).account = account;
  JobSpec& second = component(site, 1, 1, 20, 50);
  second.account = account;
  second.partitions = site.names().intern("q");
  site.run();
}

// [V] scheduling.md §11; recordings `meteo`, 48, and `observatory`, 105: nodes are not counted
// together, so that the first starts, and goes back for two minutes when the second is over.
TEST(HetJobs, GoBackForTwoMinutesWhereTheNextIsOverALimitOfNodes) {
  RunSite site(kLimitedConf);
  ask_beyond(site, "node");
  const auto starts = site.lines("start 1");
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_EQ(site.lines("start 2").size(), 1U);
  EXPECT_GT(std::stoll(starts[1]), std::stoll(starts[0]) + 120);
}

// [V] recording `telco`, 247: the QOS of the second's partition has too few CPUs left.
TEST(HetJobs, DoNotBeginWhereALimitStopsTheNext) {
  RunSite site(kLimitedConf);
  ask_beyond(site, "cpu");
  ASSERT_EQ(site.lines("start 1").size(), 1U);
  EXPECT_GE(site.second_of("start 1"), site.second_of("end 9"));
}

/// Whether two components of a CPU each, of an account with so many, preempt who has the node of
/// the first.
bool preempts_with_limit(std::uint64_t cpus) {
  RunSite site(
      "AccountingStorageEnforce=associations,limits\nSelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n[1-2] CPUs=1\n"
      "PartitionName=p Nodes=n1 Default=YES PriorityTier=2\n"
      "PartitionName=q Nodes=n2 PriorityTier=2\nPartitionName=low Nodes=n1 PriorityTier=1\n");
  for (const char* name : {"root", "acc"}) {
    AssociationConf& each = site.accounting().associations.emplace_back();
    each.account = name;
    each.user = name == std::string("root") ? "root" : "";
    each.qos = {"normal"};
    if (each.user.empty()) each.parent = "root";
  }
  site.accounting().associations.front().limits.grp_tres = {{"cpu", cpus}};
  const NameId account = site.names().intern("root");
  JobSpec& victim = site.job(9, 5, 500);
  victim.partitions = site.names().intern("low");
  victim.account = account;
  component(site, 1, 0, 20, 50).account = account;
  JobSpec& second = component(site, 1, 1, 20, 50);
  second.account = account;
  second.partitions = site.names().intern("q");
  site.run();
  return !site.lines("end 9 PREEMPTED").empty();
}

// [V] scripts/reference/experiments/het_victims.py
TEST(HetJobs, PreemptNobodyWhereTheyAreOverALimitTogether) {
  EXPECT_TRUE(preempts_with_limit(3));
  EXPECT_FALSE(preempts_with_limit(2)) << "the victim's and those of both are three";
}

/// The first component wants n1 and n2, of which n1 is held, the second n3, which is.
void wait_in_two_partitions(RunSite& site) {
  site.job(9, 5, 5000);
  site.job(8, 5, 5000).partitions = site.names().intern("q");
  JobSpec& first = site.job(1, 20, 100, 2);
  first.extras = std::make_unique<JobExtras>();
  first.extras->het_leader = JobId{1};
  first.extras->direct_priority = 30;
  JobSpec& second = component(site, 1, 1, 20, 100);
  second.partitions = site.names().intern("q");
  second.extras->direct_priority = 10;
}

// [V] scheduling.md §3.2: with min the main loop starts a job between their priorities on n2 only
// once a cycle of backfill came to them.
TEST(HetJobs, RankByTheirOwnPriorityUntilBackfillCameToThem) {
  RunSite site(
      "SchedulerParameters=bf_hetjob_prio=min\nSelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=n[1-2] Default=YES\n"
      "PartitionName=q Nodes=n3\n");
  wait_in_two_partitions(site);
  for (const std::uint32_t id : {5U, 6U}) {
    JobSpec& between = site.job(id, id == 5 ? 21 : 400, 100);
    between.extras = std::make_unique<JobExtras>();
    between.extras->direct_priority = 20;
  }
  std::map<JobId, StartedBy> started;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) started[job.id] = job.started_by;
  };
  site.run();
  EXPECT_EQ(started[JobId{5}], StartedBy::Backfill);
  EXPECT_EQ(started[JobId{6}], StartedBy::Main);
}

TEST(HetJobs, ChooseTheirNodesByTheirOwnPrioritiesWithinTheGroup) {  // [V] recording `meteo`, 5
  RunSite site(
      "SchedulerParameters=bf_hetjob_prio=avg\nSelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  JobSpec& first = site.job(1, 20, 100, 2);
  first.extras = std::make_unique<JobExtras>();
  first.extras->het_leader = JobId{1};
  first.extras->direct_priority = 10;
  component(site, 1, 1, 20, 100).extras->direct_priority = 20;
  site.run();
  EXPECT_EQ(site.lines("start 2 n1").size(), 1U);
}

/// Which loop starts a job that ranks between the components, one of which waits for q. It is
/// submitted at that second, they at 105.
StartedBy loop_that_starts_between(std::int64_t submitted) {
  RunSite site(std::string("SchedulerParameters=bf_interval=30,bf_hetjob_prio=max\n") + kConf);
  site.job(9, 5, 3000).partitions = site.names().intern("q");
  const auto prioritized = [](JobSpec& spec, std::uint32_t priority) -> JobSpec& {
    if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
    spec.extras->direct_priority = priority;
    return spec;
  };
  prioritized(site.job(8, 100, 50), 1).partitions = site.names().intern("q");  // and a cycle comes
  prioritized(component(site, 1, 0, 105, 50), 10);
  prioritized(component(site, 1, 1, 105, 50), 30).partitions = site.names().intern("q");
  prioritized(site.job(5, submitted, 50), 20);
  StartedBy by{};
  site.at_each_event = [&by](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id == JobId{5} && job.is_running()) by = job.started_by;
    }
  };
  site.run();
  return by;
}

// [V] scripts/reference/experiments/het_ranks.py.
TEST(HetJobs, RankByTheirGroupInMainPassesFromTheFirstCycleOn) {
  EXPECT_EQ(loop_that_starts_between(106), StartedBy::Main);
  EXPECT_EQ(loop_that_starts_between(200), StartedBy::Backfill) << "the component blocks p";
}

JobSpec& with_priority(JobSpec& spec, std::uint32_t priority, std::int64_t minutes) {
  if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
  spec.extras->direct_priority = priority;
  spec.time_limit = Minutes{minutes};
  return spec;
}

// [V] scheduling.md §11: 4+0 of a small recording was estimated for the end of the running job,
// planned after the job ahead of it, and 4+1 from the estimate on.
TEST(HetJobs, ArePlannedFromTheFirstEstimateOfTheirSister) {
  RunSite site(kConf);
  site.job(1, 5, 550).time_limit = Minutes{10};   // n1
  site.job(2, 5, 1150).time_limit = Minutes{20};  // n2
  with_priority(site.job(3, 20, 250), 100, 5);    // planned on n1 after job 1
  with_priority(component(site, 4, 0, 21, 200), 90, 5);
  with_priority(component(site, 4, 1, 21, 200), 80, 5).partitions = site.names().intern("q");
  std::int64_t first = 0, second = 0;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (!job.planned_start || second > 0) continue;
      const std::int64_t planned = epoch_seconds(*job.planned_start) - RunSite::kStart;
      if (job.id == JobId{4}) first = planned;
      if (job.id == JobId{5}) second = planned;
    }
  };
  site.command(200, "scontrol update NodeName=n1 State=UNDRAIN");  // the observer is told
  site.run();
  EXPECT_GE(second, 600) << "not before the end of job 1";
  EXPECT_LT(second, 660);
  EXPECT_GE(first, second + 240) << "after job 3, which has five minutes";
}

// [V] scheduling.md §11: on a running controller nothing moved for 23 minutes, until one of the two
// was cancelled.
TEST(HetJobs, ThatComeFirstInOnePartitionEachWaitForEachOther) {
  RunSite site(kConf);
  site.job(1, 5, 100);
  site.job(2, 5, 100);
  site.job(3, 5, 100).partitions = site.names().intern("q");
  const auto pair = [&](std::uint32_t leader, std::uint32_t here, std::uint32_t there) {
    with_priority(component(site, leader, 0, 20, 200), here, 5).request =
        site.job(100 + leader, 9000, 1, 2).request;  // both nodes of p
    with_priority(component(site, leader, 1, 20, 200), there, 5).partitions =
        site.names().intern("q");
  };
  pair(10, 90, 50);
  pair(20, 40, 80);
  site.command(1500, "scancel 20");
  site.run();
  EXPECT_GE(site.second_of("start 10"), 1500);
  EXPECT_LE(site.second_of("start 10"), 1560);
  EXPECT_EQ(site.second_of("start 10"), site.second_of("start 11"));
}

/// When job 30 is planned, behind jobs 10 and 20 of two components. 10+0 has q at once, or after 25
/// minutes if that is `held`; 10+1 has p after 40, 20+1 would have it after 15.
std::int64_t planned_behind(bool held) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-4] CPUs=1\nPartitionName=p Nodes=n[1-2] Default=YES\n"
      "PartitionName=q Nodes=n[3-4]\n");
  const NameId q = site.names().intern("q");
  const auto of_two_nodes = site.job(99, 90'000, 1, 2).request;
  site.job(1, 5, 3000).time_limit = Minutes{15};
  site.job(2, 5, 3000).time_limit = Minutes{40};
  JobSpec& third = site.job(3, held ? 5 : 90'000, 3000);
  third.time_limit = Minutes{25};
  third.partitions = q;
  JobSpec& first = with_priority(component(site, 10, 0, 20, 300), 90, 15);
  first.partitions = q;
  first.request = of_two_nodes;
  with_priority(component(site, 10, 1, 20, 300), 80, 15).request = of_two_nodes;
  with_priority(component(site, 20, 0, 20, 300), 70, 10).partitions = q;
  with_priority(component(site, 20, 1, 20, 300), 60, 10);
  with_priority(site.job(30, 21, 300), 50, 14);
  std::int64_t planned = 0;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id != JobId{30} || !job.planned_start || planned > 0) continue;
      planned = epoch_seconds(*job.planned_start) - RunSite::kStart;
    }
  };
  site.command(200, "scontrol update NodeName=n1 State=UNDRAIN");  // the observer is told
  site.run();
  return planned;
}

// [V] scheduling.md §11: both on a running controller.
TEST(HetJobs, ThatWouldDeadlockGetNoPlan) {
  const std::int64_t without = planned_behind(false);
  EXPECT_GE(without, 900);
  EXPECT_LT(without, 960) << "with job 1's end: 20+1 is not in the way";
  EXPECT_GE(planned_behind(true), 1440) << "after 20+1, which comes before 10 in both partitions";
}

// [V] lifecycle.md §10.2: limits of three and eight minutes, either way round.
TEST(HetJobs, ReachTheirTimeLimitsAloneButForTheLeader) {
  const auto ends = [](std::int64_t leader, std::int64_t other) {
    RunSite site(kConf);
    component(site, 1, 0, 10, 3000).time_limit = Minutes{leader};
    JobSpec& second = component(site, 1, 1, 10, 3000);
    second.time_limit = Minutes{other};
    second.partitions = site.names().intern("q");
    site.run();
    return std::pair(site.lines("end 1").at(0), site.lines("end 2").at(0));
  };
  const auto [first, failed] = ends(3, 8);
  EXPECT_NE(first.find("TIMEOUT"), std::string::npos);
  EXPECT_NE(failed.find("FAILED"), std::string::npos);
  EXPECT_EQ(std::stoi(first), std::stoi(failed));
  const auto [last, alone] = ends(8, 3);
  EXPECT_NE(last.find("TIMEOUT"), std::string::npos);
  EXPECT_NE(alone.find("TIMEOUT"), std::string::npos);
  EXPECT_GE(std::stoi(last), std::stoi(alone) + 240);
}

}  // namespace
}  // namespace rehearse::test

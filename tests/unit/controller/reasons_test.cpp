// tests/unit/controller/reasons_test.cpp — which Reason a pending job shows, and who gave it
// (scheduling.md §2.3, §8.9).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Two nodes of four CPUs; QOS `few` may have one job's worth of CPUs at a time.
class Waiting {
 public:
  explicit Waiting(const std::string& more, std::uint32_t grp_cpus = 4)
      : site(
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
            "PriorityType=priority/basic\nAccountingStorageEnforce=associations,limits,qos\n"
            "NodeName=n[1-2] CPUs=4 CoresPerSocket=4\n"
            "PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE\n" +
            more) {
    AssociationConf& root = site.accounting().associations.emplace_back();
    root.account = "root";
    root.user = "root";
    QosConf& few = site.accounting().qos.emplace_back();
    few.name = "few";
    few.limits.grp_tres = {{"cpu", grp_cpus}};
    for (AssociationConf& each : site.accounting().associations) {
      each.qos = {"normal", "few"};
      each.default_qos = "normal";
    }
  }

  JobSpec& ask(std::uint32_t id, std::int64_t at, std::int64_t runtime, const std::string& options,
               const std::string& qos = "normal") {
    JobSpec& spec = site.job(id, at, runtime, ask_request(options, site.names()));
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern(qos);
    return spec;
  }

  RunSite site;
};

using Reasons = std::vector<std::string>;

TEST(SubmissionsReason, IsPriorityBehindAnotherJobOfThePartition) {
  Waiting all("Licenses=lic:1\nSchedulerParameters=bf_interval=-1");
  all.ask(1, 0, 1000, "-N2 -n8 -L lic");
  all.ask(2, 60, 1000, "-n1").nice = -100;  // the first that waits
  all.ask(3, 120, 1000, "-n1");
  all.ask(4, 125, 1000, "-n1 -L lic");  // a job that lacks licences is no candidate
  all.ask(5, 130, 1000, "-N1 --exclusive");
  all.site.run();
  EXPECT_EQ(all.site.reasons[1].front(), "None");
  EXPECT_EQ(all.site.reasons[2].front(), "None");
  EXPECT_EQ(all.site.reasons[3].front(), "Priority");
  EXPECT_EQ(all.site.reasons[4].front(), "None");
  EXPECT_EQ(all.site.reasons[5].front(), "Resources");
}

// [V: scripts/reference/experiments/tests_in_order.py]
TEST(SubmissionsReason, IsALimitThatIsTestedBeforeNodesAreChosen) {
  Waiting all(
      "SchedulerParameters=bf_interval=-1,sched_interval=-1\n"
      "PartitionName=day Nodes=ALL MaxTime=60\nPartitionName=long Nodes=ALL PriorityTier=5\n");
  all.site.accounting().qos.emplace_back().name = "none";
  all.site.accounting().qos.back().limits.grp_jobs = 0;
  for (AssociationConf& each : all.site.accounting().associations) each.qos.push_back("none");
  all.ask(1, 0, 10, "-n1", "none");
  all.ask(2, 1, 10, "-n1", "few");
  JobSpec& later = all.ask(3, 2, 10, "-n1", "none");
  later.begin = from_epoch_seconds(RunSite::kStart + 500);
  all.ask(4, 3, 10, "-n1", "none").held = true;
  JobSpec& dependent = all.ask(5, 4, 10, "-n1", "none");
  dependent.extras = std::make_unique<JobExtras>();
  dependent.extras->dependency = "afterany:2";
  JobSpec& beyond = all.ask(6, 5, 10, "-n1", "none");
  beyond.partitions = all.site.names().intern("day");
  beyond.time_limit = Minutes{100};
  JobSpec& list = all.ask(7, 6, 10, "-n1", "none");
  list.partitions = all.site.names().intern("day,long");
  list.time_limit = Minutes{100};
  all.site.run();
  const auto first = [&](std::uint32_t job) { return all.site.reasons[job].front(); };
  EXPECT_EQ(first(1), "QOSGrpJobsLimit");
  EXPECT_EQ(first(2), "None") << "limits that ask for nodes are not tested; job 1 is no candidate";
  EXPECT_EQ(all.site.reasons[3], (Reasons{"BeginTime", "QOSGrpJobsLimit"})) << "within a second";
  EXPECT_EQ(first(4), "JobHeldUser");
  EXPECT_EQ(first(5), "Dependency");
  EXPECT_EQ(first(6), "PartitionConfig");
  EXPECT_EQ(first(7), "QOSGrpJobsLimit");
}

TEST(BackfillsReason, IsTheLimitOfAJobThatTheMainLoopDoesNotLookAt) {
  Waiting all("SchedulerParameters=bf_interval=30");
  all.ask(1, 0, 600, "-N1 -n4", "few");
  all.ask(2, 1, 1200, "-N1 -n4");
  all.ask(3, 60, 600, "-N2 -n8");  // waits for both nodes: nobody behind it is looked at
  all.ask(4, 120, 600, "-N1 -n4", "few");
  all.site.run();
  const Reasons& given = all.site.reasons[4];
  ASSERT_GE(given.size(), 4U);
  // Once job 1 is over, no limit holds job 4 back any more; job 3 still does.
  EXPECT_EQ(Reasons(given.begin(), given.begin() + 4),
            (Reasons{"Priority", "QOSGrpCpuLimit", "None", "Priority"}));
}

TEST(PartitionsReason, IsTakenBackWhenThePartitionIsUpAgain) {
  Waiting all("SchedulerParameters=bf_interval=-1");
  all.ask(1, 0, 1000, "-N1 -n4");
  all.ask(2, 60, 600, "-N2 -n8");
  all.ask(3, 120, 600, "-N1 -n4");
  all.site.command(180, "scontrol update partitionname=p state=down");
  all.site.command(300, "scontrol update partitionname=p state=up");
  all.site.run();
  const Reasons& given = all.site.reasons[3];
  ASSERT_GE(given.size(), 4U);
  EXPECT_EQ(Reasons(given.begin(), given.begin() + 4),
            (Reasons{"Priority", "PartitionDown", "None", "Priority"}));
}

TEST(BackfillsReason, IsNoLimitWithAssocLimitStop) {
  Waiting all("SchedulerParameters=bf_interval=30,assoc_limit_stop");
  all.ask(1, 0, 600, "-N1 -n4", "few");
  all.ask(2, 60, 600, "-N2 -n8");
  all.ask(3, 120, 600, "-N1 -n4", "few");
  all.site.run();
  const Reasons& given = all.site.reasons[3];
  EXPECT_EQ(std::count(given.begin(), given.end(), "QOSGrpCpuLimit"), 0);
}

/// What a job would take is known from the last test that found it nodes, CPUs bought for its
/// memory included: over a limit it blocks nobody though its nodes are busy (scheduling.md §4.3).
TEST(LimitsReason, GoesByTheCpusOfTheLastTestWhereNoNodesAreFree) {
  for (const std::uint32_t most : {5U, 6U}) {
    Waiting all(
        "SchedulerParameters=bf_interval=300\nMaxMemPerCPU=1000\nDefMemPerCPU=100\n"
        "PartitionName=one Nodes=n1 MaxTime=INFINITE",
        most);
    all.site.inputs().slurm_conf.select_type_parameters.memory = true;
    for (auto& node : all.site.inputs().slurm_conf.nodes) node.real_memory_mib = 16000;
    const auto in_one = [&](JobSpec& spec) { spec.partitions = all.site.names().intern("one"); };
    in_one(all.ask(1, 0, 4000, "-n2", "few"));
    in_one(all.ask(2, 10, 100, "-n2 --mem-per-cpu=2000", "few"));
    in_one(all.ask(3, 700, 100, "-n1"));
    all.site.run();
    EXPECT_EQ(all.site.reasons[2].back() == "QOSGrpCpuLimit", false);  // it ran in the end
    const auto& told = all.site.reasons[2];
    const bool limited = std::find(told.begin(), told.end(), "QOSGrpCpuLimit") != told.end();
    EXPECT_EQ(limited, most == 5) << most;
    const std::int64_t start = all.site.second_of("start 3");
    EXPECT_EQ(start < 710, most == 5) << "held back by a job that waits for nodes alone";
  }
}

/// With assoc_limit_stop a job over its limit has a plan from 500 s on, which keeps others back
/// that would run into it (scheduling.md §8.7 step 8).
TEST(BackfillsReason, OfALimitKeepsALaterPlanWithAssocLimitStop) {
  for (const bool stops : {false, true}) {
    Waiting all(stops ? "SchedulerParameters=assoc_limit_stop" : "");
    all.ask(1, 0, 1000, "-n4 -w n1", "few");
    all.ask(2, 10, 100, "-n4", "few");
    all.ask(3, 20, 2000, "-n4 -w n2").time_limit = Minutes{60};
    all.ask(4, 30, 200, "-n4").time_limit = Minutes{5};
    all.site.run();
    EXPECT_EQ(all.site.second_of("start 3") < 100, !stops) << "it would run into the plan";
    EXPECT_EQ(all.site.second_of("start 4") < 100, stops) << "it ends before";
  }
}

TEST(BackfillsReason, IsALimitOnJobsWithAssocLimitStopToo) {
  Waiting all("SchedulerParameters=assoc_limit_stop", 100);
  all.site.accounting().qos.back().limits.grp_jobs = 1;
  all.ask(1, 0, 1000, "-n1", "few");
  all.ask(2, 10, 100, "-n1", "few");
  all.site.run();
  EXPECT_GE(all.site.second_of("start 2"), 1000);
}

/// With assoc_limit_stop a job that a QOS stops for what all of its jobs may have keeps the others
/// of that QOS back until its plan, whatever they ask for (scheduling.md §8.8).
TEST(StoppedQos, KeepsItsOtherJobsBackUntilThePlanOfTheOneThatAllOfThemStop) {
  for (const bool of_all : {true, false}) {
    Waiting all("SchedulerParameters=assoc_limit_stop,bf_interval=30", 100);
    QosConf& few = all.site.accounting().qos.back();
    (of_all ? few.limits.grp_tres : few.max_tres_per_user) = {{"cpu", 4}};
    all.ask(1, 0, 2000, "-n2 -w n1", "few");
    all.ask(2, 10, 100, "-n4", "few");  // n2 is free
    for (const std::uint32_t id : {3U, 4U}) {
      all.ask(id, 20, 100, "-n1", id == 3 ? "few" : "normal").time_limit = Minutes{5};
    }
    all.site.run();
    const std::int64_t with_it = all.site.second_of("start 3");
    EXPECT_EQ(with_it > 400, of_all) << with_it;
    EXPECT_LT(all.site.second_of("start 4"), 100) << "of another QOS";
  }
}

/// What stops the first task of an array does not move its others, which look from now on: they
/// take turns on the nodes of the first two and leave the last node alone (§8.8).
TEST(StoppedQos, MovesNoTasksOfTheArrayThatItStops) {
  Waiting all(
      "SchedulerParameters=assoc_limit_stop,bf_interval=30\n"
      "NodeName=n[3-4] CPUs=4 CoresPerSocket=4");
  all.ask(1, 0, 3000, "-n4 -w n1", "few").time_limit = Minutes{50};
  JobSpec& array = all.ask(2, 10, 100, "-n4", "few");
  array.time_limit = Minutes{9};
  array.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 0; i < 3; ++i) {
    ArrayTask& task = array.extras->array.emplace_back();
    task.index = i;
    task.run = array.run;
  }
  all.ask(9, 20, 100, "-n4").time_limit = Minutes{12};
  all.site.run();
  EXPECT_LT(all.site.second_of("start 9"), 100);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/changes_test.cpp — commands of events.csv: what is understood, and what it
// changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=n1\n";

std::string finding_of(const std::string& command) {
  RunSite site(kConf);
  site.command(10, command);
  site.understand();
  const auto findings = site.findings();
  return findings.empty() ? "" : findings.front();
}

TEST(Commands, ThatAreUnknownAreRefusedWithTheirLine) {
  EXPECT_NE(finding_of("scontrol update NodeName=n9 State=DRAIN Reason=x").find("events.csv:2:1"),
            std::string::npos);
  EXPECT_NE(finding_of("scontrol update NodeName=n1 State=BROKEN Reason=x").find("'BROKEN'"),
            std::string::npos);
  EXPECT_NE(finding_of("scontrol update NodeName=n1 State=DOWN").find("reason"), std::string::npos);
  EXPECT_NE(finding_of("scontrol update NodeName=n1 Wieght=3").find("Weight"), std::string::npos);
  EXPECT_NE(finding_of("scontrol update PartitionName=x State=DOWN").find("no partition"),
            std::string::npos);
  EXPECT_NE(finding_of("scontrol update PartitionName=p MaxTime=soon").find("error"),
            std::string::npos);
  EXPECT_NE(finding_of("scontrol update PartitionName=p OverSubscribe=FORCE:2").find("left out"),
            std::string::npos);
  EXPECT_NE(finding_of("slurmd off n1").find("slurmd"), std::string::npos);
  EXPECT_NE(finding_of("node crash").find("one list"), std::string::npos);
  EXPECT_NE(finding_of("sacctmgr modify qos normal set MaxWal=1").find("MaxWall"),
            std::string::npos);
  EXPECT_NE(finding_of("sacctmgr modify qos gold set MaxWall=60").find("no such qos"),
            std::string::npos);
}

TEST(Commands, ThatAreUnderstoodTellNothing) {
  for (const char* command :
       {"scontrol update NodeName=n[1-2] State=DRAIN Reason=\"two words\"",
        "scontrol update nodename=n1 weight=7 features=a,b", "slurmd down n1", "slurmctld down",
        "node boot n2", "scontrol update PartitionName=p State=DOWN MaxTime=60",
        "scontrol update PartitionName=p OverSubscribe=EXCLUSIVE",
        "sacctmgr -i modify qos normal set GrpTRES=cpu=4",
        "sacctmgr modify account where name=root set fairshare=3"}) {
    EXPECT_EQ(finding_of(command), "") << command;
  }
}

TEST(Changes, OfAPartitionsStateHoldBackAndLetGo) {
  RunSite site(kConf);
  site.command(10, "scontrol update PartitionName=p State=DOWN");
  site.job(1, 20, 10);
  site.command(500, "scontrol update PartitionName=p State=UP");
  site.run();
  EXPECT_GE(site.second_of("start 1"), 500);
}

TEST(Changes, OfAPartitionsNodesMoveJobsToOthers) {
  RunSite site(kConf);
  site.command(10, "scontrol update PartitionName=p Nodes=n2");
  site.job(1, 20, 10);
  site.run();
  EXPECT_NE(site.lines("start 1").at(0).find("n2"), std::string::npos);
}

// [V: recording job_updates, job 40 beside the resumed job 27.]
TEST(Changes, OfAPartitionLeaveOutTheCoresOfWhoRunsBesideAResumedJob) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES MaxTime=120\n");
  const auto whole = [&](const char* node) {
    Request request;
    request.max_nodes = 1;
    request.num_tasks = request.min_cpus = 4;
    request.required_nodes = {site.names().intern(node)};
    return request;
  };
  Request both;
  both.min_nodes = 2;
  both.num_tasks = both.min_cpus = 8;
  site.job(1, 10, 2000, whole("n1"));
  site.command(60, "scontrol suspend 1");
  site.job(2, 100, 200, whole("n1"));
  site.command(200, "scontrol resume 1");
  site.job(3, 500, 2500, both);
  site.job(4, 600, 100, whole("n2"));
  site.command(900, "scontrol update PartitionName=p MaxTime=180");
  site.run();
  EXPECT_LE(site.second_of("start 3"), 510) << "beside job 1";
  EXPECT_GE(site.second_of("start 4"), 900);
  EXPECT_LE(site.second_of("start 4"), 935) << "beside job 3";
}

TEST(Changes, OfANodesWeightAndFeaturesAreSeenByTheNextChoice) {
  RunSite site(kConf);
  site.command(10, "scontrol update NodeName=n1 Weight=100");
  site.job(1, 20, 10);
  Request wants;
  wants.features = site.names().intern("new");
  site.job(2, 300, 10, wants);
  site.command(200, "scontrol update NodeName=n1 Features=new");
  site.run();
  EXPECT_NE(site.lines("start 1").at(0).find("n2"), std::string::npos);
  EXPECT_NE(site.lines("start 2").at(0).find("n1"), std::string::npos);
}

TEST(Changes, OfTresLimitsTouchOnlyWhatIsNamed) {
  RunSite site(kConf);
  site.command(10, "sacctmgr modify qos normal set GrpTRES=cpu=4,node=2");
  site.command(20, "sacctmgr modify qos normal set GrpTRES=cpu=-1 MaxWall=60");
  site.job(1, 30, 10);
  site.run();
  const LimitSet& limits = site.cluster().accounts.qos[QosId{0}].limits;
  EXPECT_FALSE(limits.grp_tres[index_of(TresTable::kCpu)].has_value());
  EXPECT_EQ(limits.grp_tres[index_of(TresTable::kNode)], 2U);
  EXPECT_EQ(limits.max_wall_min, 60U);
}

TEST(Changes, OfSharesReachTheBook) {
  RunSite site(kConf);
  site.command(10, "sacctmgr modify account root set fairshare=7");
  site.job(1, 30, 10);
  site.run();
  EXPECT_EQ(site.cluster().accounts.associations[AssociationId{0}].shares, 7U);
}

constexpr const char* kEnforced =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
    "AccountingStorageEnforce=associations,limits,qos\n"
    "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n";

/// Root's user has QOS normal and high.
void add_high(RunSite& site) {
  AssociationConf& user = site.accounting().associations.emplace_back();
  user.account = user.user = "root";
  user.is_default_account = true;
  site.accounting().qos.emplace_back().name = "high";
  for (AssociationConf& each : site.accounting().associations) {
    each.qos = {"normal", "high"};
    each.default_qos = "normal";
  }
}

// [V: scripts/reference/experiments/tests_in_order.py]
TEST(Changes, OfTheQosThatAUserMayUseHoldBackAndLetGo) {
  RunSite site(std::string("PriorityType=priority/basic\n") + kEnforced);
  add_high(site);
  site.job(1, 10, 300, 2);
  site.job(2, 20, 10).qos = site.names().intern("high");
  site.command(100, "sacctmgr modify user root set qos=normal");
  site.command(900, "sacctmgr modify user root set qos=normal,high");
  site.run();
  const auto& reasons = site.reasons[2];
  EXPECT_NE(std::find(reasons.begin(), reasons.end(), "InvalidQOS"), reasons.end());
  EXPECT_GE(site.second_of("start 2"), 900);
}

/// scheduling.md §2.1 [V: scripts/reference/experiments/changed_limits.py]
TEST(Changes, OfLimitsAreSeenByTheNextPassAndAskForNone) {
  for (const bool updates_a_partition : {false, true}) {
    RunSite site(std::string("PriorityType=priority/basic\n"
                             "SchedulerParameters=bf_interval=3600,sched_interval=3600\n") +
                 kEnforced);
    add_high(site);
    site.accounting().qos.front().limits.grp_jobs = 0;
    site.job(1, 10, 60);
    site.command(30, "sacctmgr -i modify qos normal set GrpJobs=5");
    if (updates_a_partition) site.command(60, "scontrol update PartitionName=p MaxTime=60");
    site.run();
    const Lines starts = site.lines("start 1 ");
    ASSERT_EQ(starts.size(), 1U);
    const std::int64_t at = std::stoll(starts.front());
    EXPECT_EQ(at < 1000, updates_a_partition) << at;
    EXPECT_GE(at, updates_a_partition ? 60 : 3600) << at;
  }
}

TEST(Changes, OfAQosPreemptModeReachPreemption) {
  RunSite site(std::string("PriorityType=priority/basic\nPreemptType=preempt/qos\n"
                           "PreemptMode=REQUEUE\n") +
               kEnforced);
  add_high(site);
  site.accounting().qos.back().preempt = {"normal"};
  site.job(1, 10, 3000, 2);
  site.job(2, 200, 10).qos = site.names().intern("high");
  site.command(100, "sacctmgr modify qos normal set PreemptMode=cancel");
  site.run();
  EXPECT_EQ(site.lines("end 1 PREEMPTED").size(), 1U);
  EXPECT_TRUE(site.lines("requeued 1").empty()) << "cancelled";
}

/// A job's share of its partition is of what the partition has now (priority.md §3.8).
TEST(Changes, OfAPartitionsNodesReachThePriorityOfItsJobs) {
  RunSite site(std::string("PriorityType=priority/multifactor\nPriorityWeightTRES=cpu=1000\n"
                           "AccountingStorageType=accounting_storage/slurmdbd\n"
                           "SchedulerParameters=sched_interval=-1,bf_interval=-1\n") +
               kEnforced);
  add_high(site);
  site.job(1, 10, 10);
  site.command(50, "scontrol update NodeName=n2 State=DRAIN Reason=x");  // something to look at
  site.command(100, "scontrol update PartitionName=p Nodes=n1");
  std::set<std::uint32_t> seen;
  site.at_each_event = [&](const Cluster& cluster) {
    if (cluster.jobs.size() > 0) seen.insert(cluster.jobs[JobIndex{0}].priority);
  };
  site.command(1000, "scontrol update JobId=1 JobName=x");
  site.command(2000, "scancel 1");
  site.run();
  EXPECT_EQ(seen, (std::set<std::uint32_t>{500, 1000}));
}

TEST(Outage, DecidesNothingAndHearsOfEndsWhenItIsOver) {
  RunSite site(kConf);
  site.job(1, 10, 100);
  site.job(2, 200, 10);
  site.command(50, "slurmctld down");
  site.command(400, "slurmctld up");
  site.run();
  EXPECT_EQ(site.lines("end 1"), Lines{"400 end 1 COMPLETED"});
  EXPECT_GE(site.second_of("start 2"), 400);
}

TEST(Outage, EndsWhenTheSecondControllerTakesOver) {
  RunSite site(std::string("SlurmctldHost=h2\nSlurmctldTimeout=60\n") + kConf);
  site.job(1, 10, 100);
  site.command(50, "slurmctld down");
  site.run();
  EXPECT_EQ(site.lines("end 1").size(), 1U);
  EXPECT_LT(site.second_of("end 1"), 130) << "back at 110, before the job's end";
}

TEST(Outage, FindsAPassedLimitAtTheFirstScanAfterIt) {
  RunSite site(kConf);
  site.job(1, 10, 100000).time_limit = Minutes{1};
  site.command(50, "slurmctld down");
  site.command(400, "slurmctld up");
  site.run();
  EXPECT_EQ(site.lines("end 1"), Lines{"430 end 1 TIMEOUT"});
}

TEST(NodeEvents, AreReplayedAsWhatHappened) {
  RunSite site(kConf);
  site.understand();
  const auto at = [](std::int64_t s) { return from_epoch_seconds(RunSite::kStart + s); };
  const auto text = [&](std::int64_t s) { return TimeZone::utc().print(at(s)); };
  Diagnostics found;
  const auto commands = replay_outages({{"n1", text(100), text(200), "DOWN*", "power", {}},
                                        {"n2", text(50), text(80), "IDLE+DRAIN", "", {}},
                                        {"n2", text(80), text(90), "DOWN+DRAIN", "gpu", {}},
                                        {"n1", text(10), text(20), "MAINT", "", {}}},
                                       {at(0), at(1000)}, site.cluster(), site.names(), found);
  std::vector<std::string> seen;
  for (const AdminCommandAt& each : commands) {
    seen.push_back(
        fmt::format("{} {}", epoch_seconds(whole_second(each.at)) - RunSite::kStart, each.text));
  }
  EXPECT_EQ(seen, (Lines{"50 scontrol update NodeName=n2", "80 node crash n2",
                         "80 scontrol update NodeName=n2", "80 scontrol update NodeName=n2",
                         "90 slurmd up n2", "90 scontrol update NodeName=n2 State=RESUME",
                         "100 node crash n1", "100 scontrol update NodeName=n1", "200 slurmd up n1",
                         "200 scontrol update NodeName=n1 State=RESUME"}));
}

/// What scontrol told of partitions, and of weights and features of nodes, is gone; states stay.
TEST(Changes, AreTakenBackByAReconfiguration) {
  RunSite site(kConf);
  site.command(10, "scontrol update PartitionName=p State=DOWN MaxTime=5");
  site.command(10, "scontrol update NodeName=n1 Weight=9 Features=new State=DRAIN Reason=x");
  site.command(10, "scontrol update NodeName=n2 Weight=9");
  site.job(1, 20, 10);
  site.command(300, "scontrol reconfigure");
  site.command(400, "scontrol update PartitionName=p MaxTime=7");
  site.run();
  EXPECT_EQ(site.findings(), Lines{});
  const std::string start = site.lines("start 1").at(0);
  EXPECT_GE(std::stoi(start), 300);
  EXPECT_LE(std::stoi(start), 301) << "it asks for a pass";
  EXPECT_NE(start.find("n2"), std::string::npos) << "n1 is still drained";
  const auto& nodes = site.cluster().nodes;
  EXPECT_EQ(nodes[id_at<NodeId>(0)].weight, 1U);
  EXPECT_TRUE(nodes[id_at<NodeId>(0)].features.empty());
  EXPECT_EQ(nodes[id_at<NodeId>(1)].weight, 1U);
  const PartitionConf& p = site.cluster().partitions[id_at<PartitionId>(0)].conf;
  EXPECT_EQ(p.max_time, Minutes{7}) << "a later change is one of slurm.conf's record";
  EXPECT_EQ(p.state, PartitionState::Up);
}

}  // namespace
}  // namespace rehearse::test

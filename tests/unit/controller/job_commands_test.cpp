// tests/unit/controller/job_commands_test.cpp — what is typed about jobs: what is understood, what
// it does, and what slurmctld refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "Licenses=lic:1\nNodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES MaxTime=120\n"
    "PartitionName=q Nodes=n1\n";

std::string finding_of(const std::string& command) {
  RunSite site(kConf);
  site.command(10, command);
  site.understand();
  const auto findings = site.findings();
  return findings.empty() ? "" : findings.front();
}

Request licensed(RunSite& site) {
  Request request;
  request.min_nodes = request.min_cpus = 1;
  request.licenses.push_back({site.names().intern("lic"), 1});
  return request;
}

/// A job for both nodes runs for 1000 s; behind it wait jobs 2 and 3.
void fill(RunSite& site) {
  site.job(1, 10, 1000, 2);
  site.job(2, 20, 100);
  site.job(3, 30, 100);
}

TEST(JobCommands, ThatAreUnderstoodTellNothing) {
  for (const char* command :
       {"scontrol update JobId=1 TimeLimit=30", "scontrol update jobid=1 timelimit=+1-0",
        "scontrol update JobId=1_[1-3,7] Nice=-100 Comment=\"two words\"",
        "scontrol update JobId=1+0 Partition=p,q QOS=normal Account=root",
        "scontrol update JobId=1 NumNodes=1-2 NumCPUs=4 MinMemoryNode=4G ReqNodeList=n[1-2]",
        "scontrol update JobId=1 StartTime=now+2hours Deadline=tomorrow Dependency=afterok:7",
        "scontrol update JobId=1 Licenses=lic:1 Gres=gpu:2 Features=a Requeue=0",
        "scontrol update JobId=1 ArrayTaskThrottle=3 ResetAccrueTime Switches=1@60",
        "scontrol requeuehold State=SpecialExit 1", "scontrol top 1", "scontrol uhold 1,2_3 4",
        "scontrol hold jobname=a", "scontrol release JobName=a",
        "scancel -u root -t PD,R -p p -A root -n wrap -q normal 1_4 5+1", "scancel -s KILL 3"}) {
    EXPECT_EQ(finding_of(command), "") << command;
  }
}

// [V] scripts/reference/experiments/updated_licenses.py.
TEST(JobCommands, GiveARunningJobOtherLicencesFreeOrNot) {
  RunSite site(kConf);
  site.job(1, 10, 1000);
  site.job(2, 20, 100, licensed(site));
  site.job(3, 40, 100, licensed(site));
  site.command(30, "scontrol update JobId=1 Licenses=lic:1");  // 2 of 1 are held now
  site.command(300, "scontrol update JobId=1 Licenses=");
  site.command(310, "scontrol update JobId=1 Licenses=lic:2");
  site.run();
  EXPECT_LT(site.second_of("start 2"), 30);
  const std::int64_t third = site.second_of("start 3");
  EXPECT_GE(third, 300) << "job 1 held it";
  EXPECT_LT(third, 340) << "none may hold two";
}

TEST(JobCommands, ThatAreUnknownAreRefusedWithTheirLine) {
  EXPECT_NE(finding_of("scontrol update JobId=x Nice=1").find("events.csv:2:1"), std::string::npos);
  EXPECT_NE(finding_of("scontrol update JobId=1 TimeLimt=5").find("TimeLimit"), std::string::npos);
  EXPECT_NE(finding_of("scontrol update JobId=1 TimeLimit=soon").find("time limit"),
            std::string::npos);
  EXPECT_NE(finding_of("scontrol update JobId=1").find("nothing to change"), std::string::npos);
  EXPECT_NE(finding_of("scontrol update JobId=1 ReqNodeList=n9").find("n9"), std::string::npos);
  EXPECT_NE(finding_of("scontrol hold").find("no job"), std::string::npos);
  EXPECT_NE(finding_of("scontrol hold 1_").find("not a job id"), std::string::npos);
  EXPECT_NE(finding_of("scancel -t DONE").find("'DONE'"), std::string::npos);
  EXPECT_NE(finding_of("scancel").find("no job"), std::string::npos);
  EXPECT_NE(finding_of("scontrol update JobId=1 DelayBoot=60").find("not simulated"),
            std::string::npos);
}

TEST(JobCommands, ByNameAreAboutAllJobsOfThatName) {  // lifecycle.md §10.1 [V]
  RunSite site(kConf);
  site.job(1, 10, 100, 2);
  for (const std::uint32_t id : {2U, 3U}) site.job(id, 20, 10).name = site.names().intern("a");
  site.job(4, 20, 10).name = site.names().intern("b");
  site.command(50, "scontrol hold JobName=a");
  site.command(400, "scontrol release jobname=a");
  site.command(500, "scontrol uhold jobname=c");
  site.run();
  EXPECT_LT(site.second_of("start 4"), 200);
  EXPECT_GE(site.second_of("start 2"), 400);
  EXPECT_GE(site.second_of("start 3"), 400);
  EXPECT_EQ(site.lines("refuse scontrol uhold").size(), 1U) << "nobody has that name";
}

TEST(JobUpdates, OfPriorityPutAJobFirst) {
  RunSite site(kConf);
  fill(site);
  site.job(4, 40, 100, 2);
  site.command(100, "scontrol update JobId=4 Priority=4294901999");
  site.run();
  EXPECT_LT(site.second_of("start 4"), site.second_of("start 2"));
}

TEST(JobUpdates, OfATimeLimitMoveARunningJobsEnd) {
  RunSite site(kConf);
  site.job(1, 10, 5000);
  site.job(2, 10, 5000);
  site.command(100, "scontrol update JobId=1 TimeLimit=10");
  site.command(100, "scontrol update JobId=2 TimeLimit=+60");
  site.run();
  const std::int64_t timeout = site.second_of("end 1 TIMEOUT");
  EXPECT_GE(timeout, 610);
  EXPECT_LE(timeout, 650);
  EXPECT_EQ(site.lines("end 2 COMPLETED").size(), 1U);
}

TEST(JobUpdates, LoweredBelowTheTimeRunEndAJobAtTheNextScan) {
  RunSite site(kConf);
  site.job(1, 10, 5000);
  site.command(1000, "scontrol update JobId=1 TimeLimit=5");
  site.run();
  const std::int64_t timeout = site.second_of("end 1 TIMEOUT");
  EXPECT_GE(timeout, 1000);
  EXPECT_LE(timeout, 1031);
}

TEST(JobUpdates, ByAnOperatorMayExceedMaxTime) {
  RunSite site(kConf);
  fill(site);
  site.command(100, "scontrol update JobId=2 TimeLimit=300");
  site.run();
  EXPECT_EQ(site.lines("end 2 COMPLETED").size(), 1U);
}

// [V: scripts/reference/experiments/operator_set.py]
TEST(JobUpdates, ByAnOperatorAreNotHeldAgainstLimits) {
  RunSite site(std::string("AccountingStorageEnforce=associations,limits,qos\n") + kConf);
  AssociationConf& user = site.accounting().associations.emplace_back();
  user.account = user.user = "root";
  user.qos = {"normal"};
  user.is_default_account = true;
  site.accounting().qos.front().limits.max_wall_per_job = Minutes{60};
  site.accounting().qos.front().limits.max_tres_per_job = {{"cpu", 1}};
  site.accounting().qos.emplace_back().name = "high";
  for (std::uint32_t id = 1; id <= 4; ++id) {
    JobSpec& spec = site.job(id, 10, 100);
    spec.held = true;
    spec.time_limit = Minutes{50};
  }
  site.command(100, "scontrol update JobId=1 TimeLimit=100");
  site.command(100, "scontrol update JobId=2 NumNodes=2-2");
  site.command(100, "scontrol update JobId=2 NumCPUs=2");
  site.command(100, "scontrol update JobId=3 QOS=high");
  site.command(100, "scontrol update JobId=4 NumNodes=2");
  site.command(110, "scontrol release 1,2,3,4");
  site.run();
  for (const char* start : {"start 1", "start 2", "start 3"}) {
    EXPECT_EQ(site.lines(start).size(), 1U) << start;
  }
  EXPECT_EQ(site.lines("start 4").size(), 0U) << "it wants two CPUs since, which no node has";
  ASSERT_EQ(site.lines("refuse").size(), 1U);
  EXPECT_NE(site.lines("refuse").at(0).find("Node count specification invalid"), std::string::npos)
      << "-N1 is the most, too";
}

/// [V: `-t 60 --time-min=2` with a deadline ten minutes ahead: 9 min, lifecycle.md §7.]
TEST(Deadline, CutsTheLimitOfAStart) {
  RunSite site(kConf);
  JobSpec& spec = site.job(1, 10, 3000);
  spec.time_min = Minutes{2};
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->deadline = from_epoch_seconds(RunSite::kStart + 610);
  site.run();
  const std::int64_t end = site.second_of("end 1 TIMEOUT");
  EXPECT_GE(end, 10 + 540);
  EXPECT_LE(end, 10 + 540 + 45);
}

// [V: scripts/reference/experiments/deadlines.py]
TEST(Deadline, ThatIsPastOrNearerThanTheLeastTimeIsRefused) {
  RunSite site(kConf);
  const auto ask = [&](std::uint32_t id, std::int64_t deadline, std::optional<Minutes> least) {
    JobSpec& spec = site.job(id, 100, 10);
    spec.time_min = least;
    spec.extras = std::make_unique<JobExtras>();
    spec.extras->deadline = from_epoch_seconds(RunSite::kStart + deadline);
  };
  ask(1, 50, std::nullopt);
  ask(2, 400, Minutes{10});
  ask(3, 700, Minutes{10});
  site.run();
  EXPECT_EQ(site.lines("reject"),
            (Lines{"100 reject 1 Requested time limit is invalid (missing or exceeds some limit)",
                   "100 reject 2 Invalid time-min specification (exceeds job's time or other "
                   "limits)"}));
  EXPECT_EQ(site.lines("start 3").size(), 1U);
}

// [V: scripts/reference/experiments/time_min.py]
TEST(TimeMin, AboveTheLimitOrEveryMaxTimeIsRefused) {
  RunSite site(
      "NodeName=n1 CPUs=4\nPartitionName=day Nodes=n1 Default=YES MaxTime=1-0\n"
      "PartitionName=half Nodes=n1 MaxTime=60 DefaultTime=30\n");
  QosConf& loose = site.accounting().qos.emplace_back();
  loose.name = "loose";
  loose.flags.partition_time_limit = true;
  site.accounting().associations.front().qos.push_back("loose");
  std::uint32_t id = 0;
  const auto ask = [&](const char* partitions, std::optional<Minutes> limit,
                       Minutes least) -> JobSpec& {
    JobSpec& spec = site.job(++id, 100, 10);
    spec.partitions = site.names().intern(partitions);
    spec.time_limit = limit;
    spec.time_min = least;
    spec.held = true;
    return spec;
  };
  for (const char* list : {"day", "half,day"}) ask(list, Minutes{10}, Minutes{20});  // 1, 2
  ask("day", std::nullopt, Minutes{2880});                                           // 3
  ask("half,day", std::nullopt, Minutes{40});  // 4: DefaultTime
  ask("half", Minutes{100}, Minutes{70});      // 5
  ask("day", Minutes{10}, kUnlimited);         // 6
  const std::uint32_t refused = id;
  ask("day", Minutes{10}, Minutes{10});
  ask("day", kUnlimited, Minutes{5});
  ask("day,half", Minutes{100}, Minutes{70});
  ask("day,half", std::nullopt, Minutes{40});
  ask("half", Minutes{100}, Minutes{70}).qos = site.names().intern("loose");
  site.run();
  const Lines rejected = site.lines("reject");
  ASSERT_EQ(rejected.size(), refused);
  for (std::uint32_t job = 1; job <= refused; ++job) {
    EXPECT_EQ(rejected[job - 1],
              fmt::format("100 reject {} Invalid time-min specification (exceeds job's time or "
                          "other limits)",
                          job));
  }
}

// [V: scripts/reference/experiments/time_min.py]
TEST(TimeMin, StaysWithinALimitThatIsSet) {
  RunSite site(kConf);
  JobSpec& spec = site.job(1, 10, 100);
  spec.time_limit = Minutes{10};
  spec.time_min = Minutes{5};
  spec.held = true;
  for (const char* change : {"TimeMin=20", "TimeLimit=3", "TimeLimit=30 TimeMin=20",
                             "TimeLimit=-15", "TimeLimit=-6", "TimeMin=0", "TimeLimit=3"}) {
    site.command(100, std::string("scontrol update JobId=1 ") + change);
  }
  site.run();
  const Lines refused = site.lines("refuse");
  ASSERT_EQ(refused.size(), 3U);
  EXPECT_NE(refused[0].find("TimeMin=20: Invalid time-min specification"), std::string::npos);
  EXPECT_NE(refused[1].find("TimeLimit=3: Invalid time-min specification"), std::string::npos);
  EXPECT_NE(refused[2].find("TimeLimit=-15: Invalid time-min specification"), std::string::npos);
}

// [V: scripts/reference/experiments/deadlines.py]
TEST(Deadline, TakesBackfillToTheOwnLimitOfAJob) {
  const auto second_end = [](bool has_deadline, std::int64_t limit) {
    RunSite site(kConf);
    site.job(1, 10, 3600).time_limit = Minutes{60};
    site.job(2, 20, 100, 2);  // both nodes, in an hour
    JobSpec& spec = site.job(3, 30, 100000);
    spec.time_limit = Minutes{limit};
    spec.time_min = Minutes{5};
    spec.extras = std::make_unique<JobExtras>();
    if (has_deadline) spec.extras->deadline = from_epoch_seconds(RunSite::kStart + 20 * 3600);
    site.run();
    return static_cast<double>(site.second_of("end 3 TIMEOUT") - site.second_of("start 3"));
  };
  EXPECT_NEAR(second_end(false, 90), 300, 31) << "backfill, with the least time";
  EXPECT_NEAR(second_end(true, 90), 5400, 31) << "after job 2";
  EXPECT_NEAR(second_end(true, 20), 1200, 31);
}

TEST(JobUpdates, OfPartitionAndNodesDecideWhereItRuns) {
  RunSite site(kConf);
  fill(site);
  site.command(100, "scontrol update JobId=2 ReqNodeList=n2");
  site.command(100, "scontrol update JobId=3 Partition=q");
  site.run();
  EXPECT_NE(site.lines("start 2").at(0).find("n2"), std::string::npos);
  EXPECT_NE(site.lines("start 3").at(0).find("n1"), std::string::npos);
}

TEST(JobUpdates, OfStartTimePutItOff) {
  RunSite site(kConf);
  fill(site);
  site.command(100, "scontrol update JobId=2 StartTime=now+3hours");
  site.run();
  EXPECT_GE(site.second_of("start 2"), 100 + 3 * 3600);
}

TEST(JobUpdates, OfADependencyAddAndTakeIt) {
  RunSite site(kConf);
  fill(site);
  site.job(4, 40, 3000);
  site.command(100, "scontrol update JobId=2 Dependency=afterany:4");
  site.command(200, "scontrol update JobId=3 Dependency=afterok:4");
  site.command(300, "scontrol update JobId=3 Dependency=");
  site.run();
  EXPECT_GE(site.second_of("start 2"), site.second_of("end 4"));
  EXPECT_LT(site.second_of("start 3"), site.second_of("end 4"));
}

TEST(JobUpdates, ThatWouldWaitForThemselvesAreRefused) {
  RunSite site(kConf);
  fill(site);
  site.command(100, "scontrol update JobId=2 Dependency=afterany:3");
  site.command(200, "scontrol update JobId=3 Dependency=afterany:2");
  site.run();
  EXPECT_EQ(site.lines("refuse").size(), 1U);
  EXPECT_EQ(site.lines("end 2 COMPLETED").size(), 1U);
}

TEST(JobUpdates, OfWhatOnlyPendingJobsTakeAreRefusedOfRunningOnes) {
  RunSite site(kConf);
  site.job(1, 10, 1000);
  site.command(100, "scontrol update JobId=1 Partition=q");
  site.command(110, "scontrol update JobId=99 Nice=5");
  site.command(1500, "scontrol update JobId=1 Nice=5");
  site.job(2, 20, 4000);
  site.run();
  EXPECT_NE(site.lines("refuse").at(0).find("no longer pending"), std::string::npos);
  EXPECT_NE(site.lines("refuse").at(1).find("Invalid job id"), std::string::npos);
  EXPECT_NE(site.lines("refuse").at(2).find("Invalid job id"), std::string::npos);
}

TEST(JobUpdates, OfATaskLeaveTheOthersAlone) {
  RunSite site(kConf);
  site.job(1, 10, 1000, 2);
  JobSpec& array = site.job(2, 20, 100);
  array.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 1; i <= 3; ++i) {
    array.extras->array.push_back({i, JobId{}, array.run, {}, {}, {}});
  }
  site.command(100, "scontrol hold 2_2");
  site.command(100, "scancel 2_1");
  site.command(3000, "scontrol release 2_2");
  site.run();
  EXPECT_EQ(site.lines("start").size(), 3U);  // job 1, tasks 3 and 2
  EXPECT_GE(site.seconds_of("start").at(2), 3000);
  EXPECT_EQ(site.lines("cancel").size(), 1U);
}

TEST(JobActions, RequeueHoldWaitsForItsRelease) {
  RunSite site(kConf);
  site.job(1, 10, 1000);
  site.command(100, "scontrol requeuehold 1");
  site.command(2000, "scontrol release 1");
  site.run();
  ASSERT_EQ(site.lines("start 1").size(), 2U);
  EXPECT_GE(site.seconds_of("start 1").at(1), 2000);
  EXPECT_LE(site.seconds_of("start 1").at(1), 2060);
}

/// When a job that is requeued at 200 s starts again, after what is typed at 100 s and 150 s.
std::int64_t starts_again(const std::string& first, const std::string& then = "") {
  RunSite site(kConf);
  site.job(1, 10, 1000);
  site.command(100, "scontrol " + first + " 1");
  if (!then.empty()) site.command(150, "scontrol " + then + " 1");
  site.command(200, "scontrol requeue 1");
  site.command(2000, "scontrol release 1");
  site.run();
  const Lines starts = site.lines("start 1");
  return starts.size() == 2 ? std::stoll(starts.at(1)) : -1;
}

TEST(JobActions, ARunThatIsHeldOrSuspendedIsHeldOnceItIsRequeued) {  // lifecycle.md §10
  EXPECT_GE(starts_again("hold"), 2000);
  EXPECT_GE(starts_again("uhold"), 2000);
  EXPECT_GE(starts_again("suspend"), 2000);
  EXPECT_LE(starts_again("hold", "release"), 400);
  EXPECT_LE(starts_again("suspend", "resume"), 400);
}

TEST(JobActions, ARequeuedTaskWaitsForItsArraysLimitAsTheRestDoes) {  // lifecycle.md §9
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "SchedulerParameters=sched_interval=-1,bf_interval=10\nNodeName=n[1-2] CPUs=1\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  JobSpec& array = site.job(1, 10, 1000);
  array.extras = std::make_unique<JobExtras>();
  array.extras->array_max_running = 1;
  for (std::uint32_t i = 1; i <= 2; ++i) {
    array.extras->array.push_back({i, JobId{100 + i}, array.run, {}, {}, {}});
  }
  site.command(100, "scontrol requeue 1_1");
  site.run();
  const auto& reasons = site.reasons[101];
  EXPECT_NE(std::find(reasons.begin(), reasons.end(), "JobArrayTaskLimit"), reasons.end());
}

TEST(JobActions, RequeueAFinishedJobWhileItIsKnown) {
  RunSite site(kConf);
  site.job(1, 10, 100);
  site.job(2, 20, 5000);
  site.command(200, "scontrol requeue 1");
  site.command(3000, "scontrol requeue 1");
  site.run();
  EXPECT_EQ(site.lines("start 1").size(), 2U);
  EXPECT_EQ(site.lines("refuse").size(), 1U);
}

TEST(JobActions, RequeueIsRefusedToJobsThatMayNot) {
  RunSite site(kConf);
  site.job(1, 10, 1000).requeue = false;
  site.command(100, "scontrol requeue 1");
  site.run();
  EXPECT_EQ(site.lines("start 1").size(), 1U);
  EXPECT_NE(site.lines("refuse").at(0).find("disabled"), std::string::npos);
}

TEST(Scancel, TakesItsFiltersTogether) {
  RunSite site(kConf);
  fill(site);
  site.job(4, 40, 100).name = site.names().intern("keep");
  site.job(5, 40, 100).name = site.names().intern("drop");
  site.command(100, "scancel --name=drop --state=PENDING");
  site.run();
  EXPECT_EQ(site.lines("cancel"), Lines{"100 cancel 5 CANCELLED"});
}

TEST(JobUpdates, OfEndTimeMoveTheEndOfARunningJobAlone) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 0, 3000, 2);
  site.job(2, 5, 3000, 3);
  site.command(100, "scontrol update JobId=1 EndTime=now+10minutes");
  site.command(110, "scontrol update JobId=2 EndTime=now+10minutes");
  site.run();
  ASSERT_EQ(site.lines("end 1 TIMEOUT").size(), 1U);
  const std::int64_t end = site.second_of("end 1 TIMEOUT");
  EXPECT_GE(end, 700);
  EXPECT_LE(end, 731) << "by the scan";
  EXPECT_EQ(site.lines("Job is pending execution").size(), 1U);
}

TEST(JobUpdates, OfNodeListShrinkARunningJobToAPartOfItsNodes) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 0, 3000, 2);
  site.job(2, 5, 1000, 2);
  site.command(100, "scontrol update JobId=1 NodeList=n[1,3]");
  site.command(200, "scontrol update JobId=1 NodeList=n1");
  site.run();
  EXPECT_EQ(site.lines("100 refuse").size(), 1U) << "n3 is not its own";
  EXPECT_EQ(site.lines("200 resized 1 n1").size(), 1U);
  EXPECT_LE(site.second_of("start 2 n2,n3"), 205);
  EXPECT_EQ(site.lines("end 1 COMPLETED").size(), 1U);
}

// As recorded on a running controller (lifecycle.md §10.1).
TEST(JobUpdates, OfNumNodesShrinkARunningJobToItsFirstNodesAndNeverLetItGrow) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 0, 3000, 3);
  site.job(2, 5, 1000, 1);
  site.command(100, "scontrol update JobId=1 NumNodes=1-2");
  site.command(120, "scontrol update JobId=1 NumNodes=2 Partition=p");
  site.command(200, "scontrol update JobId=1 NumNodes=2 TimeLimit=90");
  site.command(210, "scontrol update JobId=1 NumNodes=3");
  site.run();
  EXPECT_EQ(site.lines("Job is no longer pending execution").size(), 2U);
  EXPECT_EQ(site.lines("200 resized 1 n1,n2").size(), 1U);
  EXPECT_LE(site.second_of("start 2 n3"), 205);
  EXPECT_EQ(site.lines("Requested operation not supported on this system").size(), 1U);
  EXPECT_EQ(site.lines("end 1 COMPLETED").size(), 1U);
}

/// What is cancelled of an array of four tasks that wait.
std::vector<std::string> cancelled_by(const std::string& command) {
  RunSite site(kConf);
  site.job(1, 10, 1000, 2);
  JobSpec& array = site.job(2, 20, 100);
  array.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 1; i <= 4; ++i) {
    array.extras->array.push_back({i, JobId{}, array.run, {}, {}, {}});
  }
  site.command(50, command);
  site.run();
  return site.lines("cancel");
}

// Asked of a running slurmctld: formats.md §10.4.
TEST(JobCommands, CancelWhatWaitsOfAnArrayAsOneRecordIfItIsAllOfIt) {
  EXPECT_EQ(cancelled_by("scancel 2"), Lines{"50 cancel 2 CANCELLED"});
  EXPECT_EQ(cancelled_by("scancel 2_[1-4]"), Lines{"50 cancel 2 CANCELLED"});
  EXPECT_EQ(cancelled_by("scancel 2_[1,3]").size(), 2U);
  EXPECT_EQ(cancelled_by("scancel 2_[1,3] 2_[2,4]").size(), 3U) << "two, and those that are left";
}

// Asked of a running slurmctld (lifecycle.md §10).
TEST(JobCommands, ScancelByIdsAloneFindsNoTaskByTheIdOfItsOwn) {
  RunSite site(kConf);
  JobSpec& array = site.job(1, 10, 1000);
  array.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 1; i <= 2; ++i) {
    array.extras->array.push_back({i, JobId{i == 1 ? 2U : 1U}, array.run, {}, {}, {}});
  }
  site.command(50, "scancel 2");
  site.command(60, "scontrol update JobId=2 TimeLimit=60");
  site.command(70, "scancel -u root 2");
  site.run();
  EXPECT_EQ(site.lines("refuse"), Lines{"50 refuse scancel 2: Invalid job id specified"});
  EXPECT_EQ(site.lines("end 2"), Lines{"70 end 2 CANCELLED"});
}

/// lifecycle.md §12 (scripts/reference/experiments/released_nice.py).
TEST(JobCommands, AReleaseOfAJobThatIsNotHeldMakesItsNiceZero) {
  const auto nice_after = [](const std::vector<std::string>& verbs) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
        "PriorityType=priority/multifactor\nPriorityWeightPartition=10000\nNodeName=n1 CPUs=1\n"
        "PartitionName=p Nodes=n1 Default=YES PriorityJobFactor=10\n");
    site.job(1, 10, 1000);
    site.job(2, 20, 100).nice = 100;
    std::int64_t at = 40;
    for (const std::string& verb : verbs) site.command(at++, "scontrol " + verb + " 2");
    site.run();
    return site.cluster().jobs[JobIndex{1}].nice;
  };
  EXPECT_EQ(nice_after({}), 100);
  EXPECT_EQ(nice_after({"release"}), 0);
  EXPECT_EQ(nice_after({"hold", "release"}), 100);
  EXPECT_EQ(nice_after({"uhold", "release", "release"}), 0);
}

/// What the nice values of equal jobs become once one of them was typed to the top
/// (scripts/reference/experiments/top_of_equals.py).
std::vector<std::int64_t> after_top(const std::vector<std::int32_t>& before, std::size_t which) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
      "PriorityType=priority/multifactor\nPriorityWeightPartition=10000\nNodeName=n1 CPUs=1\n"
      "PartitionName=p Nodes=n1 Default=YES PriorityJobFactor=10\n");
  site.job(1, 10, 1000);
  for (std::size_t i = 0; i < before.size(); ++i) {
    site.job(static_cast<std::uint32_t>(i + 2), 20, 100).nice = before[i];
  }
  site.command(40, "scontrol top " + std::to_string(which + 2));
  site.run();
  std::vector<std::int64_t> after;
  for (const Job& job : site.cluster().jobs) after.push_back(job.nice);
  after.erase(after.begin());
  return after;
}

TEST(JobCommands, TopSharesOutWhatItTakesById) {
  using Nices = std::vector<std::int64_t>;
  EXPECT_EQ(after_top({0, 10}, 1), (Nices{10, 0}));
  EXPECT_EQ(after_top({0, 10}, 0), (Nices{0, 10}));
  EXPECT_EQ(after_top({0, 5, 10}, 1), (Nices{2, 0, 13}));
  EXPECT_EQ(after_top({10, 0, 0}, 0), (Nices{0, 5, 5}));
  EXPECT_EQ(after_top({0, 0, 0, 0, 9}, 4), (Nices{2, 2, 2, 3, 0}));
}

TEST(JobCommands, TopBringsEveryOtherBelow) {
  using Nices = std::vector<std::int64_t>;
  EXPECT_EQ(after_top({0, 0}, 1), (Nices{1, 0}));
  EXPECT_EQ(after_top({4, 4, 4}, 0), (Nices{4, 5, 5}));
  EXPECT_EQ(after_top({0, 0, 0, 1}, 3), (Nices{1, 1, 1, 0}));
  EXPECT_EQ(after_top({0, 0, 50, 50}, 1), (Nices{1, 0, 50, 49}));  // what is too much comes back
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/main_loop_test.cpp — one pass of the main scheduler: depth, blocking, licences.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

TEST(MainLoop, TestsOneRecordMoreThanItsDepth) {
  // scheduling.md §2.2 [V]: default_queue_depth=10: exactly 11 of 15 jobs got a Reason.
  Loops loops(1);
  loops.parameters().default_queue_depth = 10;
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "13:00:00");
  std::vector<const Job*> jobs;
  for (int i = 0; i < 15; ++i) jobs.push_back(&loops.pending("-N1 -n4", 10));
  loops.pass("12:00:00", PassDepth::Partial);
  int told = 0;
  for (const Job* job : jobs) told += job->reason != Reason::None ? 1 : 0;
  EXPECT_EQ(told, 11);
  loops.pass("12:00:00", PassDepth::Full);
  for (const Job* job : jobs) EXPECT_NE(job->reason, Reason::None);
}

TEST(MainLoop, LeavesTheRestOfAPartitionBeyondItsDepth) {
  // scheduling.md §2.2 [V]: partition_job_depth=3: three are tested, the rest wait by Priority.
  Loops loops(8);
  loops.parameters().partition_job_depth = 3;
  loops.build();
  std::vector<const Job*> jobs;
  for (int i = 0; i < 5; ++i) jobs.push_back(&loops.pending("-N1 -n4", 10));
  EXPECT_EQ(loops.pass("12:00:00").started, 3U);
  EXPECT_EQ(jobs[3]->reason, Reason::Priority);
  EXPECT_EQ(jobs[4]->reason, Reason::Priority);
}

TEST(MainLoop, DoesNotBlockForAJobThatNamesItsNodes) {
  // scheduling.md §4.4 [V]: -w n1 is busy: Resources; the next job starts on n2 in the same pass.
  Loops loops(2);
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "13:00:00");
  Job& named = loops.pending("-N1 -n4 -w n1", 10);
  Job& next = loops.pending("-N1 -n4", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(named.reason, Reason::Resources);
  EXPECT_EQ(loops.where(next), "n2:4");
}

TEST(MainLoop, DoesNotBlockForLicences) {  // scheduling.md §10 [V]
  Loops loops(2);
  loops.inputs.slurm_conf.licenses = {{"matlab", 1}};
  loops.build();
  Job& first = loops.pending("-N1 -n4 -L matlab", 10);
  Job& second = loops.pending("-N1 -n4 -L matlab", 10);
  Job& third = loops.pending("-N1 -n4", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(first), "n1:4");
  EXPECT_EQ(second.reason, Reason::Licenses);
  EXPECT_EQ(loops.where(third), "n2:4");
  loops.cycle("12:00:30");
  EXPECT_EQ(loops.plan(second), "none") << "not planned without bf_licenses";
}

/// A job of QOS `low`, whose one job runs, ahead of one that may run.
struct LimitedJob {
  explicit LimitedJob(std::string_view options, Reason before,
                      std::optional<std::uint32_t> most_cpus = {}) {
    SlurmConf& conf = loops.inputs.slurm_conf;
    conf.enforce = {.associations = false, .limits = true, .qos = false};
    conf.licenses = {{"tool", 4}};
    AssociationConf& root = loops.inputs.accounting.associations.emplace_back();
    root.account = "root";
    QosConf& low = loops.inputs.accounting.qos.emplace_back();
    low.name = "low";
    if (most_cpus) {
      low.limits.max_tres_per_job = {{"cpu", *most_cpus}};
    } else {
      low.limits.grp_jobs = 0;
    }
    loops.build();
    loops.cluster->nodes[loops.node("n3")].state.drain = true;
    loops.running("-N1 -n1 -L tool:2", {"n1"}, "13:00:00");
    job = &loops.pending(options, 10);
    job->qos = loops.cluster->accounts.find_qos(*loops.cluster->names.find("low"));
    job->reason = before;
    next = &loops.pending("-N1 -n1", 10);
    loops.pass("12:00:00");
  }
  Loops loops{3};
  Job* job = nullptr;
  Job* next = nullptr;
};

TEST(MainLoop, JobsThatItHoldsStandInNoLaterQueue) {  // §4.3: priority 0
  Loops loops(2);
  loops.build();
  Job& job = loops.pending("-N1 -n1 --gres=gpu:4", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(job.reason, Reason::BadConstraints);
  EXPECT_TRUE(job.held);
  for (Node& node : loops.cluster->nodes) node.state.drain = true;
  loops.pass("12:01:00");
  EXPECT_EQ(job.reason, Reason::BadConstraints);
}

// [V: scripts/reference/experiments/tests_in_order.py]
TEST(MainLoop, CountsNodesAndLicencesBeforeLimitsThatWereNotItsReason) {
  const LimitedJob wide("-N3 -n3", Reason::BeginTime);
  EXPECT_EQ(wide.job->reason, Reason::Resources);
  EXPECT_EQ(wide.next->reason, Reason::Priority) << "which blocks";
  const LimitedJob licensed("-n1 -L tool:4", Reason::BeginTime);
  EXPECT_EQ(licensed.job->reason, Reason::Licenses);
  const LimitedJob plain("-n1", Reason::Priority);
  EXPECT_EQ(plain.job->reason, Reason::QOSGrpJobsLimit);
  EXPECT_TRUE(plain.next->is_running());
}

TEST(MainLoop, WithholdsNamedNodesWhereALimitThatWasNotItsReasonStopsTheirJob) {
  // scheduling.md §4.4 item 1 [V: scripts/reference/experiments/named_nodes.py]
  const LimitedJob after("-n2 -w n1", Reason::Priority, 1);
  EXPECT_EQ(after.job->reason, Reason::QOSMaxCpuPerJobLimit);
  EXPECT_EQ(after.loops.where(*after.next), "n2:1");
  // One that is asked before it: where the pass is the first to find it
  // [V: scripts/reference/experiments/named_over_limits.py].
  const LimitedJob found("-n2 -w n1", Reason::Priority);
  EXPECT_EQ(found.job->reason, Reason::QOSGrpJobsLimit);
  EXPECT_EQ(found.loops.where(*found.next), "n2:1");
  const LimitedJob known("-n2 -w n1", Reason::QOSGrpJobsLimit);
  EXPECT_EQ(known.loops.where(*known.next), "n1:1");
}

TEST(MainLoop, TestsALimitThatWasItsReasonFirst) {
  const LimitedJob wide("-N3 -n3", Reason::QOSGrpJobsLimit);
  EXPECT_EQ(wide.job->reason, Reason::QOSGrpJobsLimit);
  EXPECT_TRUE(wide.next->is_running());
}

TEST(MainLoop, LeavesOutWhoWaitsForNodesThatItCannotHave) {  // scheduling.md §4.2 item 12
  Loops loops(2);
  loops.partition("high", {"n1", "n2"}).priority_tier = 9;
  loops.partition("low", {"n1", "n2"});
  loops.build();
  loops.cluster->nodes[loops.node("n2")].state.drain = true;
  loops.running("-N1 -n4", {"n1"}, "13:00:00", "high");
  Job& named = loops.pending("-N1 -n4 -w n2", 10, "low");
  Job& next = loops.pending("-N1 -n4", 10, "low");
  loops.pass("12:00:00");
  EXPECT_EQ(named.reason, Reason::ReqNodeNotAvail);
  EXPECT_EQ(next.reason, Reason::Resources);
  loops.pending("-N1 -n4", 10, "high");  // no node is left to `low`
  loops.pass("12:01:00");
  EXPECT_EQ(named.reason, Reason::ReqNodeNotAvail);
}

TEST(MainLoop, DoesNotBlockForAPriorityBelowTheReserve) {  // scheduling.md §4.4 item 4
  Loops loops(2);
  loops.parameters().bf_min_prio_reserve = 5000000;
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "13:00:00");
  Job& wide = loops.pending("-N2 -n8", 10);
  Job& narrow = loops.pending("-N1 -n4", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(wide.reason, Reason::Resources);
  EXPECT_EQ(loops.where(narrow), "n2:4");
  loops.cycle("12:00:30");
  EXPECT_EQ(loops.plan(wide).find(" n"), std::string::npos) << "a start, but no plan";
}

/// A job of two partitions keeps n2 from a job of the second one if its priority there lets it
/// plan.
std::string beside_job_of_both(std::uint32_t priority_in_second) {  // scheduling.md §8.5
  Loops loops(2);
  loops.partition("first", {"n1"});
  loops.partition("second", {"n2"});
  loops.parameters().bf_min_prio_reserve = 50;
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "13:00:00", "first");
  loops.running("-N1 -n2", {"n2"}, "13:00:00", "second");
  Job& both = loops.pending("-N1 -n4", 10, "first");
  both.partitions.push_back(PartitionId{1});
  both.partition_priority = {60, priority_in_second};
  both.priority = 60;
  Job& narrow = loops.pending("-N1 -n2", 120, "second");
  narrow.priority = 30;
  loops.cycle("12:00:00");
  return loops.where(narrow);
}

TEST(Backfill, ReservesByThePriorityInThePartitionOfTheRecord) {
  EXPECT_EQ(beside_job_of_both(60), "pending");
  EXPECT_EQ(beside_job_of_both(40), "n2:2");
}

/// Tasks of an array of two partitions that one pass, or one cycle, starts: the first has room for
/// one, the second for two.
std::ptrdiff_t tasks_started(bool by_main) {  // scheduling.md §4.2 item 1
  Loops loops(3);
  loops.partition("first", {"n1"});
  loops.partition("second", {"n2", "n3"});
  loops.build();
  Job& array = loops.array(50, 3, 0, "-N1 -n4", 10);
  array.partitions.push_back(PartitionId{1});
  array.partition_priority = {60, 60};
  if (by_main) {
    loops.pass("12:00:00");
  } else {
    loops.cycle("12:00:00");
  }
  EXPECT_EQ(loops.where(array), "n1:4");
  std::ptrdiff_t started = 0;
  for (const Job& job : loops.cluster->jobs) started += job.is_pending() ? 0 : 1;
  return started;
}

TEST(MainLoop, GoesOnWithAnArrayInItsNextPartition) {
  EXPECT_EQ(tasks_started(true), 3);
}

TEST(Backfill, LeavesTheRestOfAnArrayForTheNextCycle) {
  EXPECT_EQ(tasks_started(false), 1);
}

/// Two records of an array whose nodes are busy, and perhaps one of another array between them.
std::string reasons_of_tasks(bool another_between) {
  Loops loops(2);
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "13:00:00");
  const auto task = [&](std::uint32_t id, std::uint32_t array) -> Job& {
    Job& job = loops.array(id, 1, 0, "-N1 -n4 -w n1", 10);
    job.array_job = JobId{array};
    return job;
  };
  const Job& first = task(50, 50);
  if (another_between) (void)task(60, 60);
  const Job& second = task(51, 50);
  loops.pass("12:00:00");
  return std::string(to_text(first.reason)) + " " + std::string(to_text(second.reason));
}

// scheduling.md §4.2 item 6 [V: recordings suspend_gpus, ai_lab, fusion]
TEST(MainLoop, CopiesTheReasonOfATaskUntilAnotherArrayIsRejected) {
  EXPECT_EQ(reasons_of_tasks(false), "Resources Resources");
  EXPECT_EQ(reasons_of_tasks(true), "Resources ReqNodeNotAvail");
}

TEST(MainLoop, LooksAtHigherTiersFirst) {  // scheduling.md §3.2 rule 3
  Loops loops(1);
  loops.partition("low", {"n1"});
  loops.partition("high", {"n1"}).priority_tier = 10;
  loops.build();
  Job& first = loops.pending("-N1 -n4", 10, "low");
  Job& second = loops.pending("-N1 -n4", 10, "high");
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(second), "n1:4");
  EXPECT_EQ(loops.where(first), "pending");
}

TEST(Backfill, StopsAtItsCounts) {  // scheduling.md §8.2
  Loops loops(8);
  loops.parameters().bf_max_job_start = 2;
  loops.build();
  for (int i = 0; i < 5; ++i) loops.pending("-N1 -n4", 10);
  EXPECT_EQ(loops.cycle("12:00:00").started, 2U);
  Loops counted(8);
  counted.parameters().bf_max_job_part = 3;
  counted.build();
  for (int i = 0; i < 5; ++i) counted.pending("-N1 -n4", 10);
  EXPECT_EQ(counted.cycle("12:00:00").started, 3U);
}

TEST(Backfill, CountsTheJobsOfAUserAndOfAUserInAPartition) {  // scheduling.md §8.2
  const auto started = [](Loops& loops) {
    loops.build();
    for (int i = 0; i < 6; ++i) {
      Job& job = loops.pending("-N1 -n1", 10, i % 2 == 0 ? "p" : "q");
      loops.spec_of(job).user = loops.names.intern(i < 4 ? "emil" : "fred");
    }
    return loops.cycle("12:00:00").started;
  };
  const auto two_partitions = [](Loops& loops) {
    loops.partition("p", {"n1", "n2", "n3", "n4"});
    loops.partition("q", {"n5", "n6", "n7", "n8"});
  };
  Loops of_user(8);
  two_partitions(of_user);
  of_user.parameters().bf_max_job_user = 3;
  EXPECT_EQ(started(of_user), 5U) << "emil's fourth is not looked at";
  Loops of_pair(8);
  two_partitions(of_pair);
  of_pair.parameters().bf_max_job_user_part = 1;
  EXPECT_EQ(started(of_pair), 4U) << "one of each user in each partition";
}

TEST(Backfill, CountsTheJobsOfAnAssociationInsteadOfThoseOfAUser) {  // scheduling.md §8.2
  Loops loops(8);
  loops.parameters().bf_max_job_user = 1;
  loops.parameters().bf_max_job_assoc = 2;
  loops.build();
  for (int i = 0; i < 5; ++i) loops.pending("-N1 -n1", 10).association = AssociationId{0};
  EXPECT_EQ(loops.cycle("12:00:00").started, 2U);
}

TEST(Backfill, ReservesForNobodyYoungerThanItsLeastAge) {  // scheduling.md §8.5
  Loops loops(2);
  loops.parameters().bf_min_age_reserve = Seconds{600};
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "12:30:00");
  loops.running("-N1 -n4", {"n2"}, "12:40:00");
  Job& old = loops.pending("-N1 -n4", 10);
  old.begin = clock_time("11:50:00");
  Job& young = loops.pending("-N1 -n4", 10);
  young.begin = clock_time("11:50:01");
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(old), "12:30:00 n1");
  EXPECT_TRUE(young.planned_nodes.empty());
}

/// Two records, the second of which could start at once; `minutes`: until the first could.
std::string became_of_second(bool are_tasks, std::int64_t minutes) {
  Loops loops(3);
  loops.parameters().bf_window = Minutes{120};
  loops.build();
  loops.running("-N2 -n8", {"n1", "n2"}, minutes == 60 ? "13:00:00" : "22:00:00");
  (void)loops.array(50, 1, 0, "-N2 -n8", 10);
  Job& second = loops.array(51, 1, 0, "-N1 -n1", 10);
  if (are_tasks) second.array_job = JobId{50};
  loops.cycle("12:00:00");
  return loops.where(second);
}

// scheduling.md §8.6 [V: scripts/reference/experiments/planned_tasks.py]
TEST(Backfill, TriesNoTaskAfterOneThatItNeitherStartsNorPlans) {
  EXPECT_EQ(became_of_second(true, 60), "n3:1");
  EXPECT_EQ(became_of_second(false, 60), "n3:1");
  EXPECT_EQ(became_of_second(true, 600), "pending");
  EXPECT_EQ(became_of_second(false, 600), "n3:1");
}

TEST(Backfill, PlansNothingBeyondItsWindow) {  // scheduling.md §8.7 step 11
  Loops loops(1);
  loops.parameters().bf_window = Minutes{20};
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "12:30:00");
  Job& job = loops.pending("-N1 -n4", 10);
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(job), "12:30:00") << "a start, but no nodes";
}

}  // namespace
}  // namespace rehearse::test

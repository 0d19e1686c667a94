// tests/unit/sched/examples_scheduling_test.cpp — the worked examples of scheduling.md §14 that
// need the loops. Example 4 and 9: select_nodes_test; 10: loop_clock_test; 5: no reservations
// yet.
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

TEST(SchedulingExample1, AHoleIsFilledOnlyByAJobThatEndsBeforeThePlanBegins) {  // [V]
  Loops loops(4);
  loops.build();
  loops.running("-N2 -n8", {"n1", "n2"}, "12:30:00");
  loops.running("-N1 -n4", {"n3"}, "13:00:00");
  Job& c = loops.pending("-N3 -n12", 60);
  Job& d = loops.pending("-N1 -n4", 30);
  Job& e = loops.pending("-N1 -n4", 29);
  Job& f = loops.pending("-N1 -n4", 90);
  loops.pass("12:00:00");
  EXPECT_EQ(c.reason, Reason::Resources);
  for (const Job* job : {&d, &e, &f}) EXPECT_EQ(job->reason, Reason::Priority);

  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(c), "12:30:00 n1,n2,n4");
  EXPECT_EQ(loops.plan(d), "13:00:00 n3") << "30 minutes do not fit a hole of 30 minutes";
  EXPECT_EQ(loops.where(e), "n4:4");
  EXPECT_EQ(loops.plan(f), "13:30:00 n4");
}

/// debug: n1, n2; batch: all four. X of batch holds n1.
class SchedulingExample2 : public ::testing::Test {
 protected:
  SchedulingExample2() : loops(4) {
    loops.partition("batch", {"n1", "n2", "n3", "n4"});
    loops.partition("debug", {"n1", "n2"});
    loops.build();
    loops.running("-N1 -n4", {"n1"}, "13:00:00");
    j1 = &loops.pending("-N2 -n8", 60, "debug");
    j2 = &loops.pending("-N1 -n4", 60, "batch");
    j3 = &loops.pending("-N3 -n12", 60, "batch");
    j4 = &loops.pending("-N1 -n4", 30, "debug");
    loops.pass("12:00:00");
  }
  Loops loops;
  Job *j1 = nullptr, *j2 = nullptr, *j3 = nullptr, *j4 = nullptr;
};

TEST_F(SchedulingExample2, AFailedPartitionTakesItsNodesFromOverlappingOnes) {  // [V]
  EXPECT_EQ(j1->reason, Reason::Resources);
  EXPECT_EQ(loops.where(*j2), "n3:4") << "n2 is idle, but left with the failed partition";
  EXPECT_EQ(j3->reason, Reason::Resources);
  EXPECT_EQ(j3->reason_text,
            "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority "
            "partitions");
  EXPECT_EQ(j4->reason, Reason::Priority);
}

TEST_F(SchedulingExample2, BackfillPlansAroundBothAndFillsTheHole) {  // [V] plan and start
  loops.cycle("12:00:20");
  EXPECT_EQ(loops.plan(*j1), "13:00:00 n1,n2");
  EXPECT_EQ(loops.plan(*j3), "14:00:00 n1,n2,n3");
  EXPECT_EQ(loops.where(*j4), "n2:4");
}

// §5.5 [V]: after a reconfigure nobody has considered any node; a start in debug leaves n1 and n2
// at 511, n3 and n4 at 0, and lower weights come first.
TEST(LeftOverWeights, OfAStartInPartOfTheClusterSteerTheNextPlan) {
  for (const bool restarted : {false, true}) {
    Loops loops(4);
    loops.partition("batch", {"n1", "n2", "n3", "n4"});
    loops.partition("debug", {"n1", "n2"});
    loops.build();
    if (restarted) loops.weights->forget();
    loops.running("-N1 -n4", {"n3"}, "12:10:00");
    loops.running("-N1 -n4", {"n4"}, "12:10:00");
    Job& narrow = loops.pending("-N2 -n8", 30, "debug");
    Job& wide = loops.pending("-N3 -n12", 60, "batch");
    loops.cycle("12:00:00");
    EXPECT_EQ(loops.where(narrow), "n1:4 n2:4");
    EXPECT_EQ(loops.plan(wide), restarted ? "12:30:00 n1,n3,n4" : "12:30:00 n1,n2,n3");
    EXPECT_EQ(loops.weights->of(loops.node("n2")), 511U);
    EXPECT_EQ(loops.weights->of(loops.node("n3")), restarted ? 0U : 511U);
  }
}

/// A on n1 until 12:10:45; B wants both nodes for 30 minutes, C one for ten.
class SchedulingExample3 : public ::testing::Test {
 protected:
  SchedulingExample3() : loops(2) {
    loops.build();
    loops.running("-N1 -n4", {"n1"}, "12:10:45");
    b = &loops.pending("-N2 -n8", 30);
    c = &loops.pending("-N1 -n4", 10);
  }
  Loops loops;
  Job *b = nullptr, *c = nullptr;
};

TEST_F(SchedulingExample3, AnEndOnTheBeginOfAPlanIsAConflict) {  // [V]
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(*b), "12:10:45 n1,n2");
  EXPECT_EQ(loops.plan(*c), "12:40:00 n2") << "the plan of B ends at 12:40:45, floored";
}

TEST_F(SchedulingExample3, OneSecondEarlierTheJobStarts) {  // [V]
  loops.cycle("11:59:59");
  EXPECT_EQ(loops.where(*c), "n2:4");
}

/// P wants one of four nodes, whose jobs end at these times of day.
std::string predicted(const std::vector<std::string>& ends, SlurmVersion version = {}) {
  Loops loops(ends.size());
  loops.emulate(version);
  loops.build();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    loops.running("-N1 -n4", {"n" + std::to_string(i + 1)}, ends[i]);
  }
  Job& p = loops.pending("-N1 -n4", 60);
  loops.cycle("12:00:00");
  return loops.plan(p);
}

TEST(SchedulingExample6, TheLastJobOfABunchGivesTheStart) {  // [V]
  EXPECT_EQ(predicted({"12:20:10", "12:20:55", "12:21:05", "12:30:00"}), "12:20:55 n1");
  EXPECT_EQ(predicted({"12:20:00", "12:21:00", "12:30:00"}), "12:21:00 n1");
  EXPECT_EQ(predicted({"12:20:00", "12:21:01", "12:30:00"}), "12:20:00 n1");
  EXPECT_EQ(predicted({"12:20:29", "12:21:00", "12:21:01", "12:30:00"}), "12:21:00 n1");
}

TEST(SchedulingExample6, Of2505TheJobOnTheSelectedNodeGivesTheStart) {
  EXPECT_EQ(predicted({"12:20:10", "12:20:55", "12:21:05", "12:30:00"}, {25, 5}), "12:20:10 n1");
  EXPECT_EQ(predicted({"12:20:10", "12:20:55", "12:21:05", "12:30:00"}, {24, 11}), "12:20:55 n1");
}

TEST(SchedulingExample7, PlansTakeWholeNodes) {  // [V]
  Loops loops(2);
  loops.build();
  loops.running("-N1 -n4", {"n1"}, "12:30:00");
  loops.running("-N1 -n3", {"n2"}, "12:50:00");
  Job& p = loops.pending("-N1 -n2", 60);
  Job& q = loops.pending("-N1 -n1", 45);
  Job& r = loops.pending("-N1 -n1", 29);
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(p), "12:30:00 n1");
  EXPECT_EQ(loops.where(q), "n2:1");
  EXPECT_EQ(loops.plan(r), "12:45:00 n2") << "P needs two CPUs of n1, and keeps all four";
}

TEST(SchedulingExample8, ArrayTasksTakeNewIdsUpToTheirLimit) {  // [V] ids, Reason, next task
  Loops loops(4);
  loops.build();
  Job& first = loops.array(100, 6, 2, "-n1", 60);
  loops.pass("12:00:02");
  const auto& jobs = loops.cluster->jobs;
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(first.id, JobId{101});
  EXPECT_EQ(first.array_task, 1U);
  EXPECT_EQ(jobs[JobIndex{1}].id, JobId{102});
  const Job& rest = jobs[JobIndex{2}];
  EXPECT_EQ(rest.id, JobId{100}) << "the record of the rest keeps the array's id";
  EXPECT_EQ(rest.reason, Reason::JobArrayTaskLimit);

  loops.stop(first);
  loops.pass("12:05:01");
  EXPECT_EQ(rest.id, JobId{103});
  EXPECT_EQ(rest.array_task, 3U);
  EXPECT_TRUE(rest.is_running());
}

/// How many tasks a cycle plans with one of six running under %2 and no CPU free.
std::uint32_t planned_with_one_running(SlurmVersion version) {
  Loops loops(1, 2);
  loops.emulate(version);
  loops.build();
  loops.running("-n1", {"n1"}, "13:00:00");
  loops.array(100, 6, 2, "-n1", 60);
  EXPECT_EQ(loops.pass("12:00:02").started, 1U);
  return loops.cycle("12:00:30").planned;
}

TEST(SchedulingExample8, BackfillPlansBeyondTheLimitUntil2302) {  // [V] for 22.05
  EXPECT_EQ(planned_with_one_running({22, 5}), 5U);
  EXPECT_EQ(planned_with_one_running({23, 2}), 1U);
}

TEST(ArrayPlans, ShowTheStartOfTheTwentiethTask) {
  // scheduling.md §8.7 [V]: 30 one-CPU tasks of 60 min on two nodes free at T: T+9 h.
  Loops loops(2);
  loops.build();
  loops.running("-N2 -n8", {"n1", "n2"}, "12:30:00");
  Job& tasks = loops.array(100, 30, 0, "-n1", 60);
  EXPECT_EQ(loops.cycle("12:00:00").planned, 20U);
  EXPECT_EQ(loops.plan(tasks).substr(0, 8), "21:30:00");
}

/// Tasks of 50 minutes, alone on n1 until 12:30 and n2 until 14:30; a job of both is planned
/// behind.
std::string shown_of_array(const std::function<void(SchedulerParameters&)>& change,
                           bool with_plan = false) {
  Loops loops(2);
  change(loops.parameters());
  loops.build();
  loops.keep_plans(true);
  loops.running("-N1 -n4", {"n1"}, "12:30:00");
  loops.running("-N1 -n4", {"n2"}, "14:30:00");
  if (with_plan) loops.pending("-N2 -n8", 48 * 60);
  const Job& tasks = loops.array(100, 6, 0, "-N1 -n4", 50);
  loops.cycle("12:00:00");
  return loops.plan(tasks);
}

TEST(ArrayPlans, ShowNothingWhereTheLastTestFoundNothing) {  // §8.9: two plans before it
  EXPECT_EQ(shown_of_array([](SchedulerParameters&) {}, true), "none");
  const auto two = [](SchedulerParameters& words) { words.bf_max_job_array_resv = 2; };
  EXPECT_EQ(shown_of_array(two, true), "13:20:00 n1");
}

TEST(ArrayPlans, ShowTheTaskThatIsOneTooManyForThePartition) {  // §8.9: found, and no plan
  const auto two = [](SchedulerParameters& words) { words.bf_job_part_count_reserve = 2; };
  EXPECT_EQ(shown_of_array(two), "14:10:00");
}

TEST(ArrayPlans, AreShownWhereTheNextTaskIsNotTested) {  // §8.9
  const auto one = [](SchedulerParameters& words) { words.bf_max_job_user = 1; };
  EXPECT_EQ(shown_of_array(one), "12:30:00 n1");
}

TEST(SchedulingExample11, ACompletingNodeIsOffLimitsAndBlocks) {  // [V]
  Loops loops(1);
  loops.build();
  loops.running("-n1", {"n1"}, "13:00:00");
  loops.choice->set_completing(loops.node("n1"), true);
  Job& z = loops.pending("-n1", 10);
  Job& next = loops.pending("-n1", 10);
  loops.pass("12:00:12");
  EXPECT_EQ(z.reason, Reason::Resources) << "two CPUs are free on it, but none may be had";
  EXPECT_EQ(next.reason, Reason::Priority);
  loops.choice->set_completing(loops.node("n1"), false);
  loops.pass("12:00:30");
  EXPECT_EQ(loops.where(z), "n1:1");
}

/// Slots of the map of a cycle that finds `options` running on n1 until 12:30, n2 in use until
/// 13:00, and one job that waits for both.
std::uint32_t slots_with(std::string_view options, bool reserve) {
  Loops loops(2);
  loops.parameters().bf_running_job_reserve = reserve;
  loops.build();
  loops.running(options, {"n1"}, "12:30:00");
  loops.running("-n1", {"n2"}, "13:00:00");
  const Job& both = loops.pending("-N2 --exclusive", 600);
  const std::uint32_t slots = loops.cycle("12:00:00").slots;
  EXPECT_EQ(loops.plan(both), "13:00:00 n1,n2");
  return slots;
}

TEST(RunningJobs, StandInTheMapWithBfRunningJobReserveWhereTheyHoldWholeNodes) {  // §8.4
  EXPECT_EQ(slots_with("-N1 --exclusive", true), slots_with("-N1 --exclusive", false) + 1);
  EXPECT_EQ(slots_with("-n1", true), slots_with("-n1", false));
}

TEST(PlannedLicences, AreThoseThatRunningAndPlannedJobsGiveBack) {  // §8.4, §8.7 step 5
  Loops loops(2);
  loops.inputs.slurm_conf.licenses = {{"lab", 1}};
  loops.parameters().bf_licenses = loops.parameters().bf_running_job_reserve = true;
  loops.build();
  loops.running("-n1 -L lab", {"n1"}, "12:30:00");
  const Job& second = loops.pending("-n1 -L lab", 30);
  const Job& third = loops.pending("-n1 -L lab", 30);
  const Job& without = loops.pending("-n1", 30);
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.plan(second), "12:30:00 n1");
  EXPECT_EQ(loops.plan(third), "13:00:00 n1") << "when the plan before it ends";
  EXPECT_NE(loops.where(without), "pending");
}

}  // namespace
}  // namespace rehearse::test

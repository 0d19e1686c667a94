// tests/unit/output/recorder_test.cpp — what is told is kept, to the second.
#include "sim/output/recorder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/output/plan_recorder.hpp"
#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

TEST(Recorder, KeepsOneRowForEachRunAndForEachJobThatNeverRan) {
  const Result result = small_result();
  // Jobs 1, 2 (twice), 3, task 4_0, and what is left of array 4.
  EXPECT_EQ(result.runs.job_id, (std::vector<std::uint32_t>{1, 2, 3, 2, 5, 4}));
  EXPECT_EQ(result.runs.restarts, (std::vector<std::uint16_t>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(result.runs.tasks, (std::vector<std::uint32_t>{1, 1, 1, 1, 1, 2}));
  EXPECT_EQ(result.runs.array_task[4], 0);
  EXPECT_EQ(text_of(result.names.text, result.runs.array_text[5]), "1-2%1");
  EXPECT_EQ(result.runs.start[2], kNoTime);
  EXPECT_EQ(result.rejections.size(), 1U);
}

TEST(Recorder, KeepsReasonsAsIntervalsWithoutEmptyOnes) {
  const Result result = small_result();
  const WaitColumns& waits = result.waits;
  std::vector<std::string> told;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    told.push_back(fmt::format("{} {} {}-{} x{}", result.runs.job_id[waits.run[i]],
                               to_text(static_cast<Reason>(waits.reason[i])),
                               waits.begin[i] - kStart, waits.end[i] - kStart, waits.tasks[i]));
  }
  const std::vector<std::string> expected{
      "2 Priority 120-180 x1",   "2 Resources 180-300 x1",
      "2 BeginTime 901-2800 x1", "3 QOSMaxGRESPerUser 600-4200 x1",
      "5 None 3700-4300 x3",     "4 JobArrayTaskLimit 4300-7200 x2"};
  EXPECT_EQ(told, expected);
  EXPECT_EQ(result.runs.split_from[5], 4U);  // the rest waited as part of the array before
}

TEST(Recorder, SumsCapacityExactly) {
  const Result result = small_result();
  const auto integral = [&](const char* name) { return result.series.find(name)->integral; };
  // GPUs: job 1 holds 8 for 3600 s, job 2 holds 8 for 600 s and again for 600 s.
  EXPECT_EQ(integral("gpus_busy"), 1000U * 8 * (3600 + 600 + 600));
  EXPECT_EQ(integral("gpus_existing"), 1000U * 16 * 7200);
  // g02 is drained from 1000 to 2800 and idle then.
  EXPECT_EQ(integral("gpus_available"), 1000U * (16 * 7200 - 8 * 1800));
  EXPECT_EQ(integral("nodes_drained"), 1800U);
  // Job 2: 180 + 1899 s, job 3: 3600 s, the array: 3 × 600 + 2 × 2900 s.
  EXPECT_EQ(integral("jobs_pending"), 180U + 1899 + 3600 + 1800 + 5800);
  EXPECT_EQ(integral("jobs_running"), 3600U + 600 + 600 + 2900);
}

TEST(Recorder, MeansOfTheGridAreThoseOfTheStepFunction) {
  const Result result = small_result();
  ASSERT_EQ(result.series.time.size(), 7200U / 300);
  EXPECT_EQ(result.series.time.front(), kStart);
  const auto& busy = result.series.find("gpus_busy")->mean;
  EXPECT_DOUBLE_EQ(busy[0], 8.0 * 240 / 300);  // from second 60 on
  EXPECT_DOUBLE_EQ(busy[1], 16.0);
  EXPECT_DOUBLE_EQ(busy[12], 8.0 * 60 / 300);  // until second 3660
}

// [V]: CPUAlloc of a node whose job an admin has suspended is 0; memory and GPUs stay.
TEST(Recorder, CpusOfAJobThatAnAdminSuspendedAreNotBusy) {
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 64, 2, 1000);
  Job& other = small.add_job(2, "bob", 0, 64, 0, 1000);
  small.recorder.job_submitted(job, at(0));
  small.recorder.job_submitted(other, at(0));
  small.start(job, 0, {1});
  job.suspension.lends_cores = true;
  small.recorder.job_suspended(job, at(100));
  small.start(other, 200, {1});
  small.end(other, 300, JobState::Completed);
  small.recorder.job_resumed(job, at(350));
  small.end(job, 400, JobState::Completed);
  small.recorder.run_ended(*small.cluster, at(500), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(result.series.find("cpus_busy")->integral, 64U * (100 + 100 + 50));
  EXPECT_EQ(result.series.find("gpus_busy")->integral, 1000U * 2 * 400);
  EXPECT_EQ(result.suspensions.lends_cores, std::vector<std::uint8_t>{1});
}

TEST(Recorder, CpusThatJobsShareAreBusyOnce) {
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 64, 0, 1000);
  Job& other = small.add_job(2, "bob", 0, 32, 0, 1000);
  small.recorder.job_submitted(job, at(0));
  small.recorder.job_submitted(other, at(0));
  small.start(job, 0, {1});
  small.start(other, 50, {1});
  small.end(job, 100, JobState::Completed);
  small.end(other, 200, JobState::Completed);
  small.recorder.run_ended(*small.cluster, at(300), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(result.series.find("cpus_busy")->integral, 64U * 100 + 32 * 100);
}

TEST(Recorder, ADrainedNodeCountsAsAvailableForWhatStillRunsThere) {
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 4, 2, 1000);
  small.recorder.job_submitted(job, at(0));
  small.start(job, 0, {1});
  Node& node = small.cluster->nodes[NodeId{1}];
  node.state.drain = true;
  small.recorder.node_changed(node, at(100));
  small.end(job, 200, JobState::Completed);
  small.recorder.run_ended(*small.cluster, at(300), {});
  const Result result = small.recorder.take(true);
  // 16 GPUs for 100 s, then 8 + the 2 busy ones for 100 s, then 8 for 100 s.
  EXPECT_EQ(result.series.find("gpus_available")->integral, 1000U * (1600 + 1000 + 800));
}

TEST(Recorder, GpusThatAreBeingCutAreNotAvailable) {
  SmallCluster small;
  small.recorder.gpus_withheld(NodeId{1}, 2000, at(100));
  Node& node = small.cluster->nodes[NodeId{1}];
  node.state.drain = true;  // none of it, then, counts
  small.recorder.node_changed(node, at(150));
  node.state.drain = false;
  small.recorder.node_changed(node, at(200));
  small.recorder.gpus_withheld(NodeId{1}, 0, at(250));
  small.recorder.run_ended(*small.cluster, at(300), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(result.series.find("gpus_available")->integral,
            1000U * (1600 + 14 * 50 + 8 * 50 + 14 * 50 + 16 * 50));
}

TEST(Recorder, APlainRequeueIsRequeuedAndAPreemptionKeepsItsWord) {
  const Result result = small_result();
  EXPECT_EQ(run_state_text(result.runs.state[1]), "PREEMPTED");
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 4, 2, 1000);
  small.recorder.job_submitted(job, at(0));
  small.start(job, 0, {1});
  small.end(job, 10, JobState::Cancelled, true);
  small.recorder.run_ended(*small.cluster, at(10), {});
  EXPECT_EQ(run_state_text(small.recorder.take(true).runs.state[0]), "REQUEUED");
}

TEST(Recorder, ATaskCancelledWhilePendingIsARowAndTheRestOfItsArrayGoesOn) {
  SmallCluster small;
  Job& array = small.add_job(4, "ann", 0, 1, 0, 1000);
  auto extras = std::make_unique<JobExtras>();
  extras->array.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) extras->array[i].index = i;
  small.specs.back()->extras = std::move(extras);
  array.array_job = JobId{4};
  array.pending_tasks = {0, 1, 2};
  small.recorder.job_submitted(array, at(0));
  // As the controller splits it: the record becomes task 1, a new record is what is left.
  Job& rest = small.add_job(4, "ann", 0, 1, 0, 1000);
  rest.spec = array.spec;
  rest.array_job = JobId{4};
  rest.pending_tasks = {0, 2};
  array.pending_tasks.clear();
  array.array_task = 1;
  array.id = JobId{9};
  array.state = JobState::Cancelled;
  small.recorder.job_cancelled(array, at(100));
  small.recorder.run_ended(*small.cluster, at(200), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(result.runs.job_id, (std::vector<std::uint32_t>{9, 4}));
  EXPECT_EQ(result.runs.array_task, (std::vector<std::int32_t>{1, -1}));
  EXPECT_EQ(result.runs.tasks, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(result.runs.end[0], kStart + 100);
  EXPECT_EQ(text_of(result.names.text, result.runs.array_text[1]), "0,2");
  EXPECT_EQ(result.series.find("jobs_pending")->integral, 3U * 100 + 2 * 100);
}

// The age of a job begins after its submission, in the first queue that has it (priority.md §3.1).
TEST(Recorder, AJobThatIsCancelledWhileItPendsHasAgedUntilThen) {
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 1, 0, 1000);
  small.recorder.job_submitted(job, at(0));
  job.accrue = at(20);
  job.state = JobState::Cancelled;
  small.recorder.job_cancelled(job, at(900));
  small.recorder.run_ended(*small.cluster, at(1000), {});
  EXPECT_EQ(small.recorder.take(true).runs.accrue[0], kStart + 20);
}

TEST(Recorder, AJobThatEndsBeforeItIsToldOfNeverPends) {
  SmallCluster small;
  Job& job = small.add_job(1, "ann", 0, 4, 2, 1000);
  job.state = JobState::Cancelled;
  job.reason = Reason::DependencyNeverSatisfied;
  small.recorder.job_cancelled(job, at(5));
  small.recorder.job_submitted(job, at(5));
  small.recorder.run_ended(*small.cluster, at(100), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(run_state_text(result.runs.state[0]), "CANCELLED");
  EXPECT_EQ(result.runs.end[0], kStart + 5);
  EXPECT_EQ(result.series.find("jobs_pending")->integral, 0U);
}

TEST(Recorder, ThinsFairShareEvenlyWhenItGrows) {
  RecorderOptions options;
  options.fair_share_rows = 20;  // five associations: four samples
  SmallCluster small;
  Recorder recorder(options);
  recorder.run_started(*small.cluster, at(0));
  for (std::int64_t hour = 0; hour < 5; ++hour) {
    recorder.shares_told(*small.cluster, kept_shares(small.cluster->accounts), at(hour * 3600));
  }
  recorder.run_ended(*small.cluster, at(5 * 3600), {});
  const Result result = recorder.take(true);
  ASSERT_EQ(result.fair_share.size(), 15U);  // hours 0, 2 and 4
  EXPECT_EQ(result.fair_share.time[5], kStart + 7200);
  EXPECT_EQ(result.fair_share.time[14], kStart + 14400);
}

TEST(PlanRecorder, KeepsAPlanAsOneRowAsLongAsItStands) {
  SmallCluster small;
  Job& one = small.add_job(1, "ann", 0, 1, 0, 1000);
  Job& two = small.add_job(2, "bob", 0, 1, 0, 1000);
  one.planned_start = at(500);
  one.planned_nodes = {id_at<NodeId>(1)};
  two.planned_start = at(600);
  two.planned_nodes = {id_at<NodeId>(1), id_at<NodeId>(2)};
  const std::vector<JobIndex> both{one.index, two.index, two.index};
  PlanRecorder plans;
  plans.plans_made(*small.cluster, both, at(30));
  plans.plans_made(*small.cluster, both, at(60));
  two.planned_start = at(550);
  plans.plans_made(*small.cluster, both, at(90));
  plans.plans_made(*small.cluster, std::vector<JobIndex>{two.index}, at(120));
  plans.job_started(two, at(130));
  plans.run_ended(*small.cluster, at(200), {});
  Result result;
  plans.give_to(result);
  ASSERT_TRUE(result.plans.kept);
  EXPECT_EQ(result.plans.job_id, (std::vector<std::uint32_t>{2, 1, 2}));
  EXPECT_EQ(result.plans.begin, (std::vector<std::int64_t>{kStart + 30, kStart + 30, kStart + 90}));
  EXPECT_EQ(result.plans.end, (std::vector<std::int64_t>{kStart + 90, kStart + 120, kStart + 130}));
  EXPECT_EQ(result.plans.start,
            (std::vector<std::int64_t>{kStart + 600, kStart + 500, kStart + 550}));
  EXPECT_EQ(text_of(result.names.node_list, result.plans.node_list[0]), "g[01-02]");
}

}  // namespace
}  // namespace rehearse::test

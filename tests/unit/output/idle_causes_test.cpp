// tests/unit/output/idle_causes_test.cpp — every GPU-hour that existed has one cause.
#include "sim/output/kpi/idle_causes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

double hours_of(const Result& result, GpuHours what) {
  return gpu_hours_by_cause(result)[static_cast<std::size_t>(what)];
}

/// Whoever waits gives up at that second, and the run ends.
Result cancelled_at(SmallCluster& small, const std::vector<Job*>& waiting, std::int64_t second) {
  for (Job* const job : waiting) {
    job->state = JobState::Cancelled;
    job->start = job->end = at(second);
    small.recorder.job_cancelled(*job, at(second));
  }
  small.recorder.run_ended(*small.cluster, at(second), {});
  return small.recorder.take(true);
}

TEST(GpuHoursByCause, AddUpToWhatExisted) {
  const auto hours = gpu_hours_by_cause(small_result());
  EXPECT_NEAR(std::accumulate(hours.begin(), hours.end(), 0.0), 16 * 2.0, 1e-9);
}

TEST(GpuHoursByCause, AreThoseOfTheStory) {
  const Result result = small_result();
  EXPECT_NEAR(hours_of(result, GpuHours::Busy), 38400.0 / 3600, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::Unavailable), 4.0, 1e-9);  // g02 drained for half an hour
  // Job 2 waits for 8 GPUs beside 8 idle ones: a minute for Priority, two for Resources.
  EXPECT_NEAR(hours_of(result, GpuHours::Queued), 8 * 60.0 / 3600, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::NotFitting), 8 * 120.0 / 3600, 1e-9);
  EXPECT_GT(hours_of(result, GpuHours::Limits), 0.0);  // job 3, for QOSMaxGRESPerUser
  EXPECT_EQ(hours_of(result, GpuHours::CpusGone), 0.0);
}

TEST(GpuHoursByCause, AreApartWhereNoneButJobsThatPendToTheEndWantThem) {
  SmallCluster small;
  Job& never = small.add_job(1, "ann", 0, 4, 12, 1000);
  never.reason = Reason::QOSMaxGRESPerUser;
  small.recorder.job_submitted(never, at(0));
  Job& waits = small.add_job(2, "bob", 0, 4, 8, 1000);
  waits.reason = Reason::Resources;
  small.recorder.job_submitted(waits, at(0));
  small.start(waits, 3600, {1});
  small.end(waits, 7200, JobState::Completed);
  small.recorder.run_ended(*small.cluster, at(7200), {});
  const Result result = small.recorder.take(true);
  // Of sixteen idle ones eight are wanted by job 2 for an hour; then eight are idle.
  EXPECT_NEAR(hours_of(result, GpuHours::NotFitting), 8.0, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::Left), 8.0 + 8.0, 1e-9);
  EXPECT_EQ(hours_of(result, GpuHours::Limits), 0.0);
  EXPECT_EQ(hours_of(result, GpuHours::NoDemand), 0.0);
}

TEST(GpuHoursByCause, AreStrandedWhereAJobHoldsEveryCpu) {
  SmallCluster small;
  Job& hog = small.add_job(1, "ann", 0, 64, 2, 1000);
  small.recorder.job_submitted(hog, at(0));
  small.start(hog, 0, {1});
  Job& waits = small.add_job(2, "bob", 0, 4, 8, 1000);
  waits.reason = Reason::Resources;
  small.recorder.job_submitted(waits, at(0));
  const Result result = cancelled_at(small, {&waits}, 3600);
  // Eight are asked for, six of the fourteen idle ones are on a node without a free CPU.
  EXPECT_NEAR(hours_of(result, GpuHours::CpusGone), 6.0, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::NotFitting), 2.0, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::NoDemand), 6.0, 1e-9);
}

/// Two nodes of eight GPUs each, of which nobody holds any; job 1 waits for eight for an hour.
Result waiting_for(const std::function<void(Result&)>& change) {
  SmallCluster small;
  Job& waits = small.add_job(1, "bob", 0, 4, 8, 1000);
  waits.reason = Reason::Priority;
  small.recorder.job_submitted(waits, at(0));
  Result result = cancelled_at(small, {&waits}, 3600);
  change(result);
  return result;
}

TEST(GpuHoursByCause, NobodyAsksForGpusThatNoWaitingJobCouldUse) {
  const auto queued = [](const std::function<void(Result&)>& change) {
    return hours_of(waiting_for(change), GpuHours::Queued);
  };
  const auto nodes = [](Result& result) -> std::vector<NodeFacts>& { return result.cluster.nodes; };
  EXPECT_NEAR(queued([](Result&) {}), 8.0, 1e-9);
  // Its partition, its feature or its type is on one node of the two, or on none.
  EXPECT_NEAR(queued([&](Result& r) { nodes(r)[2].partitions = "other"; }), 8.0, 1e-9);
  EXPECT_EQ(queued([&](Result& r) { nodes(r)[1].partitions = nodes(r)[2].partitions = "other"; }),
            0);
  const auto constrained = [&](Result& r, const char* features) {
    r.runs.constraints[0] = code_of(r.names.constraints, "a100&nvme");
    nodes(r)[1].features = features;
  };
  EXPECT_NEAR(queued([&](Result& r) { constrained(r, "nvme,a100"); }), 8.0, 1e-9);
  EXPECT_EQ(queued([&](Result& r) { constrained(r, "a100"); }), 0);
  const auto typed = [&](Result& r, const char* gres) {
    r.runs.tres_per_node[0] = code_of(r.names.text, "gres:gpu:a100:8");
    nodes(r)[1].gres = gres;
  };
  EXPECT_NEAR(queued([&](Result& r) { typed(r, "gpu:a100:8"); }), 8.0, 1e-9);
  EXPECT_EQ(queued([&](Result& r) { typed(r, "gpu:h100:8"); }), 0);
}

TEST(GpuHoursByCause, JobsWithTheLeastChoiceAreServedFirst) {
  SmallCluster small;
  Job& either = small.add_job(1, "bob", 0, 4, 8, 1000);
  either.reason = Reason::Priority;
  Job& narrow = small.add_job(2, "bob", 0, 4, 8, 1000);
  narrow.reason = Reason::QOSMaxGRESPerUser;
  for (Job* const job : {&either, &narrow}) small.recorder.job_submitted(*job, at(0));
  Result result = cancelled_at(small, {&either, &narrow}, 3600);
  // Job 2 can use the second node alone; job 1 either, and so the first is left for it.
  result.cluster.nodes[2].partitions = "gpu,narrow";
  result.runs.requested_partitions[1] = code_of(result.names.partition_list, "narrow");
  EXPECT_NEAR(hours_of(result, GpuHours::Queued), 8.0, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::Limits), 8.0, 1e-9);
  EXPECT_NEAR(hours_of(result, GpuHours::NoDemand), 0.0, 1e-9);
}

}  // namespace
}  // namespace rehearse::test

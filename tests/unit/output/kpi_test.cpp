// tests/unit/output/kpi_test.cpp — figures against sums done by hand on the small result.
#include "sim/output/kpi/kpi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "sim/output/kpi/asked_gpus.hpp"
#include "sim/output/kpi/job_fates.hpp"
#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

TEST(Kpi, UtilizationIsOfExistingAndOfAvailableCapacity) {
  const Kpis kpis = compute_kpis(small_result());
  // 8 × 4800 GPU-seconds busy of 16 × 7200; half an hour of 8 GPUs was drained.
  EXPECT_DOUBLE_EQ(kpis.overall("gpu_utilization_existing"), 38400.0 / 115200.0);
  EXPECT_DOUBLE_EQ(kpis.overall("gpu_utilization_available"), 38400.0 / (115200.0 - 14400.0));
  EXPECT_DOUBLE_EQ(kpis.overall("gpu_hours_unavailable"), 4.0);
  EXPECT_NEAR(kpis.overall("gpu_hours_idle"), 28.0 - 38400.0 / 3600, 1e-9);
  EXPECT_NEAR(kpis.overall("gpu_hours_per_day"), 38400.0 / 3600 * 12, 1e-9);
  EXPECT_NEAR(kpis.overall("gpu_hours_lost"), 8 * 600.0 / 3600, 1e-9);
}

TEST(Kpi, OfTheTimeInWhichJobsArrivedTheTailIsNone) {
  // From 0 to 3600, bounds of cells: 8 GPUs for 3540, 600 and 600 s; one of three ends.
  Result result = small_result();
  for (std::int64_t& submit : result.runs.submit) {
    if (submit == kStart + 60) submit = kStart;
    if (submit == kStart + 3700) submit = kStart + 3600;
  }
  const Kpis kpis = compute_kpis(result);
  EXPECT_DOUBLE_EQ(kpis.overall("arrival_hours"), 1.0);
  EXPECT_NEAR(kpis.overall("gpu_utilization_arrivals"), 37920.0 / (16 * 3600.0), 1e-9);
  EXPECT_NEAR(kpis.overall("gpu_hours_per_day_arrivals"), 37920.0 / 3600 * 24, 1e-9);
  EXPECT_DOUBLE_EQ(kpis.overall("throughput_arrivals"), 1.0);
}

TEST(Kpi, WhereAllJobsComeAtOnceNoTimeIsThatOfArrivals) {
  Result result = small_result();
  std::fill(result.runs.submit.begin(), result.runs.submit.end(), kStart + 60);
  EXPECT_TRUE(std::isnan(compute_kpis(result).overall("arrival_hours")));
}

TEST(Kpi, WaitsAreOfFirstStarts) {
  const Kpis kpis = compute_kpis(small_result());
  // Jobs 1, 2 and 4_0 waited 0, 180 and 600 s; job 3 and two tasks never started.
  EXPECT_EQ(kpis.overall("jobs"), 6.0);
  EXPECT_EQ(kpis.overall("jobs_started"), 3.0);
  EXPECT_EQ(kpis.overall("jobs_never_started"), 3.0);
  EXPECT_DOUBLE_EQ(kpis.overall("wait_mean"), 260.0);
  EXPECT_DOUBLE_EQ(kpis.overall("wait_p50"), 180.0);
  EXPECT_DOUBLE_EQ(kpis.overall("wait_p90"), 180.0 + 0.8 * 420.0);
  EXPECT_DOUBLE_EQ(kpis.overall("backfill_share"), 0.25);  // one of four starts
  // (0+3600)/3600, (600+2900)/2900; job 2 came at 120, lost ten minutes of work, was done at 3400
  EXPECT_DOUBLE_EQ(kpis.overall("bounded_slowdown_mean"), (1.0 + 3500.0 / 2900 + 3280.0 / 600) / 3);
  EXPECT_EQ(kpis.overall("makespan"), 7140.0);
}

TEST(Kpi, SlowdownIsOfTheResponseToTheWorkThatWasKept) {
  const auto slowdown = [](const std::function<void(RunColumns&)>& change) {
    Result result = small_result();
    change(result.runs);
    std::vector<double> slowdowns;
    for (const JobFate& fate : job_fates(result)) slowdowns.push_back(fate.slowdown);
    return slowdowns;
  };
  const auto rows_of = [](std::uint32_t job) {
    const Result result = small_result();
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < result.runs.size(); ++row) {
      if (result.runs.job_id[row] == job) rows.push_back(row);
    }
    return rows;
  };
  const std::size_t first = rows_of(1).at(0);
  const std::vector<std::size_t> second = rows_of(2);
  ASSERT_EQ(second.size(), 2U);
  // Half an hour of suspension is not work; ten minutes that the next run went on from are.
  EXPECT_DOUBLE_EQ(slowdown([&](RunColumns& r) { r.suspended_s[first] = 1800; })[first], 2.0);
  EXPECT_DOUBLE_EQ(slowdown([&](RunColumns& r) { r.kept_s[second[0]] = 600; })[second[0]],
                   3280.0 / 1200);
  EXPECT_TRUE(std::isnan(slowdown([](RunColumns&) {})[second[1]])) << "told with the first run";
  EXPECT_TRUE(std::isnan(slowdown([&](RunColumns& r) { r.end[second[1]] = kNoTime; })[second[0]]));
}

TEST(Kpi, AJobThatIsPreemptedAndDoesNotComeBackIsKilled) {
  Result result = small_result();
  EXPECT_EQ(compute_kpis(result).overall("jobs_killed"), 0.0) << "job 2 came back";
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    if (result.runs.job_id[row] != 1) continue;
    result.runs.state[row] = static_cast<std::uint8_t>(JobState::Preempted);
  }
  EXPECT_EQ(compute_kpis(result).overall("jobs_killed"), 1.0);
}

TEST(Kpi, AJobFailsByItsLastRun) {
  Result result = small_result();
  const auto of_run = [&](std::uint32_t job, std::uint32_t restarts, JobState state) {
    for (std::size_t row = 0; row < result.runs.size(); ++row) {
      if (result.runs.job_id[row] != job || result.runs.restarts[row] != restarts) continue;
      result.runs.state[row] = static_cast<std::uint8_t>(state);
    }
    return compute_kpis(result).overall("failure_rate");
  };
  EXPECT_EQ(of_run(2, 0, JobState::NodeFail), 0.0) << "it came back and was done";
  EXPECT_EQ(of_run(2, 1, JobState::Failed), 1.0 / 3) << "jobs 1, 2 and 4_0 ended";
  EXPECT_EQ(of_run(1, 0, JobState::NodeFail), 2.0 / 3) << "it did not come back";
}

TEST(Kpi, AShardIsAPartOfAGpu) {
  EXPECT_EQ(units_of("gpu:a100:2,shard:16(S:0-1)", "shard"), 16U);
  EXPECT_EQ(units_of("mps:a100:200,mps:v100:100", "mps"), 300U);
  EXPECT_EQ(units_of("gpu:shard:2", "shard"), 0U);
  Result result = small_result();
  for (NodeFacts& node : result.cluster.nodes) {
    node.gres = "gpu:8,shard:64";
    node.gpu_milli = 8000;
  }
  std::size_t row = 0;
  while (result.runs.start[row] != kNoTime) ++row;
  result.runs.requested_gpus[row] = 0;
  const auto ask = [&](const char* tres) {
    result.runs.requested_tres[row] =
        static_cast<std::uint32_t>(result.names.tres_set.intern(tres));
  };
  ask("cpu=4,gres/shard=3");
  EXPECT_EQ(AskedGpus(result).milli(row), 375U);
  EXPECT_EQ(AskedGpus(result).shares(row), "shard");
  EXPECT_EQ(gpu_count(result, row), 1U) << "of a job that never started";
  ask("cpu=4,gres/shard:a100=12");
  EXPECT_EQ(gpu_count(result, row), 2U);
  ask("cpu=4,mem=8G");
  EXPECT_EQ(gpu_count(result, row), 0U);
  EXPECT_EQ(AskedGpus(result).shares(row), "");
}

TEST(Kpi, FairnessIsOfUsersNotOfJobs) {
  // Ann's two jobs were slowed down by 1 and 3500/2900, Bob's one, which was preempted, by
  // 3280/600.
  const double ann = (1.0 + 3500.0 / 2900) / 2;
  const double bob = 3280.0 / 600;
  const double index = (ann + bob) * (ann + bob) / (2 * (ann * ann + bob * bob));
  EXPECT_DOUBLE_EQ(compute_kpis(small_result()).overall("slowdown_fairness"), index);
}

TEST(Kpi, PendingHoursBelongToReasons) {
  const Kpis kpis = compute_kpis(small_result());
  const auto hours = [&](const char* reason) {
    return kpis.find("reason", reason, "pending_hours")->value;
  };
  EXPECT_DOUBLE_EQ(hours("Resources"), 120.0 / 3600);
}

TEST(Kpi, HoursOfJobsThatPendToTheEndStandApart) {
  // Of the array of three one task ran after ten minutes; two wait to the end, for 2,900 s more.
  const Kpis kpis = compute_kpis(small_result());
  const auto hours = [&](const char* reason, const char* name) {
    return kpis.find("reason", reason, name)->value;
  };
  EXPECT_DOUBLE_EQ(hours("JobArrayTaskLimit", "pending_hours"), 0.0);
  EXPECT_DOUBLE_EQ(hours("JobArrayTaskLimit", "pending_share"), 0.0);
  EXPECT_DOUBLE_EQ(hours("JobArrayTaskLimit", "pending_hours_left"), 2 * 2900.0 / 3600);
  EXPECT_DOUBLE_EQ(hours("None", "pending_hours"), 600.0 / 3600);
  EXPECT_DOUBLE_EQ(hours("None", "pending_hours_left"), 2 * 600.0 / 3600);
  EXPECT_DOUBLE_EQ(hours("Resources", "pending_hours_left"), 0.0);
}

TEST(Kpi, AccountsAreHeldAgainstTheirShares) {
  const Kpis kpis = compute_kpis(small_result());
  EXPECT_DOUBLE_EQ(kpis.find("account", "ml", "entitlement")->value, 0.75);
  EXPECT_DOUBLE_EQ(kpis.find("account", "ml", "usage_share")->value, 0.75);  // 8 × 3600 of 38400
  EXPECT_DOUBLE_EQ(kpis.find("account", "ds", "usage_over_entitlement")->value, 1.0);
}

TEST(Kpi, EveryFigureHasADefinition) {
  std::set<std::string> missing;
  for (const Kpi& kpi : compute_kpis(small_result()).values) {
    if (find_kpi_definition(kpi.name) == nullptr) missing.insert(kpi.name);
  }
  EXPECT_EQ(missing, std::set<std::string>{});
}

TEST(Kpi, QuantilesAreNumpys) {
  const std::vector<double> values{1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3.0);   // np.quantile([1, 2, 4, 8], .5)
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), 7.4);  // … .95
  EXPECT_DOUBLE_EQ(quantile(values, 1.0), 8.0);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(Kpi, SizeClassesAreTheOnesPromised) {
  const auto text = [](std::uint64_t gpus) { return size_class_text(size_class(gpus)); };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(3), "2-3");
  EXPECT_EQ(text(7), "4-7");
  EXPECT_EQ(text(8), "8");
  EXPECT_EQ(text(16), "9-16");
  EXPECT_EQ(text(17), "17+");
}

TEST(Kpi, TellWhatSharingCost) {
  Result result = small_result();
  EXPECT_EQ(compute_kpis(result).find("class", "medium", "slow_down_mean"), nullptr);
  result.speeds.kept = true;
  const auto medium = static_cast<std::uint32_t>(result.names.text.intern("medium"));
  // Work of an hour on half a GPU: the device took half an hour longer, neighbours an hour.
  result.runs.gpu_milli[0] = 500;
  result.speeds.run = {0, 1};
  result.speeds.job_class = {medium, medium};
  result.speeds.device = {0, 0};
  result.speeds.reference_us = {3'600'000'000, 0};
  result.speeds.by_device_us = {1'800'000'000, 0};
  result.speeds.by_neighbours_us = {3'600'000'000, 0};
  result.speeds.most_neighbours = {1, 0};
  result.speeds.lacked_memory = {0, 0};
  const Kpis kpis = compute_kpis(result);
  EXPECT_DOUBLE_EQ(kpis.overall("slow_down_mean"), 2.5);
  EXPECT_DOUBLE_EQ(kpis.find("class", "medium", "slow_down_mean")->value, 2.5);
  EXPECT_EQ(kpis.overall("gpu_runs"), 1.0);  // one did no work: nothing to compare
  EXPECT_DOUBLE_EQ(kpis.overall("gpu_hours_lost_to_sharing"), 0.5);
}

}  // namespace
}  // namespace rehearse::test

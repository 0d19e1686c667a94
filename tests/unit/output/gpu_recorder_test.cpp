// tests/unit/output/gpu_recorder_test.cpp — free GPUs and what they are good for, against sums done
// by hand; what runs hold by SMs and draw in watts.
#include "sim/output/gpu_recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/output/heat_map.hpp"
#include "sim/output/kpi/gpu_kpis.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kBegin = 1'800'000'000;  // a whole hour
constexpr std::int64_t kHour = 3600;

class GpuWatch : public ::testing::Test {
 protected:
  void begin(const std::string& nodes) {
    inputs_.slurm_conf = parse_slurm_conf(
        "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu,mps\nSelectType=select/cons_tres\n" + nodes +
            "PartitionName=p Nodes=ALL Default=YES\n",
        "slurm.conf", ".", {}, found_);
    inputs_.gres_conf.auto_detect = true;
    cluster_ = std::make_unique<Cluster>(inputs_, names_, requests_, found_);
    catalogue_ = std::make_unique<GpuCatalogue>(inputs_.site.gpu, found_);
    inventory_ = GpuInventory(*cluster_, *catalogue_, found_);
    layouts_ = GpuLayouts(*cluster_, inventory_, found_);
    recorder_.begin(*cluster_, {&inventory_, &layouts_}, from_epoch_seconds(kBegin), texts_);
  }
  /// `count` jobs that ask for `gres` of one node come (or go).
  void wanted(const std::string& name, const std::string& type, std::uint64_t units,
              std::int64_t count, std::uint32_t cpus = 1) {
    Request request;
    request.min_cpus = cpus;
    GresRequest& gres = request.gres.emplace_back();
    gres.name = names_.intern(name);
    gres.type = names_.intern(type);
    gres.per_node = units;
    Job job;
    job.request = requests_.intern(request);
    recorder_.wanted(job, count);
  }
  static NodeShare share(std::uint32_t node, ShortList<DeviceShare, 8> devices,
                         std::uint32_t cpus = 1) {
    NodeShare one;
    one.node = NodeId{node};
    one.cpus = cpus;
    one.devices = std::move(devices);
    return one;
  }
  /// The sample of the given hour, as free, fragmented, stranded.
  std::vector<std::uint64_t> sample(std::int64_t hour) {
    recorder_.advance(from_epoch_seconds(kBegin + hour * kHour + 1));
    const GpuSampleColumns samples = GpuRecorder(recorder_).take(0).samples;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples.time[i] != kBegin + hour * kHour) continue;
      return {samples.free_milli[i], samples.fragmented_milli[i], samples.stranded_milli[i]};
    }
    return {};
  }

  SiteInputs inputs_;
  Diagnostics found_;
  NamePool names_, texts_;
  RequestTable requests_;
  std::unique_ptr<GpuCatalogue> catalogue_;
  std::unique_ptr<Cluster> cluster_;
  GpuInventory inventory_;
  GpuLayouts layouts_;
  GpuRecorder recorder_;
};

using Sums = std::vector<std::uint64_t>;

TEST_F(GpuWatch, AFragmentIsWhatAJobOfTheMixCouldNotUse) {
  begin("NodeName=n0 CPUs=8 Gres=gpu:a30:4\nNodeName=n1 CPUs=8 Gres=gpu:v100:2\n");
  EXPECT_EQ(sample(1), Sums{});  // nothing was submitted: there is no mix
  wanted("gpu", "", 2, 3);
  wanted("gpu", "a30", 4, 1);
  wanted("gpu", "", 2, -3);  // started; they stay in the mix
  // Three of four lose nothing; gpu:a30:4 loses the two of n1. It fits n0, so only n1 is stranded.
  EXPECT_EQ(sample(2), (Sums{6000, 500, 2000}));
  recorder_.use(share(0, {{0, 0, 1}}), 1);
  // With one of n0 held the second kind fits nowhere: it loses all five.
  EXPECT_EQ(sample(3), (Sums{5000, 1250, 5000}));
  recorder_.available(NodeId{1}, false);
  EXPECT_EQ(sample(4), (Sums{3000, 750, 3000}));
  recorder_.use(share(0, {{0, 0, 1}}), -1);
  wanted("gpu", "a30", 4, -1);
  EXPECT_EQ(sample(5), (Sums{4000, 0, 0}));
}

TEST_F(GpuWatch, GpusWithoutCpusAreFragments) {
  begin("NodeName=n0 CPUs=8 Gres=gpu:a30:4\n");
  wanted("gpu", "", 1, 1, 4);
  recorder_.use(share(0, {{0, 0, 1}}, 6), 1);  // two CPUs are left, the job wants four
  EXPECT_EQ(sample(1), (Sums{3000, 3000, 3000}));
}

TEST_F(GpuWatch, ASharedGpuIsFreeInPart) {
  begin("NodeName=n0 CPUs=8 Gres=gpu:a30:2,mps:200\n");
  ASSERT_EQ(cluster_->nodes[NodeId{0}].gres.size(), 2U);
  recorder_.use(share(0, {{1, 0, 50}}), 1);
  wanted("gpu", "", 1, 1);
  EXPECT_EQ(sample(1), (Sums{1500, 500, 500}));
  wanted("mps", "", 60, 1);
  EXPECT_EQ(sample(2), (Sums{1500, 500, 500}));
  wanted("mps", "", 50, 2);
  EXPECT_EQ(sample(3), (Sums{1500, 250, 0}));
}

TEST_F(GpuWatch, ARunHoldsSmsAndDrawsWattsByItsInstances) {
  inputs_.site.gpu.mig.layouts.push_back({"n0", "0", {"3g.20gb", "4g.20gb"}, {}});
  begin("NodeName=n0 CPUs=8 Gres=gpu:a100-40_3g.20gb:1,gpu:a100-40_4g.20gb:1\n");
  Allocation allocation;
  allocation.nodes.push_back(share(0, {{0, 0, 1}}));
  recorder_.hold(allocation, 1);
  const GpuRecord record = recorder_.take(2);
  EXPECT_TRUE(record.kept && record.knows_models && record.has_mig && record.knows_watts);
  // 42 of 108 SMs; half of 55 W; 0.39 of 345 W by SMs (gpu-models.md §6.6).
  EXPECT_EQ(record.runs.compute_milli, (std::vector<std::uint32_t>{0, 388}));
  EXPECT_EQ(record.runs.idle_mw, (std::vector<std::uint64_t>{0, 27500}));
  EXPECT_EQ(record.runs.load_mw, (std::vector<std::uint64_t>{0, 52325}));
  EXPECT_EQ(record.nodes.physical_milli, std::vector<std::uint32_t>{1000});
  EXPECT_EQ(record.nodes.offered_milli, std::vector<std::uint32_t>{388 + 518});
  EXPECT_EQ(record.nodes.idle_mw, std::vector<std::uint64_t>{55000});
}

TEST_F(GpuWatch, WhatNoInstanceHasIsUnknownWhereTheirGpusAre) {
  begin("NodeName=n0 CPUs=8 Gres=gpu:a100-40_3g.20gb:1,gpu:a100-40_4g.20gb:1\n");
  const GpuRecord record = recorder_.take(0);
  EXPECT_TRUE(record.knows_models);
  EXPECT_FALSE(record.has_mig);
  EXPECT_GT(record.instances, 0);
  EXPECT_EQ(record.nodes.physical_milli, record.nodes.offered_milli);
}

TEST_F(GpuWatch, ASiteKnowsItsWattsBetter) {
  inputs_.site.gpu.idle_watts = {{"a30", "10", {}}};
  inputs_.site.gpu.cap_watts = {{"a30", "110", {}}};
  inputs_.site.gpu.load = 0.5;
  begin("NodeName=n0 CPUs=8 Gres=gpu:a30:1\n");
  Allocation allocation;
  allocation.nodes.push_back(share(0, {{0, 0, 1}}));
  recorder_.hold(allocation, 0);
  const GpuRecord record = recorder_.take(1);
  EXPECT_EQ(record.runs.idle_mw[0], 10000U);
  EXPECT_EQ(record.runs.load_mw[0], 50000U);
}

TEST_F(GpuWatch, OneUnknownGpuLeavesEnergyUnknown) {
  begin("NodeName=n0 CPUs=8 Gres=gpu:a30:1,gpu:v100:1\n");
  const GpuRecord record = recorder_.take(0);
  EXPECT_TRUE(record.knows_models);
  EXPECT_FALSE(record.knows_watts);
}

/// One run of an hour on one of two GPUs, in two hours.
Result one_run() {
  Result result;
  result.begin = kBegin;
  result.end = kBegin + 2 * kHour;
  result.cluster.nodes.resize(2);
  RunColumns& runs = result.runs;
  runs.job_id = {1};
  runs.account = {static_cast<std::uint32_t>(result.names.account.intern("ml"))};
  runs.start = {kBegin};
  runs.end = {kBegin + kHour};
  runs.state = {static_cast<std::uint8_t>(JobState::Completed)};
  runs.suspended_s = runs.kept_s = {0};
  runs.gpu_milli = {1000};
  result.holdings.run = {0};
  result.holdings.node = {1};
  result.holdings.gpu_milli = {1000};
  GpuRecord& gpu = result.gpu;
  gpu.kept = gpu.knows_models = gpu.knows_watts = true;
  gpu.nodes = {{1}, {0}, {2000}, {2000}, {100'000}};
  gpu.runs = {{1000}, {50'000}, {200'000}};
  Series existing{"gpus_existing", "1", "", {}, 2 * 2 * 3'600'000};
  result.series.series = {existing};
  return result;
}

double figure(const Result& result, const char* name, double busy = 1, double lost = 0) {
  Kpis kpis;
  kpis.values = {{"all", "", "gpu_hours_busy", busy}, {"all", "", "gpu_hours_lost", lost}};
  add_gpu_kpis(result, kpis);
  return kpis.overall(name);
}

TEST(GpuKpis, EnergyIsThatAtRestAndThatOfRuns) {
  Result result = one_run();
  EXPECT_DOUBLE_EQ(figure(result, "gpu_compute_occupancy"), 0.25);
  EXPECT_DOUBLE_EQ(figure(result, "gpu_energy"), 0.4);        // 0.2 at rest, 0.2 of the load
  EXPECT_DOUBLE_EQ(figure(result, "gpu_energy_idle"), 0.15);  // 0.05 at rest while it was held
  Kpis kpis;
  add_gpu_kpis(result, kpis);
  EXPECT_DOUBLE_EQ(kpis.find("account", "ml", "gpu_energy")->value, 0.25);
  result.runs.suspended_s = {1800};  // it holds the GPU, and does nothing
  EXPECT_DOUBLE_EQ(figure(result, "gpu_energy"), 0.3);
  NodeEventColumns& events = result.node_events;
  events.time = {kBegin + kHour};
  events.node = {1};
  events.state = {kNodePoweredDown};
  events.text = {0};
  EXPECT_DOUBLE_EQ(figure(result, "gpu_energy"), 0.2);
}

TEST(GpuKpis, AUsefulHourBearsWhatTheOthersCost) {
  Result result = one_run();
  EXPECT_TRUE(std::isnan(figure(result, "cost_useful_gpu_hour")));
  EXPECT_TRUE(std::isnan(figure(result, "gpu_energy_cost")));
  result.gpu.price_gpu_hour = 3;
  EXPECT_DOUBLE_EQ(figure(result, "cost_useful_gpu_hour"), 12.0);  // four hours for one
  EXPECT_DOUBLE_EQ(figure(result, "cost_useful_gpu_hour", 2, 1), 12.0);
  result.gpu.price_kwh = 0.5;
  EXPECT_DOUBLE_EQ(figure(result, "cost_useful_gpu_hour"), 12.2);
  EXPECT_DOUBLE_EQ(figure(result, "gpu_energy_cost"), 0.2);
  result.gpu.knows_watts = false;
  EXPECT_TRUE(std::isnan(figure(result, "gpu_energy")));
  EXPECT_DOUBLE_EQ(figure(result, "cost_useful_gpu_hour"), 12.0);
}

TEST(GpuKpis, SmsHeldAreThoseOfAllPhysicalGpusInTheWindow) {
  Result result = one_run();
  EXPECT_DOUBLE_EQ(sms_held(result, kBegin, kBegin + 2 * kHour), 0.25);
  EXPECT_DOUBLE_EQ(sms_held(result, kBegin + kHour / 2, kBegin + kHour), 0.5);
  result.gpu.runs.compute_milli = {142};
  EXPECT_DOUBLE_EQ(sms_held(result, kBegin, kBegin + kHour), 0.071);
}

TEST(GpuKpis, AUsefulHourOfMigIsOneOfSmsNotOfInstances) {
  Result result = one_run();  // two GPUs for two hours, of which one hour of one was held
  result.gpu.has_mig = true;
  result.gpu.price_gpu_hour = 3;
  EXPECT_DOUBLE_EQ(figure(result, "cost_useful_gpu_hour", 7), 12.0);
  result.gpu.runs.compute_milli = {500};
  EXPECT_DOUBLE_EQ(figure(result, "cost_useful_gpu_hour", 7), 24.0);
  result.runs.state = {static_cast<std::uint8_t>(JobState::Preempted)};
  EXPECT_TRUE(std::isnan(figure(result, "cost_useful_gpu_hour", 7))) << "all of it was lost";
}

TEST(GpuKpis, NothingIsToldOfAClusterWithoutGpus) {
  Kpis kpis;
  add_gpu_kpis(Result{}, kpis);
  EXPECT_TRUE(kpis.values.empty());
}

TEST(HeatMap, HoldsTheMeanOfEachBin) {
  const HeatMap map = heat_map(one_run());
  EXPECT_EQ(map.bin_s, 60);
  ASSERT_EQ(map.time.size(), 120U);
  EXPECT_EQ(map.first_node, std::vector<std::uint32_t>{1});
  ASSERT_EQ(map.busy_milli.size(), 120U);
  EXPECT_EQ(map.busy_milli[0], 500U);
  EXPECT_EQ(map.busy_milli[59], 500U);
  EXPECT_EQ(map.busy_milli[60], 0U);
}

TEST(HeatMap, IsBounded) {
  Result result = one_run();
  result.end = kBegin + 100 * 86400;
  result.cluster.nodes.resize(1000);
  result.gpu.nodes = {};
  for (std::uint32_t node = 0; node < 1000; ++node) {
    result.gpu.nodes.node.push_back(node);
    result.gpu.nodes.models.push_back(0);
    result.gpu.nodes.physical_milli.push_back(1000);
    result.gpu.nodes.offered_milli.push_back(1000);
    result.gpu.nodes.idle_mw.push_back(0);
  }
  const HeatMap map = heat_map(result);
  EXPECT_EQ(map.nodes.size(), 250U);  // four nodes a row
  EXPECT_LE(map.time.size(), 256U);
  EXPECT_EQ(map.busy_milli.size(), map.nodes.size() * map.time.size());
}

}  // namespace
}  // namespace rehearse::test

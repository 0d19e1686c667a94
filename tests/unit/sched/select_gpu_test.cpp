// tests/unit/sched/select_gpu_test.cpp — the GPUs and cores a real 22.05.8 gave (gres.md §3, §4,
// §10).
#include <gtest/gtest.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// The cluster of the recorded experiments: nodes of two sockets with eight cores each.
class GpuNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster.conf.gres_types = {"gpu"};
    cluster.conf.select_type_parameters.memory = true;
    cluster.conf.def_mem_per_cpu_mib = 100;
    add_devices();
    add_node("a1", {{"gpu", "a100", 4}});
    add_node("e1", {{"gpu", "a100", 8}});
    add_node("e2", {{"gpu", "a100", 8}});
    add_node("f1", {{"gpu", "a100", 8}});
    add_node("f2", {{"gpu", "a100", 8}});
    add_node("g1", {{"gpu", "a100_1g.5gb", 3}, {"gpu", "a100_3g.20gb", 1}});
    add_node("h1", {{"gpu", "a100", 2}});
    add_node("l1", {{"gpu", "a100", 4}});
    add_node("u1", {{"gpu", "", 2}});
    add_node("v1", {{"gpu", "a100", 2}, {"gpu", "v100", 2}});
    add_node("w1", {{"gpu", "v100", 2}, {"gpu", "a100", 2}});
    add_node("x1", {{"gpu", "", 4}});
    add_node("z1", {{"gpu", "", 2}});
    for (const char* name : {"a1", "e1", "f1", "g1", "h1", "l1", "u1", "v1", "w1", "x1"}) {
      cluster.partition(name, {name});
    }
    cluster.partition("e", {"e1", "e2"});
    cluster.partition("f", {"f1", "f2"});
    cluster.partition("ha", {"a1", "h1"});
    PartitionConf& defaults = cluster.partition("d", {"e1"});
    defaults.def_cpu_per_gpu = 4;
    defaults.def_mem_per_gpu_mib = 1000;
    cluster.build();
  }

  void add_devices() {
    for (const char* node : {"a1", "f1", "f2", "h1"}) {
      const std::uint32_t half = node[0] == 'f' ? 4 : 2;
      cluster.add(DeviceLine{.node = node,
                             .name = "gpu",
                             .type = "a100",
                             .devices = span(0, half - 1),
                             .cores = span(0, 7)});
      if (node[0] == 'h') continue;
      cluster.add(DeviceLine{.node = node,
                             .name = "gpu",
                             .type = "a100",
                             .devices = span(half, 2 * half - 1),
                             .cores = span(8, 15)});
    }
    for (const char* node : {"e1", "e2"}) {
      cluster.add(DeviceLine{.node = node, .name = "gpu", .type = "a100", .devices = span(0, 7)});
    }
    const std::vector<std::vector<std::int32_t>> links{
        {-1, 1, 4, 1}, {1, -1, 1, 4}, {4, 1, -1, 1}, {1, 4, 1, -1}};
    for (std::uint32_t i = 0; i < 4; ++i) {
      cluster.add(DeviceLine{.node = "l1",
                             .name = "gpu",
                             .type = "a100",
                             .devices = {i},
                             .cores = i < 2 ? span(0, 7) : span(8, 15),
                             .links = links[i]});
    }
    cluster.add(DeviceLine{.node = "x1", .name = "gpu", .devices = span(0, 3)});
    cluster.add(DeviceLine{.node = "u1", .name = "gpu", .type = "a100", .devices = span(0, 1)});
    cluster.add(DeviceLine{
        .node = "v1", .name = "gpu", .type = "v100", .devices = span(0, 1), .cores = span(0, 7)});
    cluster.add(DeviceLine{
        .node = "v1", .name = "gpu", .type = "a100", .devices = span(2, 3), .cores = span(8, 15)});
    cluster.add(DeviceLine{
        .node = "w1", .name = "gpu", .type = "a100", .devices = span(0, 1), .cores = span(0, 7)});
    cluster.add(DeviceLine{
        .node = "w1", .name = "gpu", .type = "v100", .devices = span(2, 3), .cores = span(8, 15)});
    for (std::uint32_t i = 0; i < 4; ++i) {
      cluster.add(DeviceLine{.node = "g1",
                             .name = "gpu",
                             .type = i < 3 ? "a100_1g.5gb" : "a100_3g.20gb",
                             .devices = {i}});
    }
  }

  void add_node(const std::string& name, const std::vector<GresSpec>& gres) {
    cluster.add(
        NodeLine{.names = {name}, .sockets = 2, .cores = 8, .memory_mib = 64000, .gres = gres});
  }

  /// `cores / devices` of a job on one node, which is then started.
  std::string put(std::string_view options, const std::string& partition) {
    const auto allocation = cluster.place(options, partition);
    if (!allocation) return "waits";
    cluster.start(options, partition);
    return cluster.cores(allocation).substr(3) + " / " + cluster.devices(allocation).substr(3);
  }
  std::string devices(std::string_view options, const std::string& partition) {
    return cluster.devices(cluster.place(options, partition));
  }
  std::string refusal(std::string_view options, const std::string& partition) {
    const auto refused = cluster.ruled(options, partition).refusal;
    return refused ? refused->message : "accepted";
  }
  TestCluster cluster;
};

TEST_F(GpuNodes, AlternateSocketsForSingleGpuJobs) {
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1", "a1"), "0 / 0");
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1", "a1"), "8 / 2");
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1", "a1"), "1 / 1");
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1", "a1"), "9 / 3");
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1", "a1"), "waits");
  cluster.end_all();
  EXPECT_EQ(put("-n1 -c1 --gpus=1", "a1"), "0 / 0");
  EXPECT_EQ(put("-n1 -c1 --gpus=1", "a1"), "8 / 2");
  EXPECT_EQ(put("-n1 -c1 --gpus=1", "a1"), "1 / 1");
  EXPECT_EQ(put("-n1 -c1 --gpus=1", "a1"), "9 / 3");
}

TEST_F(GpuNodes, GiveTheCoresOfTheTable) {
  const auto one = [&](std::string_view options) {
    const std::string where = put(options, "a1");
    cluster.end_all();
    return where;
  };
  EXPECT_EQ(one("-n1 -c1 --gres=gpu:2"), "0 / 0-1");
  EXPECT_EQ(one("-n1 -c1 --gres=gpu:3"), "8 / 0,2-3");
  EXPECT_EQ(one("-N1 -n10 --gres=gpu:2"), "0-9 / 0,2");
  EXPECT_EQ(one("-N1 -n10 --gpus=2"), "0-9 / 0-1");
  EXPECT_EQ(one("-n2 --ntasks-per-socket=1 --sockets-per-node=2 --gpus-per-socket=1"), "0,8 / 0,2");
  EXPECT_EQ(one("-n2 --gpus-per-task=1"), "0-1 / 0-1");
  EXPECT_EQ(one("-n4 --gpus-per-task=1"), "0-1,8-9 / 0-3");
}

TEST_F(GpuNodes, KeepGpusToTheCoresOfTheirSocketOnlyWhenTold) {
  Allocation full;  // socket 1 is full, no GPU
  NodeShare share{NodeId{0}, 8, 800, {}, {}};
  for (std::size_t core = 8; core < 16; ++core) share.cores.set(core);
  full.nodes.push_back(share);
  cluster.ledger->take(full, PartitionId{0});
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:2 --gres-flags=enforce-binding", "a1"), "0 / 0-1");
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1 --gres-flags=enforce-binding", "a1"), "waits");
  EXPECT_EQ(put("-n1 -c1 --gres=gpu:1", "a1"), "1 / 2");
}

TEST_F(GpuNodes, AreFrontLoadedByGpusPerJob) {
  EXPECT_EQ(devices("-N2 --gpus=8", "e"), "e1 0-6; e2 0");
  EXPECT_EQ(devices("-N2 --gpus=8", "f"), "f1 0-3; f2 0-3");
  EXPECT_EQ(devices("-N2 --gpus=6", "f"), "f1 0-3; f2 0-1");
  EXPECT_EQ(devices("-N2 -n2 -c10 --gpus=8", "f"), "f1 0-6; f2 0");
  EXPECT_EQ(devices("--gpus=8", "f"), "f1 0-7");
  EXPECT_EQ(devices("--gpus=12", "e"), "e1 0-7; e2 0-3");
  EXPECT_EQ(devices("--gpus=2 --gpus-per-node=1", "e"), "e1 0; e2 0");
}

TEST_F(GpuNodes, FollowLinksOnlyWhereSlurmDoes) {
  EXPECT_EQ(devices("-n1 --gres=gpu:2", "l1"), "l1 0-1");
  EXPECT_EQ(devices("-N1 -n10 --gres=gpu:2", "l1"), "l1 0,2");
  EXPECT_EQ(devices("-N1 -n10 --gpus=2", "l1"), "l1 0,2");
  EXPECT_EQ(cluster.start("-n1 --gres=gpu:1", "l1"), "l1:1");
  EXPECT_EQ(devices("-N1 -n10 --gres=gpu:2", "l1"), "l1 1-2");
  EXPECT_EQ(devices("-N1 -n10 --gpus=2", "l1"), "l1 1,3");
}

TEST_F(GpuNodes, MaySpreadTasksThatOneNodeCouldHold) {
  Allocation full;  // GPU 0 and all cores of socket 0
  NodeShare share{NodeId{0}, 8, 800, CoreSet::first(8), {{0, 0, 1}}};
  full.nodes.push_back(share);
  cluster.ledger->take(full, PartitionId{0});
  EXPECT_EQ(devices("-n3 --gpus-per-task=1", "ha"), "a1 2-3; h1 0");
  EXPECT_EQ(devices("--gpus=3", "ha"), "a1 1-3");
  EXPECT_EQ(devices("--gpus=4", "ha"), "a1 2-3; h1 0-1");
}

TEST(SmallNodes, AreRemovedByWhatAFailedAttemptTookOfThem) {
  // mixed_again, 10:11:50: of the two light nodes a2 has more CPUs free, but gave fewer.
  TestCluster cluster;
  cluster.conf.gres_types = {"gpu"};
  const auto add = [&](const char* name, std::uint32_t cores, std::uint32_t gpus,
                       std::uint32_t weight) {
    cluster.add(
        DeviceLine{.node = name, .name = "gpu", .type = "a100", .devices = span(0, gpus - 1)});
    cluster.add(NodeLine{.names = {name},
                         .sockets = 2,
                         .cores = cores / 2,
                         .memory_mib = 64000,
                         .gres = {{"gpu", "a100", gpus}},
                         .weight = weight});
  };
  add("a1", 48, 4, 10);
  add("a2", 52, 2, 10);
  add("h1", 96, 8, 50);
  cluster.partition("all", {"a1", "a2", "h1"});
  cluster.build();
  EXPECT_EQ(cluster.devices(cluster.place("--gpus=12 -n2 -c4", "all")), "a1 0-3; h1 0-7");
}

TEST_F(GpuNodes, OfEqualWeightAreChosenByNearGpusThenByFewestCpus) {
  EXPECT_EQ(devices("--gres=gpu:2", "ha"), "a1 0-1");
  EXPECT_EQ(devices("--gpus=4 -n1", "ha"), "a1 0-3");
  cluster.start("--gres=gpu:2 -c2", "a1");
  EXPECT_EQ(cluster.cpus(cluster.place("--gres=gpu:1 -c1", "ha")), "a1:1");
  cluster.end_all();
  cluster.start("--gres=gpu:1 -c8", "a1");
  EXPECT_EQ(cluster.cpus(cluster.place("--gpus=3", "ha")), "a1:1");
  cluster.end_all();
  cluster.start("-n5", "a1");  // three and two cores: eight are not left beside any GPU
  EXPECT_EQ(cluster.cpus(cluster.place("--gpus=1 -c8", "ha")), "h1:8");
  EXPECT_EQ(devices("--gpus=2 -c5", "ha"), "a1 2-3");
  cluster.end_all();
  cluster.start("-n10", "a1");
  EXPECT_EQ(cluster.cpus(cluster.place("--gpus=2 -c5", "ha")), "h1:5");
  EXPECT_EQ(cluster.cpus(cluster.place("--gres=gpu:2 -c5", "ha")), "h1:5");
  EXPECT_EQ(devices("--gpus=1", "ha"), "a1 0");
}

// Recording `run_minutes`, jobs 36 and 61: 28 and 24 free CPUs are both three tasks of eight.
TEST_F(GpuNodes, CountForWholeTasksSoThatARestOfCpusIsNoBetterFit) {
  cluster.start("-N1 -n2", "e1");
  cluster.start("-N1 -n4 -w e2", "e");
  EXPECT_EQ(cluster.cpus(cluster.place("-N1 --gres=gpu:1 -c4", "e")), "e1:4");
  EXPECT_EQ(cluster.cpus(cluster.place("-N1 -c4 --mem=10", "e")), "e2:4");
  EXPECT_EQ(cluster.cpus(cluster.place("-N1 -c4", "e")), "e1:4");  // memory by CPU
}

TEST_F(GpuNodes, KeepTypesInTheOrderOfSlurmConf) {
  EXPECT_EQ(devices("--gres=gpu:a100:1", "v1"), "v1 0");
  EXPECT_EQ(devices("--gres=gpu:v100:1", "v1"), "v1 2");
  EXPECT_EQ(devices("--gres=gpu:a100:1", "w1"), "w1 2");
  EXPECT_EQ(devices("--gres=gpu:v100:1", "w1"), "w1 0");
  EXPECT_EQ(devices("--gres=gpu:a100_3g.20gb:1", "g1"), "g1 3");
  EXPECT_EQ(devices("--gres=gpu:1", "g1"), "g1 0");
}

TEST_F(GpuNodes, LoseTheirTypeWhereSlurmConfHasNone) {
  EXPECT_EQ(cluster.ever("--gres=gpu:a100:1", "u1"), std::nullopt);
  EXPECT_EQ(devices("--gres=gpu:1", "u1"), "u1 0");
  EXPECT_EQ(cluster.start("--gres=gpu:2", "x1"), "x1:1");
  EXPECT_EQ(devices("--gres=gpu:1", "x1"), "x1 2");
}

TEST_F(GpuNodes, WithoutFileAreDrained) {
  const Node& z1 = cluster.nodes[NodeId{12}];
  EXPECT_TRUE(z1.state.drain);
  EXPECT_EQ(z1.state.reason, "gres/gpu count reported lower than configured (0 < 2)");
}

TEST_F(GpuNodes, BringCpusAndMemoryByTheSiteDefaults) {
  const auto show = [&](std::string_view options) {
    const auto allocation = cluster.place(options, "d");
    if (!allocation) return std::string("waits");
    return cluster.cpus(allocation) + " " + std::to_string(allocation->nodes[0].memory_mib);
  };
  EXPECT_EQ(show("--gres=gpu:2"), "e1:8 2000");
  EXPECT_EQ(cluster.cores(cluster.place("--gres=gpu:2", "d")), "e1 0-3,8-11");
  EXPECT_EQ(show("--gres=gpu:2 -c3"), "e1:3 2000");
  EXPECT_EQ(show("--gres=gpu:2 --mem=500"), "e1:8 500");
  EXPECT_EQ(show("--gpus=2 -n2"), "e1:8 2000");
  EXPECT_EQ(show("--gpus-per-task=1 -n2"), "e1:8 2000");
  EXPECT_EQ(cluster.ruled("--gpus-per-task=1 -n2", "d").request.cpus_per_task, 4U);
}

TEST_F(GpuNodes, CountTasksByGpu) {
  const RuledRequest ruled = cluster.ruled("--gpus=4 --ntasks-per-gpu=2", "e");
  EXPECT_EQ(ruled.request.num_tasks, 8U);
  EXPECT_EQ(devices("-n3 --gpus-per-task=2 -N1", "e"), "e1 0-5");
  EXPECT_EQ(cluster.cpus(cluster.place("--gres=gpu:2 --cpus-per-gpu=3 --mem-per-gpu=2000", "e")),
            "e1:6");
}

TEST_F(GpuNodes, FitTasksWithGpusIntoTheFewestThatSuffice) {
  cluster.start("-n1 --gres=gpu:2", "e1");
  cluster.start("-n1 -w e2 --gres=gpu:4", "e");
  EXPECT_EQ(devices("-n4 -c2 --gpus-per-task=1", "e"), "e2 4-7");
}

TEST_F(GpuNodes, GiveEachNodeTheTasksThatItsGpusServe) {
  cluster.start("-n1 --gres=gpu:6", "e1");
  cluster.start("-n1 -w e2 --gres=gpu:6", "e");
  EXPECT_EQ(devices("-n4 -c2 --gpus-per-task=1", "e"), "e1 6-7; e2 6-7");
}

TEST_F(GpuNodes, ComeWholeWithWholeNodes) {
  EXPECT_EQ(devices("-N1 --exclusive", "e"), "e1 0-7");
  EXPECT_EQ(devices("-N1 --exclusive --gres=gpu:2", "e"), "e1 0-7");
}

TEST_F(GpuNodes, RefuseWhatIsInconsistent) {
  const std::string invalid = "Invalid generic resource (gres) specification";
  EXPECT_EQ(refusal("-n2 --gpus-per-socket=1", "a1"), invalid);
  EXPECT_EQ(refusal("-N2 --gpus=1", "e"), invalid);
  EXPECT_EQ(refusal("--gres=tpu:1", "a1"), invalid);
  EXPECT_EQ(refusal("--gres=gpu:1,gpu:a100:1", "a1"),
            "Invalid GRES specification (with and without type identification)");
  EXPECT_EQ(refusal("--gres=gpu:0", "a1"), "accepted");
  EXPECT_TRUE(cluster.ruled("--gres=gpu:0", "a1").request.gres.empty());
  EXPECT_EQ(cluster.ever("--gres=gpu:h100:1", "a1"), std::nullopt);
  EXPECT_EQ(cluster.ever("--gres=gpu:5", "a1"), std::nullopt);
  EXPECT_EQ(cluster.ever("--gpus=5", "a1"), std::nullopt);
}

}  // namespace
}  // namespace rehearse::test

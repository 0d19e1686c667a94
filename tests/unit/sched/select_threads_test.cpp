// tests/unit/sched/select_threads_test.cpp — hardware threads, tasks by socket and whole sockets:
// what a running 22.05.8 gave on three nodes of 2 sockets, 4 cores, 2 threads (scheduling.md §6).
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

struct ThreeNodes {
  explicit ThreeNodes(ConsumableUnit unit, bool one_task_per_core = false) {
    cluster.conf.select_type_parameters.unit = unit;
    cluster.conf.select_type_parameters.memory = true;
    cluster.conf.select_type_parameters.one_task_per_core = one_task_per_core;
    cluster.add(NodeLine{
        .names = {"h1", "h2", "h3"}, .sockets = 2, .cores = 4, .threads = 2, .memory_mib = 64000});
    cluster.partition("all", {}).def_mem_per_cpu_mib = 100;
    cluster.build();
  }
  /// `CPUs NODES memory`, as scontrol shows them.
  std::string give(std::string_view options) {
    const auto allocation = cluster.place(options, "all");
    if (!allocation) return "waits";
    std::uint64_t memory = 0;
    for (const NodeShare& share : allocation->nodes) memory += share.memory_mib;
    return std::to_string(allocation->cpus) + " CPUs " + std::to_string(allocation->nodes.size()) +
           " nodes " + std::to_string(memory) + " MB";
  }
  TestCluster cluster;
};

TEST(Threads, ThatTheJobCannotUseAreChargedButForTheirMemory) {
  ThreeNodes cores(ConsumableUnit::Core);
  EXPECT_EQ(cores.give("-n4 --hint=nomultithread"), "8 CPUs 1 nodes 400 MB");
  EXPECT_EQ(cores.give("-n4 --threads-per-core=1"), "8 CPUs 1 nodes 400 MB");
  EXPECT_EQ(cores.give("-n4 --ntasks-per-core=1"), "8 CPUs 1 nodes 800 MB");
  EXPECT_EQ(cores.give("-n2 -c3 --hint=nomultithread"), "12 CPUs 1 nodes 600 MB");
  EXPECT_EQ(cores.give("-n20 --hint=nomultithread"), "40 CPUs 3 nodes 2000 MB");
  EXPECT_EQ(cores.give("-n5"), "6 CPUs 1 nodes 600 MB");
  EXPECT_EQ(cores.give("-n1 --exclusive"), "16 CPUs 1 nodes 1600 MB");
  EXPECT_EQ(cores.give("-n1 --exclusive --threads-per-core=1"), "16 CPUs 1 nodes 800 MB");
  EXPECT_EQ(cores.give("-n1 --exclusive --hint=nomultithread"), "16 CPUs 1 nodes 800 MB");
  EXPECT_EQ(cores.give("-n3 --exclusive --ntasks-per-core=1"), "16 CPUs 1 nodes 1600 MB");
  EXPECT_EQ(cores.give("-N2 -n4 --exclusive --threads-per-core=1"), "32 CPUs 2 nodes 1600 MB");
  ThreeNodes cpus(ConsumableUnit::Cpu);
  EXPECT_EQ(cpus.give("-n1 --exclusive --threads-per-core=1"), "16 CPUs 1 nodes 800 MB");
  EXPECT_EQ(cpus.give("-n4 --hint=nomultithread"), "4 CPUs 1 nodes 400 MB");
  EXPECT_EQ(cpus.cluster.cores(cpus.cluster.place("-n4 --hint=nomultithread", "all")), "h1 0-3");
  EXPECT_EQ(cpus.give("-n20 --hint=nomultithread"), "20 CPUs 3 nodes 2000 MB");
}

TEST(Threads, OfATaskThatHasItsCoresForItselfMakeWholeCores) {
  ThreeNodes cores(ConsumableUnit::Core), alone(ConsumableUnit::Core, true);
  EXPECT_EQ(cores.give("-n2 -c3"), "6 CPUs 1 nodes 600 MB");
  EXPECT_EQ(cores.give("-n2 -c3 --ntasks-per-core=1"), "8 CPUs 1 nodes 800 MB");
  EXPECT_EQ(cores.give("-n12 -c3 --ntasks-per-core=1"), "48 CPUs 3 nodes 4800 MB");
  EXPECT_EQ(alone.give("-n2 -c3"), "8 CPUs 1 nodes 800 MB");
  EXPECT_EQ(alone.give("-n5"), "10 CPUs 1 nodes 1000 MB");
  EXPECT_EQ(alone.give("-n2 --mem-per-cpu=300 -c3"), "8 CPUs 1 nodes 2400 MB");
  ThreeNodes cpus(ConsumableUnit::Cpu);
  EXPECT_EQ(cpus.give("-n12 -c3 --ntasks-per-core=1"), "36 CPUs 3 nodes 3600 MB");
}

TEST(TasksPerSocket, BoundWhatANodeGives) {
  ThreeNodes cores(ConsumableUnit::Core), alone(ConsumableUnit::Core, true);
  EXPECT_EQ(cores.give("-n6 --ntasks-per-socket=1"), "6 CPUs 2 nodes 600 MB");
  EXPECT_EQ(cores.give("-n12 --ntasks-per-socket=2"), "12 CPUs 3 nodes 1200 MB");
  EXPECT_EQ(cores.give("-n4 --ntasks-per-socket=1"), "4 CPUs 1 nodes 400 MB");
  EXPECT_EQ(cores.give("-n3 --ntasks-per-socket=1 -c2"), "6 CPUs 2 nodes 600 MB");
  EXPECT_EQ(alone.give("-n6 --ntasks-per-socket=1"), "12 CPUs 3 nodes 1200 MB");
  EXPECT_EQ(alone.give("-n12 --ntasks-per-socket=2"), "24 CPUs 3 nodes 2400 MB");
  EXPECT_EQ(alone.give("-n4 --ntasks-per-socket=1"), "8 CPUs 2 nodes 800 MB");
}

/// Recording `works`: the sockets of the cores that it would have by core.
TEST(WholeSockets, AreThoseOfCoresTakenInTurn) {
  ThreeNodes sockets(ConsumableUnit::Socket);
  EXPECT_EQ(sockets.cluster.cpus(sockets.cluster.place("-n2", "all")), "h1:8");
  EXPECT_EQ(sockets.cluster.cpus(sockets.cluster.place("-n4", "all")), "h1:16");
  EXPECT_EQ(sockets.give("-n4 -N2").substr(0, 15), "24 CPUs 2 nodes");
}

TEST(Spread, GoesOverAsManyNodesAsThereAreTasks) {
  ThreeNodes cores(ConsumableUnit::Core);
  const auto cpus = [&](const char* options) {
    return cores.cluster.cpus(cores.cluster.place(options, "all"));
  };
  EXPECT_EQ(cpus("-n4 --spread-job"), "h1:2 h2:2 h3:2");
  EXPECT_EQ(cpus("-n2 --spread-job"), "h1:2 h2:2");
  EXPECT_EQ(cpus("-n30 --spread-job"), "h1:16 h2:14 h3:2");
  EXPECT_EQ(cpus("-n10 --spread-job"), "h1:8 h2:2 h3:2");
  EXPECT_EQ(cpus("-n4 -N2 --spread-job"), "h1:2 h2:2");
  EXPECT_EQ(cpus("-n4 -N1-2 --spread-job"), "h1:4 h2:2");
  EXPECT_EQ(cpus("-n2 -c4 --spread-job"), "h1:4 h2:4");
}

}  // namespace
}  // namespace rehearse::test

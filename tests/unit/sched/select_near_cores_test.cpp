// tests/unit/sched/select_near_cores_test.cpp — nodes, cores and GPUs that a running 22.05.8 chose,
// question by question (gres.md §3.2, §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

std::vector<Make> makes() {
  const auto cores = [](std::uint32_t socket, std::uint32_t size) {
    return span(socket * size, socket * size + size - 1);
  };
  return {{"k", 2, 4, 4, 1, {span(0, 3)}, {span(0, 7)}},
          {"m", 4, 2, 4, 1, {{0, 1}, {2, 3}}, {cores(0, 4), cores(1, 4)}},
          {"n", 4, 2, 4, 2, {{0, 1}, {2, 3}}, {cores(0, 4), cores(1, 4)}},
          {"u", 4, 2, 8, 1, {{0, 1}, {2, 3}}, {cores(0, 8), cores(1, 8)}},
          {"v", 3, 2, 8, 1, {{0}, {1, 2, 3}}, {cores(0, 8), cores(1, 8)}},
          {"w", 3, 2, 4, 1, {span(0, 3)}, {cores(0, 4)}},
          {"x", 3, 3, 4, 1, {{0, 1}, {2, 3}, {4, 5}}, {cores(0, 4), cores(1, 4), cores(2, 4)}}};
}

TEST(NearCores, AreChosenAsARunningSlurmctldDid) {
  TestCluster cluster;
  furnish(cluster, makes());
  cluster.partition("d", {"n1", "n2", "n3", "n4"}).def_cpu_per_gpu = 3;
  cluster.partition("e", {"u1", "u2", "u3", "u4"}).def_cpu_per_gpu = 5;
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "near_cores.txt"), 1000U);
}

TEST(GpusBySocket, AreThoseOfTheSocketsThatHaveEnough) {
  TestCluster cluster;
  const std::vector<std::vector<std::uint32_t>> pairs = {{0, 1}, {2, 3}, {4, 5}};
  furnish(cluster, {{"p", 1, 2, 4, 1, {{0, 1}, {2, 3}}, {span(0, 3), span(4, 7)}},
                    {"q", 1, 2, 4, 1, {span(0, 3)}, {{}}},
                    {"r", 1, 3, 4, 1, pairs, {span(0, 3), span(4, 7), span(8, 11)}}});
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "per_socket.txt"), 100U);
}

TEST(FewTasks, LeaveNoMoreCpusThanTheyNeed) {
  TestCluster cluster;
  furnish(cluster, {{"g", 4, 2, 8, 1, {span(0, 3)}, {{}}},
                    {"c", 4, 2, 8, 1, {{0, 1}, {2, 3}}, {span(0, 7), span(8, 15)}}});
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "few_tasks.txt"), 50U);
}

TEST(TasksOfGpus, AreSharedAmongNodesAsARunningSlurmctldDid) {
  TestCluster cluster;
  furnish(cluster, {{"h", 2, 2, 16, 1, {span(0, 7)}, {{}}},
                    {"s", 2, 2, 16, 1, {span(0, 3), span(4, 7)}, {span(0, 15), span(16, 31)}}});
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "gpu_tasks.txt"), 100U);
}

TEST(DefaultCpus, OfGpusDecideWhichNodesShareThem) {
  TestCluster cluster;
  furnish(cluster, {{"h", 5, 2, 16, 1, {span(0, 7)}, {{}}},
                    {"s", 4, 2, 16, 1, {span(0, 3), span(4, 7)}, {span(0, 15), span(16, 31)}}});
  cluster.partition("p", {"h1", "h2", "h3", "h4", "h5"}).def_cpu_per_gpu = 4;
  cluster.partition("t", {"s1", "s2", "s3", "s4"}).def_cpu_per_gpu = 4;
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "default_cpus.txt"), 290U);
}

/// The nodes of scripts/reference/experiments/enforced_sockets.py.
void furnish_bound_and_unbound(TestCluster& cluster) {
  furnish(cluster, {{"b", 1, 2, 8, 2, {span(0, 3)}, {{}}},
                    {"c", 1, 2, 8, 2, {span(0, 1), span(2, 3)}, {span(0, 7), span(8, 15)}},
                    {"d", 1, 4, 4, 2, {span(0, 3)}, {{}}}});
  cluster.build();
}

TEST(EnforcedSockets, GiveACoreEachWhereGpusAreBesideNone) {
  TestCluster cluster;
  furnish_bound_and_unbound(cluster);
  EXPECT_EQ(expect_placements(cluster, "enforced_sockets.txt", "CR_Core"), 71U);
}

TEST(EnforcedSockets, GiveACoreEachUnderCrCpuToo) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_bound_and_unbound(cluster);
  EXPECT_EQ(expect_placements(cluster, "enforced_sockets.txt", "CR_CPU"), 72U);
}

// [V] NumCPUs of the same questions: of counted tasks those of whole cores, unless GPUs bring them.
TEST(EnforcedSockets, CountWholeCoresUnderCrCpu) {
  TestCluster cluster;
  cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
  furnish_bound_and_unbound(cluster);
  const auto cpus = [&](const std::string& words, const std::string& partition) {
    return cluster.place(words + " --gres-flags=enforce-binding", partition)->cpus;
  };
  EXPECT_EQ(cpus("-N1 --gres=gpu:1 -n1", "b"), 4U);
  EXPECT_EQ(cpus("-N1 -n3 -c3 --gres=gpu:1", "b"), 10U);
  EXPECT_EQ(cpus("-N1 --gres=gpu:1 -n1", "c"), 2U);
  EXPECT_EQ(cpus("-N1 -n3 --gres=gpu:1 --ntasks-per-core=1", "c"), 3U);
  EXPECT_EQ(cpus("-N1 --gres=gpu:3 -n2 --cpus-per-gpu=1", "c"), 3U);
  EXPECT_EQ(cpus("--gpus=2", "b"), 1U);
  EXPECT_EQ(cpus("--gpus=3 -n3", "c"), 3U);
}

TEST(OwnCpus, OfAUserCountForTheJobWhereItsTasksNameATypeOfGpu) {
  TestCluster cluster;
  furnish(cluster,
          {{"s", 2, 2, 16, 1, {span(0, 3), span(4, 7)}, {span(0, 15), span(16, 31)}},
           {"n", 2, 2, 8, 2, {{0, 1}, {2, 3}}, {span(0, 7), span(8, 15)}},
           {"g", 1, 2, 32, 2, {span(0, 3), span(4, 7)}, {span(0, 31), span(32, 63)}, {}, 5},
           {"h", 2, 2, 16, 2, {{0}}, {span(0, 15)}, {}, 3},
           {"m", 2, 2, 16, 2, {{0}}, {{}}, {}, 3}});
  cluster.partition("d", {"s1", "s2"}).def_cpu_per_gpu = 4;
  cluster.partition("e", {"n1", "n2"}).def_cpu_per_gpu = 4;
  cluster.partition("b", {"g1", "m1", "m2"}).def_cpu_per_gpu = 4;
  cluster.partition("c", {"g1", "h1", "h2"}).def_cpu_per_gpu = 4;
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "own_cpus.txt"), 115U);
}

TEST(ExclusiveJobs, TakeNoNodeOfMoreCpusThanMaxCPUsPerNode) {
  TestCluster cluster;
  furnish(cluster, {{"a", 2, 2, 10, 2, {}, {}}, {"b", 2, 2, 6, 1, {}, {}, {}, 5}});
  for (const std::uint32_t most : {11U, 12U, 40U}) {
    const std::string name = "q" + std::to_string(most);
    cluster.partition(name, {"a1", "a2", "b1", "b2"}).max_cpus_per_node = most;
  }
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "exclusive_maximum.txt"), 78U);
}

TEST(KnownTasks, CountTheirNodeForTheirCpusAndNotForEachThreadOfTheLastCore) {
  const std::vector<Make> makes = {
      {"n", 3, 4, 8, 2, {span(0, 1)}, {{}}},
      {"v", 3, 2, 12, 1, {{0, 1}, {2, 3}}, {span(0, 11), span(12, 23)}}};
  for (const auto& [name, unit] :
       {std::pair{"CR_Core", ConsumableUnit::Core}, std::pair{"CR_CPU", ConsumableUnit::Cpu}}) {
    TestCluster cluster;
    cluster.conf.select_type_parameters.unit = unit;
    furnish(cluster, makes);
    cluster.partition("p", {"n1", "n2", "n3", "v1", "v2", "v3"});
    cluster.build();
    EXPECT_EQ(expect_placements(cluster, "known_tasks.txt", name), 88U);
  }
}

TEST(FarNodes, AreNotTakenBesideOnesWithNearGpusWhereTheseDo) {
  TestCluster cluster;
  furnish(cluster, {{"s", 4, 2, 16, 1, {span(0, 3), span(4, 7)}, {span(0, 15), span(16, 31)}}});
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "far_nodes.txt"), 31U);
}

TEST(FarCores, AreUsedOfSocketsThatComeBeforeTheGpusAreFound) {
  TestCluster cluster;
  furnish(cluster, {{"p", 2, 2, 8, 1, {span(0, 3)}, {span(0, 7)}},
                    {"q", 2, 2, 8, 1, {span(0, 3)}, {span(8, 15)}}});
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "far_cores.txt"), 268U);
}

TEST(SmallNodes, AreLeftOutByTheCpusThatTheyHadBeforeTheFirstAttempt) {
  TestCluster cluster;
  furnish(cluster,
          {{"a", 3, 2, 24, 2, {{0, 1}, {2, 3}}, {span(0, 23), span(24, 47)}, {}, 10},
           {"b", 3, 2, 24, 2, {span(0, 3)}, {{}}, {}, 10},
           {"h", 2, 2, 48, 1, {span(0, 7)}, {{}}, {}, 50},
           {"g", 2, 2, 20, 2, {span(0, 3), span(4, 7)}, {span(0, 19), span(20, 39)}, {}, 50}});
  cluster.partition("p", {"a1", "a2", "a3", "h1", "h2"});
  cluster.partition("q", {"b1", "b2", "b3", "h1", "h2"});
  cluster.partition("r", {"a1", "a2", "a3", "g1", "g2"});
  cluster.partition("s", {"b1", "b2", "b3", "g1", "g2"});
  cluster.build();
  EXPECT_EQ(expect_placements(cluster, "small_nodes.txt"), 254U);
}

TEST(SomeCores, OfGresConfStandForTheGpusOfTheirLines) {
  TestCluster cluster;
  furnish(cluster, {{"y",
                     1,
                     2,
                     4,
                     1,
                     {{0, 1}, {2, 3}, {4, 5}},
                     {span(0, 3), span(4, 7), {}},
                     {"a100", "a100", "v100"}}});
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "some_cores.txt"), 200U);
}

/// What stands under one `conf:` line of a file.
struct Section {
  const char* parameters;
  ConsumableUnit unit;
  bool memory = false, one_task_per_core = false, block = false;
};

/// How many questions there are.
std::size_t ask_under(const Section& section, const std::vector<Make>& makes,
                      std::string_view file) {
  TestCluster cluster;
  SelectTypeParameters& own = cluster.conf.select_type_parameters;
  own.unit = section.unit;
  own.memory = section.memory;
  own.one_task_per_core = section.one_task_per_core;
  own.core_default_dist_block = section.block;
  cluster.conf.def_mem_per_cpu_mib = section.memory ? 50 : 0;
  furnish(cluster, makes);
  cluster.build();
  return expect_placements(cluster, file, section.parameters);
}

TEST(TasksBySocket, AreNoMoreWhereWholeSocketsAreGiven) {
  const std::vector<Make> makes = {{"n", 2, 2, 8, 2, {}, {}}, {"q", 3, 4, 4, 1, {}, {}}};
  for (const Section& section :
       {Section{"CR_Socket,CR_ONE_TASK_PER_CORE", ConsumableUnit::Socket, false, true},
        Section{"CR_Socket", ConsumableUnit::Socket},
        Section{"CR_Core,CR_ONE_TASK_PER_CORE", ConsumableUnit::Core, false, true}}) {
    EXPECT_EQ(ask_under(section, makes, "tasks_by_socket.txt"), 216U);
  }
}

TEST(AloneTasks, CountTheirNodeForAsManyAsFit) {
  const std::vector<Make> makes = {{"a", 3, 2, 16, 2, {span(0, 3)}, {span(0, 15)}},
                                   {"u", 3, 2, 16, 2, {span(0, 3)}, {{}}}};
  EXPECT_EQ(ask_under({"CR_Core", ConsumableUnit::Core}, makes, "alone_tasks.txt"), 24U);
  const Section alone{"CR_Core,CR_ONE_TASK_PER_CORE", ConsumableUnit::Core, false, true};
  EXPECT_EQ(ask_under(alone, makes, "alone_tasks.txt"), 52U);
}

TEST(CoresOfTasks, CountAsWholeTasksOnlyWhereMemoryGoesByCpu) {
  const std::vector<Make> makes = {{"n", 3, 2, 4, 2, {}, {}}};
  for (const Section& section :
       {Section{"CR_Core", ConsumableUnit::Core},
        Section{"CR_Core,CR_ONE_TASK_PER_CORE", ConsumableUnit::Core, false, true},
        Section{"CR_Core_Memory,CR_ONE_TASK_PER_CORE", ConsumableUnit::Core, true, true}}) {
    EXPECT_GE(ask_under(section, makes, "cores_of_tasks.txt"), 48U);
  }
}

TEST(Layouts, AreThoseOfTheDistribution) {
  const std::vector<Make> makes = {
      {"t", 3, 2, 6, 2, {}, {}}, {"s", 2, 4, 3, 2, {}, {}}, {"f", 2, 2, 10, 1, {}, {}}};
  for (const Section& section :
       {Section{"CR_Core", ConsumableUnit::Core}, Section{"CR_CPU", ConsumableUnit::Cpu},
        Section{"CR_Core,CR_CORE_DEFAULT_DIST_BLOCK", ConsumableUnit::Core, false, false, true}}) {
    EXPECT_GT(ask_under(section, makes, "layouts.txt"), 200U);
  }
}

TEST(OvercommittedCpus, AreThoseOfOneTaskOnEachNode) {
  const std::vector<Make> makes = {{"a", 3, 2, 8, 1, {}, {}}, {"n", 3, 2, 8, 2, {}, {}}};
  for (const Section& section : {Section{"cons_tres CR_Core", ConsumableUnit::Core},
                                 Section{"cons_tres CR_CPU", ConsumableUnit::Cpu},
                                 Section{"cons_tres CR_Socket", ConsumableUnit::Socket}}) {
    EXPECT_EQ(ask_under(section, makes, "overcommitted_cpus.txt"), 54U);
  }
}

TEST(OvercommittedCpus, AreThoseOfEachTaskWhereConsResPacksAtTheEnd) {
  const std::vector<Make> makes = {{"a", 3, 2, 8, 1, {}, {}}, {"n", 3, 2, 8, 2, {}, {}}};
  const auto ask = [&](std::string_view conf, SelectType select, ConsumableUnit unit) {
    TestCluster cluster;
    cluster.conf.select_type = select;
    cluster.conf.select_type_parameters.unit = unit;
    cluster.conf.scheduler_parameters.pack_serial_at_end = conf.ends_with("pack_serial_at_end");
    furnish(cluster, makes);
    cluster.build();
    return expect_placements(cluster, "overcommitted_cpus.txt", conf);
  };
  const auto cpu = ConsumableUnit::Cpu;
  EXPECT_EQ(ask("cons_res CR_CPU pack_serial_at_end", SelectType::ConsRes, cpu), 100U);
  EXPECT_EQ(ask("cons_res CR_Core pack_serial_at_end", SelectType::ConsRes, ConsumableUnit::Core),
            72U);
  EXPECT_EQ(ask("cons_tres CR_CPU pack_serial_at_end", SelectType::ConsTres, cpu), 83U);
  EXPECT_EQ(ask("cons_res CR_CPU", SelectType::ConsRes, cpu), 9U);
}

TEST(OddTasks, MayLoseOneWhereMemoryIsCountedByCpu) {
  const std::vector<Make> makes = {
      {"a", 1, 2, 24, 2, {{0, 1}, {2, 3}}, {span(0, 23), span(24, 47)}}};
  for (const Section& section : {Section{"CR_Core_Memory", ConsumableUnit::Core, true},
                                 Section{"CR_Core", ConsumableUnit::Core},
                                 Section{"CR_CPU_Memory", ConsumableUnit::Cpu, true}}) {
    EXPECT_EQ(ask_under(section, makes, "odd_tasks.txt"), 42U);
  }
}

TEST(MixedThreads, CountForAllTasksOfTheirGpusUnderCrCpu) {
  const auto ask = [](std::string_view parameters, bool memory) {
    TestCluster cluster;
    cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
    cluster.conf.select_type_parameters.memory = memory;
    cluster.conf.def_mem_per_cpu_mib = memory ? 10 : 0;
    furnish(cluster,
            {{"b", 3, 1, 16, 2, {span(0, 3)}, {{}}}, {"c", 4, 1, 32, 1, {span(0, 3)}, {{}}}});
    cluster.partition("p", {"b1", "b2", "b3", "c1", "c2", "c3", "c4"});
    cluster.build();
    return expect_placements(cluster, "mixed_threads.txt", parameters);
  };
  EXPECT_EQ(ask("CR_CPU", false), 70U);
  EXPECT_EQ(ask("CR_CPU_Memory", true), 34U);
}

TEST(OddNodes, AreChosenByWhatIsLeftOfThemBesideTheirGpus) {
  const std::vector<Make> makes = {
      {"b", 3, 2, 16, 2, {{0, 1}, {2, 3}}, {span(0, 15), span(16, 31)}},
      {"c", 3, 2, 4, 2, {{0, 1}, {2, 3}}, {span(0, 3), span(4, 7)}}};
  for (const Section& section : {Section{"CR_Core_Memory", ConsumableUnit::Core, true},
                                 Section{"CR_Core", ConsumableUnit::Core},
                                 Section{"CR_CPU_Memory", ConsumableUnit::Cpu, true}}) {
    EXPECT_EQ(ask_under(section, makes, "odd_nodes.txt"), 55U);
  }
}

TEST(LostTasks, AreLostToBusyNodesWhereIdleOnesWouldLoseThem) {
  const std::vector<std::vector<std::uint32_t>> all = {{0, 1, 2, 3}};
  const std::vector<Make> makes = {
      {"a", 1, 1, 32, 2, all, {{}}},
      {"b", 1, 2, 16, 2, all, {{}}},
      {"c", 1, 4, 8, 2, all, {{}}},
      {"d", 1, 2, 16, 2, {{0, 1}, {2, 3}}, {span(0, 15), span(16, 31)}}};
  const Section section{"CR_Core_Memory", ConsumableUnit::Core, true};
  EXPECT_EQ(ask_under(section, makes, "lost_tasks.txt"), 259U);
  EXPECT_EQ(ask_under({"CR_CPU_Memory", ConsumableUnit::Cpu, true}, makes, "lost_by_node.txt"),
            98U);
}

}  // namespace
}  // namespace rehearse::test

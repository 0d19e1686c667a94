// tests/unit/sched/select_fewer_cpus_test.cpp — tasks that name a type of GPU and have fewer CPUs
// of it than DefCpuPerGPU (gres.md §2.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/fewer_cpus.py.
std::size_t ask(std::string_view parameters, bool memory) {
  TestCluster cluster;
  if (memory) {
    cluster.conf.select_type_parameters.unit = ConsumableUnit::Cpu;
    cluster.conf.select_type_parameters.memory = true;
    cluster.conf.def_mem_per_cpu_mib = 10;
  }
  furnish(cluster, {{"a",
                     2,
                     2,
                     16,
                     2,
                     {span(0, 3), span(4, 9), span(10, 11)},
                     {{}, {}, {}},
                     {"1g.10gb", "2g.20gb", "4g.40gb"}},
                    {"n", 2, 2, 8, 2, {{0, 1}, {2, 3}}, {span(0, 7), span(8, 15)}},
                    {"s", 2, 2, 16, 1, {span(0, 3), span(4, 7)}, {span(0, 15), span(16, 31)}}});
  cluster.partition("p", {"a1", "a2"}).def_cpu_per_gpu = 5;
  cluster.partition("d", {"s1", "s2"}).def_cpu_per_gpu = 4;
  cluster.partition("e", {"n1", "n2"}).def_cpu_per_gpu = 4;
  cluster.build();
  return expect_placements(cluster, "fewer_cpus.txt", parameters);
}

TEST(FewerCpus, ThanATaskOfThePartitionsDefaultAreLeftAsTheyAre) {
  EXPECT_GT(ask("CR_Core", false), 20U);
}

TEST(FewerCpus, ThanATaskOfThePartitionsDefaultAreLeftAsTheyAreUnderCrCpu) {
  EXPECT_GT(ask("CR_CPU_Memory", true), 60U);
}

}  // namespace
}  // namespace rehearse::test

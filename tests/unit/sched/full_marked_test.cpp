// tests/unit/sched/full_marked_test.cpp — which nodes without free CPUs a test for GPUs marks, and
// how much, as asked of a slurmctld (scripts/reference/experiments/full_marked.py).
#include <gtest/gtest.h>

#include <array>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

using Held = std::array<std::string, 3>;

/// n1, n3 and n4 have four GPUs each.
void add_gpus(Loops& loops) {
  SlurmConf& conf = loops.inputs.slurm_conf;
  conf.gres_types = {"gpu"};
  conf.select_type_parameters.memory = true;
  conf.def_mem_per_cpu_mib = 100;
  for (const std::size_t i : {0U, 2U, 3U}) conf.nodes[i].gres = "gpu:4";
  for (NodeConf& node : conf.nodes) node.real_memory_mib = 64000;
}

class FullMarked : public testing::TestWithParam<bool> {
 protected:
  /// Where a job that wants the CPUs of one node is planned behind one with these options, which is
  /// too young for a plan: of n2 to n4, held so, on that with the highest mark.
  static std::string behind(const std::string& options, const Held& held) {
    Loops loops(4, 8);
    add_gpus(loops);
    loops.parameters().bf_min_age_reserve = Seconds{300};
    if (!GetParam()) loops.work_out_all_anew();
    loops.build();
    loops.running("-N1 -n8", {"n1"}, "14:00:00");
    for (std::size_t i = 0; i < held.size(); ++i) {
      loops.running("-N1 " + held[i], {"n" + std::to_string(i + 2)}, "13:00:00");
    }
    const SlurmTime old = clock_time("11:00:00");
    loops.pending("-w n1 -N1 -n8", 6 * 24 * 60).begin = old;
    if (!options.empty()) loops.pending(options, 20).begin = clock_time("11:59:00");
    Job& last = loops.pending("-N1 -n8", 30);
    last.begin = old;
    loops.cycle("12:00:00");
    return loops.plan(last).substr(9);
  }
};

constexpr const char* kCpus = "-n8";
constexpr const char* kMemory = "-n1 --mem=64000";

TEST_P(FullMarked, WhereOthersHoldAllCpus) {
  EXPECT_EQ(behind("", {kCpus, kCpus, kCpus}), "n2");
  EXPECT_EQ(behind("--gpus=1", {kCpus, kCpus, kCpus}), "n3");
  EXPECT_EQ(behind("-N1 --gres=gpu:2", {kCpus, kCpus, kCpus}), "n3");
  EXPECT_EQ(behind("-N2 --gres=gpu:4", {kCpus, kCpus, kCpus}), "n3");
  EXPECT_EQ(behind("-n9 --gpus=1", {kCpus, "-n1", kCpus}), "n3");
}

TEST_P(FullMarked, ByTheGpusThatAreFreeAndWanted) {
  EXPECT_EQ(behind("--gpus=1", {kCpus, "-n8 --gres=gpu:3", kCpus}), "n3");
  EXPECT_EQ(behind("--gpus=2", {kCpus, "-n8 --gres=gpu:3", kCpus}), "n4");
  EXPECT_EQ(behind("--gpus=1", {kCpus, "-n8 --gres=gpu:4", kCpus}), "n4");
  EXPECT_EQ(behind("-n9 --gpus=1", {kCpus, "-n1 --gres=gpu:4", kCpus}), "n4");
}

TEST_P(FullMarked, NotWhereOthersHoldTheMemory) {
  EXPECT_EQ(behind("--gpus=1", {kCpus, kMemory, kCpus}), "n4");
  EXPECT_EQ(behind("--gpus=1", {kCpus, kMemory, kMemory}), "n2");
}

TEST_P(FullMarked, BesideTheNodeOfAStart) {
  EXPECT_EQ(behind("-n1 --gpus=1", {kCpus, kCpus, "-n1"}), "n3");
  EXPECT_EQ(behind("-n1 --gpus=2", {kCpus, "-n8 --gres=gpu:3", "-n1"}), "n4");
  EXPECT_EQ(behind("-n1 --gpus=1", {kCpus, "-n8 --gres=gpu:4", "-n1"}), "n4");
  EXPECT_EQ(behind("-n1 --gpus=1", {kCpus, kMemory, "-n1"}), "n4");
}

INSTANTIATE_TEST_SUITE_P(RememberingOrAnew, FullMarked, testing::Bool());

}  // namespace
}  // namespace rehearse::test

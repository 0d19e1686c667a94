// tests/unit/sched/few_marked_test.cpp — whether a test for GPUs marks nodes that are too few for
// the job, as asked of a slurmctld (scripts/reference/experiments/few_marked.py).
#include <gtest/gtest.h>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

/// n1 and n3 have four GPUs each.
void add_gpus(Loops& loops) {
  SlurmConf& conf = loops.inputs.slurm_conf;
  conf.gres_types = {"gpu"};
  conf.select_type_parameters.memory = true;
  conf.def_mem_per_cpu_mib = 100;
  for (const std::size_t i : {0U, 2U}) conf.nodes[i].gres = "gpu:4";
  for (NodeConf& node : conf.nodes) node.real_memory_mib = 64000;
}

/// Where a job that wants the CPUs of one node is planned, n3 if that bears a mark, behind one
/// with these options, which is tested for now alone if it is too young for a plan.
std::string planned_behind(const std::string& options, bool recalls, bool is_young,
                           const std::string& held) {
  Loops loops(3, 8);
  add_gpus(loops);
  if (is_young) loops.parameters().bf_min_age_reserve = Seconds{300};
  if (!recalls) loops.work_out_all_anew();
  loops.build();
  loops.running(held, {"n1"}, "14:00:00");
  loops.running("-N1 -n1", {"n2"}, "13:00:00");
  loops.running("-N1 -n1", {"n3"}, "13:00:00");
  const SlurmTime old = clock_time("11:00:00");
  loops.pending("-w n1 -N1 -n8", 6 * 24 * 60).begin = old;
  if (!options.empty()) {
    loops.pending(options, is_young ? 20 : 6 * 24 * 60).begin = clock_time("11:59:00");
  }
  Job& last = loops.pending("-N1 -n8", 30);
  last.begin = old;
  loops.cycle("12:00:00");
  return loops.plan(last).substr(9);
}

constexpr const char* kWhole = "-N1 -n8 --gres=gpu:4";

class FewMarked : public testing::TestWithParam<bool> {
 protected:
  static std::string behind(const std::string& options) {
    return planned_behind(options, GetParam(), false, kWhole);
  }
  static std::string behind_young(const std::string& options, const std::string& held = kWhole) {
    return planned_behind(options, GetParam(), true, held);
  }
};

TEST_P(FewMarked, NobodyLeavesNoMarks) {
  EXPECT_EQ(behind(""), "n2");
  EXPECT_EQ(behind_young(""), "n2");
}

TEST_P(FewMarked, NotWhereTooFewNodesHaveTheGpus) {  // n1 is planned for longer than the window
  EXPECT_EQ(behind("-N2 -n2 --gres=gpu:4"), "n2");
  EXPECT_EQ(behind("-N2 -n16 --gres=gpu:4"), "n2");
  EXPECT_EQ(behind("-N2 -n2 --gpus=5"), "n2");
}

TEST_P(FewMarked, WhereOnlySumsFallShort) {
  EXPECT_EQ(behind("-n2 --gpus=8"), "n3");
  EXPECT_EQ(behind("-n16 --gres=gpu:4"), "n3");
  EXPECT_EQ(behind_young("-n2 --gpus=8"), "n3");
  EXPECT_EQ(behind_young("-n9 --gres=gpu:4", "-N1 -n8"), "n3");
}

TEST_P(FewMarked, WhereOthersHoldTheGpusOrCpus) {
  EXPECT_EQ(behind_young("-N2 -n2 --gres=gpu:4"), "n3");
  EXPECT_EQ(behind_young("-N2 -n2 --gres=gpu:4", "-N1 -n8"), "n3");
  EXPECT_EQ(behind_young("-N2 -n2 --gpus=5", "-N1 -n8"), "n3");
}

TEST_P(FewMarked, NotWhereTooFewNodesHaveTheMemory) {
  EXPECT_EQ(behind_young("-N2 -n2 --gres=gpu:4", "-N1 -n1 --mem=64000"), "n2");
}

INSTANTIATE_TEST_SUITE_P(RememberingOrAnew, FewMarked, testing::Bool());

}  // namespace
}  // namespace rehearse::test

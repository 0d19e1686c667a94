// tests/unit/sched/lost_tasks_narrowed_test.cpp — tasks that may be lost are first tested with the
// cores that others hold (gres.md §3.2), on nodes that cannot serve now as well.
#include <gtest/gtest.h>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

class LostTasks : public testing::TestWithParam<bool> {};

TEST_P(LostTasks, AreTestedWithNodesThatOthersHold) {
  Loops loops(4);
  SlurmConf& conf = loops.inputs.slurm_conf;
  conf.gres_types = {"gpu"};
  conf.select_type_parameters.unit = ConsumableUnit::Socket;
  for (NodeConf& node : conf.nodes) {
    node.sockets = 2;
    node.cores_per_socket = 10;
    node.threads_per_core = 2;
    node.cpus = 40;
    node.gres = "gpu:4";
  }
  if (!GetParam()) loops.work_out_all_anew();
  loops.build();
  for (const char* name : {"n1", "n2", "n3"}) loops.running("-N1 -n40", {name}, "13:00:00");
  loops.running("-N1 -n20", {"n4"}, "13:00:00");
  const Job& job = loops.pending("-n2 --gpus-per-task=1 -c3", 15);
  loops.pass("12:00:00");
  loops.cycle("12:00:30");
  EXPECT_EQ(loops.where(job), "n4:20");
}

INSTANTIATE_TEST_SUITE_P(RememberingOrAnew, LostTasks, testing::Bool());

}  // namespace
}  // namespace rehearse::test

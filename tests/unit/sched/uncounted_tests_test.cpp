// tests/unit/sched/uncounted_tests_test.cpp — which records bf_max_job_test does not count
// (scheduling.md §8.7 step 5; scripts/reference/experiments/uncounted_tests.py).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

/// n1 is held, n[2-4] have a feature and are drained; a cycle may test two jobs. Which
/// of these, all of ten minutes, it plans: `1` each, `.` where it does not.
std::string planned(const std::vector<std::string>& jobs, bool recalls) {
  Loops loops(4, 8);
  auto& nodes = loops.inputs.slurm_conf.nodes;
  nodes[0].features = {"near"};
  for (std::size_t i = 1; i < 4; ++i) {
    nodes[i].features = {"far"};
  }
  loops.parameters().bf_max_job_test = 2;
  loops.parameters().bf_node_space_size = 100;
  if (!recalls) loops.work_out_all_anew();
  loops.build();
  loops.keep_plans(true);
  for (const char* name : {"n2", "n3", "n4"}) {
    loops.cluster->nodes[loops.node(name)].state.drain = true;
  }
  loops.running("-N1 -n8", {"n1"}, "13:00:00");
  std::vector<const Job*> waiting;
  for (const std::string& options : jobs) waiting.push_back(&loops.pending(options, 10));
  loops.cycle("12:00:00");
  std::string again;
  for (const char* at : {"12:00:30", "12:01:00"}) {  // as remembered
    loops.cycle(at);
    again.clear();
    for (const Job* job : waiting) again += loops.plan(*job) == "none" ? '.' : '1';
  }
  return again;
}

class UncountedTests : public ::testing::TestWithParam<bool> {};

TEST_P(UncountedTests, AreThoseThatFindTooFewNodesOrNotThoseTheyName) {  // [V]
  const auto asked = [](const std::vector<std::string>& jobs) { return planned(jobs, GetParam()); };
  EXPECT_EQ(asked({"-n1", "-n1", "-n1"}), "11.");
  EXPECT_EQ(asked({"-w n2", "-w n2", "-w n2", "-n1", "-n1", "-n1"}), "...11.");
  EXPECT_EQ(asked({"-w n1", "-w n1", "-n1"}), "11.");
  EXPECT_EQ(asked({"-N1-3 -w n2", "-n1", "-N1-3 -n2 -w n3", "-n1", "-n1"}), ".1.1.");
  EXPECT_EQ(asked({"-N2", "-N2", "-N2", "-n1", "-n1", "-n1"}), "...11.");
  EXPECT_EQ(asked({"-x n1", "-x n1", "-x n1", "-n1", "-n1", "-n1"}), "...11.");
  EXPECT_EQ(asked({"-C far -x n1", "-n1", "-n1", "-n1"}), ".11.");
  EXPECT_EQ(asked({"-C far -N2", "-n1", "-n1", "-n1"}), ".11.");
}

TEST_P(UncountedTests, AreNotThoseToWhichFeaturesAndTheLikeLeaveNoNodes) {  // [V]
  const auto asked = [](const std::vector<std::string>& jobs) { return planned(jobs, GetParam()); };
  EXPECT_EQ(asked({"-C far", "-n1", "-n1"}), ".1.");
  EXPECT_EQ(asked({"-C far", "-C far", "-n1"}), "...");
  EXPECT_EQ(asked({"--mem=1000000", "-n1", "-n1"}), ".1.");
}

INSTANTIATE_TEST_SUITE_P(Remembered, UncountedTests, ::testing::Bool());

}  // namespace
}  // namespace rehearse::test

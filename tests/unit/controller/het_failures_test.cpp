// tests/unit/controller/het_failures_test.cpp — a heterogeneous job whose node goes DOWN under one
// component. Each expectation is what a running slurmctld did
// (scripts/reference/experiments/het_failures.py).
#include <gtest/gtest.h>

#include "tests/unit/controller/component.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Components that run on n1, n2, … in this order; the node of one of them goes DOWN at 300 and
/// comes back at 400. Lines of ends and later starts.
std::vector<std::string> after_the_failure(std::uint32_t count, std::uint32_t failing,
                                           bool requeue) {
  std::string conf = "SelectType=select/cons_tres\nPriorityType=priority/basic\n";
  for (std::uint32_t i = 1; i <= count; ++i) {
    conf += fmt::format("NodeName=n{0} CPUs=1\nPartitionName=p{0} Nodes=n{0}\n", i);
  }
  RunSite site(conf);
  for (std::uint32_t i = 0; i < count; ++i) {
    JobSpec& spec = site.job(i + 1, 10, 1000);
    spec.partitions = site.names().intern(fmt::format("p{}", i + 1));
    spec.requeue = requeue;
    make_component(spec, 1, i);
  }
  site.command(300, fmt::format("scontrol update NodeName=n{} State=DOWN Reason=disk", failing));
  site.command(400, fmt::format("scontrol update NodeName=n{} State=RESUME", failing));
  site.command(3000, "scancel 1");
  site.run();
  std::vector<std::string> seen;
  for (std::uint32_t i = 1; i <= count; ++i) {
    const std::vector<std::string> ends = site.lines(fmt::format("end {} ", i));
    const std::size_t starts = site.lines(fmt::format("start {} ", i)).size();
    seen.push_back(fmt::format("{}, {} starts", ends.front(), starts));
  }
  return seen;
}

using Lines = std::vector<std::string>;

TEST(HetJobsNodeDown, EndsAllComponentsThatMayNotBeRequeued) {
  const Lines all = {"300 end 1 NODE_FAIL, 1 starts", "300 end 2 NODE_FAIL, 1 starts",
                     "300 end 3 NODE_FAIL, 1 starts"};
  for (const std::uint32_t failing : {1U, 2U, 3U}) {
    EXPECT_EQ(after_the_failure(3, failing, false), all);
  }
}

TEST(HetJobsNodeDown, RequeuesAllWhereTheLastFails) {
  EXPECT_EQ(after_the_failure(3, 3, true),
            (Lines{"300 end 1 NODE_FAIL, 2 starts", "300 end 2 NODE_FAIL, 2 starts",
                   "300 end 3 NODE_FAIL, 2 starts"}));
}

TEST(HetJobsNodeDown, LeavesThoseBehindFailedSoThatTheOthersNeverStartAgain) {
  EXPECT_EQ(after_the_failure(3, 1, true),
            (Lines{"300 end 1 NODE_FAIL, 1 starts", "300 end 2 FAILED, 1 starts",
                   "300 end 3 FAILED, 1 starts"}));
  EXPECT_EQ(after_the_failure(4, 2, true),
            (Lines{"300 end 1 NODE_FAIL, 1 starts", "300 end 2 NODE_FAIL, 1 starts",
                   "300 end 3 FAILED, 1 starts", "300 end 4 FAILED, 1 starts"}));
}

}  // namespace
}  // namespace rehearse::test

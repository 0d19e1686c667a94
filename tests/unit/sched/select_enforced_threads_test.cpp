// tests/unit/sched/select_enforced_threads_test.cpp — an enforced binding over nodes of two threads
// a core (gres.md §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/enforced_threads.py.
TEST(EnforcedThreads, BringOneCoreOfANodeForWhichNothingIsLeft) {
  TestCluster cluster;
  furnish(cluster, {{"b", 3, 2, 6, 2, {{0, 1, 2, 3}}, {{}}},
                    {"g", 3, 2, 6, 2, {{0, 1}, {2, 3}}, {span(0, 5), span(6, 11)}},
                    {"q", 3, 4, 4, 2, {{0, 1, 2, 3}}, {{}}}});
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "enforced_threads.txt", "CR_Core"), 30U);
}

}  // namespace
}  // namespace rehearse::test

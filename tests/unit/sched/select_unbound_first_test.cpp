// tests/unit/sched/select_unbound_first_test.cpp — devices at no socket in front of others that are
// at one (gres.md §4.4; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

/// The nodes of scripts/reference/experiments/unbound_first.py.
TEST(UnboundFirst, AreTakenByTasksBehindThoseOfTheirSocket) {
  TestCluster cluster;
  furnish(cluster, {{"a",
                     3,
                     2,
                     6,
                     1,
                     {{0, 1, 2, 3}, {4}, {5}},
                     {{}, span(0, 5), span(6, 11)},
                     {"1g.10gb", "3g.40gb", "3g.40gb"}}});
  cluster.build();
  EXPECT_GT(expect_placements(cluster, "unbound_first.txt", "CR_Core"), 35U);
}

}  // namespace
}  // namespace rehearse::test

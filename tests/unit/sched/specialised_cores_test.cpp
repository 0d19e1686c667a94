// tests/unit/sched/specialised_cores_test.cpp — what --core-spec makes of a job, as a
// running 22.05.8 answered (scheduling.md §6.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include "tests/unit/sched/placements.hpp"

namespace rehearse::test {
namespace {

std::size_t ask(bool allow, std::string_view section) {
  TestCluster cluster;
  cluster.conf.allow_spec_resources = allow;
  const auto add = [&](const std::string& letter, std::uint32_t threads, std::uint32_t core_spec) {
    NodeLine line;
    line.names = {letter + "1", letter + "2"};
    line.sockets = 2;
    line.cores = 4;
    line.threads = threads;
    line.memory_mib = 16000;
    line.core_spec = core_spec;
    cluster.add(line);
    cluster.partition(letter, line.names);
  };
  add("n", 2, 0);
  add("m", 1, 0);
  add("s", 1, 2);
  add("t", 2, 3);
  cluster.build();
  return expect_placements(cluster, "specialised_cores.txt", section);
}

TEST(CoreSpec, IsVoidUnlessTheSiteAllowsIt) {
  EXPECT_EQ(ask(false, "NO"), 60U);
}

TEST(CoreSpec, TakesWholeNodesButForTheCoresThatItLeaves) {
  EXPECT_EQ(ask(true, "YES"), 60U);
}

}  // namespace
}  // namespace rehearse::test

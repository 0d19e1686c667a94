// tests/unit/sched/passed_terms_test.cpp — where a job of counted features is planned of which one
// finds no nodes (scheduling.md §8.7 step 6; scripts/reference/experiments/passed_terms.py).
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

/// n[1-3] have `a`, n4 and n5, held until 13:00 and 13:30, `b`, n[6-7] `c`.
std::string planned(const std::string& options, const std::string& partition) {
  Loops loops(7, 8);
  for (std::size_t i = 0; i < 7; ++i) {
    loops.inputs.slurm_conf.nodes[i].features = {i < 3 ? "a" : i < 5 ? "b" : "c"};
  }
  loops.partition("all", {"n1", "n2", "n3", "n4", "n5", "n6", "n7"});
  loops.partition("as", {"n1", "n2", "n3"});
  loops.partition("ab", {"n1", "n2", "n3", "n4"});
  loops.partition("ac", {"n1", "n2", "n3", "n6", "n7"});
  loops.build();
  loops.keep_plans(true);
  loops.running("-N1 -n8", {"n4"}, "13:00:00", "all");
  loops.running("-N1 -n8", {"n5"}, "13:30:00", "all");
  const Job& job = loops.pending(options, 300, partition);
  loops.cycle("12:00:00");
  EXPECT_EQ(loops.where(job), "pending");
  return loops.plan(job);
}

TEST(TermsWithoutNodes, LeaveTheirNodesToAnyWhereOneBeforeHasFoundSome) {  // [V]
  EXPECT_EQ(planned("-C [a*1&b*1] -N2 -n2", "all"), "13:00:00 n1,n4") << "they have nodes there";
  EXPECT_EQ(planned("-C [a*1&b*1] -N2 -n2", "as"), "12:00:00 n1,n2");
  EXPECT_EQ(planned("-C [a*1&b*1] -N2 -n8", "as"), "12:00:00 n1,n2");
  EXPECT_EQ(planned("-C [a*1&b*1] -N2-4 -n4", "as"), "12:00:00 n1,n2,n3");
  EXPECT_EQ(planned("-C [a*2&b*1] -N3 -n3", "as"), "12:00:00 n1,n2,n3");
  EXPECT_EQ(planned("-C [a*1&b*2] -N3 -n3", "ab"), "12:00:00 n1,n2,n3") << "too few are none";
}

TEST(TermsWithoutNodes, EndTheEstimateWhereNothingIsLeftToFindOrTheyAreTheFirst) {  // [V]
  EXPECT_EQ(planned("-C [b*1&a*1] -N2 -n2", "as"), "none");
  EXPECT_EQ(planned("-C [b*1&a*1&c*1] -N3 -n3", "ac"), "none");
  EXPECT_EQ(planned("-C [a*1&b*1] -N2 -n16", "as"), "none") << "a has two nodes for the CPUs";
  EXPECT_EQ(planned("-C [a*2&b*1] -N2 -n2", "as"), "none");
  EXPECT_EQ(planned("-C [a*1&b*1] -N4 -n4", "as"), "none") << "three nodes in all";
}

TEST(TermsWithoutNodes, AreTheLastThatIsAsked) {  // [V]
  EXPECT_EQ(planned("-C [a*1&b*1&c*1] -N3 -n3", "ac"), "12:00:00 n1,n2,n3");
  EXPECT_EQ(planned("-C [c*1&b*1&a*1] -N3 -n3", "ac"), "12:00:00 n1,n2,n6");
  EXPECT_EQ(planned("-C [a*1&c*1&b*1] -N3 -n3", "ac"), "12:00:00 n1,n6,n7");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/borrowed_nodes_test.cpp — jobs on nodes of a reservation with MaxStartDelay
// give them back to its members (preemption.md §2, scheduling.md §9).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// A member of the reservation of n1 comes ten minutes after a job with this --signal.
std::vector<std::string> run_with(const std::string& signal, const std::string& delay) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/qos\nPreemptMode=CANCEL\nNodeName=n1 CPUs=1\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.command(5,
               "scontrol create reservation ReservationName=r Nodes=n1 StartTime=now "
               "Duration=120 Users=root" +
                   delay);
  JobSpec& borrower = site.job(1, 20, 1800);
  borrower.extras = std::make_unique<JobExtras>();
  borrower.extras->signal = signal;
  JobSpec& member = site.job(2, 620, 60);
  member.extras = std::make_unique<JobExtras>();
  member.extras->reservation = "r";
  site.run();
  std::vector<std::string> ends;
  for (const std::string& line : site.lines("end ")) ends.push_back(line.substr(line.find("end")));
  return ends;
}

TEST(BorrowedNodes, AreGivenBackToAMemberWhateverTheRuleOfThePair) {
  const auto ends = run_with("R:USR1@60", " MaxStartDelay=00:05:00");
  ASSERT_GE(ends.size(), 2U);
  EXPECT_EQ(ends[0], "end 1 PREEMPTED");
  EXPECT_EQ(ends[1], "end 2 COMPLETED");
}

TEST(BorrowedNodes, AreNotBorrowedWithoutTheSignalOrTheDelay) {
  EXPECT_EQ(run_with("USR1@60", " MaxStartDelay=00:05:00").front(), "end 2 COMPLETED");
  EXPECT_EQ(run_with("R:USR1@60", "").front(), "end 2 COMPLETED");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/held_members_test.cpp — held jobs that asked for a reservation, at its end
// (lifecycle.md §13; asked of a running slurmctld: scripts/reference/experiments/held_members.py).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// What two jobs show at last that asked for a reservation of n1: one can run on n2 alone, the
/// other its user holds.
std::string told_after_the_end(const std::string& flags) {
  RunSite site(
      "PriorityType=priority/multifactor\nNodeName=n1 CPUs=1\nNodeName=n2 CPUs=1 Feature=l\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.command(10,
               "scontrol create reservation ReservationName=r Nodes=n1 StartTime=now+5minutes "
               "Duration=10 Users=root" +
                   flags);
  Request request;
  request.max_nodes = 1;
  request.features = site.names().intern("l");
  JobSpec& never = site.job(1, 30, 100, request);
  never.extras = std::make_unique<JobExtras>();
  never.extras->reservation = "r";
  JobSpec& held = site.job(2, 30, 100);
  held.extras = std::make_unique<JobExtras>();
  held.extras->reservation = "r";
  held.held = true;
  site.command(2000, "scontrol update NodeName=n2 Weight=2");  // the day goes on for so long
  site.run();
  const auto& seen = site.reasons[1];
  EXPECT_NE(std::find(seen.begin(), seen.end(), "BadConstraints"), seen.end());
  return site.told[1] + " " + site.told[2];
}

TEST(HeldMembers, OfAReservationThatEndsAreHeldByAnAdmin) {
  EXPECT_EQ(told_after_the_end(""), "JobHeldAdmin Reservation_r_was_deleted");
  EXPECT_EQ(told_after_the_end(" Flags=DAILY"), "JobHeldAdmin JobHeldUser");
  EXPECT_EQ(told_after_the_end(" Flags=NO_HOLD_JOBS_AFTER"), "JobHeldAdmin JobHeldUser");
}

/// scheduling.md §4.2 item 2 [V: recordings edits_06 and edits_02].
TEST(MagneticReservations, ThatAreOverHoldWhomAPassDoesNotComeTo) {
  const auto start_with_depth = [](const std::string& depth) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "SchedulerParameters=bf_interval=-1,default_queue_depth=" +
        depth + "\nNodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
    site.command(30,
                 "scontrol create reservation ReservationName=r Users=ann StartTime=now+1minutes "
                 "Duration=1 Nodes=n2 Flags=MAGNETIC,IGNORE_JOBS");
    site.job(1, 10, 400, 2);
    site.job(2, 12, 5, 2);
    site.job(3, 14, 5, 2);
    site.job(4, 16, 5).user = site.names().intern("ann");
    site.job(5, 152, 5, 2);  // the reservation is over, and not removed yet
    site.command(1000, "scontrol release 4");
    site.run();
    return std::stoll(site.lines("start 4").at(0));
  };
  EXPECT_LT(start_with_depth("100"), 600);
  EXPECT_GE(start_with_depth("1"), 1000) << "until it is released";
}

}  // namespace
}  // namespace rehearse::test

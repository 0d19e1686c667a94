// tests/unit/controller/maintenance_over_test.cpp — "Reserved for maintenance" after the
// reservation (lifecycle.md §13; asked of a running slurmctld:
// scripts/reference/experiments/maintenance_over.py).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// What two jobs show at last that wait for nodes under maintenance in partitions of their own: of
/// the one the maintenance is over, of the other it is far ahead. No pass runs meanwhile.
std::string told_after(const std::string& flags) {
  RunSite site(
      "SchedulerType=sched/builtin\nSchedulerParameters=sched_interval=3600\n"
      "NodeName=n[1-2] CPUs=1\nPartitionName=a Nodes=n1 Default=YES\nPartitionName=b Nodes=n2\n");
  site.command(10,
               "scontrol create reservation ReservationName=m Nodes=n1 StartTime=now+1minute "
               "Duration=3 Users=root Flags=" +
                   flags);
  site.command(10,
               "scontrol create reservation ReservationName=k Nodes=n2 StartTime=now+50minutes "
               "Duration=60 Users=root Flags=MAINT");
  for (const std::uint32_t id : {1U, 2U}) {
    JobSpec& job = site.job(id, 30, 100);
    job.partitions = site.names().intern(id == 1 ? "a" : "b");
    job.time_limit = Minutes{60};
  }
  site.command(600, "scancel 1");
  site.command(600, "scancel 2");
  site.run();
  const auto& seen = site.reasons[1];
  EXPECT_NE(std::ranges::find(seen, "ReqNodeNotAvail"), seen.end());
  return site.told[1] + " / " + site.told[2];
}

TEST(MaintenanceOver, IsNoReasonOfAnyJobAnyMore) {
  EXPECT_EQ(told_after("MAINT"), "None / None");
  EXPECT_EQ(told_after("MAINT,FLEX"), "None / None");
}

TEST(MaintenanceOver, StaysWhereTheReservationComesAgain) {
  const std::string both =
      "ReqNodeNotAvail,_Reserved_for_maintenance / ReqNodeNotAvail,_Reserved_for_maintenance";
  EXPECT_EQ(told_after("MAINT,DAILY"), both);
}

}  // namespace
}  // namespace rehearse::test

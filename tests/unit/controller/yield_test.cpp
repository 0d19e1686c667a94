// tests/unit/controller/yield_test.cpp — backfill that takes time lets others in, and goes on or
// not (scheduling.md §8.3).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// One job holds n1; of 30 that wait for it job 31 is the last, and would fit on n2 if looked at.
/// Each try takes 0.4 s: after five of them (2 s) the locks are released for half a second.
RunSite busy_site(const std::string& parameters) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "SchedulerParameters=sched_interval=-1,bf_interval=30" +
      parameters +
      "\nNodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=n1 Default=YES\nPartitionName=q Nodes=n2\n");
  site.site().controller.backfill_cost_per_try = Duration{400'000};
  for (std::uint32_t id = 1; id <= 30; ++id) site.job(id, 1, 3000);
  JobSpec& last = site.job(31, 2, 10);
  last.partitions = site.names().intern("q");
  return site;
}

TEST(Yields, OfAQuietClusterLetTheCycleReachItsEnd) {
  RunSite site = busy_site("");
  site.run();
  // The cycle of 30 s: 31 tries are 12.4 s of work and six sleeps.
  EXPECT_GE(site.second_of("start 31 "), 40);
  EXPECT_LE(site.second_of("start 31 "), 46);
}

TEST(Yields, CountTheTriesBeforeASleepOnce) {
  RunSite site = busy_site("");
  std::int64_t started = 0;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id == JobId{31} && job.start) started = epoch_seconds(*job.start) - RunSite::kStart;
    }
  };
  site.run();
  // The cycle of 30 s: job 31 is its thirtieth try, 12 s of work and five sleeps.
  EXPECT_GE(started, 42);
  EXPECT_LE(started, 46) << "12 s more if the tries before a sleep counted again";
}

TEST(Yields, EndTheCycleWhenAJobCameMeanwhile) {
  RunSite site = busy_site("");
  for (std::uint32_t i = 0; i < 8; ++i) site.job(40 + i, 31 + 33 * i, 3000);
  site.run();
  EXPECT_GE(site.second_of("start 31 "), 200) << "each cycle is cut short while jobs come";
}

/// Job 31's start beside a reservation of n1 from `start` on.
std::int64_t start_beside_a_reservation(const std::string& start, const std::string& parameters) {
  RunSite site = busy_site(parameters);
  site.command(1,
               "scontrol create reservation ReservationName=r Nodes=n1 Users=root Duration=10 "
               "Flags=IGNORE_JOBS StartTime=" +
                   start);
  site.run();
  return site.second_of("start 31 ");
}

TEST(Yields, EndItAtACheckWhileAReservationIsActive) {
  EXPECT_GT(start_beside_a_reservation("now", ""), 60);
  EXPECT_LE(start_beside_a_reservation("now+1hour", ""), 46) << "not before it begins";
  EXPECT_LE(start_beside_a_reservation("now", ",bf_continue"), 46);
}

TEST(Yields, DoNotEndItWithBfContinue) {
  RunSite site = busy_site(",bf_continue");
  for (std::uint32_t i = 0; i < 8; ++i) site.job(40 + i, 31 + 33 * i, 3000);
  site.run();
  EXPECT_LE(site.second_of("start 31 "), 46);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/by_time_alone_test.cpp — a pass of the main loop decides otherwise than the
// last one, though nothing has happened: a reservation comes nearer (scheduling.md §9), a deadline
// (lifecycle.md §7), the end of the wait for switches (scheduling.md §6.6).
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// No tick of priorities makes passes look again.
const std::string kSite =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "SchedulerType=sched/builtin\nSlurmdTimeout=3000\nNodeName=n[1-2] CPUs=1 RealMemory=16000\n"
    "PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE\n";

/// Jobs of 10 and 5 minutes behind one that keeps n1 for two hours; the first wants both nodes,
/// which are reserved from an hour on.
std::int64_t start_before_the_reservation(bool recalls) {
  RunSite site(kSite);
  site.recalls = recalls;
  site.command(5,
               "scontrol create reservation ReservationName=r Nodes=ALL StartTime=now+3595 "
               "Duration=60 Users=root Flags=IGNORE_JOBS");
  site.job(1, 0, 7200).time_limit = Minutes{120};
  site.job(2, 10, 60, 2).time_limit = Minutes{10};
  site.job(3, 20, 60).time_limit = Minutes{5};
  (void)site.run();
  return site.second_of("start 3");
}

TEST(ByTimeAlone, AJobThatWouldRunIntoAReservationBlocksOthersNoMore) {
  for (const bool recalls : {true, false}) {
    const std::int64_t start = start_before_the_reservation(recalls);
    EXPECT_GT(start, 3000);
    EXPECT_LE(start, 3000 + 61);  // the next pass of the background
  }
}

/// What a job that waits for both nodes is told when the node that it waits for is free, where the
/// other has long been silent.
std::string told_while_silent(bool recalls) {
  RunSite site(kSite);
  site.recalls = recalls;
  site.job(1, 0, 2400).time_limit = Minutes{120};
  site.job(2, 10, 60, 2);
  site.command(100, "slurmd down n2");
  std::string told;
  site.at_each_event = [&](const Cluster&) {
    if (told.empty() && !site.lines("end 1").empty()) told = site.told[2];
  };
  (void)site.run();
  return told;
}

TEST(ByTimeAlone, ANodeThatDoesNotAnswerIsSeenByTheNextPass) {
  for (const bool recalls : {true, false}) {
    EXPECT_EQ(told_while_silent(recalls),
              "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_"
              "partitions");
  }
}

TEST(ByTimeAlone, AJobThatCannotEndBeforeItsDeadlineGoes) {
  for (const bool recalls : {true, false}) {
    RunSite site(kSite);
    site.recalls = recalls;
    site.job(1, 0, 7200, 2).time_limit = Minutes{120};
    JobSpec& job = site.job(2, 10, 60);
    job.time_limit = Minutes{10};
    job.extras = std::make_unique<JobExtras>();
    job.extras->deadline = from_epoch_seconds(RunSite::kStart + 3600);
    (void)site.run();
    const auto gone = site.lines("cancel 2 DEADLINE");
    ASSERT_EQ(gone.size(), 1U);
    EXPECT_GT(std::stoi(gone.front()), 3000);
    EXPECT_LE(std::stoi(gone.front()), 3000 + 61);
  }
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/young_jobs_test.cpp — a job that is too young to block others
// (bf_min_age_reserve) does once it is old enough, though nothing else happens (scheduling.md
// §4.2).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Does the second of two jobs, which wait for the nodes of a third for 50 minutes, come to wait
/// for the first?
bool waits_for_the_first(const std::string& keys) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "SchedulerParameters=bf_interval=30" +
      keys +
      "\nNodeName=n[1-2] CPUs=1 RealMemory=16000\n"
      "PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE\n");
  site.job(1, 0, 3000, 2);
  site.job(2, 10, 60, 2);
  site.job(3, 20, 60, 2);
  (void)site.run();
  const auto& reasons = site.reasons[3];
  return std::find(reasons.begin(), reasons.end(), "Priority") != reasons.end();
}

TEST(YoungJobs, BlockOthersOnceTheyAreOldEnough) {
  EXPECT_TRUE(waits_for_the_first(""));
  EXPECT_TRUE(waits_for_the_first(",bf_min_age_reserve=600"));
  EXPECT_FALSE(waits_for_the_first(",bf_min_age_reserve=6000"));
}

}  // namespace
}  // namespace rehearse::test

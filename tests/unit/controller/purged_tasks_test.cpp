// tests/unit/controller/purged_tasks_test.cpp — what an array is to those who wait for it once
// records of its tasks are gone (lifecycle.md §8; asked of a running slurmctld:
// scripts/reference/experiments/purged_tasks.py).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

struct Task {
  std::int64_t seconds;
  std::int32_t exit_code;
};

RunSite four_cpus(const std::string& age) {
  return RunSite("MinJobAge=" + age +
                 "\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                 "PriorityType=priority/basic\n"
                 "NodeName=n1 CPUs=8\nPartitionName=p Nodes=ALL Default=YES\n");
}

/// Array 1 of three tasks, of which the last bears its id.
void add_array(RunSite& site, const std::array<Task, 3>& tasks) {
  JobSpec& array = site.job(1, 10, 300);
  array.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    TrueRun run = array.run;
    run.runtime = Seconds{tasks[i].seconds};
    run.exit_code = tasks[i].exit_code;
    run.outcome = tasks[i].exit_code == 0 ? RunOutcome::Completed : RunOutcome::Failed;
    array.extras->array.push_back({i, JobId{}, run, {}, {}, {}});
  }
}

/// Of three that wait for the whole array from `at` on, those that start: afterok, afternotok,
/// afterany.
std::string starting(const std::string& age, const std::array<Task, 3>& tasks, std::int64_t at) {
  RunSite site = four_cpus(age);
  add_array(site, tasks);
  std::uint32_t id = 100;
  for (const std::string kind : {"afterok", "afternotok", "afterany"}) {
    JobSpec& waits = site.job(id++, at, 5);
    waits.extras = std::make_unique<JobExtras>();
    waits.extras->dependency = kind + ":1";
  }
  for (std::uint32_t more = 0; more < 5; ++more) site.job(200 + more, 60 + 100 * more, 5);
  site.run();
  std::string found;
  for (const char* kind : {"100", "101", "102"}) {
    found += site.lines(std::string("start ") + kind).empty() ? "-" : "+";
  }
  return found;
}

TEST(PurgedTasks, ThatFailedAreRememberedByTheirArray) {
  const std::array<Task, 3> early{{{5, 1}, {400, 0}, {400, 0}}};
  EXPECT_EQ(starting("20", early, 20), "-++") << "waiting from its begin";
  EXPECT_EQ(starting("20", early, 300), "-++") << "from after the purge";
  EXPECT_EQ(starting("20", {{{5, 0}, {400, 0}, {400, 0}}}, 300), "+-+") << "it went well";
}

TEST(PurgedTasks, LeaveTheRecordOfTheArraysIdUntilTheLastIsGone) {
  const std::array<Task, 3> bearer{{{300, 0}, {300, 0}, {5, 1}}};
  EXPECT_EQ(starting("20", bearer, 20), "-++");
  EXPECT_EQ(starting("20", bearer, 200), "-++") << "it ended 185 s ago";
  EXPECT_EQ(starting("100", bearer, 350), "-++") << "the others have ended, but are known";
  EXPECT_EQ(starting("100", bearer, 700), "+++") << "nothing is known";
}

// slurm.conf: a value of zero prevents any job record purging.
TEST(PurgedTasks, AreNoneWhereMinJobAgeIsZero) {
  EXPECT_EQ(starting("0", {{{5, 1}, {5, 0}, {5, 0}}}, 5000), "-++");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/job_memory_test.cpp — which records of finished jobs are kept (lifecycle.md
// §1).
#include "sim/controller/job_memory.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

RunSite one_node(const std::string& more = "") {
  return RunSite(more +
                 "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                 "PriorityType=priority/basic\n"
                 "NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n");
}

TEST(JobTable, LeadsFromAPurgedRecordToAFinishedJobOfNobody) {
  JobTable jobs;
  jobs.add().id = JobId{1};
  const Job& kept = jobs.add();
  jobs.purge(JobIndex{0});
  jobs.purge(JobIndex{0});  // once is enough
  EXPECT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs.kept(), 1U);
  EXPECT_EQ(jobs[JobIndex{0}].id, JobId{});
  EXPECT_TRUE(jobs[JobIndex{0}].is_finished());
  EXPECT_EQ(jobs[JobIndex{0}].spec->user, kNoName);
  EXPECT_EQ(&jobs[kept.index], &kept) << "the others stay where they are";
  EXPECT_EQ(jobs.add().index, JobIndex{2}) << "an index is given once";
  std::size_t seen = 0;
  for (const Job& job : jobs) seen += index_of(job.index);
  EXPECT_EQ(seen, 3U) << "1 and 2";
}

TEST(JobMemory, HasRecordsForMinJobAgeOnly) {
  RunSite site = one_node("MinJobAge=20\n");
  for (std::uint32_t id = 1; id <= 100; ++id) site.job(id, 10 * id, 15);
  std::size_t most = 0;
  site.at_each_event = [&](const Cluster& cluster) { most = std::max(most, cluster.jobs.kept()); };
  site.run();
  EXPECT_EQ(site.cluster().jobs.size(), 100U);
  EXPECT_EQ(site.lines("COMPLETED").size(), 100U);
  EXPECT_LE(most, 8U) << "two run; others ended less than 20 s and one submission ago";
}

TEST(JobMemory, KeepsWhatIsCompleting) {
  RunSite site = one_node("MinJobAge=2\nKillWait=30\nUnkillableStepTimeout=60\n");
  site.job(1, 10, 1000);
  site.command(50, "node hang n1");
  site.command(100, "scancel 1");  // and it completes until 190 s
  for (std::uint32_t id = 2; id <= 9; ++id) site.job(id, 100 + 10 * id, 5);
  site.command(150, "scontrol hold 999");  // refused: somebody looks
  site.command(300, "scontrol update NodeName=n1 State=RESUME");
  site.job(10, 400, 5);
  std::vector<JobId> first;
  site.at_each_event = [&](const Cluster& cluster) {
    if (cluster.jobs.size() > 2) first.push_back(cluster.jobs[JobIndex{0}].id);
  };
  site.run();
  ASSERT_EQ(site.lines("refuse").size(), 1U);
  EXPECT_EQ(first.front(), JobId{1}) << "at 150 s";
  EXPECT_EQ(first.back(), JobId{}) << "purged in the end";
}

// lifecycle.md §12.2.
TEST(RecordPurges, GoByTheNewAgeAndBringNothingBack) {
  const auto at = [](std::int64_t s) { return from_epoch_seconds(1'000'000'000 + s); };
  RecordPurges purges(Seconds{60});
  purges.begin(at(0));
  EXPECT_TRUE(purges.took(at(100), at(200)));
  EXPECT_FALSE(purges.took(at(130), at(200)));
  purges.change(Seconds{600}, at(200));
  EXPECT_TRUE(purges.took(at(100), at(200))) << "it was gone";
  EXPECT_FALSE(purges.took(at(130), at(500)));
  EXPECT_TRUE(purges.took(at(130), at(780)));
  purges.change(Seconds{0}, at(780));
  EXPECT_TRUE(purges.took(at(130), at(9000)));
  EXPECT_FALSE(purges.took(at(700), at(9000))) << "0: no record goes any more";
}

// lifecycle.md §8: a dependency on what is purged is fulfilled, whatever became of it.
TEST(JobMemory, HasNothingToSayOfAPurgedTarget) {
  RunSite site = one_node("MinJobAge=20\n");
  site.job(1, 10, 5).run.exit_code = 1;
  site.job(2, 30, 5);
  site.job(3, 100, 5);
  JobSpec& waits = site.job(4, 110, 5);
  waits.extras = OwnExtras(std::make_unique<JobExtras>());
  waits.extras->dependency = "afterok:1";
  site.run();
  EXPECT_EQ(site.lines("start 4").size(), 1U);
}

// lifecycle.md §8: so is one on a task of a job that is no array.
TEST(JobMemory, HasNothingToSayOfATaskThatThereIsNot) {
  RunSite site = one_node();
  site.job(1, 10, 3000);
  for (const std::uint32_t id : {2U, 3U}) {
    JobSpec& waits = site.job(id, 30 + id, 5);
    waits.extras = OwnExtras(std::make_unique<JobExtras>());
    waits.extras->dependency = id == 2 ? "afterany:1_3" : "afterany:1";
  }
  site.run();
  EXPECT_LT(site.second_of("start 2"), 100);
  EXPECT_GT(site.second_of("start 3"), 3000);
}

TEST(JobMemory, KeepsAFinishedJobThatWasRequeued) {
  RunSite site = one_node("MinJobAge=20\n");
  site.job(1, 10, 5);
  site.command(25, "scontrol requeue 1");
  for (std::uint32_t id = 2; id <= 9; ++id) site.job(id, 10 + 10 * id, 5);
  site.run();
  EXPECT_EQ(site.lines("start 1").size(), 2U);
  EXPECT_EQ(site.lines("end 1").size(), 2U);
}

}  // namespace
}  // namespace rehearse::test

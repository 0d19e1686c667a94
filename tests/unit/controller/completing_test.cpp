// tests/unit/controller/completing_test.cpp — CompleteWait and reduce_completing_frag
// (scheduling.md §4.1).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"
#include "tests/unit/controller/small_site.hpp"

namespace rehearse::test {
namespace {

/// Job 1 holds n1 until second 10 and leaves COMPLETING at 310. Job 2 could have n2, and job 3 n3,
/// which is of another partition.
RunSite site_with(const std::string& keys) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n" +
      keys +
      "\nNodeName=n[1-3] CPUs=1\nPartitionName=p Nodes=n[1-2] Default=YES\n"
      "PartitionName=q Nodes=n3\n");
  site.site().controller.completion_latency = Seconds{300};
  site.job(1, 1, 9);
  site.job(2, 12, 50);
  site.job(3, 12, 50).partitions = site.names().intern("q");
  return site;
}

TEST(CompletingNodes, OfARecordedRunAreCleanOneByOneWhereTheLogTells) {  // lifecycle.md §5
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  site.job(1, 1, 9, 2);
  site.job(2, 12, 500);
  site.job(3, 13, 500);
  const auto second = [](std::int64_t at) {
    return Time{from_epoch_seconds(RunSite::kStart + at)};
  };
  site.recorded.emplace();
  site.recorded->clean_ups[JobId{1}] = {
      KnownCleanUp{Seconds{150}, second(160), {{"n2", second(40)}}}};
  site.run();
  EXPECT_NE(site.lines("start 2").at(0).find("n2"), std::string::npos);
  EXPECT_GE(site.second_of("start 2 "), 40);
  EXPECT_LT(site.second_of("start 2 "), 110) << "by a pass or a cycle after that";
  EXPECT_GE(site.second_of("start 3 "), 160);
}

/// Job 1 is killed at second 30 and expected to be clean at 38; the log tells of passes only.
/// When job 2 has its node.
std::int64_t start_after_kill(const std::vector<std::int64_t>& passes) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "SchedulerParameters=bf_interval=-1\nNodeName=n1 CPUs=1\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.site().controller.completion_latency = Seconds{1};
  site.site().controller.kill_latency = Seconds{7};
  site.job(1, 1, 900);
  site.job(2, 12, 500);
  site.command(30, "scancel 1");
  site.recorded.emplace();
  for (const std::int64_t at : passes) {
    site.recorded->main_passes.push_back({Time{from_epoch_seconds(RunSite::kStart + at)}});
  }
  site.run();
  return site.second_of("start 2 ");
}

TEST(CompletingNodes, OfAKilledRunAreCleanAtTheFirstPassThatMayAnswerThem) {  // scheduling.md §2.1
  EXPECT_EQ(start_after_kill({2, 14, 31, 33, 43}), 33);
  EXPECT_EQ(start_after_kill({2, 14, 31, 43}), 43);
  EXPECT_EQ(start_after_kill({2, 14, 31, 59}), 38) << "none: as long as on average";
}

class Listener final : public SmallSite {
 public:
  using SmallSite::SmallSite;
  std::vector<std::int64_t> cleaned, hours;
  std::vector<std::uint64_t> passes;

 private:
  void job_cleaned(const Job& job, SlurmTime now) override {
    EXPECT_FALSE(job.completing);
    cleaned.push_back(at(now));
  }
  void hour_passed(const LoopCounts& counts, SlurmTime hour) override {
    hours.push_back(at(hour));
    passes.push_back(counts.main_passes);
  }
};

TEST(CleanedJobs, AreToldOfWhenTheirLastNodeIsClean) {
  Listener site(1);
  site.partition("p", 1);
  site.inputs.site.controller.completion_latency = Seconds{30};
  site.job(5, "p", "-N1", Minutes{60}, Seconds{100});
  site.run();
  ASSERT_EQ(site.runs.size(), 1U);
  EXPECT_EQ(site.cleaned, (std::vector<std::int64_t>{site.runs[0].end + 30}));
}

TEST(LoopCountsByTheHour, AreThoseBeforeItAndToldOnceEach) {
  Listener site(1);
  site.partition("p", 1);
  site.job(5, "p", "-N1", Minutes{600}, Seconds{3 * 3600});
  site.job(4000, "p", "-N1", Minutes{600}, Seconds{600});  // within the second hour
  site.run();
  ASSERT_EQ(site.hours.size(), 3U);  // kZero is 01:47:00 UTC
  EXPECT_EQ(site.hours, (std::vector<std::int64_t>{780, 780 + 3600, 780 + 7200}));
  EXPECT_GT(site.passes[0], 0U);
  EXPECT_GT(site.passes[1], site.passes[0]);
  EXPECT_GE(site.passes[2], site.passes[1]);
}

TEST(CompletingJobs, HoldNothingBackByDefault) {
  RunSite site = site_with("");
  site.run();
  EXPECT_LE(site.second_of("start 2 "), 15);
  EXPECT_LE(site.second_of("start 3 "), 15);
}

TEST(CompletingJobs, HoldAllBackForCompleteWaitAndNoLonger) {
  RunSite site = site_with("CompleteWait=60");
  site.run();
  EXPECT_GT(site.second_of("start 2 "), 70);
  EXPECT_LT(site.second_of("start 2 "), 150);
  EXPECT_GT(site.second_of("start 3 "), 70);
}

TEST(CompletingJobs, HoldBackTheirOwnPartitionsWithReduceCompletingFrag) {
  RunSite site = site_with("CompleteWait=60\nSchedulerParameters=reduce_completing_frag");
  site.run();
  EXPECT_GT(site.second_of("start 2 "), 70);
  EXPECT_LT(site.second_of("start 2 "), 150);
  EXPECT_LE(site.second_of("start 3 "), 15);
}

}  // namespace
}  // namespace rehearse::test

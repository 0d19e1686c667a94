// tests/unit/controller/preemption_test.cpp — victims are warned, killed or requeued
// (preemption.md §5, §6, §9, §10 P4).
#include <gtest/gtest.h>

#include "tests/unit/controller/small_site.hpp"

namespace rehearse::test {
namespace {

constexpr std::uint32_t kLow = 1, kHigh = 2;

/// One node; a job of the low partition runs for two hours, one of the high comes after five
/// minutes and runs for one.
struct OneNode : SmallSite {
  explicit OneNode(PreemptMode mode, Seconds grace = Seconds{0}) : SmallSite(1) {
    SlurmConf& conf = inputs.slurm_conf;
    conf.preempt_type = PreemptType::PartitionPrio;
    conf.preempt_mode = mode;
    partition("low", 1).grace_time = grace;
    partition("high", 10);
    low = &job(0, "low", "-N1 -n4", Minutes{240}, Seconds{7200});
    high = &job(300, "high", "-N1 -n4", Minutes{10}, Seconds{60});
  }
  JobSpec *low = nullptr, *high = nullptr;
};

TEST(Preempting, RequeuesAndLetsTheVictimStartAgainAfterTheCredentialHasExpired) {
  OneNode site(PreemptMode::Requeue);
  site.inputs.site.controller.completion_latency = Duration{2'000'000};
  site.run();
  const auto low = site.runs_of(kLow), high = site.runs_of(kHigh);
  ASSERT_EQ(low.size(), 2U);
  ASSERT_EQ(high.size(), 1U);
  EXPECT_EQ(low[0].state, JobState::Preempted);
  EXPECT_TRUE(low[0].requeued);
  EXPECT_EQ(high[0].start, low[0].end + 2) << "with the message of the last node";
  EXPECT_EQ(low[1].submit, low[0].end + 2) << "the end of the clean-up";
  EXPECT_EQ(low[1].begin, low[1].submit + 121);
  EXPECT_GE(low[1].start, low[1].begin);
  EXPECT_EQ(low[1].state, JobState::Completed);
  EXPECT_EQ(low[1].end - low[1].start, 7200) << "nothing of the first run is kept";
}

/// A job for a whole node runs on n0 with four cores, and after a job that needs n0 on n1 with
/// eight.
struct TwoSizes : SmallSite {
  TwoSizes() : SmallSite(2) {
    SlurmConf& conf = inputs.slurm_conf;
    conf.preempt_type = PreemptType::PartitionPrio;
    conf.preempt_mode = PreemptMode::Requeue;
    NodeConf& large = conf.nodes.back();
    large.cpus = large.cores_per_socket = 8;
    large.weight = 9;
    partition("low", 1);
    partition("high", 10).nodes = {"n0"};
    job(0, "low", "-N1 -n1 --exclusive", Minutes{60}, Seconds{1200});
    job(300, "high", "-N1 -n4", Minutes{60}, Seconds{3000});
  }
  void job_submitted(const Job& job, SlurmTime now) override {
    SmallSite::job_submitted(job, now);
    if (job.restarts > 0) told.push_back(fmt::format("back with {}", job.total_cpus));
  }
  void job_ended(const Job& job, bool requeued, SlurmTime now) override {
    SmallSite::job_ended(job, requeued, now);
    if (job.id != JobId{kLow}) return;
    told.push_back(fmt::format("held {}, billed {}", job.allocation.cpus,
                               job.alloc_tres[index_of(TresTable::kBilling)]));
    EXPECT_EQ(job.billing, 4.0);
  }
  std::vector<std::string> told;
};

/// Recording `works`, job 34: 40 CPUs, then 32, `billing=40` both times; meanwhile JobSize goes by
/// what it asks for.
TEST(Preempting, BillsLaterRunsAsTheFirstAndForgetsItsCpusInBetween) {
  TwoSizes site;
  site.run();
  EXPECT_EQ(site.told,
            (std::vector<std::string>{"held 4, billed 4", "back with 0", "held 8, billed 4"}));
}

TEST(Preempting, CancelsForGood) {
  OneNode site(PreemptMode::Cancel);
  site.run();
  ASSERT_EQ(site.runs_of(kLow).size(), 1U);
  EXPECT_EQ(site.runs_of(kLow)[0].state, JobState::Preempted);
  EXPECT_FALSE(site.runs_of(kLow)[0].requeued);
}

TEST(Preempting, EndsAJobThatMayNotBeRequeued) {
  OneNode site(PreemptMode::Requeue);
  site.low->requeue = false;
  site.run();
  ASSERT_EQ(site.runs_of(kLow).size(), 1U);
  EXPECT_EQ(site.runs_of(kLow)[0].state, JobState::Preempted);
}

TEST(PreemptionExample, P4AVictimRunsOnThroughItsGraceTime) {
  OneNode site(PreemptMode::Requeue, Seconds{60});
  site.run();
  ASSERT_EQ(site.warnings.size(), 1U) << "it is warned once";
  EXPECT_EQ(site.warnings[0].victim, kLow);
  EXPECT_EQ(site.warnings[0].preemptor, kHigh);
  const auto low = site.runs_of(kLow);
  ASSERT_EQ(low.size(), 2U);
  // The first pass of a preemptor or scan at or after the end of the grace time.
  EXPECT_GE(low[0].end, site.warnings[0].at + 60);
  EXPECT_LE(low[0].end, site.warnings[0].at + 90);
  EXPECT_EQ(site.runs_of(kHigh)[0].start, low[0].end);
}

TEST(Preempting, AVictimThatEndsInItsGraceTimeEndsByItself) {
  OneNode site(PreemptMode::Requeue, Seconds{60});
  site.low->run.runtime = Seconds{330};
  site.run();
  ASSERT_EQ(site.runs_of(kLow).size(), 1U);
  EXPECT_EQ(site.runs_of(kLow)[0].state, JobState::Completed);
}

TEST(Preempting, AVictimGoesAlthoughItsPreemptorHasBeenCancelled) {
  OneNode site(PreemptMode::Requeue, Seconds{60});
  site.high->cancel_at = from_epoch_seconds(SmallSite::kZero + 310);
  site.run();
  ASSERT_EQ(site.warnings.size(), 1U);
  const auto low = site.runs_of(kLow);
  ASSERT_EQ(low.size(), 2U);
  EXPECT_EQ(low[0].state, JobState::Preempted);
  EXPECT_GE(low[0].end, site.warnings[0].at + 60) << "by the time-limit scan";
  EXPECT_LE(low[0].end, site.warnings[0].at + 91);
}

TEST(Preempting, APreemptorSignalsNobodyElseBeforeItsVictimsHadTimeToDie) {
  // Two nodes of low jobs. The clean-up of the first victim outlasts KillWait + MessageTimeout, so
  // that the preemptor then takes the other node.
  SmallSite site(2);
  SlurmConf& conf = site.inputs.slurm_conf;
  conf.preempt_type = PreemptType::PartitionPrio;
  conf.preempt_mode = PreemptMode::Cancel;
  site.inputs.site.controller.completion_latency = Duration{100'000'000};
  site.partition("low", 1);
  site.partition("high", 10);
  site.job(0, "low", "-N1 -n4", Minutes{240}, Seconds{7200});
  site.job(0, "low", "-N1 -n4", Minutes{240}, Seconds{7200});
  site.job(300, "high", "-N1 -n4", Minutes{10}, Seconds{60});
  site.run();
  ASSERT_EQ(site.warnings.size(), 2U);
  EXPECT_GE(site.warnings[1].at - site.warnings[0].at, 40);
  EXPECT_LE(site.warnings[1].at - site.warnings[0].at, 100);
}

/// Recording `h100_fabric`, 10:21:41: tasks of array 268 preempt 127_3 and 127_4 in one cycle. The
/// main loop comes to one job a pass, which is another.
TEST(Preempting, EachTaskOfAnArrayPreemptsInTheSameCycle) {
  SmallSite site(3);
  SlurmConf& conf = site.inputs.slurm_conf;
  conf.preempt_type = PreemptType::PartitionPrio;
  conf.preempt_mode = PreemptMode::Cancel;
  conf.scheduler_parameters.default_queue_depth = 0;
  site.partition("low", 1);
  site.partition("high", 10);
  site.job(0, "low", "-w n0 -n4", Minutes{240}, Seconds{9000});
  site.job(0, "low", "-w n1 -n4", Minutes{240}, Seconds{9000});
  site.job(0, "high", "-w n2 -n4", Minutes{60}, Seconds{3600});
  site.job(300, "high", "-w n2 -n4", Minutes{10}, Seconds{60});
  JobSpec& tasks = site.job(301, "high", "-N1 -n4", Minutes{10}, Seconds{60});
  tasks.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 1; i <= 2; ++i) {
    tasks.extras->array.push_back({i, JobId{99 + i}, tasks.run, {}, {}, {}});
  }
  site.run();
  ASSERT_EQ(site.warnings.size(), 2U);
  EXPECT_EQ(site.warnings[0].at, site.warnings[1].at);
}

/// Recording `hub`, job 136 at 09:35:30: the first task of an array warns a victim, the next ones
/// are planned all the same. The main loop comes to one job a pass, which is another.
TEST(Preempting, TasksAfterOneThatPreemptsArePlannedInTheSameCycle) {
  SmallSite site(3);
  SlurmConf& conf = site.inputs.slurm_conf;
  conf.preempt_type = PreemptType::PartitionPrio;
  conf.preempt_mode = PreemptMode::Cancel;
  conf.scheduler_parameters.default_queue_depth = 0;
  site.partition("low", 1).grace_time = Seconds{600};
  site.partition("high", 10);
  site.job(0, "low", "-w n0 -n4", Minutes{240}, Seconds{9000});
  site.job(0, "high", "-w n1 -n2", Minutes{10}, Seconds{600});
  site.job(0, "high", "-w n2 -n4", Minutes{60}, Seconds{3600});
  site.job(300, "high", "-w n2 -n4", Minutes{10}, Seconds{60});
  JobSpec& tasks = site.job(301, "high", "-N1 -n4", Minutes{10}, Seconds{60});
  tasks.extras = std::make_unique<JobExtras>();
  for (std::uint32_t i = 1; i <= 2; ++i) {
    tasks.extras->array.push_back({i, JobId{99 + i}, tasks.run, {}, {}, {}});
  }
  site.job(302, "high", "-N1 -n1", Minutes{60}, Seconds{60});
  site.run();
  ASSERT_FALSE(site.warnings.empty());
  EXPECT_LE(site.warnings[0].at, 360);
  ASSERT_EQ(site.runs_of(6).size(), 1U);
  EXPECT_GE(site.runs_of(6)[0].start, 600) << "on n1 it would be in the way of the second task";
}

}  // namespace
}  // namespace rehearse::test

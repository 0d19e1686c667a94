// tests/unit/controller/checkpoint_test.cpp — work that is saved is not done again.
#include "models/runtime/checkpoint.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr Duration kMinute{60'000'000};

TEST(Checkpoint, OfNoneKeepsNothingAndCostsNothing) {
  const SiteConf::Checkpoint none;
  EXPECT_EQ(run_time({Seconds{1000}, Seconds{0}}, none), Seconds{1000});
  EXPECT_EQ(work_kept({Seconds{1000}, Seconds{0}}, Seconds{900}, none), Seconds{0});
}

TEST(Checkpoint, CostsTimeAfterEachIntervalButTheLast) {
  SiteConf::Checkpoint conf;
  conf.interval = 10 * kMinute;
  conf.cost = kMinute;
  EXPECT_EQ(run_time({Seconds{600}, Seconds{0}}, conf), Seconds{600});
  EXPECT_EQ(run_time({Seconds{601}, Seconds{0}}, conf), Seconds{661});
  EXPECT_EQ(run_time({Seconds{1800}, Seconds{0}}, conf), Seconds{1920});
}

TEST(Checkpoint, KeepsWholeIntervalsThatWereSaved) {
  SiteConf::Checkpoint conf;
  conf.interval = 10 * kMinute;
  conf.cost = kMinute;
  conf.restart = 2 * kMinute;
  const WorkLeft first{Seconds{3600}, Seconds{0}};
  EXPECT_EQ(work_kept(first, Seconds{659}, conf), Seconds{0});  // not finished saving
  EXPECT_EQ(work_kept(first, Seconds{660}, conf), Seconds{600});
  const WorkLeft second{Seconds{3600}, Seconds{600}};
  EXPECT_EQ(work_kept(second, Seconds{120 + 659}, conf), Seconds{600});
  EXPECT_EQ(work_kept(second, Seconds{120 + 660}, conf), Seconds{1200});
  EXPECT_EQ(run_time({Seconds{3600}, Seconds{3000}}, conf), Seconds{600 + 120});
  EXPECT_EQ(work_kept_by_signal(first, Seconds{1000}, conf), Seconds{600 + 280});
}

TEST(Checkpoint, ShortensTheRunAfterARequeue) {
  for (const bool saves : {false, true}) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "NodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
    if (saves) site.site().checkpoint.interval = 10 * kMinute;
    site.job(1, 10, 3000);
    site.command(2000, "scontrol requeue 1");
    site.run();
    const auto starts = site.lines("start 1"), ends = site.lines("end 1");
    ASSERT_EQ(starts.size(), 2U);
    const std::int64_t ran = std::stoll(ends.at(1)) - std::stoll(starts.at(1));
    EXPECT_EQ(ran, saves ? 3000 - 1800 : 3000);
  }
}

/// The warning of preemption is the signal of --signal only where slurm.conf says so.
TEST(Checkpoint, OnASignalNeedsOneThatIsSent) {
  for (const bool sent : {false, true}) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n1 CPUs=1\n"
        "PartitionName=low Nodes=ALL Default=YES GraceTime=60\n"
        "PartitionName=high Nodes=ALL PriorityTier=5\n" +
        std::string(sent ? "SlurmctldParameters=preempt_send_user_signal\n" : ""));
    site.site().checkpoint.on_signal = true;
    JobSpec& victim = site.job(1, 10, 3000);
    victim.extras = std::make_unique<JobExtras>();
    victim.extras->signal = "USR1@60";
    site.job(2, 1000, 100).partitions = site.names().intern("high");
    site.run();
    const auto starts = site.lines("start 1"), ends = site.lines("end 1");
    ASSERT_EQ(starts.size(), 2U);
    const std::int64_t warned = 1000 - std::stoll(starts[0]);
    const std::int64_t ran = std::stoll(ends.at(1)) - std::stoll(starts[1]);
    EXPECT_NEAR(static_cast<double>(ran), static_cast<double>(sent ? 3000 - warned : 3000), 60);
  }
}

/// Once, by the first scan that finds the span and half a minute left (lifecycle.md §6).
TEST(WarningSignal, EndsAProgramThatIsKnownToDieOfIt) {
  for (const bool dies : {false, true}) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "NodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
    JobSpec& job = site.job(1, 10, 700);
    job.time_limit = Minutes{10};
    job.extras = std::make_unique<JobExtras>();
    job.extras->signal = "B:USR1@60";
    if (dies) job.run.exit_code = -10;
    site.run();
    const auto starts = site.lines("start 1"), ends = site.lines("end 1");
    ASSERT_EQ(ends.size(), 1U);
    const std::int64_t ran = std::stoll(ends.at(0)) - std::stoll(starts.at(0));
    EXPECT_GE(ran, dies ? 510 : 600);
    EXPECT_LE(ran, dies ? 540 : 631);
  }
}

TEST(WarningSignal, IsNotSentToAVictimInItsGrace) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n1 CPUs=1\n"
      "PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=120\n"
      "PartitionName=high Nodes=ALL PriorityTier=2\n");
  JobSpec& job = site.job(1, 10, 700);
  job.time_limit = Minutes{10};
  job.run.exit_code = -10;
  job.extras = std::make_unique<JobExtras>();
  job.extras->signal = "B:USR1@60";
  site.job(2, 490, 100).partitions = site.names().intern("high");
  site.run();
  const auto starts = site.lines("start 1"), ends = site.lines("end 1");
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_GE(std::stoll(ends.at(0)) - 490, 120) << "its grace";
  EXPECT_LE(std::stoll(ends.at(1)) - std::stoll(starts.at(1)), 540) << "its warning";
}

}  // namespace
}  // namespace rehearse::test

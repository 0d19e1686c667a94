// tests/unit/sched/usage_test.cpp — decay, charges, billing and resets, against priority.md §6,
// §11.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "sim/sched/billing.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/priority/reset_calendar.hpp"
#include "sim/sched/priority/usage.hpp"
#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {
namespace {

/// A job of 16 CPUs, ticks every 300 s, half life a day (priority.md §11.3).
class DecayedRun {
 public:
  explicit DecayedRun(bool limits) {
    site.nodes(1, 16, 1000);
    site.partition("batch", 1);
    site.account("chem", "root");
    site.user("emil", "chem");
    site.qos("kept").flags.no_decay = true;
    site.inputs.slurm_conf.priority.decay_half_life = Seconds{86400};
    site.inputs.slurm_conf.enforce = {.associations = true, .limits = limits};
    site.build();
    plugin = make_priority_plugin(site.cluster());
    job = &site.job("emil", "chem");
    job->state = JobState::Running;
    job->qos = site.cluster().accounts.find_qos(site.names.intern("kept"));
    job->start = at(1000);
    job->billing = 16;
    job->alloc_tres = site.cluster().tres.zero();
    job->alloc_tres[0] = 16;
  }
  void tick(std::int64_t seconds, bool with_job) {
    Job* list[] = {job};
    plugin->tick(at(seconds), std::span<Job* const>(list, with_job ? 1 : 0), {});
  }
  void end(std::int64_t seconds) {
    job->end = at(seconds);
    plugin->job_ended(*job, at(seconds));
  }
  double user_usage() { return static_cast<double>(site.association("chem", "emil").usage.raw); }

  SiteBuilder site;
  std::unique_ptr<PriorityPlugin> plugin;
  Job* job = nullptr;
};

TEST(Usage, DecaysAndChargesAsWorkedWithLimits) {
  DecayedRun run(true);
  run.tick(900, false);
  run.tick(1200, true);
  EXPECT_NEAR(run.user_usage(), 3194.870761, 5e-7);
  const Usage& user = run.site.association("chem", "emil").usage;
  EXPECT_NEAR(user.grp_wall_s, 199.679423, 5e-7);
  run.tick(1500, true);
  EXPECT_NEAR(run.user_usage(), 7975.656153, 5e-7);
  EXPECT_NEAR(user.grp_wall_s, 498.478510, 5e-7);
  run.end(1750);
  EXPECT_NEAR(run.user_usage(), 11967.643324, 5e-7);
  EXPECT_NEAR(user.grp_wall_s, 747.977708, 5e-7);
  run.tick(1800, false);
  EXPECT_NEAR(run.user_usage(), 11938.880686, 5e-7);
  EXPECT_NEAR(user.grp_wall_s, 746.180043, 5e-7);
  run.tick(2100, false);
  EXPECT_NEAR(run.user_usage(), 11910.187175, 5e-7);
  EXPECT_NEAR(user.grp_wall_s, 744.386698, 5e-7);
  EXPECT_EQ(user.raw, run.site.association("chem").usage.raw);
  EXPECT_EQ(user.raw, run.site.association("root").usage.raw);
  EXPECT_EQ(user.raw, user.tres_raw[0]);  // billing is the CPUs here
}

TEST(Usage, LosesTheTailOfAJobWithoutLimits) {
  DecayedRun run(false);
  run.tick(900, false);
  run.tick(1200, true);
  run.tick(1500, true);
  run.end(1750);
  EXPECT_NEAR(run.user_usage(), 7975.656153, 5e-7);
  run.tick(1800, false);
  EXPECT_NEAR(run.user_usage(), 7956.487725, 5e-7);
  run.tick(2100, false);
  EXPECT_NEAR(run.user_usage(), 7937.365366, 5e-7);
}

TEST(Usage, OfAJobBeyondItsLimitGoesOnUntilItsEnd) {
  // priority.md §6.3 [V]: not cut at the limit, which the scan finds up to 30 s later.
  DecayedRun cut(true), late(true);
  for (DecayedRun* run : {&cut, &late}) {
    run->tick(900, false);
    run->tick(1500, true);
  }
  late.job->end = at(1740);  // its limit
  late.plugin->job_ended(*late.job, at(1750));
  cut.end(1750);
  EXPECT_EQ(late.user_usage(), cut.user_usage());
}

TEST(Usage, OfAQosWithoutDecayIsPlainSeconds) {
  DecayedRun run(true);
  run.tick(900, false);
  run.tick(1200, true);
  run.tick(1500, true);
  run.end(1750);
  run.tick(1800, false);
  const Qos& kept = run.site.cluster().accounts.qos[*run.job->qos];
  EXPECT_EQ(static_cast<double>(kept.usage.raw), 16.0 * 750);
  EXPECT_EQ(kept.usage.grp_wall_s, 750.0);
}

TEST(Usage, MatchesTheControllerOnAnHourOfHalfLife) {
  // priority.md §6.3 [V]: half life 1 h, ticks every 60 s at :13, limits enforced: 8 CPUs from
  // 08:22:43 to 08:27:00 → 1941.811 after the tick of 08:29:13; billing 8.5 from 08:30:11 to
  // 08:33:50 → 1782.157 after 08:35:13.
  const auto clock = [](int h, int m, int s) { return std::int64_t{h} * 3600 + m * 60 + s; };
  struct Case {
    std::int64_t start, end, last;
    double billing, usage;
  };
  for (const Case& c :
       {Case{clock(8, 22, 43), clock(8, 27, 0), clock(8, 29, 13), 8, 1941.811},
        Case{clock(8, 30, 11), clock(8, 33, 50), clock(8, 35, 13), 8.5, 1782.157}}) {
    SiteBuilder site;
    site.nodes(1, 16, 1000);
    site.partition("batch", 1);
    site.user("emil", "root");
    site.inputs.slurm_conf.priority.decay_half_life = Seconds{3600};
    site.inputs.slurm_conf.enforce = {.associations = true, .limits = true};
    Cluster& cluster = site.build();
    UsageKeeper keeper(cluster.accounts, cluster.partitions, cluster.conf, TimeZone::utc(),
                       cluster.tres.size());
    Job& job = site.job("emil", "root");
    job.start = at(c.start);
    job.end = at(c.end);
    job.billing = c.billing;
    job.alloc_tres = cluster.tres.zero();
    bool ended = false;
    for (std::int64_t tick = clock(8, 20, 13); tick <= c.last; tick += 60) {
      if (!ended && tick > c.end) {
        keeper.charge_end(job, at(c.end));
        ended = true;
      }
      keeper.decay(at(tick));
      if (tick >= c.start && !ended) keeper.charge(job, at(tick));
      keeper.close_tick(at(tick));
    }
    EXPECT_NEAR(static_cast<double>(site.association("root", "emil").usage.raw), c.usage, 5e-4);
  }
}

TEST(Usage, OfOneCpuForAWeekIsTheWorkedSum) {
  SiteBuilder site;
  site.nodes(1, 1, 1000);
  site.partition("batch", 1);
  site.user("emil", "root");
  Cluster& cluster = site.build();
  UsageKeeper keeper(cluster.accounts, cluster.partitions, cluster.conf, TimeZone::utc(),
                     cluster.tres.size());
  Job& job = site.job("emil", "root");
  job.start = at(0);
  job.billing = 1;
  keeper.close_tick(at(0));
  for (std::int64_t tick = 300; tick <= 7 * 86400; tick += 300) {
    keeper.decay(at(tick));
    keeper.charge(job, at(tick));
    keeper.close_tick(at(tick));
  }
  EXPECT_NEAR(static_cast<double>(site.association("root", "emil").usage.raw), 436224.346012, 5e-6);
}

class BillingExample : public ::testing::Test {
 protected:
  BillingExample() : tres({"gres/gpu"}) {
    partition.billing_weights.assign(tres.size(), 0.0);
    partition.billing_weights[0] = 1.0;
    partition.billing_weights[1] = 0.25 / 1024;
    partition.billing_weights[8] = 2.0;
    amounts = tres.zero();
    amounts[0] = 4;
    amounts[1] = 10240;
    amounts[8] = 1;
  }
  TresTable tres;
  Partition partition;
  TresVector amounts;
};

TEST_F(BillingExample, SumsOrTakesTheGreatest) {
  EXPECT_EQ(Billing(tres, BillingRule::Sum).of(partition, amounts), 8.5);
  EXPECT_EQ(truncated_billing(8.5), 8U);
  EXPECT_EQ(Billing(tres, BillingRule::MaxTres).of(partition, amounts), 4.0);
  EXPECT_EQ(Billing(tres, BillingRule::MaxTresGres).of(partition, amounts), 6.0);
  partition.billing_weights.clear();
  EXPECT_EQ(Billing(tres, BillingRule::Sum).of(partition, amounts), 4.0);
}

TEST_F(BillingExample, ChargesTheExactValueAndHalfOfItForAFactorOfOneHalf) {
  for (const double factor : {1.0, 0.5}) {
    SiteBuilder site;
    site.nodes(1, 4, 10240);
    site.partition("batch", 1);
    site.user("emil", "root");
    site.qos("half").usage_factor = factor;
    site.inputs.slurm_conf.enforce = {.associations = true, .limits = true};
    Cluster& cluster = site.build();
    UsageKeeper keeper(cluster.accounts, cluster.partitions, cluster.conf, TimeZone::utc(),
                       cluster.tres.size());
    Job& job = site.job("emil", "root");
    job.qos = cluster.accounts.find_qos(site.names.intern("half"));
    job.start = at(0);
    job.billing = 8.5;
    job.alloc_tres = cluster.tres.zero();
    job.alloc_tres[index_of(TresTable::kBilling)] = truncated_billing(8.5);
    keeper.close_tick(at(0));
    keeper.charge(job, at(300));
    const Usage& usage = site.association("root", "emil").usage;
    EXPECT_NEAR(static_cast<double>(usage.raw), factor == 1.0 ? 2549.123587640 : 1274.561793820,
                5e-10 * 1e3);
    EXPECT_NEAR(static_cast<double>(usage.tres_raw[4]), 2399.175141 * factor, 5e-7);
  }
}

TEST(Usage, AtTheStartComesFromUsersAndFillsTheirAccounts) {
  SiteBuilder site;
  site.account("chem", "root");
  site.user("emil", "chem");
  site.user("fred", "chem");
  Cluster& cluster = site.build();
  std::vector<UsageRow> rows;
  rows.push_back({"root", "", "", 999});
  rows.push_back({"chem", "", "", 999});
  rows.push_back({"chem", "emil", "", 600});
  rows.push_back({"chem", "fred", "", 200.5});
  rows.push_back({"chem", "gone", "", 50});
  load_usage(cluster.accounts, rows, site.names, site.found);
  EXPECT_EQ(static_cast<double>(site.association("chem").usage.raw), 800.5);
  EXPECT_EQ(static_cast<double>(site.association("root").usage.raw), 800.5);
  ASSERT_EQ(site.found.all().size(), 1U);
  EXPECT_EQ(site.found.all()[0].severity, Severity::Warning);
}

SlurmTime utc(int year, unsigned month, unsigned day, int hour = 0) {
  const auto date = std::chrono::sys_days{std::chrono::year{year} / static_cast<int>(month) /
                                          static_cast<int>(day)};
  return at(std::chrono::sys_seconds{date}.time_since_epoch().count() + hour * 3600);
}

TEST(UsageReset, FallsOnLocalMidnights) {
  using enum UsageResetPeriod;
  const TimeZone zone = TimeZone::utc();
  const SlurmTime thursday = utc(2026, 11, 19, 15);
  EXPECT_EQ(next_usage_reset(None, thursday, thursday, zone), std::nullopt);
  EXPECT_EQ(next_usage_reset(Now, thursday, thursday, zone), std::nullopt);
  EXPECT_EQ(next_usage_reset(Daily, thursday, thursday, zone), utc(2026, 11, 20));
  EXPECT_EQ(next_usage_reset(Weekly, thursday, thursday, zone), utc(2026, 11, 22));
  EXPECT_EQ(next_usage_reset(Monthly, thursday, thursday, zone), utc(2026, 12, 1));
  EXPECT_EQ(next_usage_reset(Quarterly, thursday, thursday, zone), utc(2027, 1, 1));
  EXPECT_EQ(next_usage_reset(Quarterly, utc(2026, 8, 31), thursday, zone), utc(2026, 10, 1));
  EXPECT_EQ(next_usage_reset(Yearly, thursday, thursday, zone), utc(2027, 1, 1));
  // A Sunday counts a whole week ahead; what `now` has passed by more than a period is skipped.
  EXPECT_EQ(next_usage_reset(Weekly, utc(2026, 11, 22), utc(2026, 11, 22), zone),
            utc(2026, 11, 29));
  EXPECT_EQ(next_usage_reset(Daily, thursday, utc(2026, 11, 25, 3), zone), utc(2026, 11, 25));
  EXPECT_EQ(next_usage_reset(Weekly, thursday, utc(2026, 12, 20, 1), zone), utc(2026, 12, 20));
}

TEST(UsageReset, FollowsTheSitesClock) {
  const auto zone = TimeZone::find("Europe/Berlin");
  ASSERT_TRUE(zone.has_value());
  // 23:30 UTC on the 19th is 00:30 on the 20th in Berlin.
  EXPECT_EQ(next_usage_reset(UsageResetPeriod::Daily, utc(2026, 11, 19, 23), utc(2026, 11, 19, 23),
                             *zone),
            utc(2026, 11, 20, 23));
  EXPECT_EQ(next_usage_reset(UsageResetPeriod::Monthly, utc(2026, 6, 15), utc(2026, 6, 15), *zone),
            utc(2026, 6, 30, 22));
}

TEST(UsageReset, TakesQosWithoutDecayAlongAndHappensOnceForNow) {
  SiteBuilder site;
  site.user("emil", "root");
  site.qos("kept").flags.no_decay = true;
  site.inputs.slurm_conf.priority.usage_reset_period = UsageResetPeriod::Now;
  Cluster& cluster = site.build();
  UsageKeeper keeper(cluster.accounts, cluster.partitions, cluster.conf, TimeZone::utc(),
                     cluster.tres.size());
  site.use("root", "emil", 100);
  cluster.accounts.qos[QosId{1}].usage.raw = 7;
  keeper.reset_if_due(at(1000));
  EXPECT_EQ(site.association("root", "emil").usage.raw, 0.0L);
  EXPECT_EQ(cluster.accounts.qos[QosId{1}].usage.raw, 0.0L);
  site.use("root", "emil", 100);
  keeper.reset_if_due(at(1300));
  EXPECT_EQ(static_cast<double>(site.association("root", "emil").usage.raw), 100.0);
}

TEST(UsageReset, HappensAtTheFirstTickAfterMidnight) {
  SiteBuilder site;
  site.user("emil", "root");
  site.inputs.slurm_conf.priority.usage_reset_period = UsageResetPeriod::Daily;
  Cluster& cluster = site.build();
  UsageKeeper keeper(cluster.accounts, cluster.partitions, cluster.conf, TimeZone::utc(),
                     cluster.tres.size());
  site.use("root", "emil", 100);
  for (const std::int64_t before : {1000, 86399}) keeper.reset_if_due(at(before));
  EXPECT_EQ(static_cast<double>(site.association("root", "emil").usage.raw), 100.0);
  keeper.reset_if_due(at(86400));
  EXPECT_EQ(site.association("root", "emil").usage.raw, 0.0L);
  site.use("root", "emil", 100);
  keeper.reset_if_due(at(86700));
  EXPECT_EQ(static_cast<double>(site.association("root", "emil").usage.raw), 100.0);
}

}  // namespace
}  // namespace rehearse::test

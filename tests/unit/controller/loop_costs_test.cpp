// tests/unit/controller/loop_costs_test.cpp — time that the loops take, and limits on it.
#include "sim/controller/loop_costs.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

TEST(LoopCosts, AreNothingAndLimitNothingUnlessTold) {
  const LoopCosts costs({}, {});
  EXPECT_EQ(costs.main_pass(1000), Duration{0});
  EXPECT_EQ(costs.backfill_work(1000, true), Duration{0});
  EXPECT_EQ(costs.tries_before_yield(), UINT32_MAX);
  EXPECT_EQ(costs.most_main_records(), UINT32_MAX);
  EXPECT_EQ(costs.most_backfill_tries(), UINT32_MAX);
  EXPECT_EQ(costs.sched_min_interval(), Duration{2});
}

TEST(LoopCosts, OfAPassGrowWithItsRecords) {
  SiteConf::Controller site;
  site.main_cost_per_pass = 1ms;
  site.main_cost_per_record = 10ms;
  const LoopCosts costs(site, {});
  EXPECT_EQ(costs.main_pass(100), 1001ms);
  // max_sched_time is 2 s: 1 ms and 199 records are 1.991 s, the 200th is begun and ends it.
  EXPECT_EQ(costs.most_main_records(), 200U);
}

TEST(LoopCosts, OfACycleAreWorkBetweenSleeps) {
  SiteConf::Controller site;
  site.backfill_cost_per_try = 10ms;
  site.backfill_cost_per_cycle = 3ms;
  SchedulerParameters parameters;  // 2 s of work, 0.5 s of sleep, 30 s in all
  const LoopCosts costs(site, parameters);
  EXPECT_EQ(costs.tries_before_yield(), 200U);
  EXPECT_EQ(costs.backfill_work(200, true), 2003ms);
  EXPECT_EQ(costs.backfill_work(50, false), 500ms);
  EXPECT_EQ(costs.most_backfill_tries(), 2400U) << "12 turns of 2.5 s, each 200 tries";
  parameters.bf_max_time = Seconds{4};  // 2 s work, 0.5 s sleep, 1.5 s work
  EXPECT_EQ(LoopCosts(site, parameters).most_backfill_tries(), 350U);
}

TEST(LoopCosts, APassWhosePreparationTakesItsTimeLooksAtNothing) {
  SiteConf::Controller site;
  site.main_cost_per_pass = 3s;
  site.main_cost_per_record = 1ms;
  EXPECT_EQ(LoopCosts(site, {}).most_main_records(), 0U);
}

}  // namespace
}  // namespace rehearse::test

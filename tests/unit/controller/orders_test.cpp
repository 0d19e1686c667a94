// tests/unit/controller/orders_test.cpp — rules of policy.order in the place of PriorityType.
#include "sim/sched/orders/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/controller/small_site.hpp"

namespace rehearse::test {
namespace {

TEST(Orders, PrioritiesStandInTheOrderOfTheAnswers) {
  const std::vector<double> answers{-1e300, -2e9, -3600, -60, -1e-9, 0, 1e-9, 1, 1.00001, 7e20};
  std::vector<std::uint32_t> priorities;
  for (const double answer : answers) priorities.push_back(order_priority(answer));
  EXPECT_TRUE(std::is_sorted(priorities.begin(), priorities.end()));
  EXPECT_EQ(std::adjacent_find(priorities.begin(), priorities.end()), priorities.end());
  EXPECT_GT(priorities.front(), 0U) << "0 would hold the job";
  EXPECT_EQ(order_priority(-0.0), order_priority(0.0));
}

/// Starts of jobs that wait for one node and take all of it; limits of 30, 10, 20, 10 minutes.
std::vector<std::uint32_t> starts_under(const std::string& order) {
  SmallSite site(1);
  site.inputs.site.policy.order = order;
  site.partition("all", 1);
  site.job(0, "all", "-N1 -n4", Minutes{60}, Seconds{3000});
  for (const int limit : {30, 10, 20, 10}) {
    site.job(60, "all", "-N1 -n4", Minutes{limit}, Seconds{300});
  }
  site.run();
  std::vector<SmallSite::Run> runs = site.runs;
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
  std::vector<std::uint32_t> jobs;
  for (const SmallSite::Run& run : runs) jobs.push_back(run.job);
  return jobs;
}

TEST(Orders, ShortestFirstGoesByLimitAndThenByArrival) {
  EXPECT_EQ(starts_under("shortest_first"), (std::vector<std::uint32_t>{1, 3, 5, 4, 2}));
  EXPECT_EQ(starts_under("first_come"), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

TEST(Orders, Wfp3GoesByTheWaitAgainstTheLimitCubedTimesTheSize) {
  OrderRule* wfp3 = find_order_rule("wfp3");
  ASSERT_NE(wfp3, nullptr);
  OrderedJob job{.waited = 7200, .limit = 3600, .cpus = 8};
  EXPECT_DOUBLE_EQ(wfp3(job), 64);
  job.gpus = 2;
  EXPECT_DOUBLE_EQ(wfp3(job), 16);
}

TEST(Orders, ARuleThatIsNotThereIsToldWithThoseThatAre) {
  Diagnostics found;
  PolicyConf conf;
  check_order(conf, found);
  EXPECT_TRUE(found.all().empty());
  conf.order = "xyz";
  check_order(conf, found);
  ASSERT_EQ(found.error_count(), 1U);
  EXPECT_NE(found.all()[0].hint.find("shortest_first"), std::string::npos);
}

}  // namespace
}  // namespace rehearse::test

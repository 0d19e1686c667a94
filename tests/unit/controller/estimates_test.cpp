// tests/unit/controller/estimates_test.cpp — what backfill's estimates go by beside the state that
// they look at (scheduling.md §6.4, §8.7).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "NodeName=n[1-3] CPUs=4 Feature=f\n"
    "PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=YES:2\n";

/// bf_busy_nodes: nodes that are busy now come first, though in the plan all are free.
TEST(BusyNodes, AreThoseOfThePresentInPlansToo) {
  for (const bool busy_first : {false, true}) {
    std::string conf = kConf;
    conf.replace(conf.find("n[1-3]"), 6, "n[1-5]");
    RunSite site(conf + (busy_first ? "SchedulerParameters=bf_busy_nodes\n" : ""));
    const auto ask = [&](std::uint32_t id, std::int64_t at, const char* options,
                         std::int64_t minutes) {
      site.job(id, at, 60 * minutes - 10, ask_request(options, site.names())).time_limit =
          Minutes{minutes};
    };
    ask(1, 0, "-n4 -w n1", 10);
    ask(2, 0, "-n4 -w n5", 10);
    ask(3, 10, "-N4 -n16", 10);  // on n1, n5, n2 and n3, or (false) on n1 to n4
    ask(4, 20, "-n4", 120);      // beside it, on n4
    site.run();
    EXPECT_EQ(site.second_of("start 4") < 100, busy_first);
  }
}

/// With features a job is asked for as it is, not first as one that shares nothing.
TEST(SharingJobs, WithFeaturesAreNotPlannedOnCoresBesideJobsThatDoNotShare) {
  for (const bool features : {false, true}) {
    RunSite site(kConf);
    for (std::uint32_t id = 1; id <= 3; ++id) {
      site.job(id, 0, 590, ask_request("-N1 -n2 -w n" + std::to_string(id), site.names()))
          .time_limit = Minutes{10};
    }
    site.job(
        4, 10, 60,
        ask_request(std::string("-n1 --oversubscribe") + (features ? " -C f" : ""), site.names()));
    std::map<std::int64_t, bool> plans;  // seconds after the submission
    site.at_each_event = [&](const Cluster& cluster) {
      for (const Job& job : cluster.jobs) {
        if (job.id != JobId{4} || !job.planned_start) continue;
        plans[epoch_seconds(*job.planned_start) - RunSite::kStart - 10] = true;
      }
    };
    site.job(5, 100, 10, ask_request("-n1", site.names()));  // an event to look at
    site.run();
    ASSERT_FALSE(plans.empty());
    EXPECT_EQ(plans.begin()->first < 300, !features) << plans.begin()->first;
  }
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/failure_process_test.cpp — the failure model: means, seeds, streams, and
// what it does to a run.
#include "models/failure/failure_process.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "NodeName=n[1-4] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n";

SiteConf::FailureRule rule(Duration mtbf, Duration repair) {
  SiteConf::FailureRule made;
  made.mtbf = mtbf;
  made.repair_median = repair;
  return made;
}

std::vector<NodeFailure> first(FailureProcess& process, std::size_t count) {
  std::vector<NodeFailure> events;
  while (events.size() < count) events.push_back(*process.next());
  return events;
}

/// Mean life of nodes in hours, over many failures.
double mean_life(double shape) {
  RunSite site(kConf);
  site.site().failures = {rule(100h, 1s)};
  site.site().failures[0].shape = shape;
  site.understand();
  FailureProcess process(site.cluster(), Time{});
  Time last{};
  std::size_t failures = 0;
  while (failures < 20000) {
    const NodeFailure event = *process.next();
    if (event.repaired) continue;
    ++failures;
    last = event.at;
  }
  const double hours = static_cast<double>((last - Time{}).count()) / 3.6e9;
  return hours * 4 / static_cast<double>(failures);  // four nodes fail side by side
}

TEST(FailureProcess, HasTheMeanItIsGivenForEveryShape) {
  for (const double shape : {0.7, 1.0, 2.0}) EXPECT_NEAR(mean_life(shape), 100, 3) << shape;
}

TEST(FailureProcess, DrawsRepairsAroundTheirMedian) {
  RunSite site(kConf);
  site.site().failures = {rule(100h, 4h)};
  site.site().failures[0].repair_sigma = 1;
  site.understand();
  FailureProcess process(site.cluster(), Time{});
  std::map<NodeId, Time> broken;
  std::size_t below = 0, all = 0;
  for (const NodeFailure& event : first(process, 8000)) {
    if (!event.repaired) {
      broken[event.node] = event.at;
    } else {
      ++all;
      if (event.at - broken[event.node] < 4h) ++below;
    }
  }
  EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(all), 0.5, 0.03);
}

TEST(FailureProcess, ComesInOrderAndAlternatesOnEachNode) {
  RunSite site(kConf);
  site.site().failures = {rule(10h, 1h), rule(20h, 2h)};
  site.understand();
  FailureProcess process(site.cluster(), Time{});
  std::map<NodeId, bool> broken;
  Time last{};
  for (const NodeFailure& event : first(process, 500)) {
    EXPECT_GE(event.at, last);
    EXPECT_NE(broken[event.node], !event.repaired) << "rules that overlap are one outage";
    broken[event.node] = !event.repaired;
    last = event.at;
  }
}

TEST(FailureProcess, IsTheSameForTheSameSeedAndShiftsNobodyElsesDraws) {
  const auto failures_of_first_rule = [](bool second, std::uint64_t seed) {
    RunSite site(kConf);
    site.site().seed = seed;
    site.site().failures = {rule(10h, 1h)};
    if (second) site.site().failures.push_back(rule(10h, 1h));
    site.site().failures[0].how = "down";
    site.understand();
    FailureProcess process(site.cluster(), Time{});
    std::vector<Time> times;
    while (times.size() < 50) {
      const NodeFailure event = *process.next();
      if (event.how == NodeFailure::How::Down) times.push_back(event.at);
    }
    return times;
  };
  EXPECT_EQ(failures_of_first_rule(false, 1), failures_of_first_rule(false, 1));
  EXPECT_EQ(failures_of_first_rule(false, 1), failures_of_first_rule(true, 1));
  EXPECT_NE(failures_of_first_rule(false, 1), failures_of_first_rule(false, 2));
}

TEST(FailureProcess, RestartsTheJobsOfBrokenNodesUntilAllAreDone) {
  RunSite site(kConf);
  site.site().failures = {rule(2h, 10min)};
  site.site().failures[0].how = "down";
  for (std::uint32_t id = 1; id <= 20; ++id) site.job(id, id, 3000);
  site.run();
  EXPECT_FALSE(site.lines("NODE_FAIL").empty());
  EXPECT_EQ(site.lines("COMPLETED").size(), 20U);
}

TEST(FailureProcess, IsAboutTheNodesAndDevicesThatARuleNames) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nGresTypes=gpu\n"
      "NodeName=n[1-2] CPUs=1\nNodeName=n3 CPUs=1 Gres=gpu:a100:2\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.understand();
  SiteConf::FailureRule one = rule(1h, 1h);
  one.nodes = "n[1-2]";
  EXPECT_EQ(nodes_of(one, site.cluster()).size(), 2U);
  one.nodes.clear();
  one.gpu_type = "a100";
  EXPECT_EQ(nodes_of(one, site.cluster()), std::vector<NodeId>{NodeId{2}});
}

}  // namespace
}  // namespace rehearse::test

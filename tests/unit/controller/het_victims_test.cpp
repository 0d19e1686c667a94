// tests/unit/controller/het_victims_test.cpp — heterogeneous victims are judged by all of their
// components and go whole (preemption.md §2) [V].
#include <gtest/gtest.h>

#include "tests/unit/controller/component.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// As on the live controller on which it was seen, with one CPU a node.
constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
    "NodeName=h[1-4] CPUs=1\n"
    "PartitionName=low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE\n"
    "PartitionName=lowc Nodes=ALL PriorityTier=1 PreemptMode=CANCEL\n"
    "PartitionName=off Nodes=ALL PriorityTier=1 PreemptMode=OFF\n"
    "PartitionName=mid Nodes=ALL PriorityTier=5 PreemptMode=CANCEL\n"
    "PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=CANCEL\n";

JobSpec& on(RunSite& site, std::uint32_t id, std::int64_t at, const std::string& partition,
            const std::string& node) {
  Request request;
  request.max_nodes = 1;
  request.required_nodes = {site.names().intern(node)};
  JobSpec& spec = site.job(id, at, at == 0 ? 3000 : 60, request);
  spec.partitions = site.names().intern(partition);
  return spec;
}

/// Components 1 and 2, on h1 and h2.
void het(RunSite& site, const std::string& first, const std::string& second) {
  std::uint32_t offset = 0;
  for (const std::string& partition : {first, second}) {
    JobSpec& spec = on(site, 1 + offset, 0, partition, offset == 0 ? "h1" : "h2");
    make_component(spec, 1, offset++);
  }
}

TEST(HetVictims, GoWholeForANodeOfAFollower) {
  RunSite site(kConf);
  het(site, "low", "low");
  on(site, 9, 600, "high", "h2");
  site.run();
  EXPECT_EQ(site.second_of("end 1 PREEMPTED"), site.second_of("end 2 PREEMPTED"));
  EXPECT_EQ(site.lines("requeued 1").size(), 1U);
  EXPECT_EQ(site.lines("requeued 2").size(), 1U);
  EXPECT_LE(site.second_of("start 9"), site.second_of("end 1 PREEMPTED") + 5);
}

TEST(HetVictims, MeetTheMildestModeOfTheirComponents) {
  for (const auto& [first, second] : {std::pair("low", "lowc"), std::pair("lowc", "low")}) {
    RunSite site(kConf);
    het(site, first, second);
    on(site, 9, 600, "high", "h1");
    site.run();
    EXPECT_EQ(site.lines("end 1 PREEMPTED").size(), 1U);
    EXPECT_EQ(site.lines("requeued 1").size(), 1U) << first;
    EXPECT_EQ(site.lines("requeued 2").size(), 1U) << first;
  }
  RunSite site(kConf);
  het(site, "lowc", "lowc");
  on(site, 9, 600, "high", "h1");
  site.run();
  EXPECT_EQ(site.lines("end 2 PREEMPTED").size(), 1U);
  EXPECT_EQ(site.lines("requeued").size(), 0U);
}

TEST(HetVictims, AreNoneUnlessEveryComponentMayBePreempted) {
  for (const char* second : {"mid", "off"}) {
    RunSite site(kConf);
    het(site, "low", second);
    on(site, 9, 600, "mid", "h1");
    site.run();
    EXPECT_EQ(site.lines("PREEMPTED").size(), 0U) << second;
    EXPECT_GE(site.second_of("start 9"), site.second_of("end 1 COMPLETED")) << second;
  }
}

TEST(HetVictims, OfTwoTiersGoForATierAboveBoth) {
  RunSite site(kConf);
  het(site, "low", "mid");
  on(site, 9, 600, "high", "h1");
  site.run();
  EXPECT_EQ(site.lines("end 2 PREEMPTED").size(), 1U);
  EXPECT_EQ(site.lines("requeued 2").size(), 1U) << "REQUEUE of low is milder than CANCEL of mid";
}

/// Partitions of one node each, with a minute and four minutes of grace; job 9 wants the node of
/// `wanted` at 600 s.
RunSite graceful_site(const std::string& leader, const std::string& other, const char* wanted) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\nNodeName=h[1-2] CPUs=1\n"
      "PartitionName=one Nodes=h1 Default=YES PriorityTier=1 GraceTime=60\n"
      "PartitionName=four Nodes=h2 PriorityTier=1 GraceTime=240\n"
      "PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF\n");
  std::uint32_t offset = 0;
  for (const std::string& partition : {leader, other}) {
    JobSpec& spec = on(site, 1 + offset, 0, partition, partition == "one" ? "h1" : "h2");
    make_component(spec, 1, offset++);
  }
  on(site, 9, 600, "high", wanted);
  site.run();
  return site;
}

// [V] preemption.md §5: all four on a running controller.
TEST(HetVictims, HaveTheGraceOfEachComponent) {
  for (const char* wanted : {"h1", "h2"}) {
    const RunSite whole = graceful_site("one", "four", wanted);
    EXPECT_GE(whole.second_of("end 1 PREEMPTED"), 840) << "the leader waits for the last";
    EXPECT_LE(whole.second_of("end 1 PREEMPTED"), 875);
    EXPECT_EQ(whole.second_of("end 1 PREEMPTED"), whole.second_of("end 2 PREEMPTED"));
    const RunSite apart = graceful_site("four", "one", wanted);
    EXPECT_GE(apart.second_of("end 2 PREEMPTED"), 660);
    EXPECT_LE(apart.second_of("end 2 PREEMPTED"), 695) << "the component goes alone";
    EXPECT_GE(apart.second_of("end 1 PREEMPTED"), 840);
    const std::int64_t freed =
        apart.second_of(wanted == std::string("h1") ? "end 2 PREEMPTED" : "end 1 PREEMPTED");
    EXPECT_GE(apart.second_of("start 9"), freed);
    EXPECT_LE(apart.second_of("start 9"), freed + 5);
  }
}

}  // namespace
}  // namespace rehearse::test

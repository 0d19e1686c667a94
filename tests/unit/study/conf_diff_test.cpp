// tests/unit/study/conf_diff_test.cpp — what two configurations do differently, told key by key.
#include "sim/study/comparison/conf_diff.hpp"

#include <gtest/gtest.h>

#include "sim/config/lint.hpp"

namespace rehearse::test {
namespace {

Provenance with(std::string configuration, const std::string& dump = "x") {
  Provenance made;
  made.configuration = std::move(configuration);
  made.inputs = {make_input("assoc.dump", "assoc.dump", dump)};
  return made;
}

TEST(ConfDiff, TellsWordsOfSchedulerParametersApart) {
  const auto difference = diff_configurations(
      with(R"({"slurm.conf":{"SchedulerParameters":"bf_continue,bf_window=60"}})"),
      with(R"({"slurm.conf":{"SchedulerParameters":"bf_window=120,bf_continue"}})"));
  ASSERT_EQ(difference.keys.size(), 1U);
  EXPECT_EQ(difference.keys[0].where, "SchedulerParameters");
  EXPECT_EQ(difference.keys[0].key, "bf_window");
  EXPECT_EQ(difference.keys[0].a, "60");
  EXPECT_EQ(difference.keys[0].b, "120");
  EXPECT_EQ(difference.keys[0].effect, KeyEffect::Simulated);
  EXPECT_FALSE(difference.keys[0].meaning.empty());
}

TEST(ConfDiff, KnowsKeysOfPartitionsAndOnesThatAreNotSimulated) {
  const auto difference = diff_configurations(
      with(R"({"slurm.conf":{"PartitionName=p:MaxTime":"1-0","JobSubmitPlugins":"lua"}})"),
      with(R"({"slurm.conf":{"JobSubmitPlugins":"lua","HealthCheckProgram":"/x"}})"));
  ASSERT_EQ(difference.keys.size(), 2U);
  EXPECT_EQ(difference.keys[0].key, "HealthCheckProgram");
  EXPECT_EQ(difference.keys[0].a, "");
  EXPECT_EQ(difference.keys[0].effect, KeyEffect::IgnoredMayChangeResults);
  EXPECT_EQ(difference.keys[1].where, "PartitionName=p");
  EXPECT_EQ(difference.keys[1].key, "MaxTime");
  EXPECT_EQ(difference.ignored_both, std::vector<std::string>{"JobSubmitPlugins"});
}

TEST(ConfDiff, AValueThatSwitchesAKeyOffIsHarmless) {
  const auto off = diff_configurations(with(R"({"slurm.conf":{"InactiveLimit":"0"}})"),
                                       with(R"({"slurm.conf":{"KillWait":"30"}})"));
  ASSERT_EQ(off.keys.size(), 2U);
  EXPECT_EQ(off.keys[0].key, "InactiveLimit");
  EXPECT_EQ(off.keys[0].effect, KeyEffect::Harmless);
  const auto both = diff_configurations(with(R"({"slurm.conf":{"InactiveLimit":"0"}})"),
                                        with(R"({"slurm.conf":{"InactiveLimit":"0"}})"));
  EXPECT_TRUE(both.ignored_both.empty());
  const auto on = diff_configurations(with(R"({"slurm.conf":{"InactiveLimit":"0"}})"),
                                      with(R"({"slurm.conf":{"InactiveLimit":"120"}})"));
  EXPECT_EQ(on.keys.at(0).effect, KeyEffect::IgnoredMayChangeResults);
}

TEST(ConfDiff, OfAPolicyThereIsOneRowAndNoneOfTheKeysThatItWrites) {
  const auto difference = diff_configurations(
      with(R"({"slurm.conf":{"PriorityType":"priority/multifactor","PreemptMode":"CANCEL"}})"),
      with(R"({"slurm.conf":{"PriorityType":"priority/basic","PreemptMode":"REQUEUE"},)"
           R"("site":{"policy":{"order":"shortest_first"}}})"));
  ASSERT_EQ(difference.keys.size(), 2U);
  EXPECT_EQ(difference.keys[0].key, "PreemptMode");
  EXPECT_EQ(difference.keys[1].key, "policy.order");
}

TEST(ConfDiff, TellsAPartitionOfOneSideInALine) {
  const auto difference = diff_configurations(
      with(R"({"slurm.conf":{"PartitionName=p:Nodes":"n1","PartitionName=p:MaxTime":"60"}})"),
      with(R"({"slurm.conf":{"PartitionName=q:Nodes":"n1","PartitionName=q:MaxTime":"60"}})"));
  ASSERT_EQ(difference.keys.size(), 2U);
  EXPECT_EQ(difference.keys[0].where, "PartitionName=p");
  EXPECT_EQ(difference.keys[0].key, "Nodes");
  EXPECT_EQ(difference.keys[0].a, "n1");
  EXPECT_EQ(difference.keys[0].b, "(no such partition)");
  EXPECT_EQ(difference.keys[1].a, "(no such partition)");
  EXPECT_EQ(difference.keys[1].b, "n1");
}

TEST(ConfDiff, GathersNodesThatChangeAlike) {
  const auto difference = diff_configurations(
      with(R"({"nodes":[{"name":"n1","cpus":8},{"name":"n2","cpus":8},{"name":"n3","cpus":8}]})"),
      with(
          R"({"nodes":[{"name":"n1","cpus":16},{"name":"n2","cpus":16},{"name":"n4","cpus":8}]})"));
  EXPECT_EQ(difference.nodes,
            (std::vector<std::string>{"n[1-2]: cpus 8 -> 16", "n3: only in A", "n4: only in B"}));
}

TEST(ConfDiff, OfInputsIsLineByLineAndLeavesCommentsOut) {
  const auto difference =
      diff_configurations(with("{}", "# one\nUser - 'a':Fairshare=1\nUser - 'b'\n"),
                          with("{}", "# two\nUser - 'b'\nUser - 'a':Fairshare=2\n"));
  ASSERT_EQ(difference.inputs.size(), 1U);
  EXPECT_EQ(difference.inputs[0].only_a, std::vector<std::string>{"User - 'a':Fairshare=1"});
  EXPECT_EQ(difference.inputs[0].only_b, std::vector<std::string>{"User - 'a':Fairshare=2"});
  EXPECT_TRUE(diff_configurations(with("{}", "# one\nx"), with("{}", "x\n# two")).inputs.empty());
}

TEST(ConfDiff, OfAFileThatSaysNothingIsEmpty) {
  const auto difference = diff_configurations(with("no json"), with("[]"));
  EXPECT_TRUE(difference.keys.empty() && difference.nodes.empty() && difference.inputs.empty());
}

}  // namespace
}  // namespace rehearse::test

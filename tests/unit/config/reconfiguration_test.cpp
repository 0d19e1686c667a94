// tests/unit/config/reconfiguration_test.cpp — what another slurm.conf changes (lifecycle.md
// §12.2).
#include "sim/config/reconfiguration.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

SlurmConf read(const std::string& text) {
  Diagnostics found;
  SlurmConf conf =
      parse_slurm_conf("ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\n" + text,
                       "slurm.conf", ".", {}, found);
  EXPECT_EQ(found.error_count(), 0U);
  return conf;
}

std::vector<std::string> kept(const SlurmConf& running, const SlurmConf& file) {
  std::vector<std::string> texts;
  for (const KeptSetting& each : kept_settings(running, file)) {
    texts.push_back((each.why == KeptSetting::Why::NeedsRestart ? "restart " : "") + each.what);
  }
  return texts;
}

constexpr const char* kNodes = "NodeName=n[1-3] CPUs=4\nPartitionName=p Nodes=ALL\n";

TEST(Reconfiguration, TakesWeightsTimesAndBothLoops) {
  SlurmConf running = read(std::string("PriorityWeightAge=1\nKillWait=30\n") + kNodes);
  const SlurmConf file =
      read(std::string("PriorityWeightAge=7\nKillWait=5\nMinJobAge=60\nOverTimeLimit=2\n"
                       "SchedulerParameters=bf_window=60,preempt_strict_order\n") +
           kNodes);
  EXPECT_TRUE(kept_settings(running, file).empty());
  reconfigure(running, file);
  EXPECT_EQ(running.priority.weight_age, 7U);
  EXPECT_EQ(running.kill_wait, Seconds{5});
  EXPECT_EQ(running.min_job_age, Seconds{60});
  EXPECT_EQ(running.over_time_limit_min, 2U);
  EXPECT_EQ(running.scheduler_parameters.bf_window, Minutes{60});
  EXPECT_TRUE(running.preempt_parameters.strict_order);
  EXPECT_EQ(running.raw.at("KillWait").text, "5");
  reconfigure(running, read(kNodes));
  EXPECT_EQ(running.kill_wait, Seconds{30}) << "a line that is gone: the default";
  EXPECT_FALSE(running.raw.contains("KillWait"));
}

/// preemption.md §1.
TEST(Reconfiguration, LeavesTheYoungestFirstAndTheLastReorderCount) {
  SlurmConf running = read(kNodes);
  reconfigure(running, read(std::string("SchedulerParameters=preempt_youngest_first,"
                                        "preempt_reorder_count=3\n") +
                            kNodes));
  EXPECT_FALSE(running.preempt_parameters.youngest_first);
  EXPECT_EQ(running.preempt_parameters.reorder_count, 3U);
  reconfigure(running, read(kNodes));
  EXPECT_EQ(running.preempt_parameters.reorder_count, 3U);
}

TEST(Reconfiguration, TakesCountsOfTheSameLicencesOnly) {
  SlurmConf running = read(std::string("Licenses=a:1,b:2\n") + kNodes);
  SlurmConf file = read(std::string("Licenses=a:5,b:2\n") + kNodes);
  EXPECT_TRUE(kept_settings(running, file).empty());
  reconfigure(running, file);
  EXPECT_EQ(running.licenses.front().count, 5U);
  file = read(std::string("Licenses=b:2\n") + kNodes);
  EXPECT_EQ(kept(running, file), (std::vector<std::string>{"Licenses=b:2"}));
  reconfigure(running, file);
  EXPECT_EQ(running.licenses.size(), 2U);
}

TEST(Reconfiguration, EndsVictimsOtherwiseButDoesNotBeginToPreempt) {
  const std::string head = "PreemptType=preempt/partition_prio\nPreemptMode=";
  SlurmConf running = read(head + "REQUEUE\n" + kNodes);
  SlurmConf file = read(head + "CANCEL\n" + kNodes);
  EXPECT_TRUE(kept_settings(running, file).empty());
  reconfigure(running, file);
  EXPECT_EQ(running.preempt_mode, PreemptMode::Cancel);
  file = read(head + "SUSPEND,GANG\n" + kNodes);
  EXPECT_EQ(kept(running, file), (std::vector<std::string>{"PreemptMode=SUSPEND,GANG"}));
  reconfigure(running, file);
  EXPECT_EQ(running.preempt_mode, PreemptMode::Cancel);
  EXPECT_EQ(kept(running, read(kNodes)),
            (std::vector<std::string>{"PreemptMode: gone", "PreemptType: gone"}));
}

TEST(Reconfiguration, TellsNodesByWhatIsOtherAndTakesWeightsAndFeatures) {
  SlurmConf running = read(kNodes);
  const SlurmConf file = read(
      "SelectType=select/cons_tres\nMaxArraySize=5\nMailProg=/bin/x\n"
      "NodeName=n[1-2] CPUs=8 Weight=3 Feature=x\nNodeName=n4 CPUs=4\n"
      "PartitionName=q Nodes=ALL\n");
  EXPECT_EQ(kept(running, file),
            (std::vector<std::string>{
                "restart MaxArraySize=5", "restart SelectType=select/cons_tres",
                "restart NodeName=n3: gone", "restart NodeName=n4: new", "NodeName=n[1-2]: CPUs",
                "NodeName=n[1-2]: Sockets", "PartitionName=p: gone"}));
  reconfigure(running, file);
  EXPECT_EQ(running.nodes.size(), 3U);
  EXPECT_EQ(running.nodes[1].weight, 3U);
  EXPECT_EQ(running.nodes[1].features, (std::vector<std::string>{"x"}));
  EXPECT_EQ(running.nodes[2].weight, 1U);
}

TEST(Reconfiguration, FindsThePartitionsWhoseLinesDiffer) {
  const SlurmConf running =
      read("NodeName=n1\nPartitionName=a Nodes=n1\nPartitionName=b Nodes=n1\n");
  const SlurmConf file = read(
      "NodeName=n1\nPartitionName=c Nodes=n1\nPartitionName=b Nodes=n1 MaxTime=5\n"
      "PartitionName=a Nodes=n1\n");
  const auto changed = changed_partitions(running, file);
  ASSERT_EQ(changed.size(), 2U);
  EXPECT_EQ(changed.front()->name, "c");
  EXPECT_EQ(changed.back()->name, "b");
  EXPECT_TRUE(changed_partitions(file, file).empty());
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/study/paste_test.cpp — a setting as a patch and as commands: every line, by hand.
#include "sim/study/tuning/paste.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

Paste paste(const ScratchFolder& folder, const std::string& conf,
            const std::vector<std::string>& set) {
  (void)folder.write("slurm.conf", conf);
  SiteFolder site;
  site.root = folder.path();
  site.slurm_conf = folder.path() / "slurm.conf";
  return paste_of(site, "mine", set);
}

TEST(Paste, AKeyIsReplacedWhereItStands) {
  const ScratchFolder folder;
  const Paste made = paste(folder, "ClusterName=mine\nPriorityWeightAge=1  # old\nKillWait=30\n",
                           {"PriorityWeightAge=250"});
  EXPECT_EQ(made.conf_diff,
            "--- slurm.conf\n+++ slurm.conf\n@@ -1,3 +1,3 @@\n ClusterName=mine\n"
            "-PriorityWeightAge=1  # old\n+PriorityWeightAge=250  # old\n KillWait=30\n");
  EXPECT_TRUE(made.commands.empty() && made.by_hand.empty());
}

TEST(Paste, ANewKeyComesLastAndFarLinesHaveHunksOfTheirOwn) {
  const ScratchFolder folder;
  std::string conf = "A=1\n";
  for (int i = 2; i <= 12; ++i) conf += "# " + std::to_string(i) + "\n";
  const Paste made = paste(folder, conf, {"A=2", "PriorityWeightQOS=7"});
  EXPECT_EQ(made.conf_diff,
            "--- slurm.conf\n+++ slurm.conf\n@@ -1,4 +1,4 @@\n-A=1\n+A=2\n # 2\n # 3\n # 4\n"
            "@@ -10,3 +10,4 @@\n # 10\n # 11\n # 12\n+PriorityWeightQOS=7\n");
}

TEST(Paste, AFileWithoutALastNewlineIsTold) {
  const ScratchFolder folder;
  EXPECT_EQ(paste(folder, "A=1", {"B=2"}).conf_diff,
            "--- slurm.conf\n+++ slurm.conf\n@@ -1,1 +1,2 @@\n-A=1\n\\ No newline at end of file\n"
            "+A=1\n+B=2\n");
}

TEST(Paste, WordsOfAListChangeOneByOne) {
  const ScratchFolder folder;
  const Paste made = paste(folder, "SchedulerParameters=bf_continue,bf_window=60,defer\n",
                           {"SchedulerParameters+=bf_window=2880", "SchedulerParameters-=defer",
                            "SchedulerParameters+=bf_interval=10"});
  EXPECT_NE(made.conf_diff.find("+SchedulerParameters=bf_continue,bf_window=2880,bf_interval=10\n"),
            std::string::npos)
      << made.conf_diff;
}

TEST(Paste, RecordsChangeOnTheirOwnLines) {
  const ScratchFolder folder;
  const Paste made = paste(folder,
                           "NodeName=n[1-4] CPUs=8 Weight=1\n"
                           "PartitionName=gpu Nodes=ALL MaxTime=1-0 Default=YES\n",
                           {"PartitionName=gpu:MaxTime=2-0", "PartitionName=gpu:PriorityTier=3",
                            "NodeName=n[1-4]:Weight=9"});
  EXPECT_EQ(made.conf_diff,
            "--- slurm.conf\n+++ slurm.conf\n@@ -1,2 +1,2 @@\n-NodeName=n[1-4] CPUs=8 Weight=1\n"
            "-PartitionName=gpu Nodes=ALL MaxTime=1-0 Default=YES\n"
            "+NodeName=n[1-4] CPUs=8 Weight=9\n"
            "+PartitionName=gpu Nodes=ALL MaxTime=2-0 Default=YES PriorityTier=3\n");
  EXPECT_TRUE(made.by_hand.empty());
}

TEST(Paste, WhatHasNoLineOfItsOwnIsLeftToAHand) {
  const ScratchFolder folder;
  const std::vector<std::string> set{"NodeName=n2:Weight=9", "PartitionName=b:MaxTime=1"};
  const Paste made = paste(folder, "NodeName=n[1-4] CPUs=8\nPartitionName=a,b Nodes=ALL\n", set);
  EXPECT_EQ(made.by_hand, set);
  EXPECT_EQ(made.conf_diff, "");
}

TEST(Paste, IncludedFilesArePatchedUnderTheirOwnName) {
  const ScratchFolder folder;
  (void)folder.write("more/priority.conf", "PriorityWeightAge=1\n");
  const Paste made =
      paste(folder, "ClusterName=mine\nInclude more/priority.conf\n", {"PriorityWeightAge=2"});
  EXPECT_EQ(made.conf_diff,
            "--- more/priority.conf\n+++ more/priority.conf\n@@ -1,1 +1,1 @@\n"
            "-PriorityWeightAge=1\n+PriorityWeightAge=2\n");
}

TEST(Paste, AccountsAndQosAreSacctmgrs) {
  const ScratchFolder folder;
  const Paste made =
      paste(folder, "A=1\n",
            {"QOS=high:MaxTRESPU=gres/gpu=8", "QOS=high:Preempt+=low", "Account=ml:Fairshare=3",
             "Account=ml,User=ann:MaxJobs=5", "Account=ml,User=ann,Partition=gpu:MaxSubmit=9"});
  EXPECT_EQ(made.conf_diff, "");
  EXPECT_EQ(made.commands,
            (std::vector<std::string>{
                "sacctmgr -i modify qos where name=high set MaxTRESPerUser=gres/gpu=8",
                "sacctmgr -i modify qos where name=high set Preempt+=low",
                "sacctmgr -i modify account where name=ml cluster=mine set Fairshare=3",
                "sacctmgr -i modify user where name=ann account=ml cluster=mine set MaxJobs=5",
                "sacctmgr -i modify user where name=ann account=ml cluster=mine partition=gpu set "
                "MaxSubmitJobs=9"}));
}

TEST(Paste, WhatIsNoSettingOfAClusterIsTold) {
  for (const char* change :
       {"jobs", "growth", "seed", "span", "site.yaml:seed", "Nodes=n1:Count"}) {
    EXPECT_NE(unpasteable(change), "") << change;
  }
  EXPECT_EQ(unpasteable("PriorityWeightAge"), "");
  EXPECT_EQ(unpasteable("QOS=high:Priority"), "");
}

}  // namespace
}  // namespace rehearse::test

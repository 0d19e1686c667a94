// tests/unit/controller/edited_conf_test.cpp — slurm.conf edited while the cluster runs
// (lifecycle.md §12.2).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMinJobAge=60\n"
    "NodeName=n[1-2] CPUs=1\nPartitionName=p Nodes=n[1-2] Default=YES MaxTime=60\n";

std::int64_t second_of(RunSite& site, const std::string& what) {
  return std::stoll(site.lines(what).at(0));
}

TEST(EditedConf, TakesHoldWithTheReconfigurationAndNotBefore) {
  const auto end_with = [](std::vector<std::pair<std::int64_t, std::string>> commands) {
    RunSite site(kConf);
    for (const auto& [at, text] : commands) site.command(at, text);
    site.job(1, 20, 1000).time_limit = Minutes{2};
    site.run();
    const bool is_read = commands.empty() || !commands.back().second.starts_with("slurm.conf");
    EXPECT_EQ(site.findings().size(), is_read ? 0U : 1U);
    return second_of(site, "end 1");
  };
  const std::int64_t as_it_was = end_with({});
  EXPECT_LE(as_it_was, 20 + 120 + 35);
  EXPECT_EQ(end_with({{30, "slurm.conf OverTimeLimit=3"}}), as_it_was);
  const std::int64_t later =
      end_with({{30, "slurm.conf OverTimeLimit=3"}, {40, "scontrol reconfigure"}});
  EXPECT_GT(later, 20 + 300) << "a job that runs already has the new grace, too";
  EXPECT_EQ(
      end_with({{30, "slurm.conf OverTimeLimit=3"}, {40, "slurmctld down"}, {50, "slurmctld up"}}),
      later)
      << "and with a restart";
  EXPECT_EQ(end_with({{30, "slurm.conf OverTimeLimit=3"},
                      {40, "scontrol reconfigure"},
                      {50, "slurm.conf OverTimeLimit=0"},
                      {60, "scontrol reconfigure"}}),
            as_it_was);
}

TEST(EditedConf, ChangesLinesOfPartitionsAndNodes) {
  RunSite site(kConf);
  site.command(
      10, "slurm.conf PartitionName=p:State=DOWN PartitionName=p:MaxTime=30 NodeName=n1:Weight=5");
  site.command(20, "scontrol update PartitionName=p MaxTime=40");
  site.job(1, 15, 5);
  site.job(2, 40, 5).time_limit = Minutes{20};
  site.command(30, "scontrol reconfigure");
  site.command(60, "slurm.conf PartitionName=p:State=UP");
  site.command(100, "scontrol reconfigure");
  site.run();
  EXPECT_EQ(site.findings(), Lines{});
  EXPECT_LE(second_of(site, "start 1"), 16);
  EXPECT_GE(second_of(site, "start 2"), 100);
  const PartitionConf& p = site.cluster().partitions[id_at<PartitionId>(0)].conf;
  EXPECT_EQ(p.max_time, Minutes{30}) << "what scontrol told is gone";
  EXPECT_EQ(site.cluster().nodes[id_at<NodeId>(0)].weight, 5U);
}

TEST(EditedConf, WhatScontrolToldIsGoneAfterARestart) {
  RunSite site(kConf);
  site.command(10, "scontrol update PartitionName=p State=DOWN");
  site.command(10, "scontrol update NodeName=n1 Weight=9 Features=new");
  site.job(1, 20, 5);
  site.command(100, "slurmctld down");
  site.command(110, "scontrol update NodeName=n2 Weight=7");
  site.command(130, "slurmctld up");
  site.run();
  EXPECT_GE(second_of(site, "start 1"), 130);
  EXPECT_LE(second_of(site, "start 1"), 135);
  EXPECT_EQ(site.cluster().nodes[id_at<NodeId>(0)].weight, 1U);
  EXPECT_EQ(site.cluster().nodes[id_at<NodeId>(1)].weight, 7U) << "told to the one that returned";
}

TEST(EditedConf, MayBeAnotherFile) {
  ScratchFolder folder;
  (void)folder.write("later.conf", std::string("ClusterName=c\nSlurmctldHost=h\n") + kConf +
                                       "KillWait=7\nPartitionName=q Nodes=n1\n");
  RunSite site(kConf);
  site.inputs().slurm_conf.sources.front().first = (folder.path() / "slurm.conf").string();
  site.command(10, "slurm.conf later.conf");
  site.command(20, "scontrol reconfigure");
  site.job(1, 30, 5);
  site.run();
  EXPECT_EQ(
      site.findings(),
      (Lines{"events.csv:3:1: warning: the new partition q is not simulated yet: this command "
             "is left out"}));
  EXPECT_EQ(site.cluster().conf.kill_wait, Seconds{7});
}

TEST(EditedConf, TellsAnEditThatNothingReads) {
  RunSite site(kConf);
  site.command(10, "slurm.conf KillWait=5");
  site.command(20, "scontrol reconfigure");
  site.command(30, "slurm.conf KillWait=6");
  site.command(40, "slurm.conf KillWait=7");
  site.run();
  EXPECT_EQ(site.findings(),
            (Lines{"events.csv:5:1: warning: slurm.conf is edited, and slurmctld does not read it "
                   "afterwards: nothing changes\n  hint: scontrol reconfigure in a later row, or "
                   "slurmctld down and slurmctld up"}));
  EXPECT_EQ(site.cluster().conf.kill_wait, Seconds{5});
}

TEST(EditedConf, RowsCountInOrderOfTimeWhateverTheirOrderInTheFile) {
  RunSite site(kConf);
  site.command(50, "scontrol reconfigure");
  site.command(40, "slurm.conf KillWait=7");
  site.command(30, "slurm.conf KillWait=5 OverTimeLimit=2");
  site.job(1, 60, 5);
  site.run();
  EXPECT_EQ(site.findings(), Lines{});
  EXPECT_EQ(site.cluster().conf.kill_wait, Seconds{7});
  EXPECT_EQ(site.cluster().conf.over_time_limit_min, 2U);
}

TEST(EditedConf, IsNoFileThatIsNone) {
  ScratchFolder folder;
  (void)folder.write("folder/inside", "");
  (void)folder.write("short.conf",
                     "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-2] CPUs=1\n"
                     "PartitionName=q Nodes=ALL Default=YES MaxTime=60\n");
  RunSite site(kConf);
  site.inputs().slurm_conf.sources.front().first = (folder.path() / "slurm.conf").string();
  site.inputs().slurm_conf.changes = {"PartitionName=p:MaxTime=30"};
  site.command(10, "slurm.conf folder");
  site.command(20, "slurm.conf C:\\conf\\later.conf");
  site.command(30, "slurm.conf short.conf");
  site.understand();
  EXPECT_EQ(
      site.findings(),
      (Lines{"events.csv:2:1: error: 'folder' is no regular file\n  hint: slurm.conf FILE, or "
             "slurm.conf KEY=VALUE …",
             "events.csv:3:1: error: there is no file 'C:\\conf\\later.conf' beside "
             "slurm.conf\n  hint: folders are parted by /: slurm.conf history/later.conf",
             "events.csv:4:1: error: short.conf with --set PartitionName=p:MaxTime=30: no "
             "partition is named 'p'\n  hint: see PartitionName in slurm.conf"}));
}

TEST(EditedConf, IsAskedForByChangesOfTheRunWhateverTheFileSays) {
  RunSite site(kConf);
  site.inputs().slurm_conf.changes = {"KillWait=9"};
  site.inputs().slurm_conf.kill_wait = Seconds{9};
  site.command(10, "slurm.conf KillWait=5 OverTimeLimit=2");
  site.command(20, "scontrol reconfigure");
  site.job(1, 30, 5);
  site.run();
  EXPECT_EQ(site.findings(), Lines{});
  EXPECT_EQ(site.cluster().conf.kill_wait, Seconds{9});
  EXPECT_EQ(site.cluster().conf.over_time_limit_min, 2U);
}

TEST(EditedConf, TellsWhatItDoesNotFollowAndWhatIsWrong) {
  RunSite site(kConf);
  site.command(10,
               "slurm.conf SelectTypeParameters=CR_CPU CompleteWait=9 NodeName=n2:RealMemory=7");
  site.command(20, "scontrol reconfigure");
  site.command(30, "scontrol reconfigure");
  site.command(40, "slurm.conf");
  site.command(41, "slurm.conf no-such-file");
  site.command(42, "slurm.conf KillWait=5 more");
  site.command(43, "slurm.conf KilWait=5");
  site.command(44, "slurm.conf KillWait=soon");
  site.understand();
  EXPECT_EQ(
      site.findings(),
      (Lines{
          "events.csv:3:1: warning: slurm.conf is read again, CompleteWait=9: not simulated yet, "
          "and goes on as before",
          "events.csv:3:1: warning: slurm.conf is read again, SelectTypeParameters=CR_CPU: takes "
          "hold when slurmctld is restarted, and goes on as before",
          "events.csv:3:1: warning: slurm.conf is read again, NodeName=n2: RealMemory: not "
          "simulated yet, and goes on as before",
          "events.csv:5:1: error: nothing is edited\n  hint: slurm.conf FILE, or slurm.conf "
          "KEY=VALUE …",
          "events.csv:6:1: error: there is no file 'no-such-file' beside slurm.conf\n  hint: "
          "slurm.conf FILE, or slurm.conf KEY=VALUE …",
          "events.csv:7:1: error: 'more' is not KEY=VALUE\n  hint: a file and lines are rows of "
          "their own; a name with blanks stands in quotes",
          "events.csv:8:1: error: 'KilWait' is not a key of slurm.conf\n  hint: did you mean "
          "'KillWait'?",
          "events.csv:9:1: error: KillWait: 'soon' is not a valid number\n  hint: write a whole "
          "number"}));
}

}  // namespace
}  // namespace rehearse::test

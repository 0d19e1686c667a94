// tests/unit/config/gres_conf_test.cpp — Gres= of nodes, gres.conf and topology.conf.
#include "sim/config/gres_conf.hpp"

#include <gtest/gtest.h>

#include "sim/config/topology_conf.hpp"

namespace rehearse::test {
namespace {

std::string told(const Diagnostics& found) {
  return found.all().empty() ? "" : to_text(found.all().front());
}

std::vector<GresSpec> spec(std::string_view text, std::string* message = nullptr) {
  Diagnostics found;
  auto specs = parse_gres_spec(text, {"f", 1, 1}, found);
  if (message != nullptr) *message = told(found);
  return specs;
}

TEST(GresSpec, ReadsNameTypeAndCount) {
  const auto specs =
      spec("gpu:a100:4(S:0-1),gpu:1g.5gb:14,mps:400,nic:no_consume:2,hbm:4K,ssd:2KB");
  ASSERT_EQ(specs.size(), 6U);
  EXPECT_EQ(specs[0].type, "a100");
  EXPECT_EQ(specs[0].count, 4U);
  EXPECT_EQ(specs[1].type, "1g.5gb");
  EXPECT_EQ(specs[1].count, 14U);
  EXPECT_EQ(specs[2].count, 400U);
  EXPECT_TRUE(specs[3].no_consume);
  EXPECT_EQ(specs[3].count, 2U);
  EXPECT_EQ(specs[4].count, 4096U);
  EXPECT_EQ(specs[5].count, 2000U);
}

TEST(GresSpec, ABareNameEndsTheScanForIt) {
  const auto specs = spec("gpu,gpu:a100:2,mps:5");
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[0].count, 1U);
  EXPECT_EQ(specs[1].name, "mps");
  EXPECT_EQ(spec("gpu:tesla")[0].count, 1U);
}

TEST(GresSpec, EmptyEntriesAreToldAndPassedOver) {
  std::string message;
  const auto specs = spec("gpu:a:2,,gpu:b:3,", &message);
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[1].count, 3U);
  EXPECT_EQ(message,
            "f:1:1: warning: Gres: an entry of 'gpu:a:2,,gpu:b:3,' is empty; Slurm passes over it\n"
            "  hint: remove the comma");
}

TEST(GresSpec, TellsWhatItCannotRead) {
  std::string message;
  spec("gpu:-1", &message);
  EXPECT_EQ(message,
            "f:1:1: error: Gres: 'gpu:-1' has no valid count: '-1'\n"
            "  hint: write for example gpu:4, gpu:a100:8 or gpu:1g.5gb:14");
  spec("gpu:a100:2,gpu:2", &message);
  EXPECT_EQ(message,
            "f:1:1: error: Gres: some entries of 'gpu' have a type, others have none\n"
            "  hint: give every entry a type, or none");
  spec(":gpu:4", &message);
  EXPECT_EQ(message.substr(0, 52), "f:1:1: error: Gres: ':gpu:4' is not NAME[:TYPE][:COU");
  spec("gpu:4:", &message);
  EXPECT_EQ(message.substr(0, 58), "f:1:1: error: Gres: 'gpu:4:' has a count that is none, wit");
  spec("gpu:a100:", &message);
  EXPECT_EQ(message,
            "f:1:1: warning: Gres: 'gpu:a100:' has nothing behind a colon; Slurm passes over it, "
            "and counts 1\n  hint: write gpu:a100:1");
}

GresConf gres(std::string_view text, std::string* message = nullptr) {
  Diagnostics found;
  GresConf conf = parse_gres_conf(text, "gres.conf", ".", found);
  if (message != nullptr) *message = told(found);
  return conf;
}

TEST(GresConfFile, ExpandsFilesNodesAndCores) {
  std::string message;
  const GresConf conf = gres(
      "AutoDetect=nvml\nNodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] "
      "Cores=0-3,8\nNodeName=n3 AutoDetect=off\nName=mps Count=1K Flags=all_sharing\n"
      "Name=gpu Type=b File=/dev/nvidia7 Links=0,-1,4",
      &message);
  EXPECT_EQ(message,
            "gres.conf:5:1: warning: some lines of 'gpu' have Cores (Slurm takes all cores for "
            "those), others do not\n  hint: line 2 differs");
  EXPECT_TRUE(conf.auto_detect);
  EXPECT_EQ(conf.auto_detect_off, std::vector<std::string>{"n3"});
  ASSERT_EQ(conf.lines.size(), 3U);
  EXPECT_EQ(conf.lines[0].files.size(), 4U);
  EXPECT_EQ(conf.lines[0].cores, (std::vector<std::uint32_t>{0, 1, 2, 3, 8}));
  EXPECT_EQ(conf.lines[1].count, 1024U);
  EXPECT_TRUE(conf.lines[1].all_sharing);
  EXPECT_EQ(conf.lines[2].links, (std::vector<std::int32_t>{0, -1, 4}));
}

TEST(GresConfFile, TellsWhatSlurmRefuses) {
  const auto message = [](std::string_view text) {
    std::string result;
    gres(text, &result);
    return result;
  };
  EXPECT_EQ(message("Name=gpu File=/dev/nvidia[0-3] Count=8"),
            "gres.conf:1:38: error: Count: 8 does not match the 4 files of File=\n"
            "  hint: leave Count out");
  EXPECT_EQ(
      message("Name=gpu Type=a File=/dev/a\nName=gpu File=/dev/b"),
      "gres.conf:2:1: error: some lines of 'gpu' have Type, others do not\n  hint: line 1 differs");
  EXPECT_EQ(message("Name=gpu MultipleFiles=/dev/a"),
            "gres.conf:1:24: error: MultipleFiles: needs at least two files\n  hint: write File= "
            "for one");
  EXPECT_EQ(message("Name=gpu Fle=/dev/a"),
            "gres.conf:1:10: error: 'Fle' is not a key of gres.conf\n  hint: did you mean 'File'?");
  EXPECT_EQ(message("Name=gpu NodeName=n1 File=/dev/a"),
            "gres.conf:1:10: error: NodeName must come first on a line of gres.conf");
  EXPECT_EQ(message("NodeName=n1 File=/dev/a"),
            "gres.conf:1:1: error: the line has no Name=\n"
            "  hint: write for example Name=gpu File=/dev/nvidia[0-7]");
  EXPECT_EQ(message("Name=gpu File=/dev/a Cores=3-1"),
            "gres.conf:1:28: error: Cores: '3-1' is no list of cores\n"
            "  hint: core indexes and ranges, as 0-15,32-47");
  EXPECT_EQ(
      message("Name=gpu AutoDetect=nvml File=/dev/a"),
      "gres.conf:1:21: warning: AutoDetect: ignored on a line with Name= and without NodeName=\n"
      "  hint: give it a line of its own, or name the nodes");
  EXPECT_EQ(message("NodeName=n[1-2] AutoDetect=nvml\nNodeName=n2 AutoDetect=rsmi"),
            "gres.conf:2:24: error: AutoDetect: rsmi contradicts nvml above for 'n2'");
  EXPECT_EQ(
      message("Name=gpu"),
      "gres.conf:1:1: warning: gpu without File: slurmd drops the line and the node is drained\n"
      "  hint: add File=/dev/nvidia[0-7], or AutoDetect=nvml");
}

TEST(GresConfFile, TakesARangeOfCoresInBracketsAndTellsAFlagThatIsNone) {
  Diagnostics found;
  const GresConf conf = parse_gres_conf(
      "NodeName=n1 Name=gpu File=/dev/nvidia0 CPUs=[2-4] Flags=fo\n", "gres.conf", ".", found);
  ASSERT_EQ(conf.lines.size(), 1U);
  EXPECT_EQ(conf.lines[0].cores, (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(told(found), "gres.conf:1:57: warning: Flags: 'fo' is no flag; Slurm ignores it");
}

TEST(GresConfFile, TakesAutoDetectForTheNodesOfALineThatDescribesDevicesToo) {
  Diagnostics found;
  const GresConf conf = parse_gres_conf(
      "NodeName=n[1-2] AutoDetect=nvml Name=gpu Type=a100\n"
      "NodeName=n3 AutoDetect=off Name=gpu Type=a100 File=/dev/nvidia0\n",
      "gres.conf", ".", found);
  EXPECT_TRUE(found.all().empty()) << told(found);
  EXPECT_EQ(conf.lines.size(), 2U);
  EXPECT_EQ(conf.auto_detect_on, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(conf.auto_detect_off, std::vector<std::string>{"n3"});
}

TEST(Topology, ReadsLeavesAndSwitchesAndTellsWhatIsNoTree) {
  const auto read = [](std::string_view text, std::string& message) {
    Diagnostics found;
    auto switches = parse_topology_conf(text, "topology.conf", ".", found);
    message = told(found);
    return switches;
  };
  std::string message;
  const auto tree =
      read("SwitchName=s0 Nodes=n[0-1]\nSwitchName=r Switches=s[0-0] LinkSpeed=9", message);
  EXPECT_EQ(message, "");
  EXPECT_EQ(tree.at(0).nodes, (std::vector<std::string>{"n0", "n1"}));
  EXPECT_EQ(tree.at(1).switches, std::vector<std::string>{"s0"});
  read("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1", message);
  EXPECT_EQ(message,
            "topology.conf:2:1: warning: node 'n1' is on 'a' already: slurmctld takes it, and "
            "chooses from both\n"
            "  hint: was it meant? as a rule a node hangs on one leaf switch");
  read("SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[2-9]", message);
  EXPECT_EQ(message,
            "topology.conf:2:1: warning: node 'n2' and 1 more are on 'a' already: slurmctld takes "
            "it, and chooses from both\n"
            "  hint: was it meant? as a rule a node hangs on one leaf switch");
  read("SwitchName=a Nodes=n[0-47][0-65535]\nSwitchName=b Nodes=m[0-47][0-65535]", message);
  EXPECT_EQ(message,
            "topology.conf:2:20: error: the file names more than 4194304 nodes and switches");
  read("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2", message);
  EXPECT_EQ(message,
            "topology.conf:2:1: error: switch 'a' is defined twice\n"
            "  hint: the first is at line 1");
  read("SwitchName=a Switches=b\nSwitchName=b Switches=a", message);
  EXPECT_EQ(message,
            "topology.conf:1:1: error: switch 'a' is below itself\n"
            "  hint: switches form a tree");
  read("SwitchName=a", message);
  EXPECT_EQ(message,
            "topology.conf:1:1: error: switch 'a' names neither nodes nor switches\n"
            "  hint: a leaf has Nodes=, any other switch has Switches=");
  read("BlockName=b Nodes=n1", message);
  EXPECT_EQ(message,
            "topology.conf:1:1: error: blocks (topology/block) are not simulated\n"
            "  hint: they came with 23.11; describe switches with SwitchName=");
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/config/site_changes_test.cpp — --set beyond slurm.conf: accounts, nodes, site.yaml.
#include "sim/config/site_changes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/config/hostlist.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "ClusterName=c\nSlurmctldHost=ctl\nSelectType=select/cons_tres\nGresTypes=gpu\n"
    "NodeName=n[08-11] CPUs=4 RealMemory=100 Gres=gpu:a100:4\n"
    "NodeName=m[1-2] CPUs=4 RealMemory=100 Gres=gpu:2,license:1(S:0,1)\n"
    "PartitionName=all Nodes=ALL Default=YES\nPartitionName=end Nodes=n11,m1\n";

struct Site {
  Diagnostics found;
  SlurmConf conf = parse_slurm_conf(kConf, "slurm.conf", ".", {}, found);
  GresConf gres = parse_gres_conf(
      "NodeName=n[08-11] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
      "NodeName=n08 Name=gpu Type=a100 File=/dev/nvidia4\nName=shard Count=4\n",
      "gres.conf", ".", found);
  std::vector<SwitchConf> topology = parse_topology_conf(
      "SwitchName=s1 Nodes=n[08-10]\nSwitchName=s2 Nodes=n11,m[1-2]\nSwitchName=r "
      "Switches=s[1-2]\n",
      "topology.conf", ".", found);
  SiteConf site;
  AccountingConf accounting;

  explicit Site(const std::vector<std::string>& set) {
    site.gpu.node_hardware = {{"n[08-11]:a100", "a100-80", {}}, {"n11", "h100-sxm", {}}};
    site.gpu.mig.layouts.emplace_back().nodes = "n[08-09]";
    site.gpu.mig.changes.emplace_back().nodes = "n[10-11]";
    site.failures.emplace_back().nodes = "n11,m1";
    site.failures.emplace_back();  // of all nodes
    const SiteChanges changes = split_changes(set, found);
    change_site_keys(changes, site, found);
    accounting.qos.emplace_back().name = "high";
    AssociationConf& account = accounting.associations.emplace_back();
    account.account = "ml";
    AssociationConf& user = accounting.associations.emplace_back();
    user.account = "ml";
    user.user = "ann";
    change_accounting(changes, accounting, found);
    change_nodes(changes, conf, gres, topology, site, found);
  }
  [[nodiscard]] std::string told() const {
    std::string text;
    for (const Diagnostic& each : found.all()) text += to_text(each) + "\n";
    return text;
  }
  [[nodiscard]] std::string nodes() const {
    std::vector<std::string> names;
    for (const NodeConf& node : conf.nodes) names.push_back(node.name);
    return compress_hostlist(names);
  }
};

TEST(SiteChanges, EverythingElseIsSlurmConfs) {
  Diagnostics found;
  const auto changes =
      split_changes({"PriorityWeightQOS=1", "NodeName=n1:Weight=2", "QOS=high:Priority=3"}, found);
  EXPECT_EQ(changes.slurm_conf,
            (std::vector<std::string>{"PriorityWeightQOS=1", "NodeName=n1:Weight=2"}));
  ASSERT_EQ(changes.others.size(), 1U);
  EXPECT_EQ(changes.others[0].of, "high");
  EXPECT_EQ(changes.others[0].key, "Priority");
}

TEST(SiteChanges, AccountsAndSiteKeysTakeValues) {
  const Site site({"QOS=High:Priority=7", "Account=ml:Fairshare=3", "Account=ml,User=ann:MaxJobs=5",
                   "site.yaml:controller.epilog=5s", "site.yaml:seed=9"});
  EXPECT_EQ(site.told(), "");
  EXPECT_EQ(site.accounting.qos[0].priority, 7U);
  EXPECT_EQ(site.accounting.associations[0].fairshare, 3U);
  EXPECT_EQ(site.accounting.associations[1].max_jobs, 5U);
  EXPECT_EQ(site.site.controller.epilog, Duration{5000000});
  EXPECT_EQ(site.site.seed, 9U);
}

/// limits.md §11.4: as sacctmgr does [V].
TEST(SiteChanges, FlagsOfAQosAreAddedAndTakenAway) {
  const auto flags_after = [](const std::vector<std::string>& set) {
    const Site site(set);
    EXPECT_EQ(site.told(), "");
    return site.accounting.qos[0].flags;
  };
  QosFlags flags = flags_after({"QOS=High:Flags=DenyOnLimit", "QOS=High:Flags+=NoDecay"});
  EXPECT_TRUE(flags.deny_on_limit && flags.no_decay);
  flags = flags_after({"QOS=High:Flags=DenyOnLimit,NoDecay", "QOS=High:Flags-=DenyOnLimit"});
  EXPECT_TRUE(!flags.deny_on_limit && flags.no_decay);
  flags = flags_after({"QOS=High:Flags=DenyOnLimit", "QOS=High:Flags=-1"});
  EXPECT_FALSE(flags.deny_on_limit);
}

TEST(SiteChanges, FewerNodesLeaveEveryTable) {
  const Site site({"Nodes=n[08-11]:Count=2"});
  EXPECT_EQ(site.told(), "");
  EXPECT_EQ(site.nodes(), "m[1-2],n[08-09]");
  EXPECT_EQ(compress_hostlist(site.conf.partitions[1].nodes), "m1");
  EXPECT_EQ(site.gres.lines[0].nodes, (std::vector<std::string>{"n08", "n09"}));
  EXPECT_EQ(site.topology[0].nodes, (std::vector<std::string>{"n08", "n09"}));
}

TEST(SiteChanges, ALineOfGresConfWithoutItsNodesDoesNotBecomeOneOfAll) {
  const Site site({"Nodes=n[08-11],m[1-2]:Count=2"});
  EXPECT_EQ(site.nodes(), "m[1-2]");
  ASSERT_EQ(site.gres.lines.size(), 1U);
  EXPECT_EQ(site.gres.lines[0].name, "shard");
  ASSERT_EQ(site.topology.size(), 2U) << "a leaf without nodes goes, and its name above it";
  EXPECT_EQ(site.topology[1].switches, (std::vector<std::string>{"s2"}));
}

TEST(SiteChanges, MoreNodesStandWhereTheLastStands) {
  const Site site({"Nodes=n[08-11]:Count=6"});
  EXPECT_EQ(site.told(), "");
  EXPECT_EQ(site.nodes(), "m[1-2],n[08-13]");
  EXPECT_EQ(compress_hostlist(site.conf.partitions[1].nodes), "n[11-13],m1");
  EXPECT_EQ(site.gres.lines[0].nodes.size(), 6U);
  EXPECT_EQ(site.topology[1].nodes.size(), 5U);
  EXPECT_EQ(site.conf.nodes.back().gres, "gpu:a100:4");
}

TEST(SiteChanges, ListsOfNodesInSiteYamlFollow) {
  const Site more({"Nodes=n[08-11]:Count=6"});
  EXPECT_EQ(more.told(), "");
  EXPECT_EQ(more.site.gpu.node_hardware[0].name, "n[08-13]:a100");
  EXPECT_EQ(more.site.gpu.node_hardware[1].name, "n[11-13]");
  EXPECT_EQ(more.site.gpu.mig.layouts[0].nodes, "n[08-09]") << "the last of the group has none";
  EXPECT_EQ(more.site.gpu.mig.changes[0].nodes, "n[10-13]");
  EXPECT_EQ(more.site.failures[0].nodes, "n[11-13],m1");
  EXPECT_EQ(more.site.failures[1].nodes, "");
  const Site fewer({"Nodes=n[08-11]:Count=1"});
  EXPECT_EQ(fewer.told(), "");
  ASSERT_EQ(fewer.site.gpu.node_hardware.size(), 1U);
  EXPECT_EQ(fewer.site.gpu.node_hardware[0].name, "n08:a100");
  EXPECT_EQ(fewer.site.gpu.mig.layouts[0].nodes, "n08");
  EXPECT_TRUE(fewer.site.gpu.mig.changes.empty());
  ASSERT_EQ(fewer.site.failures.size(), 2U);
  EXPECT_EQ(fewer.site.failures[0].nodes, "m1");
}

TEST(SiteChanges, AnotherGpuTypeStandsInBothFiles) {
  const Site site({"Nodes=n[08-09],m1:GpuType=h100"});
  EXPECT_EQ(site.told(), "");
  EXPECT_EQ(site.conf.nodes[0].gres, "gpu:h100:2,license:1(S:0,1)");
  EXPECT_EQ(site.conf.nodes[2].gres, "gpu:h100:4");
  EXPECT_EQ(site.conf.nodes[4].gres, "gpu:a100:4");
  ASSERT_EQ(site.gres.lines.size(), 4U);
  EXPECT_EQ(site.gres.lines[0].nodes, (std::vector<std::string>{"n10", "n11"}));
  EXPECT_EQ(site.gres.lines[0].type, "a100");
  EXPECT_EQ(site.gres.lines[1].nodes, (std::vector<std::string>{"n08", "n09"}));
  EXPECT_EQ(site.gres.lines[1].type, "h100");
  EXPECT_EQ(site.gres.lines[2].type, "h100");
}

TEST(SiteChanges, WhatIsNotThereIsToldWithAHint) {
  const auto told = [](const std::string& change) { return Site({change}).told(); };
  EXPECT_NE(told("QOS=hihg:Priority=1").find("did you mean 'high'?"), std::string::npos);
  EXPECT_NE(told("QOS=high=1").find("write for example QOS=high:Priority=1000"), std::string::npos);
  EXPECT_NE(told("Account=ml,User=amn:MaxJobs=1").find("did you mean 'ann'?"), std::string::npos);
  EXPECT_NE(told("Account=ml,Usr=ann:MaxJobs=1").find("neither User= nor Partition="),
            std::string::npos);
  EXPECT_NE(told("Nodes=n[08-12]:Count=1").find("there is no node 'n12'"), std::string::npos);
  EXPECT_NE(told("Nodes=n08:Count=x").find("is not a number of nodes"), std::string::npos);
  EXPECT_NE(told("Nodes=n08:Weight=1").find("Count or GpuType"), std::string::npos);
  EXPECT_NE(told("site.yaml:controller.epilgo=1s").find("did you mean 'epilog'?"),
            std::string::npos);
}

}  // namespace
}  // namespace rehearse::test

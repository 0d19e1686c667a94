// tests/unit/study/conf_files_test.cpp — tests/data/conf_files.txt: cgroup.conf, topology.conf,
// nodes and partitions at which a real slurmctld stopped, or which it took (formats.md §6.8).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sim/study/load_site.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kHead = "ClusterName=c\nSlurmctldHost=h\n";
constexpr const char* kConsTres =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nGresTypes=gpu\n";
constexpr const char* kNodes = "NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4\n";
constexpr const char* kPartition = "PartitionName=all Nodes=ALL Default=YES";

/// `FILE LINES | stops`, or `| runs` and what scontrol shows; `? FILE LINES`: told otherwise here.
struct Asked {
  std::string file, lines, answer;
  bool differs = false;
};

std::vector<Asked> asked() {
  std::ifstream file(source_folder() / "tests/data/conf_files.txt");
  std::vector<Asked> all;
  for (std::string row; std::getline(file, row);) {
    const bool differs = row.starts_with("? ");
    if (differs) row.erase(0, 2);
    const std::size_t bar = row.rfind(" | "), blank = row.find(' ');
    std::string lines = row.substr(blank + 1, bar - blank - 1);
    std::replace(lines.begin(), lines.end(), ';', '\n');
    all.push_back({row.substr(0, blank), lines, row.substr(bar + 3), differs});
  }
  return all;
}

/// A site folder with it, read: what is told, and the CPUs of the first node.
struct Told {
  std::string text;
  bool stops = false;
  std::uint32_t cpus = 0;
};

Told read_site(const std::string& slurm_conf, const std::string& file = {},
               const std::string& content = {}) {
  const ScratchFolder folder;
  const auto conf = folder.write("slurm.conf", kHead + slurm_conf);
  if (!file.empty()) (void)folder.write(file, content);
  Diagnostics found;
  Told told;
  try {
    const auto site = load_site(conf.parent_path(), {}, found);
    told.cpus = site->inputs.slurm_conf.nodes.front().cpus;
  } catch (const std::exception&) {
    told.stops = true;
  }
  for (const Diagnostic& each : found.all()) told.text += to_text(each) + "\n";
  told.stops |= told.text.find("slurmctld stops at it") != std::string::npos;
  return told;
}

Told read_case(const Asked& one) {
  const std::string lines = one.lines + "\n";
  if (one.file == "nodes") return read_site(kConsTres + lines + kPartition + "\n");
  if (one.file == "linear")
    return read_site("SelectType=select/linear\n" + lines + kPartition + "\n");
  if (one.file == "partition") {
    return read_site(fmt::format("{}{}{} {}", kConsTres, kNodes, kPartition, lines));
  }
  const std::string tree = one.file == "topology.conf" ? "TopologyPlugin=topology/tree\n" : "";
  return read_site(fmt::format("{}{}{}{}\n", kConsTres, tree, kNodes, kPartition), one.file, lines);
}

TEST(ConfFiles, AreRefusedAndTakenAsBySlurmctld) {
  const std::vector<Asked> all = asked();
  EXPECT_GT(all.size(), 60U);
  for (const Asked& one : all) {
    const Told told = read_case(one);
    EXPECT_EQ(told.stops, (one.answer == "stops") != one.differs) << one.lines << told.text;
    if (!one.answer.starts_with("runs CPUs=")) continue;
    EXPECT_EQ(fmt::format("runs CPUs={}", told.cpus), one.answer) << one.lines;
  }
}

TEST(ConfFiles, OfAnOlderReleaseAreReadWithAWarning) {
  const std::string conf =
      fmt::format("{}TaskPluginParam=Sched\n{}{}\n", kConsTres, kNodes, kPartition);
  const Told told =
      read_site(conf, "cgroup.conf", "CgroupReleaseAgentDir=/etc/slurm\nTaskAffinity=no\n");
  EXPECT_GT(told.cpus, 0U) << told.text;
  for (const char* word : {"'Sched'", "CgroupReleaseAgentDir", "TaskAffinity"}) {
    EXPECT_NE(told.text.find(fmt::format("{} was removed before 22.05", word)), std::string::npos)
        << word << told.text;
  }
}

TEST(ConfFiles, NamesOfNodesThatATopologyHasMoreAreTold) {
  const std::string conf =
      fmt::format("{}TopologyPlugin=topology/tree\n{}{}\n", kConsTres, kNodes, kPartition);
  const Told told = read_site(conf, "topology.conf", "SwitchName=s1 Nodes=n[1-2],login[1-2]\n");
  EXPECT_GT(told.cpus, 0U) << told.text;
  EXPECT_NE(told.text.find("warning: switch s1 names nodes that slurm.conf has not, login[1-2]"),
            std::string::npos)
      << told.text;
}

TEST(ConfFiles, QosOfPartitionsAreMadeUpWithoutATableAndToldOnce) {
  const std::string conf = fmt::format(
      "{}AccountingStorageType=accounting_storage/slurmdbd\n{}{} AllowQos=high,normal\n"
      "PartitionName=q Nodes=ALL QOS=Part_Q DenyQos=low\n",
      kConsTres, kNodes, kPartition);
  const Told told = read_site(conf);
  EXPECT_GT(told.cpus, 0U) << told.text;
  EXPECT_NE(told.text.find("warning: no qos.txt: these QOS of partitions have priority 0 and no "
                           "limits: high, low, part_q"),
            std::string::npos)
      << told.text;
  EXPECT_EQ(told.text.find("there is no QOS"), std::string::npos) << told.text;
}

TEST(ConfFiles, ANodeWithoutALineOfGresConfIsDrainedAndToldWhatToGather) {
  const std::string conf =
      fmt::format("{}NodeName=n[1-2] CPUs=4 Gres=gpu:1\n{}\n", kConsTres, kPartition);
  const auto hint_of = [&](const std::string& gres_conf) {
    const Told told = read_site(conf, "gres.conf", gres_conf);
    EXPECT_NE(told.text.find("drained: gres/gpu count reported lower than configured"),
              std::string::npos)
        << told.text;
    return told.text.find("where each node has a file of its own") != std::string::npos;
  };
  EXPECT_TRUE(hint_of("NodeName=n1 Name=gpu File=/dev/nvidia0\n"));
  EXPECT_TRUE(hint_of("NodeName=n3 Name=gpu File=/dev/nvidia0\n"));
}

TEST(ConfFiles, AQosOfAPartitionIsFoundInAnyCase) {
  const std::string conf =
      fmt::format("{}AccountingStorageType=accounting_storage/slurmdbd\n{}{} QOS=High\n", kConsTres,
                  kNodes, kPartition);
  EXPECT_GT(read_site(conf, "qos.txt", "Name|Priority\nnormal|0\nhigh|10\n").cpus, 0U);
  EXPECT_TRUE(read_site(conf, "qos.txt", "Name|Priority\nnormal|0\nlow|10\n").stops);
}

TEST(ConfFiles, NothingIsEnforcedWithoutADatabase) {
  const std::string conf = fmt::format("{}AccountingStorageEnforce=associations,limits,qos\n{}{}\n",
                                       kConsTres, kNodes, kPartition);
  const Told told = read_site(conf);
  EXPECT_NE(told.text.find("warning: nothing is enforced without a database"), std::string::npos)
      << told.text;
  EXPECT_EQ(told.text.find("all jobs are refused"), std::string::npos) << told.text;
}

TEST(ConfFiles, QosOfPartitionsMeanNothingWithoutADatabase) {
  const std::string conf =
      fmt::format("{}{}{} AllowQos=high QOS=part_q\n", kConsTres, kNodes, kPartition);
  const Told told = read_site(conf);
  EXPECT_GT(told.cpus, 0U) << told.text;
  EXPECT_NE(told.text.find("warning: QOS of partitions mean nothing without a database "
                           "(AccountingStorageType): high, part_q"),
            std::string::npos)
      << told.text;
}

}  // namespace
}  // namespace rehearse::test

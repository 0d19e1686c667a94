// tests/unit/controller/busy_limits_test.cpp — for how much a job counts that no free nodes were
// found for: what a running 22.05.8 gave (scheduling.md §4.3).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "AccountingStorageEnforce=associations,limits,qos\nAccountingStorageTRES=gres/gpu\n"
    "GresTypes=gpu\nSchedulerParameters=bf_interval=-1\n"
    "NodeName=n1 CPUs=8 CoresPerSocket=8 Gres=gpu:a:4 Feature=x\n"
    "NodeName=n2 CPUs=8 CoresPerSocket=8 Gres=gpu:a:2 Feature=x,y\n"
    "NodeName=n3 CPUs=8 CoresPerSocket=8 Feature=z\n"
    "NodeName=n4 CPUs=8 CoresPerSocket=8 Gres=gpu:a:7 Feature=y\n"
    "NodeName=n5 CPUs=8 CoresPerSocket=8 Gres=gpu:a:1\n"
    "PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE\n"
    "PartitionName=whole Nodes=n[1-4] MaxTime=INFINITE OverSubscribe=EXCLUSIVE\n"
    "PartitionName=rest Nodes=n5 MaxTime=INFINITE\n";
constexpr const char* kDevices =
    "NodeName=n1 Name=gpu Type=a File=/dev/nvidia[0-3]\n"
    "NodeName=n2 Name=gpu Type=a File=/dev/nvidia[0-1]\n"
    "NodeName=n4 Name=gpu Type=a File=/dev/nvidia[0-6]\n"
    "NodeName=n5 Name=gpu Type=a File=/dev/nvidia0\n";

/// A QOS beside `normal`, for the user root.
QosConf& add_few(RunSite& site) {
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  for (AssociationConf& each : site.accounting().associations) {
    each.qos = {"normal", "few"};
    each.default_qos = "normal";
  }
  QosConf& few = site.accounting().qos.emplace_back();
  few.name = "few";
  return few;
}

void ask(RunSite& site, std::uint32_t id, std::int64_t at, const std::string& words,
         const std::string& qos, const std::string& partition) {
  JobSpec& spec = site.job(id, at, 1000, ask_request(words, site.names()));
  spec.account = site.names().intern("root");
  spec.qos = site.names().intern(qos);
  spec.partitions = site.names().intern(partition);
}

/// What it showed last while it waited.
std::string last_reason(const RunSite& site, std::uint32_t id) {
  std::string last = "None";
  for (const std::string& reason : site.reasons.at(id)) {
    if (reason != "None" && reason != "Priority") last = reason;
  }
  return last;
}

/// Why the job waits for the four nodes that another holds, while its QOS uses one of so much on
/// n5.
std::string reason_of(const std::string& options, const std::string& tres, std::uint64_t most,
                      const std::string& partition, const std::string& defaults = "") {
  RunSite site(defaults + kConf);
  Diagnostics found;
  site.inputs().gres_conf = parse_gres_conf(kDevices, "gres.conf", ".", found);
  add_few(site).limits.grp_tres = {{tres, most}};
  ask(site, 1, 0, "-N4 -n32", "normal", "all");
  ask(site, 2, 0, "-n1 --gres=gpu:1", "few", "rest");
  ask(site, 3, 60, options, "few", partition);
  site.run();
  return last_reason(site, 3);
}

/// The largest limit that stops it, and the next.
void expect_count(const std::string& tres, std::uint64_t count, const std::string& options,
                  const std::string& partition = "all") {
  const std::string limit = tres == "node" ? "QOSGrpNodeLimit" : "QOSGrpGRES";
  EXPECT_EQ(reason_of(options, tres, count, partition), limit) << options;
  EXPECT_EQ(reason_of(options, tres, count + 1, partition), "Resources") << options;
}

TEST(LimitsOnABusyCluster, CountAllGpusOfTheNodesThatAWholeNodeJobWouldHave) {
  expect_count("gres/gpu", 4, "--exclusive");
  expect_count("gres/gpu", 7, "--gres=gpu:1 --exclusive");
  expect_count("gres/gpu", 11, "--gres=gpu:1 --exclusive -N2");
  expect_count("gres/gpu", 2, "--exclusive -w n2");
  expect_count("gres/gpu", 7, "--gres=gpu:1 -C y", "whole");
  expect_count("gres/gpu", 6, "-N3", "whole");
  EXPECT_EQ(reason_of("--exclusive -C z", "gres/gpu", 1, "all"), "Resources");
}

TEST(LimitsOnABusyCluster, CountAllGpusThatANodeHasForJobsThatAskForThemByJob) {
  expect_count("gres/gpu", 7, "--gpus=1 -n8");
  expect_count("gres/gpu", 7, "--gpus=2");
  expect_count("gres/gpu", 2, "--gpus=2 --cpus-per-gpu=4");
  expect_count("gres/gpu", 2, "--gpus-per-task=1 -n2");
  expect_count("gres/gpu", 1, "--gres=gpu:1 -n8");
  expect_count("gres/gpu", 1, "--gres=gpu:1 -n12");
  expect_count("gres/gpu", 2, "--gpus-per-node=1 -N2");
}

/// scripts/reference/experiments/busy_defaults.py.
TEST(LimitsOnABusyCluster, CountAllGpusWhateverCpusTheyBringByDefault) {
  const std::string defaults = "DefCpuPerGPU=4\n";
  EXPECT_EQ(reason_of("--gpus=1", "gres/gpu", 7, "all", defaults), "QOSGrpGRES");
  EXPECT_EQ(reason_of("--gpus=1", "gres/gpu", 8, "all", defaults), "Resources");
  EXPECT_EQ(reason_of("--gpus=1 --cpus-per-gpu=4", "gres/gpu", 2, "all", defaults), "Resources");
  EXPECT_EQ(reason_of("--gres=gpu:1", "gres/gpu", 2, "all", defaults), "Resources");
}

TEST(LimitsOnABusyCluster, CountAllGpusOfTheNodesForJobsThatAskForThemByTask) {
  expect_count("gres/gpu", 7, "--gpus-per-task=1 -n1");
  expect_count("gres/gpu", 7, "--gpus-per-task=1 -n2 -c3");
  expect_count("gres/gpu", 7, "--gpus-per-task=1 -n2 -c4");
  expect_count("gres/gpu", 4, "--gpus-per-task=1 -n4");
  expect_count("gres/gpu", 4, "--gpus-per-task=2 -n2");
  expect_count("gres/gpu", 6, "--gpus-per-task=1 -n2 -N2");
  expect_count("gres/gpu", 11, "--gpus-per-task=1 -n8");
}

TEST(LimitsOnABusyCluster, CountTheNodesThatTheJobWouldHave) {
  expect_count("node", 2, "-n12");
  expect_count("node", 2, "-N1-2 -n2");
}

// [V: scripts/reference/experiments/group_nodes.py]
/// scripts/reference/experiments/set_aside_limits.py: a whole node under MaxTRESPerUser=gres/gpu=2,
/// of `cpu` and two nodes of four GPUs, all of which are busy. The last Reason.
std::string reason_beside(const std::string& cpu, const std::string& command,
                          const std::string& aside) {
  const std::string conf = kConf;
  RunSite site(conf.substr(0, conf.find("NodeName=n1")) +
               fmt::format("NodeName={0} CPUs=8 CoresPerSocket=8\n"
                           "NodeName=g[1-2] CPUs=8 CoresPerSocket=8 Gres=gpu:a:4\n"
                           "PartitionName=mixed Nodes={0},g[1-2] Default=YES MaxTime=INFINITE\n"
                           "PartitionName=gpus Nodes=g[1-2] MaxTime=INFINITE\n"
                           "PartitionName=cpus Nodes={0} MaxTime=INFINITE\n",
                           cpu));
  Diagnostics found;
  site.inputs().gres_conf = parse_gres_conf(
      "NodeName=g[1-2] Name=gpu Type=a File=/dev/nvidia[0-3]\n", "gres.conf", ".", found);
  add_few(site).max_tres_per_user = {{"gres/gpu", 2}};
  ask(site, 1, 0, "-n8 -w " + cpu, "normal", "mixed");
  ask(site, 2, 0, "-n8 -w g1", "normal", "mixed");
  ask(site, 3, 0, "-n8 -w g2", "normal", "mixed");
  if (!aside.empty()) ask(site, 4, 30, aside == "gpus" ? "-N2 -n8" : "-N1 -n8", "normal", aside);
  if (!command.empty()) site.command(40, command);
  ask(site, 5, 60, "-N1 --exclusive", "few", "mixed");
  site.command(200, "scancel 5");  // before a node is free
  site.run();
  return last_reason(site, 5);
}

TEST(LimitsOnABusyCluster, GoByTheNodesOfAllWhicheverCanBeHad) {
  const std::string drain = "scontrol update Reason=test State=DRAIN NodeName=";
  const std::string reserve =
      "scontrol create reservation ReservationName=r Users=root StartTime=now Duration=600 "
      "Flags=IGNORE_JOBS Nodes=";
  const std::string over = "QOSMaxGRESPerUser";
  EXPECT_EQ(reason_beside("c1", "", ""), "Resources");
  EXPECT_EQ(reason_beside("m1", "", ""), over);
  EXPECT_EQ(reason_beside("c1", "", "cpus"), "Resources");
  EXPECT_EQ(reason_beside("m1", "", "gpus"), over);
  EXPECT_EQ(reason_beside("m1", "", "cpus"), over);
  EXPECT_EQ(reason_beside("c1", "", "gpus"), "Resources");
  EXPECT_EQ(reason_beside("c1", drain + "c1", ""), "Resources");
  EXPECT_EQ(reason_beside("m1", drain + "g[1-2]", ""), over);
  EXPECT_EQ(reason_beside("c1", reserve + "c1", ""), "Resources");
  EXPECT_EQ(reason_beside("m1", reserve + "g[1-2]", ""), over);
}

TEST(LimitsOnNodes, DrawNoJobToTheNodesThatItsGroupUses) {
  const auto reason = [](std::uint64_t most) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "AccountingStorageEnforce=associations,limits,qos\nSchedulerParameters=bf_interval=-1\n"
        "NodeName=n[1-6] CPUs=4 CoresPerSocket=4\nPartitionName=all Nodes=ALL Default=YES\n");
    AssociationConf& root = site.accounting().associations.emplace_back();
    root.account = root.user = "root";
    root.is_default_account = true;
    root.qos = {"normal"};
    site.accounting().qos.front().max_tres_per_user = {{"node", most}};
    site.job(1, 0, 1000, ask_request("-w n3 -n1", site.names()));
    site.job(2, 0, 1000, ask_request("-w n5 -n1", site.names()));
    site.job(3, 60, 100, ask_request("-n4", site.names()));
    site.run();
    const auto& told = site.reasons[3];
    const bool waits = std::find(told.begin(), told.end(), "QOSMaxNodePerUserLimit") != told.end();
    return waits ? std::string("waits") : site.lines("start 3").at(0);
  };
  EXPECT_EQ(reason(2), "waits") << "though n3 and n5 would do together";
  EXPECT_NE(reason(3).find("n1"), std::string::npos);
}

// scheduling.md §8.9 [V: 867 rows of squeue].
TEST(LimitsOfBusyNodes, AStartThatWasFoundIsShownThoughALimitFailsThen) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "AccountingStorageEnforce=associations,limits,qos\n"
      "NodeName=n[1-2] CPUs=8 CoresPerSocket=8\n"
      "PartitionName=whole Nodes=n1 MaxTime=INFINITE OverSubscribe=EXCLUSIVE\n"
      "PartitionName=rest Nodes=n2 MaxTime=INFINITE\n");
  add_few(site).limits.grp_tres = {{"cpu", 8}};
  const auto ask = [&](std::uint32_t id, std::int64_t at, const char* qos, const char* where) {
    JobSpec& spec = site.job(id, at, id == 1 ? 1000 : 500);
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern(qos);
    spec.partitions = site.names().intern(where);
  };
  ask(1, 0, "normal", "whole");
  ask(2, 0, "few", "rest");
  ask(3, 60, "few", "whole");  // of all CPUs of n1, which with that of n2 are too many
  std::optional<SlurmTime> shown;
  Reason why = Reason::None;
  site.at_each_event = [&](const Cluster& cluster) {
    if (cluster.jobs.size() < 3 || shown) return;  // at the end of job 2
    const Job& job = cluster.jobs[JobIndex{2}];
    if (!job.is_pending()) return;
    shown = job.planned_start;
    why = job.reason;
  };
  site.run();
  EXPECT_EQ(to_text(why), "QOSGrpCpuLimit");
  ASSERT_TRUE(shown.has_value());  // when the limit of job 1 ends
  EXPECT_EQ(epoch_seconds(*shown) - RunSite::kStart, site.second_of("start 1") + 3600);
}

}  // namespace
}  // namespace rehearse::test

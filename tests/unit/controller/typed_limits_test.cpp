// tests/unit/controller/typed_limits_test.cpp — for how many GPUs of a type a job counts (limits.md
// §2), as scripts/reference/experiments/typed_limits.py asked a slurmctld.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kBoth = "gres/gpu,gres/gpu:a";
constexpr const char* kTyped = "gres/gpu:a";
enum class Nodes : std::uint8_t { Idle, Busy };

/// True if a QOS that may have so many GPUs of type a keeps the job from the only node.
bool stops(const std::string& tres, std::uint64_t most, const std::string& options, Nodes nodes) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "AccountingStorageEnforce=associations,limits,qos\nGresTypes=gpu\n"
      "SchedulerParameters=bf_interval=-1\nAccountingStorageTRES=" +
      tres +
      "\nNodeName=n1 CPUs=16 CoresPerSocket=8 Gres=gpu:a:8\n"
      "PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE\n");
  Diagnostics found;
  site.inputs().gres_conf = parse_gres_conf("NodeName=n1 Name=gpu Type=a File=/dev/nvidia[0-7]\n",
                                            "gres.conf", ".", found);
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  QosConf& few = site.accounting().qos.emplace_back();
  few.name = "few";
  few.limits.grp_tres = {{"gres/gpu:a", most}};
  for (AssociationConf& each : site.accounting().associations) each.qos = {"normal", "few"};
  const auto ask = [&](std::uint32_t id, std::int64_t at, const std::string& words,
                       const std::string& qos) {
    JobSpec& spec = site.job(id, at, 1000, ask_request(words, site.names()));
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern(qos);
    spec.partitions = site.names().intern("all");
  };
  if (nodes == Nodes::Busy) ask(1, 0, "-n16", "normal");
  ask(2, 60, options, "few");
  site.run();
  const auto& reasons = site.reasons[2];
  return std::find(reasons.begin(), reasons.end(), "QOSGrpGRES") != reasons.end();
}

/// The largest of the limits 1, 3 and 7 that stops it; 0: none does.
std::uint64_t count(const std::string& tres, const std::string& options, Nodes nodes) {
  std::uint64_t largest = 0;
  for (const std::uint64_t most : {1U, 3U, 7U}) {
    if (stops(tres, most, options, nodes)) largest = most;
  }
  return largest;
}

TEST(LimitsByType, LetJobsGoThatNameNoType) {
  for (const char* options : {"--gres=gpu:4", "--gpus=4", "-N1 --gpus-per-node=4",
                              "-n4 --gpus-per-task=1", "-n4 --ntasks-per-gpu=1"}) {
    EXPECT_EQ(count(kBoth, options, Nodes::Idle), 0U) << options;
    EXPECT_EQ(count(kBoth, options, Nodes::Busy), 0U) << options;
  }
}

TEST(LimitsByType, StopThoseThatNameIt) {
  EXPECT_EQ(count(kBoth, "--gres=gpu:a:4", Nodes::Idle), 3U);
  EXPECT_EQ(count(kBoth, "--gres=gpu:a:4", Nodes::Busy), 3U);
  EXPECT_EQ(count(kBoth, "--gpus=a:4", Nodes::Idle), 3U);
  EXPECT_EQ(count(kBoth, "--gpus=a:4", Nodes::Busy), 7U) << "all that the node has";
  EXPECT_EQ(count(kBoth, "-n4 --gpus-per-task=a:1", Nodes::Idle), 3U);
}

TEST(LimitsByType, StopWholeNodes) {
  for (const char* options : {"--exclusive", "--exclusive --gres=gpu:2", "--exclusive --gpus=2"}) {
    EXPECT_EQ(count(kBoth, options, Nodes::Idle), 7U) << options;
    EXPECT_EQ(count(kBoth, options, Nodes::Busy), 7U) << options;
  }
}

TEST(LimitsByType, CountAnyGpuWhereOnlyTypesAreTracked) {
  EXPECT_EQ(count(kTyped, "--gres=gpu:4", Nodes::Idle), 3U);
  EXPECT_EQ(count(kTyped, "--gres=gpu:4", Nodes::Busy), 3U);
  EXPECT_EQ(count(kTyped, "--gpus=4", Nodes::Idle), 3U);
  EXPECT_EQ(count(kTyped, "--gpus=4", Nodes::Busy), 7U);
}

}  // namespace
}  // namespace rehearse::test

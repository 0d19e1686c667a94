// tests/unit/controller/linear_gres_test.cpp — what of a job's GRES counts under select/linear
// (scheduling.md §6), as scripts/reference/experiments/linear_gres.py asked a slurmctld.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Four nodes of four GPUs that are billed; QOS `few` has a GrpTRES and a GrpTRESRunMins of them.
class LinearGres : public ::testing::Test {
 protected:
  LinearGres() {
    Diagnostics found;
    site.inputs().gres_conf = parse_gres_conf(
        "NodeName=a[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n", "gres.conf", ".", found);
    AssociationConf& root = site.accounting().associations.emplace_back();
    root.account = root.user = "root";
    QosConf& few = site.accounting().qos.emplace_back();
    few.name = "few";
    few.limits.grp_tres = {{"gres/gpu", 4}};
    few.limits.grp_tres_run_mins = {{"gres/gpu", 300}};
    for (AssociationConf& each : site.accounting().associations) each.qos = {"normal", "few"};
  }
  void ask(std::uint32_t id, const std::string& words, std::int64_t minutes = 60) {
    JobSpec& spec = site.job(id, 0, 600, ask_request(words, site.names()));
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern("few");
    spec.partitions = site.names().intern("all");
    spec.time_limit = Minutes{minutes};
  }

  RunSite site{
      "SelectType=select/linear\nPriorityType=priority/basic\nGresTypes=gpu\n"
      "AccountingStorageEnforce=associations,limits,qos\nAccountingStorageTRES=gres/gpu\n"
      "NodeName=a[1-4] CPUs=8 Gres=gpu:a100:4\n"
      "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE "
      "TRESBillingWeights=\"CPU=1.0,GRES/gpu=10\"\n"};
};

TEST_F(LinearGres, OfRunningJobsIsNeitherBilledNorCounted) {
  ask(1, "-N1 --gres=gpu:4");
  ask(2, "-N1 --gres=gpu:4");
  site.at_each_event = [](const Cluster& cluster) {
    const auto gpus = index_of(*cluster.tres.find("gres/gpu"));
    for (const Job& job : cluster.jobs) {
      if (!job.is_running()) continue;
      EXPECT_EQ(job.alloc_tres[gpus], 0U);
      EXPECT_EQ(job.alloc_tres[index_of(TresTable::kBilling)], 8U);
      EXPECT_EQ(job.request_tres[gpus], 4U);
    }
  };
  site.run();
  EXPECT_EQ(site.lines("start").size(), 2U);
  EXPECT_EQ(site.lines("start").back().substr(0, 2), site.lines("start").front().substr(0, 2));
}

TEST_F(LinearGres, OfARequestIsHeldAgainstTheLimits) {
  ask(1, "-N2 --gres=gpu:4");
  ask(2, "-N1 --gres=gpu:4", 80);
  site.run();
  EXPECT_TRUE(site.lines("start").empty());
  EXPECT_THAT(site.reasons[1], ::testing::Contains("QOSGrpGRES"));
  EXPECT_THAT(site.reasons[2], ::testing::Contains("QOSGrpGRESRunMinutes"));
}

TEST_F(LinearGres, OfWholeNodesIsHeldAgainstTheLimitsOfAJob) {
  for (QosConf& qos : site.accounting().qos) {
    if (qos.name != "few") continue;
    qos.limits = {};
    qos.limits.max_tres_per_job = {{"gres/gpu", 2}};
  }
  ask(1, "-N1 --gres=gpu:2");
  ask(2, "-n1");
  site.run();
  EXPECT_TRUE(site.lines("start").empty());
  for (const std::uint32_t id : {1U, 2U}) {
    EXPECT_THAT(site.reasons[id], ::testing::Contains("QOSMaxGRESPerJob"));
  }
}

}  // namespace
}  // namespace rehearse::test

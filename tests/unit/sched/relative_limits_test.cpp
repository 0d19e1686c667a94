// tests/unit/sched/relative_limits_test.cpp — QOS with the flag Relative (limits.md §13;
// scripts/reference/experiments/relative_qos.py).
#include <gtest/gtest.h>

#include "tests/unit/sched/limits_site.hpp"

namespace rehearse::test {
namespace {

/// Four nodes of 64 CPUs in `batch`, two of them in `own`.
class RelativeLimits : public LimitsSite {
 protected:
  RelativeLimits() {
    site.inputs.site.slurm_version = {23, 11};
    site.partition("own", 2);
    QosConf& share = qos_row("share");
    share.flags.relative = true;
    share.limits.grp_tres = {{"cpu", 33}, {"node", 50}, {"gres/gpu", 40}};
    share.max_tres_per_user = {{"cpu", 150}};
    share.min_tres_per_job = {{"cpu", 1}};
    share.limits.grp_jobs = 50;
  }
  static std::uint64_t of(const TresLimits& limits, TresIndex tres) {
    return limits.at(index_of(tres)).value();
  }
};

TEST_F(RelativeLimits, ArePercentagesOfTheCluster) {
  build();
  const Qos& share = qos("share");
  EXPECT_EQ(of(share.limits.grp_tres, TresTable::kCpu), 84U);  // of 256: 84.48
  EXPECT_EQ(of(share.limits.grp_tres, TresTable::kNode), 2U);
  EXPECT_EQ(of(share.limits.grp_tres, *site.cluster().tres.find("gres/gpu")), 0U);  // there is none
  EXPECT_EQ(of(share.limits.max_tres_per_user, TresTable::kCpu), 256U);  // no more than all
  EXPECT_EQ(of(share.limits.min_tres_per_job, TresTable::kCpu), 2U);
  EXPECT_EQ(share.limits.grp_jobs, 50U);
  EXPECT_EQ(test(job(84, "share")), Reason::None);
  EXPECT_EQ(test(job(85, "share")), Reason::QOSGrpCpuLimit);
}

TEST_F(RelativeLimits, ArePercentagesOfThePartitionWhoseQosItIs) {
  site.inputs.slurm_conf.partitions.back().qos = "share";
  build();
  EXPECT_EQ(of(qos("share").limits.grp_tres, TresTable::kCpu), 42U);  // of 128: 42.24
  PartitionConf wider = site.inputs.slurm_conf.partitions.back();
  wider.nodes = site.inputs.slurm_conf.partitions.front().nodes;
  Diagnostics found;
  site.cluster().change_partition(PartitionId{1}, wider, found);
  limits->limits_changed();
  EXPECT_EQ(of(qos("share").limits.grp_tres, TresTable::kCpu), 84U);
}

TEST_F(RelativeLimits, AreAmountsBefore2311) {
  site.inputs.site.slurm_version = {23, 2};
  build();
  EXPECT_EQ(of(qos("share").limits.grp_tres, TresTable::kCpu), 33U);
}

}  // namespace
}  // namespace rehearse::test

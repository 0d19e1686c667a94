// tests/unit/sched/examples_limits_test.cpp — the eight worked examples of limits.md §12.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sched/limits_site.hpp"

namespace rehearse::test {
namespace {

using LimitsExamples = LimitsSite;

/// limits.md §12 example 1: partition QOS, job QOS and association, with and without OverPartQOS.
class Precedence : public LimitsSite {
 protected:
  void prepare(bool over_part_qos, bool with_group = true) {
    qos_row("part").max_tres_per_user = {{"cpu", 100}};
    QosConf& of_job = qos_row("mine");
    of_job.max_tres_per_user = {{"cpu", 200}};
    if (with_group) of_job.limits.grp_tres = {{"cpu", 50}};
    of_job.flags.over_part_qos = over_part_qos;
    partition_row().qos = "part";
    row("chem", "emil").limits.max_tres_per_job = {{"cpu", 20}};
    row("chem").limits.grp_tres = {{"cpu", 1000}};
    build();
    // 30 CPUs with the job's QOS, 60 more in the partition.
    start(job(15, "mine"));
    start(job(15, "mine"));
    for (int i = 0; i < 3; ++i) start(job(20, "normal"), {1});
  }
};

TEST_F(Precedence, AsksThePartitionsQosFirst) {
  prepare(false);
  EXPECT_EQ(test(job(16, "mine")), Reason::QOSMaxCpuPerUserLimit);
  EXPECT_EQ(test(job(10, "mine")), Reason::None);
}

TEST_F(Precedence, AsksTheJobsQosFirstWithOverPartQos) {
  prepare(true);
  EXPECT_EQ(test(job(16, "mine")), Reason::None);
  EXPECT_EQ(test(job(24, "mine")), Reason::QOSGrpCpuLimit);
}

TEST_F(Precedence, LeavesMaxTresToTheAssociation) {
  prepare(true, false);
  EXPECT_EQ(test(job(24, "mine")), Reason::AssocMaxCpuPerJobLimit);
}

/// limits.md §12 example 2: GrpTRESMins with and without `safe`.
class GroupMinutes : public LimitsSite {
 protected:
  void prepare(bool safe, long double used) {
    site.inputs.slurm_conf.enforce.safe = safe;
    row("chem").limits.grp_tres_mins = {{"cpu", 1000}};
    build();
    Association& chem = site.association("chem");
    chem.usage.tres_raw.assign(site.cluster().tres.size(), 0);
    chem.usage.tres_raw[0] = used;
    chem.counters.committed_s = site.cluster().tres.zero();
    chem.counters.committed_s[0] = 12000;
    candidate = &job(8);
    candidate->time_limit = Minutes{60};
  }
  Job* candidate = nullptr;
};

TEST_F(GroupMinutes, CountOnlyWhatIsUsedWithoutSafe) {
  prepare(false, 30000);
  EXPECT_EQ(test(*candidate), Reason::None);
  site.association("chem").usage.tres_raw[0] = 59999;
  EXPECT_EQ(test(*candidate), Reason::None);
  site.association("chem").usage.tres_raw[0] = 60000;
  EXPECT_EQ(test(*candidate), Reason::AssocGrpCPUMinutesLimit);
}

TEST_F(GroupMinutes, CountWhatIsCommittedWithSafe) {
  prepare(true, 30000);
  EXPECT_EQ(test(*candidate), Reason::AssocGrpCPUMinutesLimit);  // 480 + 200 > 500
  site.association("chem").counters.committed_s[0] = 1200;
  EXPECT_EQ(test(*candidate), Reason::None);  // 480 + 20 = 500
}

TEST_F(LimitsExamples, CountDistinctNodes) {  // limits.md §12 example 3
  qos_row("normal").max_tres_per_user = {{"node", 2}};
  build();
  start(job(1), {0});
  start(job(2, "normal", 2), {0, 1});
  Job& next = job(1);
  EXPECT_EQ(test(next, {1}), Reason::None);
  EXPECT_EQ(test(next, {2}), Reason::QOSMaxNodePerUserLimit);
}

TEST_F(LimitsExamples, CommittedRunTimeFollowsTicksAndEnds) {  // limits.md §12 example 6
  qos_row("half").usage_factor = 0.5;
  qos_row("capped").limits.grp_tres_run_mins = {{"cpu", 1200}};
  build();
  Job& full = job(10, "capped");
  full.time_limit = Minutes{120};
  EXPECT_EQ(test(full), Reason::None);
  start(full);
  const auto committed = [&] { return site.association("chem").counters.committed_s[0]; };
  EXPECT_EQ(committed(), 72000U);
  Job& second = job(10, "capped");
  second.time_limit = Minutes{120};
  EXPECT_EQ(test(second), Reason::QOSGrpCPURunMinutesLimit);
  Job* running[] = {&full};
  limits->tick(at(300), at(0), running);
  EXPECT_EQ(committed(), 69000U);
  stop(full);
  EXPECT_EQ(committed(), 0U);
  EXPECT_EQ(test(second), Reason::None);

  Job& halved = job(10, "half");
  halved.time_limit = Minutes{120};
  start(halved);
  EXPECT_EQ(committed(), 36000U);
  Job* again[] = {&halved};
  limits->tick(at(300), at(0), again);
  EXPECT_EQ(committed(), 34500U);
}

/// limits.md §13: run minutes of a user and of an account in a QOS, enforced from 24.05 on.
class RunMinutesOfUsers : public LimitsSite {
 protected:
  Reason of_a_second_job(SlurmVersion version, const std::string& user) {
    site.inputs.site.slurm_version = version;
    QosConf& of_user = qos_row("of_user");
    of_user.max_tres_run_mins_per_user = {{"cpu", 1200}};
    of_user.max_tres_run_mins_per_account = {{"cpu", 2000}};
    build();
    Job& first = job(10, "of_user");
    first.time_limit = Minutes{100};
    EXPECT_EQ(test(first), Reason::None);
    start(first);
    Job& second = job(10, "of_user", 1, user);
    second.time_limit = Minutes{user == "emil" ? 21 : 101};
    const Reason told = test(second);
    stop(first);
    EXPECT_EQ(test(second), Reason::None);
    return told;
  }
};

TEST_F(RunMinutesOfUsers, OfAUser) {
  EXPECT_EQ(of_a_second_job({24, 5}, "emil"), Reason::MaxCpuRunMinsPerUser);
}

TEST_F(RunMinutesOfUsers, OfAnAccount) {
  EXPECT_EQ(of_a_second_job({24, 5}, "fred"), Reason::MaxCpuRunMinsPerAccount);
}

TEST_F(RunMinutesOfUsers, AreNotEnforcedBefore) {
  EXPECT_EQ(of_a_second_job({23, 11}, "emil"), Reason::None);
}

TEST_F(RunMinutesOfUsers, RefuseAJobThatIsLongerUnderDenyOnLimit) {
  site.inputs.site.slurm_version = {24, 5};
  QosConf& strict = qos_row("strict");
  strict.max_tres_run_mins_per_user = {{"cpu", 1200}};
  strict.flags.deny_on_limit = true;
  build();
  Job& one = job(10, "strict");
  one.time_limit = Minutes{121};
  EXPECT_EQ(refused(one), Reason::MaxCpuRunMinsPerUser);
  one.time_limit = Minutes{120};
  EXPECT_EQ(refused(one), Reason::None);
}

// scripts/reference/experiments/basic_minutes.py
TEST_F(LimitsExamples, BasicPriorityTakesTheWholeLimitBackWhateverTheFactor) {
  site.inputs.slurm_conf.priority.type = PriorityType::Basic;
  qos_row("half").usage_factor = 0.5;
  qos_row("twice").usage_factor = 2;
  build();
  const auto run = [&](const char* qos, std::uint32_t cpus, int limit, int then) {
    Job& one = job(cpus, qos);
    one.time_limit = Minutes{limit};
    start(one);
    const std::optional<Minutes> before = std::exchange(one.time_limit, Minutes{then});
    limits->time_limit_changed(one, before);
    stop(one);
    return site.association("chem").counters.committed_s[0] / 60;
  };
  EXPECT_EQ(run("normal", 2, 30, 30), 0U);
  EXPECT_EQ(run("twice", 2, 30, 30), 60U);
  EXPECT_EQ(run("half", 1, 40, 40), 40U);
  EXPECT_EQ(run("twice", 1, 10, 30), 50U);  // a new limit counts once
  EXPECT_EQ(run("twice", 1, 30, 10), 80U);
  EXPECT_EQ(run("half", 5, 40, 40), 0U);
}

TEST_F(LimitsExamples, CountEveryTaskOfAnArray) {  // limits.md §12 example 4
  qos_row("normal").max_submit_jobs_per_user = 100;
  build();
  submit(job(1), 95);
  EXPECT_EQ(refused(job(1), 6), Reason::QOSMaxSubmitJobPerUserLimit);
  EXPECT_EQ(refused(job(1), 5), Reason::None);
  const auto refusal = limits->check_submit(job(1), 6);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(
      refusal->message,
      "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)");
}

/// limits.md §12 example 5: where a missing time limit comes from.
class ImplicitTime : public LimitsSite {
 protected:
  ImplicitTime() { partition_row().max_time = Minutes{1440}; }
  std::optional<Minutes> after_submission(const std::string& qos) {
    Job& one = job(1, qos);
    EXPECT_EQ(refused(one), Reason::None);
    EXPECT_EQ(one.limit_filled, one.time_limit.has_value());
    return one.time_limit;
  }
};

TEST_F(ImplicitTime, OfAQosHidesTheAssociations) {
  qos_row("six").limits.max_wall_per_job = Minutes{360};
  row("chem", "emil").limits.max_wall_per_job = Minutes{240};
  build();
  EXPECT_EQ(after_submission("six"), Minutes{360});
}

TEST_F(ImplicitTime, OfAnAssociationIsLoweredByItsParentOnlyInStrictMode) {
  row("chem", "emil").limits.max_wall_per_job = Minutes{240};
  row("chem").limits.grp_wall = Minutes{180};
  qos_row("deny").flags.deny_on_limit = true;
  build();
  EXPECT_EQ(after_submission("normal"), Minutes{240});
  EXPECT_EQ(after_submission("deny"), Minutes{180});
}

TEST_F(ImplicitTime, OfOneQosIsTheLeastOfItsWalls) {
  QosConf& both = qos_row("both");
  both.limits.max_wall_per_job = Minutes{360};
  both.limits.grp_wall = Minutes{300};
  build();
  EXPECT_EQ(after_submission("both"), Minutes{300});
  EXPECT_EQ(after_submission("normal"), std::nullopt);
}

TEST_F(LimitsExamples, UsageFactorSafeStretchesTheTime) {  // limits.md §12 example 7
  QosConf& twice = qos_row("twice");
  twice.limits.max_wall_per_job = Minutes{60};
  twice.usage_factor = 2;
  twice.flags.usage_factor_safe = true;
  build();
  Job& forty = job(1, "twice");
  forty.time_limit = Minutes{40};
  EXPECT_EQ(test(forty), Reason::QOSMaxWallDurationPerJobLimit);
  forty.time_limit = Minutes{30};
  EXPECT_EQ(test(forty), Reason::None);
  // With GrpWall too the factor counts twice for MaxWall.
  qos("twice").limits.grp_wall_min = 1000;
  limits->limits_changed();
  EXPECT_EQ(test(forty), Reason::QOSMaxWallDurationPerJobLimit);
}

TEST_F(LimitsExamples, MinTresHoldsJobsThatDoNotAskForIt) {  // limits.md §12 example 8
  qos_row("gpu").min_tres_per_job = {{"gres/gpu", 1}};
  build();
  EXPECT_EQ(test(job(4, "gpu")), Reason::QOSMinGRES);
  EXPECT_EQ(refused(job(4, "gpu")), Reason::None);
  qos("gpu").conf.flags.deny_on_limit = true;
  EXPECT_EQ(refused(job(4, "gpu")), Reason::QOSMinGRES);
}

}  // namespace
}  // namespace rehearse::test

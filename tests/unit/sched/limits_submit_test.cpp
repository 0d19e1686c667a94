// tests/unit/sched/limits_submit_test.cpp — what refuses a submission, and what it is given
// instead.
#include <gtest/gtest.h>

#include "tests/unit/sched/limits_site.hpp"

namespace rehearse::test {
namespace {

using LimitsAtSubmission = LimitsSite;

TEST_F(LimitsAtSubmission, RefuseByTheFourSubmitCountsInAnyMode) {
  row("chem").limits.grp_submit_jobs = 2;
  row("chem", "emil").max_submit_jobs = 1;
  qos_row("whole").limits.grp_submit_jobs = 0;
  qos_row("per_account").max_submit_jobs_per_account = 0;
  build();
  EXPECT_EQ(refused(job(1)), Reason::None);
  submit(job(1));
  EXPECT_EQ(refused(job(1)), Reason::AssocMaxSubmitJobLimit);
  submit(job(1, "normal", 1, "fred"));
  EXPECT_EQ(refused(job(1, "normal", 1, "fred")), Reason::AssocGrpSubmitJobsLimit);
  EXPECT_EQ(refused(job(1, "whole")), Reason::QOSGrpSubmitJobsLimit);
  EXPECT_EQ(refused(job(1, "per_account")), Reason::MaxSubmitJobsPerAccount);
}

TEST_F(LimitsAtSubmission, LetOversizedJobsInUnlessTheQosDenies) {
  row("chem").limits.max_tres_per_job = {{"cpu", 4}};
  row("chem").limits.max_wall_per_job = Minutes{60};
  qos_row("deny").flags.deny_on_limit = true;
  build();
  Job& large = job(8);
  large.time_limit = Minutes{100};
  EXPECT_EQ(refused(large), Reason::None);
  Job& denied = job(8, "deny");
  denied.time_limit = Minutes{100};
  EXPECT_EQ(refused(denied), Reason::AssocMaxCpuPerJobLimit);
  Job& small = job(4, "deny");
  small.time_limit = Minutes{100};
  EXPECT_EQ(refused(small), Reason::AssocMaxWallDurationPerJobLimit);
}

TEST_F(LimitsAtSubmission, OfGroupLimitsOnTimeTheNearestCounts) {
  // limits.md §5 [V]: submit_limits.py: account and the one above it, one CPU, DenyOnLimit.
  qos_row("deny").flags.deny_on_limit = true;
  row("chem").limits.grp_tres_mins = {{"cpu", 200}};
  row("root").limits.grp_tres_mins = {{"cpu", 100}, {"mem", 5000}};
  row("chem").limits.grp_wall = Minutes{300};
  row("root").limits.grp_wall = Minutes{50};
  build();
  const auto with_memory = [&](std::uint64_t mib) -> Job& {
    Job& one = job(1, "deny");
    Request request = site.cluster().request_of(one);
    request.memory_mode = MemoryMode::PerNode;
    request.memory_mib = mib;
    one.request = site.requests.intern(request);
    return one;
  };
  Job& unset = with_memory(1);
  EXPECT_EQ(refused(unset), Reason::None);
  EXPECT_EQ(unset.time_limit, Minutes{200}) << "not 100, nor 50";
  const auto given = [&](std::int64_t minutes, std::uint64_t mib) {
    Job& one = with_memory(mib);
    one.time_limit = Minutes{minutes};
    return refused(one);
  };
  EXPECT_EQ(given(150, 1), Reason::None) << "root's 100 CPU minutes are hidden";
  EXPECT_EQ(given(201, 1), Reason::AssocGrpCPUMinutesLimit);
  EXPECT_EQ(given(150, 100), Reason::AssocGrpMemMinutes) << "another TRES is not";
}

TEST_F(LimitsAtSubmission, OfGroupLimitsOnSizeEachCounts) {
  // limits.md §5 [V]: submit_limits.py.
  qos_row("deny").flags.deny_on_limit = true;
  row("chem").limits.grp_tres = {{"cpu", 4}};
  row("root").limits.grp_tres = {{"cpu", 2}};
  build();
  EXPECT_EQ(refused(job(3, "deny")), Reason::AssocGrpCpuLimit);
}

TEST_F(LimitsAtSubmission, MayGiveATimeAboveThePartitionsMaxTime) {
  // limits.md §5.1 [V]: 2 h from a QOS in a partition of 60 min: PartitionConfig, then
  // PartitionTimeLimit.
  qos_row("two").limits.max_wall_per_job = Minutes{120};
  partition_row().max_time = Minutes{60};
  build();
  Job& one = job(1, "two");
  EXPECT_EQ(refused(one), Reason::None);
  EXPECT_EQ(one.time_limit, Minutes{120});
  EXPECT_EQ(one.reason, Reason::PartitionConfig);
  EXPECT_EQ(limits->partition_test(one, PartitionId{0}), Reason::PartitionTimeLimit);
}

TEST_F(LimitsAtSubmission, EnforcePartLimitsAsksForOneOrAllPartitions) {
  partition_row().max_time = Minutes{60};
  site.partition("long", 4).max_time = Minutes{600};
  build();
  const auto attempt = [&](EnforcePartLimits enforce, std::int64_t minutes) {
    site.cluster().conf.enforce_part_limits = enforce;
    Job& one = job(1);
    one.partitions = {PartitionId{0}, PartitionId{1}};
    one.time_limit = Minutes{minutes};
    return refused(one);
  };
  EXPECT_EQ(attempt(EnforcePartLimits::No, 700), Reason::None);
  EXPECT_EQ(attempt(EnforcePartLimits::Any, 100), Reason::None);
  EXPECT_EQ(attempt(EnforcePartLimits::Any, 700), Reason::PartitionTimeLimit);
  EXPECT_EQ(attempt(EnforcePartLimits::All, 100), Reason::PartitionTimeLimit);
  EXPECT_EQ(attempt(EnforcePartLimits::All, 60), Reason::None);
}

TEST_F(LimitsAtSubmission, OneOfAListThatFitsNowhereIsRefusedForTheLastAndAllForTheFirst) {
  partition_row().max_time = Minutes{60};
  site.partition("short", 4).max_nodes = 1;
  build();
  const auto attempt = [&](EnforcePartLimits enforce) {
    site.cluster().conf.enforce_part_limits = enforce;
    Job& one = job(1, "normal", 2);
    one.partitions = {PartitionId{0}, PartitionId{1}};
    one.time_limit = Minutes{100};
    return refused(one);
  };
  EXPECT_EQ(attempt(EnforcePartLimits::Any), Reason::PartitionNodeLimit);
  EXPECT_EQ(attempt(EnforcePartLimits::All), Reason::PartitionTimeLimit);
}

TEST_F(LimitsAtSubmission, AccountAndQosAreChosenAsSlurmDoes) {
  qos_row("high");
  qos_row("secret");
  row("chem").qos = {"+high"};
  row("root").qos = {"normal"};
  row("chem").qos_is_edit = true;
  row("chem", "emil").default_qos = "high";
  build();
  const auto assign = [&](const std::string& account, const std::string& qos_name) {
    Job& one = job(1);
    site.spec_of(one).account = site.names.intern(account);
    site.spec_of(one).qos = site.names.intern(qos_name);
    const auto refusal = limits->assign(one);
    if (refusal) return std::string(to_text(refusal->reason));
    return site.names.text(site.cluster().accounts.qos[*one.qos].name);
  };
  EXPECT_EQ(assign("", ""), "high");
  EXPECT_EQ(assign("chem", "normal"), "normal");
  EXPECT_EQ(assign("chem", "secret"), "InvalidQOS");
  EXPECT_EQ(assign("chem", "nothing"), "InvalidQOS");
  EXPECT_EQ(assign("phys", ""), "InvalidAccount");
  qos("normal").conf.flags.requires_reservation = true;
  EXPECT_EQ(assign("chem", "normal"), "InvalidQOS");
}

TEST_F(LimitsAtSubmission, EveryPartitionsQosCountsAWaitingJobUntilItStarts) {
  qos_row("one");
  qos_row("two");
  partition_row().qos = "one";
  site.partition("other", 4).qos = "two";
  build();
  Job& both = job(1);
  both.partitions = {PartitionId{0}, PartitionId{1}};
  submit(both);
  EXPECT_EQ(qos("one").counters.submitted_jobs, 1U);
  EXPECT_EQ(qos("two").counters.submitted_jobs, 1U);
  start(both);
  EXPECT_EQ(qos("one").counters.submitted_jobs, 1U);
  EXPECT_EQ(qos("two").counters.submitted_jobs, 0U);
  stop(both, true);
  EXPECT_EQ(qos("two").counters.submitted_jobs, 1U);
  limits->job_removed(both, 1);
  EXPECT_EQ(qos("one").counters.submitted_jobs, 0U);
  EXPECT_EQ(qos("two").counters.submitted_jobs, 0U);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/limits_test.cpp — holds and counters (limits.md §3–8).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sched/limits_site.hpp"

namespace rehearse::test {
namespace {

using LimitsAtScheduling = LimitsSite;

TEST_F(LimitsAtScheduling, RaisedTimeLimitsCommitAtOnce) {
  build();
  Job& one = job(10);
  one.time_limit = Minutes{60};
  start(one);
  one.time_limit = Minutes{90};
  limits->time_limit_changed(one, Minutes{60});
  EXPECT_EQ(site.association("chem").counters.committed_s[0], 54000U);
  stop(one);
  EXPECT_EQ(site.association("chem").counters.committed_s[0], 0U);
}

TEST_F(LimitsAtScheduling, AJobWithoutTimeExceedsNearlyEveryMinuteLimit) {
  // limits.md §6.4 [V]: GrpTRESRunMins cpu=1000000 and no time: waits; with DefaultTime 10 it
  // starts.
  qos_row("normal").limits.grp_tres_run_mins = {{"cpu", 1000000}};
  build();
  Job& one = job(2);
  EXPECT_EQ(test(one), Reason::QOSGrpCPURunMinutesLimit);
  site.cluster().partitions[PartitionId{0}].conf.default_time = Minutes{10};
  EXPECT_EQ(test(one), Reason::None);
}

TEST_F(LimitsAtScheduling, TypedLimitsDoNotStopUntypedRequests) {
  // limits.md §2 [V]: MaxTRES gres/gpu:a100=1: gpu:2 starts, gpu:a100:2 waits.
  row("chem").limits.max_tres_per_job = {{"gres/gpu:a100", 1}};
  build();
  const auto with_gpus = [&](const std::string& type) -> Job& {
    Request request;
    request.gres.push_back({.name = site.names.intern("gpu"),
                            .type = type.empty() ? kNoName : site.names.intern(type),
                            .per_node = 2});
    Job& added = site.job("emil", "chem", request);
    added.request_tres = limits->request_vector(added, site.cluster().partitions[PartitionId{0}]);
    return added;
  };
  Job& untyped = with_gpus("");
  EXPECT_EQ(untyped.request_tres[8], 2U);
  EXPECT_EQ(untyped.request_tres[9], 0U);
  EXPECT_EQ(test(untyped), Reason::None);
  EXPECT_EQ(test(with_gpus("a100")), Reason::AssocMaxGRESPerJob);
}

TEST_F(LimitsAtScheduling, JobCountsHoldInTheOrderOfTheirOwners) {
  QosConf& normal = qos_row("normal");
  normal.max_jobs_per_user = 2;
  row("chem", "emil").max_jobs = 1;
  row("chem").limits.grp_jobs = 3;
  qos_row("free");
  build();
  start(job(1, "free"));
  EXPECT_EQ(test(job(1, "free")), Reason::AssocMaxJobsLimit);
  // MaxJobsPerUser of the QOS hides the association's MaxJobs.
  EXPECT_EQ(test(job(1)), Reason::None);
  start(job(1));
  start(job(1));
  EXPECT_EQ(test(job(1)), Reason::QOSMaxJobsPerUserLimit);
  EXPECT_EQ(test(job(1, "free", 1, "fred")), Reason::AssocGrpJobsLimit);
}

TEST_F(LimitsAtScheduling, LimitFactorStretchesTheAssociationsSizes) {
  row("chem").limits.grp_tres = {{"cpu", 10}};
  qos_row("big").limit_factor = 2.5;
  build();
  EXPECT_EQ(test(job(11)), Reason::AssocGrpCpuLimit);
  EXPECT_EQ(test(job(25, "big")), Reason::None);
  EXPECT_EQ(test(job(26, "big")), Reason::AssocGrpCpuLimit);
}

TEST_F(LimitsAtScheduling, GroupWallIsUsedUpOrWouldBe) {
  row("chem").limits.grp_wall = Minutes{100};
  build();
  Job& one = job(1);
  one.time_limit = Minutes{50};
  site.association("chem").usage.grp_wall_s = 99.9 * 60;
  EXPECT_EQ(test(one), Reason::None);
  site.association("chem").usage.grp_wall_s = 100 * 60;
  EXPECT_EQ(test(one), Reason::AssocGrpWallLimit);
  site.cluster().conf.enforce.safe = true;
  limits = std::make_unique<Limits>(site.cluster());
  site.association("chem").usage.grp_wall_s = 51 * 60;
  EXPECT_EQ(test(one), Reason::AssocGrpWallLimit);
  site.association("chem").usage.grp_wall_s = 50 * 60;
  EXPECT_EQ(test(one), Reason::None);
}

TEST_F(LimitsAtScheduling, DoNotBindTheTimeThatAnOperatorSet) {
  // limits.md §9 [V]: operator_set.py.
  qos_row("normal").limits.max_wall_per_job = Minutes{60};
  qos_row("free");
  row("chem", "emil").limits.max_wall_per_job = Minutes{60};
  row("chem").limits.grp_wall = Minutes{60};
  qos_row("minutes").limits.max_tres_mins_per_job = {{"cpu", 100}};
  site.inputs.slurm_conf.enforce.safe = true;
  build();
  const auto answer = [&](const std::string& qos, bool by_operator) {
    Job& one = job(2, qos);
    one.time_limit = Minutes{120};
    one.set_by_operator.time_limit = by_operator;
    return test(one);
  };
  EXPECT_EQ(answer("normal", false), Reason::QOSMaxWallDurationPerJobLimit);
  EXPECT_EQ(answer("normal", true), Reason::None);
  EXPECT_EQ(answer("free", false), Reason::AssocMaxWallDurationPerJobLimit);
  EXPECT_EQ(answer("free", true), Reason::None) << "neither MaxWall nor the account's GrpWall";
  EXPECT_EQ(answer("minutes", true), Reason::QOSMaxCpuMinutesPerJobLimit) << "a limit on CPUs";
}

TEST_F(LimitsAtScheduling, DoNotBindTheAmountsThatAnOperatorSet) {
  // limits.md §9 [V]: operator_set.py.
  qos_row("normal").limits.max_tres_per_job = {{"cpu", 2}};
  qos_row("minutes").limits.max_tres_mins_per_job = {{"cpu", 100}};
  qos_row("running").limits.grp_tres_run_mins = {{"cpu", 100}};
  qos_row("billing").limits.max_tres_per_job = {{"billing", 2}};
  qos_row("memory").limits.max_tres_per_job = {{"mem", 1}};
  qos_row("nodes").limits.max_tres_mins_per_job = {{"node", 20}};
  build();
  const auto answer = [&](const std::string& qos, OperatorSet by_operator) {
    Job& one = job(4, qos);
    one.time_limit = Minutes{30};
    one.set_by_operator = by_operator;
    return test(one);
  };
  EXPECT_EQ(answer("normal", {}), Reason::QOSMaxCpuPerJobLimit);
  EXPECT_EQ(answer("normal", {.memory = true}), Reason::QOSMaxCpuPerJobLimit);
  EXPECT_EQ(answer("normal", {.cpus = true}), Reason::None);
  EXPECT_EQ(answer("minutes", {}), Reason::QOSMaxCpuMinutesPerJobLimit);
  EXPECT_EQ(answer("minutes", {.cpus = true}), Reason::None);
  EXPECT_EQ(answer("running", {.cpus = true}), Reason::QOSGrpCPURunMinutesLimit);
  EXPECT_EQ(answer("billing", {.cpus = true}), Reason::QOSMaxBillingPerJob);
  EXPECT_EQ(answer("memory", {.cpus = true}), Reason::QOSMaxMemoryPerJob);
  EXPECT_EQ(answer("memory", {.memory = true}), Reason::None);
  EXPECT_EQ(answer("nodes", {}), Reason::QOSMaxNodeMinutesPerJob);
  EXPECT_EQ(answer("nodes", {.nodes = true}), Reason::None);
}

TEST_F(LimitsAtScheduling, ByNodesHoldWhatAnOperatorSetToo) {
  // limits.md §6.3 [V]: operator_set.py.
  qos_row("normal").limits.max_tres_per_job = {{"node", 1}};
  build();
  Job& one = job(2, "normal", 2);
  one.set_by_operator.nodes = true;
  std::uint32_t most = 2;
  EXPECT_EQ(limits->cap_nodes(one, PartitionId{0}, 2, most), Reason::QOSMaxNodePerJobLimit);
}

TEST_F(LimitsAtScheduling, KillWhatAnOperatorSetToo) {
  // limits.md §7.1 [V]: operator_set.py: MaxTRESMins cpu=10, NumCPUs=8: killed after two minutes.
  qos_row("normal").limits.max_tres_mins_per_job = {{"cpu", 10}};
  build();
  Job& one = job(8);
  one.time_limit = Minutes{8};
  one.set_by_operator.cpus = true;
  EXPECT_EQ(test(one), Reason::None);
  start(one);
  EXPECT_EQ(limits->run_time_limit(one, at(59)), std::nullopt);
  EXPECT_EQ(limits->run_time_limit(one, at(120)), Reason::TimeLimit);
}

TEST_F(LimitsAtScheduling, NodeCapsIgnoreUseAndLowerTheMaximum) {
  qos_row("normal").limits.grp_tres = {{"node", 3}};
  row("chem").limits.max_tres_per_job = {{"node", 2}};
  build();
  Job& one = job(1);
  std::uint32_t most = 10;
  EXPECT_EQ(limits->cap_nodes(one, PartitionId{0}, 1, most), std::nullopt);
  EXPECT_EQ(most, 2U);
  EXPECT_EQ(limits->cap_nodes(one, PartitionId{0}, 3, most), Reason::AssocMaxNodePerJobLimit);
  EXPECT_EQ(limits->cap_nodes(one, PartitionId{0}, 4, most), Reason::AssocMaxNodePerJobLimit);
}

TEST_F(LimitsAtScheduling, NothingCountsWithoutEnforcement) {
  site.inputs.slurm_conf.enforce = {};
  row("chem").limits.grp_jobs = 0;
  row("chem").limits.grp_tres = {{"cpu", 0}};
  build();
  Job& one = job(4);
  EXPECT_EQ(test(one), Reason::None);
  start(one);
  EXPECT_EQ(site.association("chem").counters.running_jobs, 0U);
  stop(one);
}

TEST_F(LimitsAtScheduling, LostPermissionsMakeTheJobIneligible) {
  build();
  Job& one = job(1);
  std::erase(site.association("chem", "emil").qos, QosId{0});
  EXPECT_EQ(test(one), Reason::InvalidQOS);
  one.set_by_operator.qos = true;
  EXPECT_EQ(test(one), Reason::None) << "an operator gave it the QOS";
  one.association.reset();
  EXPECT_EQ(test(one), Reason::InvalidAccount);
}

TEST_F(LimitsAtScheduling, KillRunningJobsAtTheRecordedMinutes) {
  // limits.md §7.1 [V]: account MaxTRESMins cpu=10, user cpu=100000, 2 CPUs: started, killed after
  // 5:07.
  row("chem").limits.max_tres_mins_per_job = {{"cpu", 10}};
  row("chem", "emil").limits.max_tres_mins_per_job = {{"cpu", 100000}};
  build();
  Job& one = job(2);
  one.time_limit = Minutes{60};
  EXPECT_EQ(test(one), Reason::None);
  start(one);
  EXPECT_EQ(limits->run_time_limit(one, at(299)), std::nullopt);
  EXPECT_EQ(limits->run_time_limit(one, at(300)), Reason::TimeLimit);
  EXPECT_EQ(limits->killing_limit(one, at(300)), Reason::AssocMaxCpuMinutesPerJobLimit);
  site.cluster().conf.enforce.safe = true;
  EXPECT_EQ(Limits(site.cluster()).run_time_limit(one, at(300)), std::nullopt);
}

TEST_F(LimitsAtScheduling, MinPrioThresholdComesFromTheFirstThatHasOne) {
  row("chem").limits.min_prio_threshold = 7;
  qos_row("mine").limits.min_prio_threshold = 5;
  build();
  EXPECT_EQ(limits->min_prio_threshold(job(1), PartitionId{0}), 7U);
  EXPECT_EQ(limits->min_prio_threshold(job(1, "mine"), PartitionId{0}), 5U);
}

TEST_F(LimitsAtScheduling, AccrualLimitsKeepTheAgeClockStopped) {
  row("chem", "emil").max_jobs_accrue = 1;
  build();
  Job &first = job(1), &second = job(1);
  for (Job* one : {&first, &second}) {
    one->begin = at(10);
    one->priority = 1;
    submit(*one);
  }
  limits->update_accrual(first, at(50));
  limits->update_accrual(second, at(50));
  EXPECT_EQ(first.accrue, at(50));
  EXPECT_EQ(second.accrue, std::nullopt);
  start(first);
  limits->update_accrual(second, at(60));
  EXPECT_EQ(second.accrue, at(60));
  limits->clear_accrual(second);
  EXPECT_EQ(site.association("chem").counters.accruing_jobs, 0U);
}

// [V: recording `national`: one task of eight leaves its array 0.4 s after the submission, the next
// when the user's job ahead of it starts]
TEST_F(LimitsAtScheduling, AccrualLimitsTakeTasksOutOfTheirArray) {
  row("chem", "emil").max_jobs_accrue = 2;
  build();
  Job &one = job(1), &array = job(1);
  array.array_job = JobId{7};
  array.pending_tasks = {0, 1, 2, 3};
  for (Job* each : {&one, &array}) {
    each->priority = 1;
    submit(*each);
  }
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 0U) << "not yet found eligible";
  one.begin = array.begin = at(10);
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 2U);
  limits->update_accrual(one, at(20));
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 1U);
  limits->update_accrual(array, at(20));
  EXPECT_EQ(array.accrue, std::nullopt) << "not all of it";
  array.pending_tasks = {3};
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 0U) << "the last one is as any job";
  limits->update_accrual(array, at(20));
  EXPECT_EQ(array.accrue, at(20));
}

// [V] scripts/reference/experiments/throttled_arrays.py.
TEST_F(LimitsAtScheduling, AccrualLimitsSplitArraysThatTheyHaveRoomForToo) {
  row("chem", "emil").max_jobs_accrue = 3;
  build();
  Job& array = job(1);
  array.array_job = JobId{7};
  array.priority = 1;
  array.pending_tasks = {0, 1};
  submit(array);
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 0U) << "not yet found eligible";
  array.reason = Reason::JobArrayTaskLimit;
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 2U) << "its %N took the begin time away";
  array.begin = at(10);
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 2U);
  limits->update_accrual(array, at(20));
  EXPECT_EQ(array.accrue, std::nullopt) << "each task by itself";
  array.pending_tasks = {1};
  array.begin.reset();
  EXPECT_EQ(limits->tasks_to_age(array, at(20)), 0U) << "the last one waits for a slot";
}

TEST_F(LimitsAtScheduling, AHoldStopsTheAgeClockOnlyWhereLimitsAreEnforced) {
  site.inputs.slurm_conf.enforce.limits = false;
  build();
  Job& one = job(1);
  one.begin = at(60);
  limits->update_accrual(one, at(50));
  EXPECT_EQ(one.accrue, at(60));  // here the clock may lie in the future
  limits->clear_accrual(one);
  EXPECT_EQ(one.accrue, at(60));
}

TEST_F(LimitsAtScheduling, WithoutAccrualLimitsTheClockStartsAtTheBeginTime) {
  build();
  Job& one = job(1);
  one.priority = 1;
  limits->update_accrual(one, at(50));
  EXPECT_EQ(one.accrue, std::nullopt);
  one.begin = at(60);
  limits->update_accrual(one, at(50));
  EXPECT_EQ(one.accrue, std::nullopt);
  limits->update_accrual(one, at(61));
  EXPECT_EQ(one.accrue, at(60));
}

TEST_F(LimitsAtScheduling, PartitionsTestStateAccessNodesAndTime) {
  PartitionConf& conf = partition_row();
  conf.max_nodes = 2;
  conf.max_time = Minutes{60};
  conf.deny_accounts = {"phys"};
  conf.allow_qos = {"normal"};
  qos_row("mine");
  build();
  const PartitionId batch{0};
  Job& one = job(1);
  EXPECT_EQ(limits->partition_test(one, batch), std::nullopt);
  one.time_limit = Minutes{61};
  EXPECT_EQ(limits->partition_test(one, batch), Reason::PartitionTimeLimit);
  EXPECT_EQ(limits->partition_test(job(3, "normal", 3), batch), Reason::PartitionNodeLimit);
  // [V] scripts/reference/experiments/spread_limit.py.
  const auto spread = [&](std::uint32_t tasks) {
    Job& spread_job = job(tasks);
    Request request = site.cluster().requests[spread_job.request];
    request.spread = true;
    request.num_tasks = tasks;
    request.max_nodes.reset();
    spread_job.request = site.requests.intern(request);
    return limits->partition_test(spread_job, batch);
  };
  EXPECT_EQ(spread(2), std::nullopt);
  EXPECT_EQ(spread(3), Reason::PartitionNodeLimit);
  EXPECT_EQ(limits->partition_test(job(1, "mine"), batch), Reason::QOSNotAllowed);
  Partition& partition = site.cluster().partitions[batch];
  EXPECT_TRUE(limits->admits_account(one, batch));
  partition.conf.allow_accounts = {"phys"};
  EXPECT_FALSE(limits->admits_account(one, batch));
  EXPECT_EQ(limits->partition_test(one, batch), Reason::PartitionTimeLimit) << "a start asks that";
  EXPECT_EQ(limits->sentence_of(Reason::AccountNotAllowed, one, batch),
            "Job's account not permitted to use this partition (batch allows phys not chem)");
  partition.state = PartitionState::Down;
  EXPECT_EQ(limits->partition_test(one, batch), Reason::PartitionDown);
  partition.state = PartitionState::Inactive;
  EXPECT_EQ(limits->partition_test(one, batch), Reason::PartitionInactive);
  partition.state = PartitionState::Up;
  partition.conf.allow_accounts.clear();
  QosFlags& flags = qos("normal").conf.flags;
  flags.partition_time_limit = flags.partition_max_nodes = true;
  EXPECT_EQ(limits->partition_test(one, batch), std::nullopt);
  EXPECT_EQ(limits->partition_test(job(3, "normal", 3), batch), std::nullopt);
}

TEST_F(LimitsAtScheduling, UsageThresholdMeetsTheWeightedTerm) {
  // limits.md §7.3 [V]: weight 10000: threshold 2 lets the job start, 20000 holds it.
  QosConf& strict = qos_row("strict");
  strict.flags.enforce_usage_threshold = true;
  strict.usage_threshold = 2;
  build();
  Job& one = job(1, "strict");
  one.factors.fair_share = 10000 * 0.5;
  EXPECT_EQ(limits->partition_test(one, PartitionId{0}), std::nullopt);
  qos("strict").conf.usage_threshold = 20000;
  EXPECT_EQ(limits->partition_test(one, PartitionId{0}), Reason::QOSUsageThreshold);
}

}  // namespace
}  // namespace rehearse::test

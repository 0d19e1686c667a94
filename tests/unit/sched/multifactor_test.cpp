// tests/unit/sched/multifactor_test.cpp — the sum and its factors, against priority.md §2–5, §10,
// §11.
#include <gtest/gtest.h>

#include "sim/sched/policy.hpp"
#include "sim/sched/priority/factors.hpp"
#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {
namespace {

constexpr SlurmVersion kReference{22, 5};

TEST(AgeFactor, IsTheWaitedPartOfMaxAge) {
  const Seconds week{604800};
  EXPECT_NEAR(1000 * age_factor(at(0), at(100000), week), 165.343915, 5e-7);
  EXPECT_NEAR(1000 * age_factor(at(0), at(604799), week), 999.998347, 5e-7);
  EXPECT_EQ(age_factor(at(0), at(604800), week), 1.0);
  EXPECT_EQ(age_factor(std::nullopt, at(604800), week), 0.0);
  EXPECT_EQ(age_factor(at(100), at(50), week), 0.0);
  EXPECT_EQ(age_factor(at(100), at(100), Seconds{0}), 1.0);
  EXPECT_EQ(age_factor(std::nullopt, at(100), Seconds{0}), 0.0);
}

TEST(SizeFactor, GivesTheWorkedNumbers) {
  const JobSize job{
      .nodes = 2, .cpus = 48, .time_limit_min = 120, .all_nodes = 10, .all_cpus = 640};
  PriorityConf plain, small, timed, small_timed;
  small.favor_small = small_timed.favor_small = true;
  timed.small_relative_to_time = small_timed.small_relative_to_time = true;
  EXPECT_NEAR(size_factor(job, plain, kReference), 0.1375, 1e-12);
  EXPECT_NEAR(size_factor(job, small, kReference), 0.8625, 1e-12);
  EXPECT_NEAR(size_factor(job, timed, kReference), 0.001666667, 5e-10);
  EXPECT_NEAR(size_factor(job, small_timed, kReference), 0.998333333, 5e-10);
  const JobSize one{.nodes = 1, .cpus = 1, .time_limit_min = 120, .all_nodes = 10, .all_cpus = 640};
  EXPECT_NEAR(size_factor(one, plain, kReference), 0.050781250, 1e-12);
  EXPECT_NEAR(size_factor(one, small, kReference), 0.949218750, 1e-12);
  const JobSize all{
      .nodes = 10, .cpus = 640, .time_limit_min = 1, .all_nodes = 10, .all_cpus = 640};
  EXPECT_EQ(size_factor(all, timed, kReference), 1.0);
  JobSize nodes_only = job;
  nodes_only.cpus = 0;
  EXPECT_NEAR(size_factor(nodes_only, plain, kReference), 0.2, 1e-12);
  EXPECT_NEAR(size_factor(nodes_only, small, kReference), 0.8, 1e-12);
}

TEST(SizeFactor, OfAJobLargerThanTheMachineDependsOnTheRelease) {
  const JobSize huge{
      .nodes = 12, .cpus = 64, .time_limit_min = 1, .all_nodes = 10, .all_cpus = 640};
  PriorityConf small;
  small.favor_small = true;
  EXPECT_EQ(size_factor(huge, small, kReference), 1.0);
  EXPECT_NEAR(size_factor(huge, small, {23, 2}), 0.45, 1e-12);
}

TEST(SizeFactor, UsesTheCpusThatATestFound) {
  // priority.md §3.4 [V]: a whole-node job on 4 nodes of 8 CPUs, weight 1000: 141, then 250.
  PriorityConf plain;
  const JobSize before{.nodes = 1, .cpus = 1, .all_nodes = 4, .all_cpus = 32};
  const JobSize after{.nodes = 1, .cpus = 8, .all_nodes = 4, .all_cpus = 32};
  EXPECT_EQ(stored_priority(1000 * size_factor(before, plain, kReference) + 0.4), 141U);
  EXPECT_EQ(stored_priority(1000 * size_factor(after, plain, kReference)), 250U);
}

TEST(StoredPriority, IsCutAndNeverZero) {
  EXPECT_EQ(stored_priority(10530.97), 10530U);
  EXPECT_EQ(stored_priority(0.99), 1U);
  EXPECT_EQ(stored_priority(-9369.5), 1U);
  EXPECT_EQ(stored_priority(5e9), UINT32_MAX);
}

/// The complete example of priority.md §11.6.
class WorkedSum : public ::testing::Test {
 protected:
  WorkedSum() {
    site.inputs.slurm_conf.accounting_storage_tres = {"gres/gpu"};
    site.inputs.slurm_conf.gres_types = {"gpu"};
    site.nodes(10, 64, 256000, "gpu:4");
    PartitionConf& narrow = site.partition("short", 10);
    narrow.priority_job_factor = 5;
    PartitionConf& wide = site.partition("long", 4);
    wide.priority_job_factor = 10;
    PriorityConf& priority = site.inputs.slurm_conf.priority;
    priority.weight_age = 1000;
    priority.weight_assoc = 100;
    priority.weight_fairshare = 10000;
    priority.weight_job_size = 500;
    priority.weight_partition = 2000;
    priority.weight_qos = 3000;
    priority.weight_tres = {{"cpu", 1000}, {"mem", 2000}, {"gres/gpu", 3000}};
    site.user("emil", "root").priority = 20;
    site.user("fred", "root").priority = 50;
    site.qos("good").priority = 100;
    site.qos("best").priority = 250;
  }

  Job& make_job() {
    Cluster& cluster = site.build();
    Request request;
    request.min_nodes = 2;
    request.min_cpus = 48;
    Job& job = site.job("emil", "root", request);
    job.qos = cluster.accounts.find_qos(site.names.intern("good"));
    job.partitions = {PartitionId{0}, PartitionId{1}};
    job.accrue = at(0);
    job.nice = 100;
    job.request_tres[0] = 48;
    job.request_tres[1] = 196608;
    job.request_tres[8] = 2;
    plugin = make_priority_plugin(cluster);
    cluster.accounts.associations[*job.association].fair_share = 7.0 / 9;
    return job;
  }

  SiteBuilder site;
  std::unique_ptr<PriorityPlugin> plugin;
};

TEST_F(WorkedSum, IsExactForBothPartitions) {
  Job& job = make_job();
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.priority, 10530U);
  EXPECT_EQ(job.partition_priority, (std::vector<std::uint32_t>{10530, 12098}));
  EXPECT_NEAR(job.factors.age, 165.343915, 5e-7);
  EXPECT_NEAR(job.factors.assoc, 40, 1e-9);
  EXPECT_NEAR(job.factors.fair_share, 7777.777778, 5e-7);
  EXPECT_NEAR(job.factors.job_size, 68.75, 1e-9);
  EXPECT_NEAR(job.factors.partition, 1000, 1e-9);
  EXPECT_NEAR(job.factors.qos, 1200, 1e-9);
  EXPECT_NEAR(job.factors.tres[0], 75, 1e-9);
  EXPECT_NEAR(job.factors.tres[1], 153.6, 1e-9);
  EXPECT_NEAR(job.factors.tres[8], 150, 1e-9);
  EXPECT_EQ(job.factors.nice, 100);

  job.partition = PartitionId{1};  // the one that a pass tried last
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.priority, 12098U);
  EXPECT_NEAR(job.factors.tres[0], 187.5, 1e-9);
  EXPECT_NEAR(job.factors.tres[1], 384, 1e-9);
  EXPECT_NEAR(job.factors.tres[8], 375, 1e-9);

  job.partition = PartitionId{0};
  job.nice = 20000;
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.priority, 1U);
}

TEST_F(WorkedSum, LeavesHeldAndDirectlySetJobsAlone) {
  Job& job = make_job();
  job.direct_priority = true;
  job.priority = 77;
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.priority, 77U);
  EXPECT_EQ(job.partition_priority, (std::vector<std::uint32_t>{77, 77}));
  EXPECT_EQ(job.factors.fair_share, 0.0);
  job.direct_priority = false;
  job.held = true;
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.priority, 0U);
  job.held = false;
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.priority, 10530U);
}

TEST_F(WorkedSum, TakesRawNumbersWithoutNormalisation) {
  PriorityConf& priority = site.inputs.slurm_conf.priority;
  priority.no_normal_assoc = priority.no_normal_part = priority.no_normal_qos =
      priority.no_normal_tres = true;
  Job& job = make_job();
  plugin->recompute(job, at(100000));
  EXPECT_EQ(job.factors.assoc, 100.0 * 20);
  EXPECT_EQ(job.factors.partition, 2000.0 * 5);
  EXPECT_EQ(job.factors.qos, 3000.0 * 100);
  EXPECT_EQ(job.factors.tres[1], 2000.0 * 196608);
}

TEST_F(WorkedSum, OnlyGrowsAtTicksWithIncrOnly) {
  site.inputs.slurm_conf.priority.incr_only = true;
  Job& job = make_job();
  plugin->recompute(job, at(100000));
  job.nice = 1100;
  plugin->tick(at(100300), {}, {});  // 22.05 would now recompute every pending job
  site.cluster().accounts.associations[*job.association].fair_share = 7.0 / 9;
  plugin->recompute(job, at(100300));
  EXPECT_EQ(job.priority, 10530U);
  plugin->recompute(job, at(100301));  // an update overwrites, but for the partitions' values
  EXPECT_EQ(job.priority, 9530U);
  EXPECT_EQ(job.partition_priority, (std::vector<std::uint32_t>{10530, 12098}));
}

TEST_F(WorkedSum, KnowsNoAgeAndNoFairShareWithoutADatabase) {
  site.inputs.slurm_conf.has_accounting = false;
  Job& job = make_job();
  plugin->recompute(job, at(100000));
  EXPECT_EQ(plugin->tick_period(), std::nullopt);
  EXPECT_EQ(job.factors.age, 0.0);
  EXPECT_EQ(job.factors.fair_share, 0.0);
  EXPECT_EQ(job.priority, 2587U);  // 40 + 68.75 + 1000 + 1200 + 378.6 − 100
}

TEST(Multifactor, TicksAtTheConfiguredPeriod) {
  SiteBuilder site;
  site.inputs.slurm_conf.priority.calc_period = Seconds{60};
  EXPECT_EQ(make_priority_plugin(site.build())->tick_period(), Seconds{60});
}

/// Alice and Bob with equal shares, the classic formula, no decay.
std::unique_ptr<PriorityPlugin> classic_of(SiteBuilder& site) {
  site.nodes(1, 4, 1000);
  site.partition("batch", 1);
  site.user("alice", "root");
  site.user("bob", "root");
  PriorityConf& priority = site.inputs.slurm_conf.priority;
  priority.no_fair_tree = true;
  priority.decay_half_life = Seconds{0};
  priority.weight_fairshare = 1000;
  return make_priority_plugin(site.build());
}

void start(Job& job) {
  job.state = JobState::Running;
  job.start = at(0);
  job.billing = 1;
}

TEST(Multifactor, ClassicSettlesAUserBeforeTheJobsBehindItAreCharged) {
  SiteBuilder site;
  const auto plugin = classic_of(site);
  plugin->tick(at(0), {}, {});
  site.use("root", "alice", 100);
  site.use("root", "bob", 100);
  Job& pending_early = site.job("alice", "root");
  Job& running = site.job("alice", "root");
  Job& pending_late = site.job("bob", "root");
  start(running);
  for (Job* job : {&pending_early, &pending_late}) plugin->recompute(*job, at(1));
  Job* charged[] = {&running};
  const JobIndex pending[] = {pending_early.index, pending_late.index};
  plugin->tick(at(200), charged, pending);
  for (Job* job : {&pending_early, &pending_late}) plugin->recompute(*job, at(200));
  // Alice was settled at 100 of 200, before her running job was charged 200; Bob after, at 100 of
  // 400.
  EXPECT_NEAR(static_cast<double>(site.association("root", "alice").usage_norm), 0.5, 1e-12);
  EXPECT_NEAR(static_cast<double>(site.association("root", "bob").usage_norm), 0.25, 1e-12);
  EXPECT_EQ(pending_early.priority, 500U);  // 2^−(0.5/0.5)
  EXPECT_EQ(pending_late.priority, 707U);   // 2^−(0.25/0.5)
}

/// What an array's first task leaves behind is a record that no tick has seen (priority.md §4.1
/// [V: recording drawn_sockets, 08:17:34]).
TEST(Multifactor, ClassicSettlesTheUserOfARecordThatIsNew) {
  SiteBuilder site;
  const auto plugin = classic_of(site);
  site.use("root", "alice", 100);
  site.use("root", "bob", 300);
  Job& rest = site.job("alice", "root");
  Job& running = site.job("alice", "root");
  rest.priority = 500;  // its task's
  start(running);
  Job* charged[] = {&running};
  const JobIndex pending[] = {rest.index};
  plugin->tick(at(200), charged, pending);
  EXPECT_NEAR(static_cast<double>(site.association("root", "alice").usage_norm), 0.25, 1e-12)
      << "before her running job is charged";
}

TEST(Basic, HandsOutFallingNumbers) {
  SiteBuilder site;
  site.nodes(1, 4, 1000);
  site.partition("batch", 1);
  site.user("emil", "root");
  site.inputs.slurm_conf.priority.type = PriorityType::Basic;
  const auto plugin = make_priority_plugin(site.build());
  EXPECT_EQ(plugin->tick_period(), std::nullopt);
  const auto next = [&](std::int64_t nice) -> Job& {
    Job& job = site.job("emil", "root");
    job.nice = nice;
    plugin->recompute(job, at(0));
    return job;
  };
  EXPECT_EQ(next(0).priority, 4294901759U);
  EXPECT_EQ(next(0).priority, 4294901758U);
  Job& nice = next(100);
  EXPECT_EQ(nice.priority, 4294901657U);
  EXPECT_EQ(next(0).priority, 4294901756U);  // the minimum is taken without nice
  plugin->recompute(nice, at(10));
  EXPECT_EQ(nice.priority, 4294901657U);  // a number is handed out once
  nice.nice = 50;
  plugin->recompute(nice, at(10));
  EXPECT_EQ(nice.priority, 4294901707U);
  Job& direct = site.job("emil", "root");
  direct.direct_priority = true;
  direct.priority = 5;
  plugin->recompute(direct, at(0));
  EXPECT_EQ(direct.priority, 5U);
  EXPECT_EQ(next(-10).priority, 4294901765U);
  EXPECT_EQ(next(0).priority, 4294901754U);
}

}  // namespace
}  // namespace rehearse::test

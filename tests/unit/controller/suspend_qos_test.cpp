// tests/unit/controller/suspend_qos_test.cpp — preempt/qos with SUSPEND,GANG: the extra row, and
// the turns that follow (preemption.md §4 step 2) [V].
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

std::string conf(const std::string& share, const std::string& mode, const std::string& nodes) {
  return "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
         "PreemptType=preempt/qos\nPreemptMode=" +
         mode +
         "\nSchedulerTimeSlice=60\n"
         "NodeName=" +
         nodes + " CPUs=4\nPartitionName=p Nodes=ALL Default=YES OverSubscribe=" + share +
         "\nPartitionName=other Nodes=ALL OverSubscribe=" + share + "\n";
}

/// QOS low, work and high; high may preempt low.
struct Site {
  explicit Site(const std::string& share, const std::string& low_mode = "cluster",
                const std::string& mode = "SUSPEND,GANG", const std::string& nodes = "n1")
      : whole(conf(share, mode, nodes)) {
    for (const char* name : {"low", "work", "high"}) {
      QosConf& qos = whole.accounting().qos.emplace_back();
      qos.name = name;
      qos.priority = name == std::string("low") ? 0 : 100;
      if (name == std::string("high")) qos.preempt = {"low"};
      if (name == std::string("low")) qos.preempt_mode = low_mode;
      whole.accounting().associations.front().qos.push_back(name);
    }
    whole.at_each_event = [this](const Cluster& now) {
      for (const Job& job : now.jobs) {
        if (job.is_suspended()) was_suspended.insert(static_cast<std::uint32_t>(job.id));
      }
    };
  }
  JobSpec& ask(std::uint32_t id, std::int64_t at, std::int64_t runtime, const std::string& qos,
               const std::string& partition = "p") {
    Request request;
    request.max_nodes = 1;
    request.num_tasks = request.min_cpus = 4;
    JobSpec& spec = whole.job(id, at, runtime, request);
    spec.qos = whole.names().intern(qos);
    spec.partitions = whole.names().intern(partition);
    return spec;
  }
  RunSite whole;
  std::set<std::uint32_t> was_suspended;
};

TEST(SuspendByQos, StartsAtOnceOverALowerQosAndTakesTurnsWithIt) {
  Site site("FORCE:1");
  site.ask(1, 0, 600, "low");
  site.ask(2, 100, 300, "high");
  site.whole.run();
  EXPECT_LE(site.whole.second_of("start 2"), 105);
  EXPECT_EQ(site.was_suspended, (std::set<std::uint32_t>{1, 2}));
  EXPECT_GT(site.whole.second_of("end 2"), 100 + 300 + 120) << "half of the time it stood still";
  EXPECT_NEAR(static_cast<double>(site.whole.second_of("end 1 COMPLETED")), 900, 5);
}

TEST(SuspendByQos, AlsoGoesOverJobsThatItMayNotPreempt) {
  // The row is free whoever holds the cores below: the low job needs only be in the partition.
  Site site("FORCE:1");
  Request one;
  one.max_nodes = 1;
  site.whole.job(1, 0, 600, one).qos = site.whole.names().intern("low");
  Request three = one;
  three.num_tasks = three.min_cpus = 3;
  site.whole.job(2, 10, 600, three).qos = site.whole.names().intern("work");
  site.whole.job(3, 100, 300, three).qos = site.whole.names().intern("high");
  site.whole.run();
  EXPECT_LE(site.whole.second_of("start 3"), 105);
  EXPECT_TRUE(site.was_suspended.contains(2));
}

TEST(SuspendByQos, NeedsAPartitionWhoseJobsShareCores) {
  Site site("NO");
  site.ask(1, 0, 600, "low");
  site.ask(2, 100, 300, "high");
  site.whole.run();
  EXPECT_GE(site.whole.second_of("start 2"), site.whole.second_of("end 1"));
  EXPECT_TRUE(site.was_suspended.empty());
}

TEST(SuspendByQos, GivesNobodyElseTheExtraRow) {
  Site site("FORCE:1");
  site.ask(1, 0, 600, "low");
  site.ask(2, 100, 300, "work");
  site.whole.run();
  EXPECT_GE(site.whole.second_of("start 2"), site.whole.second_of("end 1"));
}

TEST(SuspendByQos, DoesWhatTheQosOfTheVictimSays) {
  Site site("FORCE:1", "cancel");
  site.ask(1, 0, 600, "low");
  site.ask(2, 100, 300, "high");
  site.whole.run();
  EXPECT_EQ(site.whole.lines("end 1 PREEMPTED").size(), 1U);
  EXPECT_TRUE(site.was_suspended.empty());
}

// preemption.md §7 [V]: the first candidate is requeued, not suspended, so the start fails.
TEST(SuspendByQos, IsPlannedFromNowWhereTheExtraRowIsOpenToTheEstimateAlone) {
  Site site("FORCE:1", "cluster", "SUSPEND,GANG", "n[1-2]");
  QosConf& junk = site.whole.accounting().qos.emplace_back();
  junk.name = "junk";
  junk.preempt_mode = "requeue";
  for (QosConf& qos : site.whole.accounting().qos) {
    if (qos.name == "low") qos.priority = 10;
    if (qos.name == "high") qos.preempt.push_back("junk");
  }
  site.whole.accounting().associations.front().qos.push_back("junk");
  Request one;
  one.max_nodes = 1;
  Request both;
  both.min_nodes = 2;
  both.num_tasks = both.min_cpus = 8;
  site.ask(1, 0, 1200, "work");
  site.whole.job(2, 10, 1800, one).qos = site.whole.names().intern("low");
  site.whole.job(3, 20, 1800, one).qos = site.whole.names().intern("junk");
  site.whole.job(4, 100, 300, both).qos = site.whole.names().intern("high");
  JobSpec& small = site.whole.job(5, 200, 60, one);
  small.qos = site.whole.names().intern("work");
  small.time_limit = Minutes{5};
  site.whole.run();
  EXPECT_GE(site.whole.second_of("start 4"), site.whole.second_of("end 1"))
      << "job 1 cannot be preempted";
  EXPECT_GE(site.whole.second_of("start 5"), site.whole.second_of("end 1"))
      << "both nodes are planned away";
}

// [V: QOS with PreemptMode=suspend under PreemptMode=REQUEUE, OverSubscribe=FORCE:1.]
TEST(SuspendByQos, WithoutGangStopsNobody) {
  Site site("FORCE:1", "suspend", "REQUEUE");
  site.ask(1, 0, 600, "low");
  site.ask(2, 100, 300, "high");
  site.whole.run();
  EXPECT_LE(site.whole.second_of("start 2"), 105);
  EXPECT_TRUE(site.was_suspended.empty());
  EXPECT_EQ(site.whole.lines("PREEMPTED").size(), 0U);
}

}  // namespace
}  // namespace rehearse::test

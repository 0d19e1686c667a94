// tests/unit/sched/examples_preemption_test.cpp — the worked examples of preemption.md §10, and its
// rules of who and in which order.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

/// Nodes n1 … n4 of four CPUs, all in the partitions low (tier 1) and high (tier 10); L1 on n1, L2
/// on n2 and n3, L3 on n4, in this order of creation.
struct LowAndHigh {
  explicit LowAndHigh(const std::function<void(SlurmConf&)>& change = {}) : loops(4) {
    SlurmConf& conf = loops.inputs.slurm_conf;
    conf.preempt_type = PreemptType::PartitionPrio;
    conf.preempt_mode = PreemptMode::Requeue;
    const std::vector<std::string> all{"n1", "n2", "n3", "n4"};
    loops.partition("low", all).priority_tier = 1;
    loops.partition("high", all).priority_tier = 10;
    if (change) change(conf);
    loops.build();
    l1 = &loops.running("-N1 --exclusive", {"n1"}, "13:00:00");
    l2 = &loops.running("-N2 --exclusive", {"n2", "n3"}, "13:00:00");
    l3 = &loops.running("-N1 --exclusive", {"n4"}, "13:00:00");
  }

  /// The victims of one pass, as `L1 L3`.
  std::string victims_of(std::string_view options) {
    Job& preemptor = loops.pending(options, 30, "high");
    loops.pass("12:30:00");
    EXPECT_EQ(preemptor.reason, Reason::Resources);
    return names();
  }
  [[nodiscard]] std::string names() const {
    std::string text;
    for (const JobId id : loops.victims()) {
      text += text.empty() ? "" : " ";
      text += id == l1->id ? "L1" : id == l2->id ? "L2" : id == l3->id ? "L3" : "another";
    }
    return text;
  }

  Loops loops;
  Job *l1 = nullptr, *l2 = nullptr, *l3 = nullptr;
};

TEST(PreemptionExample, P1TwoNodesTakeTheTwoSmallJobs) {
  EXPECT_EQ(LowAndHigh().victims_of("-N2 -n8"), "L1 L3");
  EXPECT_EQ(LowAndHigh([](SlurmConf& conf) {
              conf.preempt_parameters.reorder_count = 0;
            }).victims_of("-N2 -n8"),
            "L3 L1");
}

TEST(PreemptionExample, P2AnUnusableNodeIsPassedOver) {
  EXPECT_EQ(LowAndHigh().victims_of("-N1 -n4 -x n1"), "L3");
  EXPECT_EQ(LowAndHigh().victims_of("-N1 -n4"), "L1");
}

TEST(PreemptionExample, P3ReorderingSparesTheJobThatIsNotNeeded) {
  EXPECT_EQ(LowAndHigh().victims_of("-N3 -n12"), "L1 L2");
  EXPECT_EQ(LowAndHigh([](SlurmConf& conf) {
              conf.preempt_parameters.reorder_count = 0;
            }).victims_of("-N3 -n12"),
            "L2 L1");
  EXPECT_EQ(LowAndHigh([](SlurmConf& conf) {
              conf.preempt_parameters.strict_order = true;
            }).victims_of("-N3 -n12"),
            "L1 L2");
}

TEST(PreemptionExample, P5AYoungJobIsExempt) {
  LowAndHigh site([](SlurmConf& conf) { conf.preempt_exempt_time = Seconds{600}; });
  site.l1->start = clock_time("12:25:00");
  EXPECT_EQ(site.victims_of("-N1 -n4"), "L3");
}

/// One node a job; QOS normal of which P6 tells.
struct WithinQos {
  WithinQos(const std::string& mode, bool cluster_within) : loops(2) {
    SlurmConf& conf = loops.inputs.slurm_conf;
    conf.preempt_type = PreemptType::Qos;
    conf.preempt_mode = PreemptMode::Requeue;
    conf.preempt_within = cluster_within;
    QosConf& normal = loops.inputs.accounting.qos.emplace_back();
    normal.name = "normal";
    normal.preempt_mode = mode;
    loops.build();
    r1 = &run("n1", 500);
    r2 = &run("n2", 900);
  }
  Job& run(const std::string& node, std::uint32_t priority) {
    Job& job = loops.running("-N1 -n4", {node}, "13:00:00");
    job.qos = QosId{0};
    job.priority = priority;
    return job;
  }
  Job& ask(std::uint32_t priority) {
    Job& job = loops.pending("-N1 -n4", 30);
    job.qos = QosId{0};
    job.priority = priority;
    loops.pass("12:30:00");
    return job;
  }

  Loops loops;
  Job *r1 = nullptr, *r2 = nullptr;
};

TEST(PreemptionExample, P6WithinAQosTheLowerPriorityGoes) {
  WithinQos site("requeue,within", false);
  site.ask(700);
  EXPECT_EQ(site.loops.victims(), std::vector<JobId>{site.r1->id});
}

TEST(PreemptionExample, P6WithinOfTheClusterHoldsForAQosOfItsOwnMode) {
  WithinQos site("cancel", true);
  EXPECT_EQ(site.ask(300).reason, Reason::Resources);
  EXPECT_TRUE(site.loops.victims().empty());
  site.ask(700);
  EXPECT_EQ(site.loops.victims(), std::vector<JobId>{site.r1->id});
}

TEST(PreemptionExample, P6WithoutWithinNobodyGoes) {
  WithinQos site("cancel", false);
  site.ask(700);
  EXPECT_TRUE(site.loops.victims().empty());
}

TEST(PreemptionOrder, YoungestFirstLooksAtStartTimesOnly) {
  const auto youngest = [](SlurmConf& conf) { conf.preempt_parameters.youngest_first = true; };
  const auto in_turn = [](LowAndHigh& site) {
    site.l1->start = clock_time("12:00:00");
    site.l2->start = clock_time("12:01:00");
    site.l3->start = clock_time("12:02:00");
  };
  LowAndHigh one(youngest), two(youngest), three(youngest);
  in_turn(one);
  in_turn(two);
  in_turn(three);
  EXPECT_EQ(one.victims_of("-N1 -n4"), "L3");
  EXPECT_EQ(two.victims_of("-N2 -n8"), "L2");
  EXPECT_EQ(three.victims_of("-N1 -n4 -x n4"), "L2");
}

TEST(PreemptionOrder, APartitionWhoseModeIsOffIsSafe) {
  LowAndHigh site([](SlurmConf& conf) { conf.partitions[0].preempt_mode = PreemptMode::Off; });
  EXPECT_EQ(site.victims_of("-N1 -n4"), "");
}

TEST(PreemptionOrder, AJobAboveMinExemptPriorityIsSafe) {
  LowAndHigh site([](SlurmConf& conf) { conf.preempt_parameters.min_exempt_priority = 100; });
  site.l1->priority = 101;
  site.l2->priority = site.l3->priority = 100;
  EXPECT_EQ(site.victims_of("-N1 -n4"), "L3");
}

TEST(PreemptionOrder, NobodyGoesForAJobThatWouldNotFitAllTheSame) {
  LowAndHigh site;
  site.loops.stop(*site.l3);
  site.loops.running("-N1 --exclusive", {"n4"}, "13:00:00", "high");
  EXPECT_EQ(site.victims_of("-N4 -n16"), "");
}

TEST(PreemptionOrder, BackfillPreemptsWhereTheMainLoopDoesNotCome) {
  // A job of the same partition blocks it; backfill reaches the second one (§9).
  LowAndHigh site;
  Job& first = site.loops.pending("-N1 -n4 -w n1", 30, "high");
  site.loops.cycle("12:30:00");
  EXPECT_EQ(site.names(), "L1");
  EXPECT_EQ(site.loops.plan(first), "12:30:00 n1") << "planned from now, for all that it waits";
}

TEST(PreemptionQueue, WhoMayPreemptAnotherGoesBeforeItWhateverTheirPriorities) {
  // scheduling.md §3.2 rule 1.
  Loops loops(1);
  SlurmConf& conf = loops.inputs.slurm_conf;
  conf.preempt_type = PreemptType::Qos;
  conf.preempt_mode = PreemptMode::Cancel;
  loops.inputs.accounting.qos.emplace_back().name = "low";
  QosConf& high = loops.inputs.accounting.qos.emplace_back();
  high.name = "high";
  high.preempt = {"low"};
  loops.build();
  Job& lower = loops.pending("-N1 -n4", 30);
  Job& upper = loops.pending("-N1 -n4", 30);
  lower.qos = loops.cluster->accounts.find_qos(loops.names.intern("low"));
  upper.qos = loops.cluster->accounts.find_qos(loops.names.intern("high"));
  ASSERT_GT(lower.priority, upper.priority);
  loops.pass("12:00:00");
  EXPECT_TRUE(upper.is_running());
  EXPECT_TRUE(lower.is_pending());
}

}  // namespace
}  // namespace rehearse::test

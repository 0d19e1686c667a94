// tests/unit/controller/first_memory_test.cpp — by which memory the first test of a job with
// DefMemPerGPU chooses its node: what a running slurmctld did (gres.md §2.3).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Nodes n1, n2 of 64000 MB and four GPUs each in `gpu` (3000 MB and two CPUs for each GPU) and in
/// `short`; n3 as well in `wide` and `low`. Some memory of n1 is held.
class HeldMemory {
 public:
  explicit HeldMemory(const std::string& defaults, const std::string& mib = "1000",
                      const std::string& loop = "sched_interval=50000,bf_interval=-1")
      : site(
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
            "PriorityType=priority/basic\nGresTypes=gpu\nPreemptType=preempt/partition_prio\n"
            "PreemptMode=REQUEUE\nSchedulerParameters=" +
            loop + "\n" + defaults +
            "\n"
            "NodeName=n[1-3] CPUs=16 CoresPerSocket=16 RealMemory=64000 Gres=gpu:4\n"
            "PartitionName=gpu Nodes=n[1-2] DefMemPerGPU=3000 DefCpuPerGPU=2 PriorityTier=5\n"
            "PartitionName=short Nodes=n[1-2] Default=YES PriorityTier=5\n"
            "PartitionName=wide Nodes=n[1-3] PriorityTier=5\nPartitionName=low Nodes=n[1-3]\n") {
    AssociationConf& user = site.accounting().associations.emplace_back();
    user.account = user.user = "root";
    for (AssociationConf& each : site.accounting().associations) {
      each.qos = {"normal"};
      each.default_qos = "normal";
    }
    if (mib != "0") submit(1, 0, "short", "-N1 -n1 -w n1 --mem=" + mib);
    for (const std::string name : {"gpu", "short", "wide"}) set(50, name, "down");
    site.at_each_event = [this](const Cluster& cluster) { note(cluster); };
  }

  JobSpec& submit(std::uint32_t id, std::int64_t at, const std::string& partitions,
                  const std::string& options) {
    JobSpec& spec = site.job(id, at, 100000, ask_request(options, site.names()));
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern("normal");
    spec.partitions = site.names().intern(partitions);
    spec.time_limit = Minutes{2000};
    return spec;
  }
  void set(std::int64_t at, const std::string& partition, const std::string& state) {
    site.command(at, "scontrol update partitionname=" + partition + " state=" + state);
  }
  /// Where job 3 runs after each of these partitions was up for a while: `n1:3000`, or `-`.
  std::string places(const std::string& partitions, const std::string& options, bool held = false) {
    submit(3, 60, partitions, options).held = held;
    if (held) site.command(70, "scontrol release 3");
    std::int64_t at = 100;
    for (const std::string& name : steps) {
      set(at, name, "up");
      set(at + 90, name, "down");
      at += 100;
    }
    site.run();
    preempted = !site.lines("PREEMPTED").empty();
    std::string all;
    for (std::size_t i = 1; i <= steps.size(); ++i) {
      const std::int64_t end = 95 + 100 * static_cast<std::int64_t>(i);
      all += (all.empty() ? "" : " ") + (started_at <= end ? place : "-");
    }
    return all;
  }

  RunSite site;
  std::vector<std::string> steps{"short", "short"};
  std::string place;
  bool preempted = false;
  std::int64_t started_at = INT64_MAX;

 private:
  void note(const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id != JobId{3} || !job.is_running() || !place.empty()) continue;
      started_at = epoch_seconds(*job.start) - RunSite::kStart;
      const NodeShare& share = job.allocation.nodes.front();
      place = fmt::format("{}:{}", cluster.names.text(cluster.nodes[share.node].name),
                          share.memory_mib);
    }
  }
};

TEST(FirstMemory, AfterATestByGpuABusyNodeThatFitsBetterIsChosenAndDoesNotDo) {
  HeldMemory none("");
  EXPECT_EQ(none.places("gpu,short", "--gres=gpu:1"), "- n2:64000");
  HeldMemory by_cpu("DefMemPerCPU=500");
  EXPECT_EQ(by_cpu.places("gpu,short", "--gres=gpu:1"), "- n1:1000");
  HeldMemory required("");
  EXPECT_EQ(required.places("gpu,short", "--gres=gpu:1 -w n2"), "n2:64000 n2:64000");
  HeldMemory other("");
  EXPECT_EQ(other.places("short,gpu", "--gres=gpu:1"), "n2:64000 n2:64000");
}

TEST(FirstMemory, AfterATestByGpuTheMemoryOfOneGpuIsToBeFree) {
  HeldMemory less("DefMemPerCPU=500", "61500");
  EXPECT_EQ(less.places("gpu,short", "--gres=gpu:2"), "n2:64000 n2:64000");
  HeldMemory enough("DefMemPerCPU=500", "60000");
  EXPECT_EQ(enough.places("gpu,short", "--gres=gpu:2"), "- n1:2000");
}

TEST(FirstMemory, OfAJobNotTestedAtItsSubmissionIsTheDefault) {
  const auto place = [](const std::string& defaults, const std::string& mib,
                        const std::string& options, bool held) {
    HeldMemory site(defaults, mib);
    site.steps = {"gpu"};
    return site.places("gpu", options, held);
  };
  EXPECT_EQ(place("", "1000", "--gres=gpu:2", false), "n1:6000");
  EXPECT_EQ(place("", "1000", "--gres=gpu:2", true), "n2:6000");
  EXPECT_EQ(place("DefMemPerCPU=500", "1000", "--gres=gpu:2", true), "n1:6000");
  EXPECT_EQ(place("DefMemPerNode=7000", "60000", "--gres=gpu:1", false), "n1:3000");
  EXPECT_EQ(place("DefMemPerNode=7000", "60000", "--gres=gpu:1", true), "n2:3000");
  EXPECT_EQ(place("DefMemPerCPU=1500", "59000", "--gres=gpu:1 -n2", true), "n1:3000");
  EXPECT_EQ(place("DefMemPerCPU=1500", "59000", "--gres=gpu:1 -n4", true), "n2:3000");
  EXPECT_EQ(place("DefMemPerCPU=1500", "57500", "--gres=gpu:1 -n4", true), "n1:3000");
  EXPECT_EQ(place("DefMemPerCPU=1500", "59000", "--gres=gpu:1 -n4", false), "n1:3000");
  EXPECT_EQ(place("DefMemPerCPU=1500", "59000", "--gres=gpu:1 -c4", true), "n2:3000");
}

TEST(FirstMemory, IsAskedOnceAlsoWhereEveryPartitionHasDefaultsByGpu) {
  HeldMemory site("DefMemPerGPU=3000");
  site.submit(2, 10, "short", "-N1 -n1 -w n2 --mem=1000");
  site.steps = {"gpu", "gpu"};
  EXPECT_EQ(site.places("gpu", "--gres=gpu:2", true), "- n1:6000");
}

TEST(FirstMemory, IsNotTestedAtASubmissionBeyondALimitOfJobs) {
  HeldMemory site("AccountingStorageEnforce=associations,limits,qos");
  site.site.accounting().qos.front().limits.grp_jobs = 2;
  site.submit(2, 10, "low", "-N1 -n1 -w n3").run.runtime = Seconds{70};
  site.steps = {"gpu"};
  EXPECT_EQ(site.places("gpu", "--gres=gpu:2"), "n2:6000");
}

TEST(FirstMemory, OfAnEstimateIsNotAskedOfTheChosenNodes) {
  HeldMemory site("DefMemPerCPU=500", "1000", "sched_interval=-1,bf_interval=10");
  EXPECT_EQ(site.places("gpu,short", "--gres=gpu:1"), "n2:64000 n2:64000");
  HeldMemory held("", "1000", "sched_interval=-1,bf_interval=10");
  held.steps = {"gpu"};
  EXPECT_EQ(held.places("gpu", "--gres=gpu:2", true), "n1:6000");
}

/// n3 is idle, but the walk over victims finds n2 without its job first.
TEST(FirstMemory, IsOfNoUseOnceVictimsGo) {
  HeldMemory site("DefMemPerCPU=500");
  site.submit(2, 10, "low", "-N1 -n1 -w n2 --mem=64000");
  site.steps = {"wide"};
  EXPECT_EQ(site.places("gpu,wide", "--gres=gpu:1"), "n1:1000");
  EXPECT_NE(site.started_at, INT64_MAX);
}

/// Where the held job runs after one pass of `gpu`, if each of `low` has half of the memory of its
/// node, or all of it if it is the only one, and `held` 1000 MB. `!`: one of `low` has gone.
std::string preempting(const std::vector<std::string>& low, bool held) {
  HeldMemory site("", held ? "1000" : "0");
  const std::string memory = low.size() == 1 ? " --mem=64000" : " --mem=32000";
  std::uint32_t id = 10;
  for (const std::string& node : low) {
    site.submit(++id, 10, "low", "-N1 -n1 -w " + node + memory);
  }
  site.steps = {"gpu"};
  const std::string place = site.places("gpu", "--gres=gpu:2", true);
  return place + (site.preempted ? "!" : "");
}

/// One candidate leads to n1, where nobody has to go: the job waits all the same. Several: where
/// the first removal leads to is tried again with all present, by the memory of the partition.
TEST(FirstMemory, MayEndInAWalkWithoutVictims) {
  EXPECT_EQ(preempting({"n2"}, true), "-");
  EXPECT_EQ(preempting({"n1", "n2"}, false), "n2:6000");
  EXPECT_EQ(preempting({"n2", "n1"}, false), "n1:6000");
  EXPECT_EQ(preempting({"n1", "n2", "n2"}, false), "n1:6000");
  EXPECT_EQ(preempting({"n1", "n1", "n2"}, false), "n1:6000!");
}

}  // namespace
}  // namespace rehearse::test

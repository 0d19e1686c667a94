// tests/unit/controller/tested_cpus_test.cpp — the CPUs that the size of a pending job counts after
// a test (priority.md §3.4), as scripts/reference/experiments/tested_cpus.py asked a slurmctld.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kMain = "sched_interval=10,bf_interval=-1";
constexpr const char* kBackfill = "sched_interval=-1,bf_interval=10";
constexpr const char* kNow = "sched_interval=-1,bf_interval=10,bf_min_prio_reserve=1000000000";

/// Two nodes of eight cores of two threads, one task a core; those named in `held` run a job of one
/// task. What the last job counts after some tests; 0: it was refused, or none has found a place.
std::uint32_t tested_cpus(const std::string& parameters, const std::string& asked,
                          const std::string& held = "", std::uint32_t max_jobs = 0) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE\n"
      "PriorityType=priority/multifactor\nDefMemPerCPU=100\nAccountingStorageEnforce=limits\n"
      "SchedulerParameters=" +
      parameters +
      "\nNodeName=n[1-3] CPUs=16 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=16000\n"
      "PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE\n");
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  root.qos = {"normal"};
  if (max_jobs > 0) site.accounting().qos.front().max_jobs_per_user = max_jobs;
  std::uint32_t last = 0;
  const auto submit = [&](std::int64_t at, const std::string& options) {
    JobSpec& spec = site.job(++last, at, 2000, ask_request(options, site.names()));
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern("normal");
    spec.partitions = site.names().intern("all");
  };
  for (const char node : held) submit(0, std::string("-n1 -w n") + node);
  submit(60, asked);
  std::uint32_t cpus = 0;
  bool is_seen = false;
  site.at_each_event = [&](const Cluster& cluster) {
    if (!cluster.nodes[NodeId{2}].state.drain) return;
    if (is_seen) return;
    is_seen = true;
    for (const Job& job : cluster.jobs) {
      if (job.id == JobId{last} && job.is_pending()) cpus = job.total_cpus;
    }
  };
  site.command(300, "scontrol update nodename=n3 state=drain reason=x");  // an event, to look at it
  site.run();
  return cpus;
}

TEST(TestedCpus, AreThoseOfAnEstimateAlsoOfAJobTestedForNowAlone) {
  const std::string stop = ",assoc_limit_stop";
  EXPECT_EQ(tested_cpus(kMain + stop, "-n1 --exclusive", "1", 1), 0U);
  EXPECT_EQ(tested_cpus(kBackfill, "-n1 --exclusive", "1", 1), 0U);
  EXPECT_EQ(tested_cpus(kBackfill + stop, "-n1 --exclusive", "1", 1), 16U);
  EXPECT_EQ(tested_cpus(kNow + stop, "-n1 --exclusive", "1", 1), 16U);
  EXPECT_EQ(tested_cpus(kNow + stop, "-n9 --exclusive", "1", 1), 0U);
  EXPECT_EQ(tested_cpus(kBackfill + stop, "-n9 --exclusive", "1", 1), 32U);
}

TEST(TestedCpus, OfHeldNodesAreThoseOfATimeToCome) {
  EXPECT_EQ(tested_cpus(kMain, "-n1 --exclusive", "12"), 0U);
  EXPECT_EQ(tested_cpus(kBackfill, "-n1 --exclusive", "12"), 16U);
  EXPECT_EQ(tested_cpus(kNow, "-n1 --exclusive", "12"), 0U);
}

/// Whole nodes must have memory for their tasks' CPUs to be chosen, and for all of them to start.
TEST(TestedCpus, AreThoseOfNodesThatTurnOutShortOfMemory) {
  for (const char* loop : {kMain, kBackfill, kNow}) {
    EXPECT_EQ(tested_cpus(loop, "-n8 --exclusive --mem-per-cpu=1500"), 32U);
    EXPECT_EQ(tested_cpus(loop, "-n5 --exclusive --mem-per-cpu=1500"), 16U);
    EXPECT_EQ(tested_cpus(loop, "-n11 --exclusive --mem-per-cpu=1500"), 0U);
    EXPECT_EQ(tested_cpus(loop, "-n4 --exclusive --mem-per-cpu=2500"), 0U);
  }
}

/// Under select/linear two nodes of 16 CPUs and two of eight, dearer ones, all held until `ends`
/// (minutes), behind a job that waits first: what `asked` counts after four minutes.
std::uint32_t linear_cpus(const std::string& parameters, const std::string& asked,
                          const std::array<int, 4>& ends) {
  RunSite site(
      "SelectType=select/linear\nSelectTypeParameters=CR_Memory\n"
      "PriorityType=priority/multifactor\nDefMemPerCPU=10\nSchedulerParameters=" +
      parameters +
      "\nNodeName=a[1-2] CPUs=16 RealMemory=16000 Feature=x Weight=1\n"
      "NodeName=h[1-2] CPUs=8 RealMemory=8000 Feature=y Weight=50\n"
      "NodeName=z CPUs=1\nPartitionName=all Nodes=a[1-2],h[1-2] Default=YES MaxTime=INFINITE\n");
  const auto submit = [&](std::uint32_t id, std::int64_t at, int minutes,
                          const std::string& options) {
    JobSpec& spec = site.job(id, at, 60 * minutes, ask_request(options, site.names()));
    spec.time_limit = Minutes{minutes};
    spec.partitions = site.names().intern("all");
  };
  const char* const nodes[] = {"a1", "a2", "h1", "h2"};
  for (std::uint32_t i = 0; i < 4; ++i) {
    submit(i + 1, 0, ends[i], std::string("-N1 --exclusive -w ") + nodes[i]);
  }
  submit(5, 10, 10, "-N1");
  submit(6, 20, 10, asked);
  std::uint32_t cpus = 0;
  bool is_seen = false;
  site.at_each_event = [&](const Cluster& cluster) {
    if (is_seen || !cluster.nodes[NodeId{4}].state.drain) return;
    is_seen = true;
    for (const Job& job : cluster.jobs) {
      if (job.id == JobId{6} && job.is_pending()) cpus = job.total_cpus;
    }
  };
  site.command(240, "scontrol update nodename=z state=drain reason=x");  // an event, to look at it
  site.run();
  return cpus;
}

TEST(TestedCpus, OfSelectLinearAreThoseOfASubmissionToo) {
  const std::array<int, 4> ends = {30, 32, 60, 62};
  const std::string none = "bf_interval=-1";
  EXPECT_EQ(linear_cpus(none, "-N1", ends), 16U);
  EXPECT_EQ(linear_cpus(none, "-N3", ends), 40U);
  EXPECT_EQ(linear_cpus(none, "-n20", ends), 32U);
  EXPECT_EQ(linear_cpus(none, "-N1 -w h1", ends), 8U);
  EXPECT_EQ(linear_cpus(none, "-N1 -C y", ends), 8U);
  EXPECT_EQ(linear_cpus(none, "-N2 -C [y|x]", ends), 16U);
}

TEST(TestedCpus, OfSelectLinearAreThoseOfTheLastAlternativeWithAStart) {
  const std::array<int, 4> ends = {30, 32, 60, 62};
  const std::string alone = "sched_interval=-1,bf_interval=30";
  EXPECT_EQ(linear_cpus(alone, "-N2 -C [x|y]", ends), 16U);
  EXPECT_EQ(linear_cpus(alone, "-N2 -C [y|x]", ends), 32U);
  EXPECT_EQ(linear_cpus(alone, "-N1 --mem=12000 -C [x|y]", ends), 16U);
  EXPECT_EQ(linear_cpus(alone, "-N1", {130, 132, 60, 62}), 8U) << "without: of the earliest start";
}

}  // namespace
}  // namespace rehearse::test

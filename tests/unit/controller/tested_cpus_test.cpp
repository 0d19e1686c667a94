// tests/unit/controller/tested_cpus_test.cpp — the CPUs that the size of a pending job counts after
// a test (priority.md §3.4), as scripts/reference/experiments/tested_cpus.py asked a slurmctld.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rehearse::test

// tests/unit/controller/count_reserve_test.cpp — whether a job that preempts is planned where plans
// are counted (scheduling.md §8.7), as scripts/reference/experiments/count_reserve.py asked.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// n1 is held by a victim, n3 by no victim. Does the job of one CPU on n2 start before the one
/// that preempts for n1 and n2? `first`: waits for n3 before both; empty: there is none.
bool passes_the_preemptor(const std::string& keys, const std::string& first,
                          const std::string& partition = "all") {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n"
      "AccountingStorageEnforce=associations,limits,qos\n"
      "SchedulerParameters=sched_interval=-1,bf_interval=10" +
      keys +
      "\nNodeName=n[1-3] CPUs=4 CoresPerSocket=4 RealMemory=16000\n"
      "PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE\n"
      "PartitionName=other Nodes=n[1-3] MaxTime=INFINITE\n");
  site.accounting().qos.emplace_back().name = "low";
  QosConf& high = site.accounting().qos.emplace_back();
  high.name = "high";
  high.preempt = {"low"};
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  for (AssociationConf& each : site.accounting().associations) {
    each.qos = {"normal", "low", "high"};
    each.default_qos = "normal";
  }
  const auto submit = [&](std::uint32_t id, std::int64_t at, const std::string& qos,
                          const std::string& words, const std::string& where = "all") {
    JobSpec& spec = site.job(id, at, 30000, ask_request(words, site.names()));
    spec.time_limit = Minutes{id < 3 ? 600 : 60};
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern(qos);
    spec.partitions = site.names().intern(where);
  };
  submit(1, 0, "low", "-w n1 -n4");
  submit(2, 0, "normal", "-w n3 -n4");
  for (const std::string name : {"all", "other"}) {
    site.command(60, "scontrol update partitionname=" + name + " state=down");
    site.command(120, "scontrol update partitionname=" + name + " state=up");
  }
  if (!first.empty()) submit(3, 70, "normal", first, partition);
  submit(4, 71, "high", "-N2 -x n3 --exclusive");
  submit(5, 72, "normal", "-n1 -w n2");
  const auto seen = site.run();
  for (const std::string& line : seen) {
    if (line.find(" start 5 ") != std::string::npos) return true;
    if (line.find(" start 4 ") != std::string::npos) return false;
  }
  ADD_FAILURE() << "neither starts";
  return false;
}

TEST(CountReserve, APreemptorIsNotPlannedBehindAsManyPlansOfItsPartition) {
  const std::string waits = "-w n3 -n4";
  EXPECT_TRUE(passes_the_preemptor(",bf_job_part_count_reserve=1", waits));
  EXPECT_FALSE(passes_the_preemptor("", waits));
  EXPECT_FALSE(passes_the_preemptor(",bf_job_part_count_reserve=2", waits));
  EXPECT_FALSE(passes_the_preemptor(",bf_job_part_count_reserve=1", ""));
  EXPECT_FALSE(passes_the_preemptor(",bf_job_part_count_reserve=1", waits, "other"));
  EXPECT_FALSE(passes_the_preemptor(",bf_min_age_reserve=5000", waits));
}

}  // namespace
}  // namespace rehearse::test

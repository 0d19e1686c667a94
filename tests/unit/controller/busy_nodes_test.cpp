// tests/unit/controller/busy_nodes_test.cpp — the nodes of plans under bf_busy_nodes (scheduling.md
// §6.4, rule 2), as a real slurmctld chose them (scripts/reference/experiments/busy_nodes.py).
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/hostlist.hpp"
#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "SchedulerParameters=sched_interval=50000,bf_interval=5,bf_busy_nodes,bf_window=1000\n"
    "NodeName=n[1-4] CPUs=8 RealMemory=64000 Weight=1\n"
    "NodeName=m[1-2] CPUs=8 RealMemory=64000 Weight=5\n"
    "NodeName=k1 CPUs=2 RealMemory=64000 Weight=1\n"
    "NodeName=e[1-3] CPUs=8 RealMemory=64000 Weight=1\n"
    "NodeName=w1 CPUs=5 RealMemory=64000 Weight=1\n"
    "PartitionName=edge Nodes=e[1-3],w1 MaxTime=INFINITE\n"
    "PartitionName=all Nodes=n[1-4],m[1-2] Default=YES MaxTime=INFINITE\n"
    "PartitionName=low Nodes=n[1-4] MaxTime=INFINITE\n"
    "PartitionName=few Nodes=n[2-4],k1 MaxTime=INFINITE\n";

struct Asked {
  std::string_view partition, options, cons_tres, cons_res;
};

constexpr Asked kAsked[] = {
    {"low", "-N2 -n16", "n[1-3] 10", "n[1-2] 30"},
    {"low", "-N2 -n14", "n[1-3] 10", "n[1-2] 30"},
    {"low", "-N2 -n13", "n[1-3] 10", "n[1-2] 30"},
    {"low", "-N1-2 -n14", "n[1-3] 10", "n[1-2] 30"},
    {"low", "-N3 -n17", "n[1-4] 10", "n[1-3] 30"},
    {"low", "-N3 -n20", "n[1-4] 30", "n[1-3] 30"},
    {"low", "-N3 -n24", "n[1-4] 60", "n[1-3] 60"},
    {"low", "-N2 --ntasks-per-node=8", "n[1-2] 30", "n[1-2] 30"},
    {"low", "-N2 -n16 -w n2", "n[1-3] 10", "n[1-2] 30"},
    {"low", "-N1 -n6 -x n1", "n2 30", "n2 30"},
    {"low", "-N2 -n10 -x n1", "n[2-3] 30", "n[2-3] 30"},
    {"all", "-N3 -n23", "n[1-4] 30", "m2,n[2-3] 120"},
    {"all", "-N3 -n24", "m[1-2],n[1-2] 30", "m2,n[2-3] 120"},
    {"all", "-N4 -n27", "m[1-2],n[1-3] 10", "m[1-2],n[1-2] 30"},
    {"all", "-N5 -n31", "m[1-2],n[1-4] 10", "m[1-2],n[1-3] 30"},
    {"low", "-N1 -n6 -w n2", "n2 30", "n2 30"},
    {"low", "-N2 -n14 -w n[2-3]", "n[2-3] 60", "n[2-3] 60"},
    {"few", "-N2 -n11", "k1,n[2-3] 30", "n[2-3] 30"},
    {"few", "-N2 -n10", "k1,n[2-3] 10", "n[2-3] 30"},
    {"few", "-N1 -n6", "n2 30", "n2 30"},
    {"edge", "-N1-3 -n15", "e[1-3],w1 10", "e[2-3],w1 10"},
    {"edge", "-N3 -n15", "e[1-3],w1 10", "e[2-3],w1 10"},
    {"edge", "-N2 -n12", "e[1-2],w1 10", "e[1-2] 30"},
    {"edge", "-N1-3 -n16", "e[1-3],w1 10", "e[1-3] 30"},
    {"all", "-N3 -n22 -x n1", "m[1-2],n[2-3] 10", "m[1-2],n2 30"},
    {"all", "-N2 -n15 -x n[1-2]", "m[1-2],n3 10", "m2,n3 120"},
};

/// The nodes of the first plan of job 6, and the second in which it begins.
std::pair<std::string, std::int64_t> first_plan(RunSite& site) {
  std::pair<std::string, std::int64_t> found;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id != JobId{6} || !job.planned_start || !found.first.empty()) continue;
      std::vector<std::string> names;
      for (const NodeId node : job.planned_nodes) {
        names.emplace_back(site.names().text(cluster.nodes[node].name));
      }
      found = {compress_hostlist(names), epoch_seconds(*job.planned_start) - RunSite::kStart};
    }
  };
  site.run();
  return found;
}

/// The first plan, `NODES MINUTES`, beside jobs that end in 10, 30, 60 and 120 minutes.
std::string planned(const std::string& select, const Asked& asked) {
  RunSite site("SelectType=select/" + select + "\n" + kConf);
  const auto ask = [&](std::uint32_t id, std::string_view partition, std::string_view options,
                       std::int64_t minutes) {
    JobSpec& job =
        site.job(id, id < 6 ? 0 : 10, 60 * minutes - 10, ask_request(options, site.names()));
    job.partitions = site.names().intern(partition);
    job.time_limit = Minutes{minutes};
  };
  const bool at_edge = asked.partition == "edge";
  const std::string_view where = at_edge ? asked.partition : "all";
  ask(1, where, at_edge ? "-w e1 -n4" : "-w n2 -n4", 30);
  ask(2, where, at_edge ? "-w e2 -n4" : "-w n3 -n4", 60);
  ask(3, where, at_edge ? "-w e3 -n6" : "-w n4 -n1", 10);
  ask(4, where, at_edge ? "-w e3 -n2" : "-w n4 -n5", 120);
  if (!at_edge) ask(5, where, "-w m2 -n2", 120);
  ask(6, asked.partition, asked.options, 300);
  site.job(7, 100, 10, ask_request("-w k1", site.names())).partitions =
      site.names().intern("few");  // an event to look at
  const auto [nodes, start] = first_plan(site);
  return fmt::format("{} {}", nodes, start / 60);
}

TEST(BusyNodes, ArePlannedAsARunningSlurmctldDoes) {
  for (const Asked& asked : kAsked) {
    EXPECT_EQ(planned("cons_tres", asked), asked.cons_tres) << asked.partition << asked.options;
  }
}

TEST(BusyNodes, ArePlannedByConsResAsARunningSlurmctldDoes) {
  for (const Asked& asked : kAsked) {
    EXPECT_EQ(planned("cons_res", asked), asked.cons_res) << asked.partition << asked.options;
  }
}

/// scripts/reference/experiments/busy_preempting.py: n1, n3 and n4 are held by jobs of a lower tier
/// with 15 minutes of grace, n2 and n5 by others of its own, and n6 is idle.
std::string planned_over_others(const std::string& more, std::string_view options) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
      "SchedulerParameters=defer,sched_interval=50000,bf_interval=5,bf_window=1000" +
      more +
      "\nNodeName=n[1-6] CPUs=8 RealMemory=64000\n"
      "PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1 GraceTime=900\n"
      "PartitionName=high Nodes=ALL MaxTime=INFINITE PriorityTier=10 PreemptMode=OFF\n");
  const auto ask = [&](std::uint32_t id, std::string_view partition, const std::string& words) {
    JobSpec& job = site.job(id, id < 6 ? 0 : 10, 5990, ask_request(words, site.names()));
    job.partitions = site.names().intern(partition);
    job.time_limit = Minutes{100};
  };
  for (const std::uint32_t node : {1U, 2U, 3U, 4U, 5U}) {
    ask(node, node == 2 || node == 5 ? "high" : "low", fmt::format("-w n{} -n8", node));
  }
  ask(6, "high", std::string(options));
  return first_plan(site).first;
}

TEST(BusyNodes, AreNotSoughtForAJobThatStartsOverOthers) {
  for (const char* more : {"", ",bf_busy_nodes"}) {
    EXPECT_EQ(planned_over_others(more, "-N2 -n16"), "n[3-4]");
    EXPECT_EQ(planned_over_others(more, "-N2 -n10"), "n[3-4]");
    EXPECT_EQ(planned_over_others(more, "-N2 -n16 -x n6"), "n[3-4]");
    EXPECT_EQ(planned_over_others(more, "-N3 -n24 -x n6"), "n[1,3-4]");
  }
}

}  // namespace
}  // namespace rehearse::test

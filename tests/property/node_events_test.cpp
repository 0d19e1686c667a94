// tests/property/node_events_test.cpp — nodes that fail, sleep and come back under jobs that are
// requeued, preempted and suspended: nothing is held twice or lost, and everything ends.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/cluster/holdings.hpp"
#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kLastEvent = 9000;

/// What the started jobs hold, taken anew, is what the ledger says.
bool ledger_adds_up(const Cluster& cluster) {
  std::vector<std::uint16_t> rows;
  for (const Partition& partition : cluster.partitions) {
    const bool shares = partition.conf.over_subscribe == OverSubscribe::Force ||
                        partition.conf.over_subscribe == OverSubscribe::Yes;
    rows.push_back(static_cast<std::uint16_t>(shares ? partition.conf.over_subscribe_count : 1));
  }
  Ledger fresh(cluster.nodes, rows, true);
  for (const Job& job : cluster.jobs) {
    if (job.has_started()) take_all(fresh, job);
  }
  return fresh.same_as(cluster.ledger);
}

/// Memory and every GRES of a node are enough for all who hold some, suspended or not.
bool capacity_suffices(const Cluster& cluster) {
  std::map<NodeId, std::uint64_t> memory, gpus;
  for (const Job& job : cluster.jobs) {
    if (!job.has_started()) continue;
    for (const NodeShare& share : job.allocation.nodes) {
      memory[share.node] += share.memory_mib;
      for (const DeviceShare& device : share.devices) gpus[share.node] += device.units;
    }
  }
  for (const Node& node : cluster.nodes) {
    if (memory[node.id] > node.memory_mib) return false;
    if (!node.gres.empty() && gpus[node.id] > node.gres.front().total) return false;
  }
  return true;
}

/// No node is switched off under a job. (Those that a job wakes are told one by one.)
bool nodes_are_up(const Cluster& cluster) {
  for (const Job& job : cluster.jobs) {
    if (!job.has_started()) continue;
    for (const NodeShare& share : job.allocation.nodes) {
      const NodeState& state = cluster.nodes[share.node].state;
      if (state.powering_down) return false;
    }
  }
  return true;
}

std::string random_conf() {
  std::string conf =
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\n"
      "SlurmdTimeout=120\nBatchStartTimeout=20\nKillWait=10\n";
  conf += fmt::format("ReturnToService={}\n", *rc::gen::inRange(0, 3));
  const int mode = *rc::gen::inRange(0, 3);
  if (mode == 1) conf += "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n";
  if (mode == 2) {
    conf += "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nSchedulerTimeSlice=30\n";
  }
  if (*rc::gen::arbitrary<bool>()) {
    conf += "SuspendProgram=/s\nResumeProgram=/r\nSuspendTime=60\nSuspendTimeout=20\n";
    conf += fmt::format("ResumeTimeout={}\n", *rc::gen::element(100, 400));
  }
  conf += "NodeName=n[1-4] CPUs=4 RealMemory=4000 Gres=gpu:2\n";
  conf += fmt::format("PartitionName=low Nodes=ALL Default=YES PriorityTier=1 OverSubscribe={}\n",
                      mode == 2 ? "FORCE:2" : "NO");
  conf += "PartitionName=high Nodes=ALL PriorityTier=5 PreemptMode=OFF\n";
  return conf;
}

void add_jobs(RunSite& site) {
  const auto count = *rc::gen::inRange<std::uint32_t>(3, 25);
  std::int64_t at = 5;
  for (std::uint32_t id = 1; id <= count; ++id) {
    at += *rc::gen::inRange<std::int64_t>(0, 300);
    const int nodes = *rc::gen::inRange(1, 4);
    std::string options = fmt::format("-N{} -n{} --mem={}", nodes, nodes * *rc::gen::inRange(1, 4),
                                      *rc::gen::element(200, 900, 1900));
    if (*rc::gen::inRange(0, 3) == 0) options += " --gres=gpu:1";
    JobSpec& job = site.job(id, at, *rc::gen::inRange<std::int64_t>(5, 900),
                            ask_request(options, site.names()));
    job.partitions = site.names().intern(*rc::gen::element<std::string>("low", "low", "high"));
    job.time_limit = Minutes{*rc::gen::inRange(5, 20)};
    job.no_kill = *rc::gen::arbitrary<bool>();
    job.requeue = *rc::gen::inRange(0, 4) > 0;
    job.run.sleeps = *rc::gen::arbitrary<bool>();
  }
}

/// Whatever befalls them, in the end all nodes are back.
void add_events(RunSite& site) {
  std::vector<std::int64_t> times;
  const auto count = *rc::gen::inRange<std::size_t>(0, 20);
  for (std::size_t i = 0; i < count; ++i) {
    times.push_back(*rc::gen::inRange<std::int64_t>(10, kLastEvent));
  }
  std::sort(times.begin(), times.end());
  for (const std::int64_t at : times) {
    const std::string node = fmt::format("n{}", *rc::gen::inRange(1, 5));
    const std::string what = *rc::gen::element<std::string>(
        "node crash {}", "node boot {}", "slurmd down {}", "slurmd up {}",
        "scontrol update NodeName={} State=DOWN Reason=x",
        "scontrol update NodeName={} State=DRAIN Reason=x",
        "scontrol update NodeName={} State=POWER_DOWN",
        "scontrol update NodeName={} State=POWER_UP", "scontrol update NodeName={} State=RESUME");
    std::string command = what;
    command.replace(command.find("{}"), 2, node);
    site.command(at, command);
  }
  for (const std::int64_t again : {0, 2000, 4000, 6000}) {
    site.command(kLastEvent + again, "node boot n[1-4]");
    site.command(kLastEvent + again + 10, "scontrol update NodeName=n[1-4] State=RESUME");
  }
}

RC_GTEST_PROP(NodeEvents, ConserveWhatNodesHaveAndLetEveryJobEnd, ()) {
  RunSite site(random_conf());
  site.site().power.boot_time = Seconds{*rc::gen::inRange<std::int64_t>(1, 90)};
  site.site().controller.completion_latency = Seconds{*rc::gen::inRange<std::int64_t>(0, 4)};
  add_jobs(site);
  add_events(site);
  bool adds_up = true, suffices = true, up = true;
  site.at_each_event = [&](const Cluster& cluster) {
    adds_up = adds_up && ledger_adds_up(cluster);
    suffices = suffices && capacity_suffices(cluster);
    up = up && nodes_are_up(cluster);
  };
  site.run();
  RC_ASSERT(adds_up);
  RC_ASSERT(suffices);
  RC_ASSERT(up);
  for (const Job& job : site.cluster().jobs) {
    RC_ASSERT(job.is_finished());
    RC_ASSERT(!job.completing);
    RC_ASSERT(!job.configuring);
  }
  RC_ASSERT(site.cluster().ledger.idle().count() == 4U);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/select_properties_test.cpp — what must hold of any placement on any state.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fmt/format.h>

#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Four nodes with GPUs, two without; two sockets of four cores, two threads each.
void furnish(TestCluster& cluster) {
  cluster.conf.select_type_parameters.memory = true;
  cluster.conf.def_mem_per_cpu_mib = 100;
  for (const char* node : {"n1", "n2", "n3", "n4"}) {
    cluster.add(DeviceLine{
        .node = node, .name = "gpu", .type = "a100", .devices = {0, 1}, .cores = {0, 1, 2, 3}});
    cluster.add(DeviceLine{
        .node = node, .name = "gpu", .type = "a100", .devices = {2, 3}, .cores = {4, 5, 6, 7}});
  }
  cluster.add(NodeLine{.names = {"n1", "n2"},
                       .sockets = 2,
                       .cores = 4,
                       .threads = 2,
                       .memory_mib = 16000,
                       .gres = {{"gpu", "a100", 4}, {"shard", "", 40}}});
  cluster.add(NodeLine{.names = {"n3", "n4"},
                       .sockets = 2,
                       .cores = 4,
                       .threads = 2,
                       .memory_mib = 16000,
                       .gres = {{"gpu", "a100", 4}}});
  cluster.add(
      NodeLine{.names = {"n5", "n6"}, .sockets = 2, .cores = 4, .threads = 2, .memory_mib = 8000});
  cluster.build();
}

struct Asked {
  std::string options;
  std::uint32_t nodes = 0, cpus = 0, gpus_per_node = 0, gpus = 0, shards = 0;
  bool odd_tasks = false;  ///< of three CPUs, on cores of two
};

Asked draw() {
  Asked asked;
  const auto tasks = *rc::gen::inRange<std::uint32_t>(1, 20);
  const auto per_task = *rc::gen::inRange<std::uint32_t>(1, 4);
  asked.options = fmt::format("-n{} -c{}", tasks, per_task);
  asked.odd_tasks = per_task == 3;
  if (*rc::gen::inRange(0, 3) == 0) {
    asked.nodes = *rc::gen::inRange<std::uint32_t>(1, std::min(tasks, 4U) + 1);
    asked.options += fmt::format(" -N{}", asked.nodes);
  }
  asked.cpus = *rc::gen::inRange(0, 8) == 0 ? 0 : tasks;
  if (asked.cpus == 0) asked.options += " --exclusive";
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      asked.gpus_per_node = *rc::gen::inRange<std::uint32_t>(1, 5);
      asked.options += fmt::format(" --gres=gpu:{}", asked.gpus_per_node);
      break;
    case 1:
      asked.gpus = *rc::gen::inRange<std::uint32_t>(std::max(asked.nodes, 1U), 9);
      asked.options += fmt::format(" --gpus={}", asked.gpus);
      break;
    case 2:
      asked.shards = *rc::gen::inRange<std::uint32_t>(1, 11);
      asked.options += fmt::format(" --gres=shard:{}", asked.shards);
      break;
    default:
      break;
  }
  if (*rc::gen::inRange(0, 3) == 0) {
    asked.options += fmt::format(" --mem={}", *rc::gen::inRange(1, 9000));
  }
  return asked;
}

void check_counts(const Asked& asked, const TestCluster& cluster, const Allocation& allocation) {
  std::uint64_t gpus = 0;
  std::uint32_t cpus = 0;
  for (std::size_t i = 0; i < allocation.nodes.size(); ++i) {
    const NodeShare& share = allocation.nodes[i];
    if (i > 0) RC_ASSERT(index_of(allocation.nodes[i - 1].node) < index_of(share.node));
    RC_ASSERT(share.cpus == share.cores.count() * 2);
    std::uint64_t here = 0;
    std::uint64_t shards = 0;
    for (const DeviceShare& device : share.devices) {
      const NodeGres& gres = cluster.nodes[share.node].gres[device.gres];
      (gres.shares ? shards : here) += device.units;
    }
    if (asked.cpus > 0) RC_ASSERT(here == asked.gpus_per_node || asked.gpus > 0);
    RC_ASSERT(here >= asked.gpus_per_node);
    RC_ASSERT(shards == asked.shards);
    gpus += here;
    cpus += share.cpus;
  }
  RC_ASSERT(cpus == allocation.cpus);
  if (asked.nodes > 0) RC_ASSERT(allocation.nodes.size() == asked.nodes);
  if (asked.cpus == 0 || asked.gpus == 0) return;
  // Where the tasks are on more nodes than it has GPUs, each node may bring one (gres.md §4.4).
  RC_ASSERT(gpus >= asked.gpus);
  RC_ASSERT(gpus <= std::max<std::uint64_t>(asked.gpus, allocation.nodes.size()));
}

// The ledger itself aborts on a core or device that is not free, and on memory beside no device.
RC_GTEST_PROP(Placement, NeverTakesMoreThanIsFreeAndGivesWhatWasAsked, ()) {
  TestCluster cluster;
  furnish(cluster);
  struct Running {
    Asked asked;
    Allocation allocation;
  };
  std::vector<Running> running;
  const Ledger fresh = *cluster.ledger;
  for (int step = *rc::gen::inRange(1, 25); step > 0; --step) {
    if (!running.empty() && *rc::gen::inRange(0, 3) == 0) {
      const std::size_t i = *rc::gen::inRange<std::size_t>(0, running.size());
      cluster.ledger->give_back(running[i].allocation, PartitionId{0});
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const Asked asked = draw();
    const auto allocation = cluster.place(asked.options);
    if (!allocation) continue;
    RC_LOG() << asked.options << " on";
    for (const NodeShare& share : allocation->nodes) {
      RC_LOG() << " n" << index_of(share.node) + 1 << " with " << share.cpus << " CPUs";
    }
    RC_LOG() << "\n";
    check_counts(asked, cluster, *allocation);
    const Ledger before = *cluster.ledger;
    cluster.ledger->take(*allocation, PartitionId{0});
    RC_ASSERT(!cluster.ledger->same_as(before));
    for (const NodeShare& share : allocation->nodes) {
      RC_ASSERT(cluster.ledger->use(share.node).memory_mib <= cluster.nodes[share.node].memory_mib);
    }
    Ledger what_if = *cluster.ledger;
    what_if.give_back(*allocation, PartitionId{0});
    RC_ASSERT(what_if.same_as(before));
    // A running slurmctld refuses `-N1 -n2 -c3 --gres=gpu:2` on nodes all free, and starts it on
    // nodes held in part (tests/data/placements/odd_nodes.txt, lines 58 and 82).
    if (!asked.odd_tasks) RC_ASSERT(cluster.ever(asked.options).has_value());
    running.push_back({asked, *allocation});
  }
  for (const Running& one : running) cluster.ledger->give_back(one.allocation, PartitionId{0});
  RC_ASSERT(cluster.ledger->same_as(fresh));
}

/// Nodes of one or two threads a core, all with as many or not; for now, or for plans.
void furnish_in_part(TestCluster& cluster, std::uint32_t threads) {
  cluster.future = *rc::gen::arbitrary<bool>();
  cluster.conf.scheduler_parameters.bf_busy_nodes = *rc::gen::arbitrary<bool>();
  cluster.conf.select_type_parameters.unit =
      *rc::gen::element(ConsumableUnit::Core, ConsumableUnit::Cpu);
  cluster.add_gpu_nodes(
      NodeLine{.names = {"n1", "n2", "n3"}, .sockets = 2, .cores = 3, .threads = threads}, 2);
  const std::uint32_t cores = *rc::gen::element(5U, 6U);
  cluster.add(NodeLine{.names = {"n4", "n5"}, .sockets = 1, .cores = cores, .threads = threads});
  cluster.build();
}

RC_GTEST_PROP(Placement, HasTheCpusThatWereCertain, ()) {
  TestCluster cluster;
  furnish_in_part(cluster, *rc::gen::element(1U, 1U, 2U));
  bool was_certain = false;
  for (int step = 0; step < 30; ++step) {
    const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 4);
    const auto tasks = *rc::gen::inRange<std::uint32_t>(nodes, 12);
    std::string options = *rc::gen::inRange(0, 3) > 0 ? fmt::format("-n{}", tasks) : "";
    if (*rc::gen::inRange(0, 4) > 0) options += fmt::format(" -N{}", nodes);
    const auto layout = *rc::gen::element<std::string>(
        "", "", " -c1", " -c2", " -c3", " --ntasks-per-node=2", " --ntasks-per-node=1 -c2",
        " --ntasks-per-node=2 -c2", " --exclusive", " --hint=nomultithread", " -B 1:2");
    const auto gpus = *rc::gen::element<std::string>(
        "", "", " --gpus=3", " --gres=gpu:1", " --gpus-per-task=1", " --gpus=2 --cpus-per-gpu=2",
        " --gres=gpu:2 --gres-flags=enforce-binding", " --gpus-per-socket=1 --sockets-per-node=2",
        " --gpus-per-node=2", " --gpus-per-node=1 --mem-per-cpu=700");
    // sbatch takes one of -c and --cpus-per-gpu.
    const bool is_refused =
        layout.find(" -c") != std::string::npos && gpus.ends_with("cpus-per-gpu=2");
    options += is_refused ? gpus : layout + gpus;
    const auto allocation = cluster.place(options);
    if (!allocation) {
      cluster.end_all();
      continue;
    }
    Job job;
    job.request = cluster.requests.intern(cluster.request(options));
    const Partition& partition = cluster.partitions[PartitionId{0}];
    const Request& request = cluster.requests[job.request];
    const auto certain = cluster.plugin->certain_cpus(job, partition, request.min_nodes,
                                                      request.max_nodes.value_or(500000));
    if (certain) {
      was_certain = true;
      RC_ASSERT(allocation->cpus == certain->cpus);
      RC_ASSERT(allocation->nodes.size() <= certain->most_nodes);
    }
    cluster.start(options);
  }
  RC_CLASSIFY(was_certain);
}

}  // namespace
}  // namespace rehearse::test

// tests/unit/sched/cluster_fixture.cpp — building, asking and showing.
#include "tests/unit/sched/cluster_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/select/registry.hpp"

namespace rehearse::test {
namespace {

Allocation alone(NodeShare share) {
  Allocation allocation;
  allocation.cpus = share.cpus;
  allocation.nodes.push_back(std::move(share));
  return allocation;
}

}  // namespace

std::string ranges(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += text.empty() ? "" : ",";
    text +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

TestCluster::TestCluster() {
  conf.select_type = SelectType::ConsTres;
  conf.select_type_parameters.unit = ConsumableUnit::Core;
  conf.gres_types = {"gpu", "mps", "shard"};
}

void TestCluster::add(const DeviceLine& line) {
  GresConfLine conf_line;
  if (!line.node.empty()) conf_line.nodes = {line.node};
  conf_line.name = line.name;
  conf_line.type = line.type;
  for (const std::uint32_t device : line.devices) {
    conf_line.files.push_back(fmt::format("/dev/nvidia{}", device));
  }
  conf_line.cores = line.cores;
  conf_line.links = line.links;
  conf_line.count = line.count;
  gres_conf_.lines.push_back(conf_line);
}

void TestCluster::add(const NodeLine& line) {
  for (const std::string& name : line.names) {
    NodeConf node;
    node.name = name;
    node.sockets = line.sockets;
    node.cores_per_socket = line.cores;
    node.threads_per_core = line.threads;
    node.cpus = line.sockets * line.cores * line.threads;
    node.real_memory_mib = line.memory_mib;
    node.features = line.features;
    node.weight = line.weight;
    node.core_spec_count = line.core_spec;
    MergedGres gres = merge_gres(node, line.gres, gres_conf_, conf.gres_types, names, found);
    Node made = make_node(node, std::move(gres), conf.scheduler_parameters, names, found);
    made.id = id_at<NodeId>(nodes.size());
    nodes.push_back(std::move(made));
  }
}

void TestCluster::add_gpu_nodes(NodeLine line, std::uint32_t gpus) {
  line.gres = {{"gpu", "", gpus * line.sockets}};
  for (const std::string& node : line.names) {
    for (std::uint32_t socket = 0; socket < line.sockets; ++socket) {
      add(DeviceLine{.node = node,
                     .name = "gpu",
                     .devices = span(gpus * socket, gpus * socket + gpus - 1),
                     .cores = span(line.cores * socket, line.cores * socket + line.cores - 1)});
    }
  }
  add(line);
}

PartitionConf& TestCluster::partition(const std::string& name,
                                      const std::vector<std::string>& members) {
  Partition partition;
  partition.id = id_at<PartitionId>(partitions.size());
  partition.name = names.intern(name);
  partition.conf.name = name;
  partition.nodes.resize(nodes.size());
  for (const Node& node : nodes) {
    const bool member = members.empty() || std::find(members.begin(), members.end(),
                                                     names.text(node.name)) != members.end();
    if (!member) continue;
    if (partition.nodes.none()) partition.first_node_mib = node.memory_mib;
    partition.nodes.set(index_of(node.id));
  }
  return partitions[partitions.push_back(std::move(partition))].conf;
}

void TestCluster::build() {
  if (partitions.empty()) partition("all", {});
  std::vector<std::uint16_t> rows;
  for (const Partition& partition : partitions) {
    const bool shares = partition.conf.over_subscribe == OverSubscribe::Yes ||
                        partition.conf.over_subscribe == OverSubscribe::Force;
    rows.push_back(shares ? static_cast<std::uint16_t>(partition.conf.over_subscribe_count)
                          : std::uint16_t{1});
  }
  ledger = std::make_unique<Ledger>(nodes, rows, conf.preempt_gang);
  if (conf.select_type_parameters.unit == ConsumableUnit::Socket) ledger->lend_sockets();
  if (!topology.empty()) tree = make_topology(topology, nodes, names, found);
  plugin =
      make_cons_tres({conf, names, requests, nodes, partitions, tree ? &*tree : nullptr, version});
  candidates = NodeSet(nodes.size());
  candidates.set();
}

PartitionId TestCluster::find(const std::string& name) const {
  for (const Partition& partition : partitions) {
    if (name.empty() || partition.conf.name == name) return partition.id;
  }
  throw std::invalid_argument("no partition " + name);
}

RuledRequest TestCluster::ruled(std::string_view options, const std::string& partition) {
  return apply_request_rules(request(options), partitions[find(partition)], conf, names);
}

std::optional<Allocation> TestCluster::ask(std::string_view options, const std::string& name,
                                           bool ignore_use) {
  const PartitionId id = find(name);
  Job job;
  job.request = requests.intern(request(options));
  const Request& asked = requests[job.request];
  const std::uint32_t most = partitions[id].conf.max_nodes.value_or(500000);
  const std::uint32_t max = std::min(asked.max_nodes.value_or(most), most);
  const bool wants_max = asked.max_nodes && !asked.use_min_nodes;
  const bool busy_first = future && conf.scheduler_parameters.bf_busy_nodes;
  const PlacementQuery query{.job = job,
                             .request = asked,
                             .partition = partitions[id],
                             .ledger = *ledger,
                             .candidates = candidates,
                             .min_nodes = asked.min_nodes,
                             .max_nodes = max,
                             .req_nodes = wants_max ? max : asked.min_nodes,
                             .ignore_use = ignore_use,
                             .future = future,
                             .reserved_cores = reserved.empty() ? nullptr : &reserved,
                             .without_jobs = busy_first ? &ledger->idle() : nullptr};
  // Of a time to come the nodes may be told without a layout.
  PlacementQuery later = query;
  later.future = true;
  for (const PlacementQuery& asked_for : {query, later}) {
    const auto placed = plugin->place(asked_for);
    const auto chosen = plugin->choose(asked_for);
    if (chosen.has_value() != placed.has_value() ||
        (chosen && *chosen != nodes_of(*placed, nodes.size()))) {
      throw std::logic_error("choose and place differ");
    }
  }
  return plugin->place(query);
}

std::optional<Allocation> TestCluster::place(std::string_view options,
                                             const std::string& partition) {
  return ask(options, partition, false);
}

std::optional<Allocation> TestCluster::ever(std::string_view options,
                                            const std::string& partition) {
  return ask(options, partition, true);
}

std::string TestCluster::start(std::string_view options, const std::string& partition) {
  const auto allocation = place(options, partition);
  if (!allocation) return "waits";
  ledger->take(*allocation, find(partition));
  started_.push_back(Started{*allocation, find(partition)});
  return cpus(allocation);
}

const Node& TestCluster::node_of(const std::string& name) const {
  for (const Node& node : nodes) {
    if (names.text(node.name) == name) return node;
  }
  throw std::out_of_range(name);
}

void TestCluster::fill(const std::string& name, std::uint32_t cpus) {
  const Node& node = node_of(name);
  NodeShare share;
  share.node = node.id;
  share.cpus = cpus;
  share.cores = CoreSet::first(cpus / node.cpus_per_core);
  const Allocation allocation = alone(std::move(share));
  ledger->take(allocation, PartitionId{0});
  started_.push_back(Started{allocation, PartitionId{0}});
}

void TestCluster::hold(const std::string& name, const std::vector<std::uint32_t>& cores,
                       const std::vector<std::uint16_t>& devices) {
  const Node& node = node_of(name);
  NodeShare share;
  share.node = node.id;
  share.cpus = static_cast<std::uint32_t>(cores.size()) * node.cpus_per_core;
  for (const std::uint32_t core : cores) share.cores.set(core);
  for (const std::uint16_t device : devices) share.devices.push_back({0, device, 1});
  ledger->take(alone(std::move(share)), PartitionId{0});
}

void TestCluster::end(std::size_t started) {
  ledger->give_back(started_[started]->allocation, started_[started]->partition);
  started_[started].reset();
}

void TestCluster::end_all() {
  for (const auto& one : started_) {
    if (one) ledger->give_back(one->allocation, one->partition);
  }
  started_.clear();
}

std::string TestCluster::given(std::string_view options, const std::string& partition) {
  const auto allocation = place(options, partition);
  return allocation ? cores(allocation) + " | " + devices(allocation) : "none";
}

std::string TestCluster::cpus(const std::optional<Allocation>& allocation) const {
  if (!allocation) return "waits";
  std::string text;
  for (const NodeShare& share : allocation->nodes) {
    text += text.empty() ? "" : " ";
    text += fmt::format("{}:{}", names.text(nodes[share.node].name), share.cpus);
  }
  return text;
}

std::string TestCluster::cores(const std::optional<Allocation>& allocation) const {
  if (!allocation) return "waits";
  std::string text;
  for (const NodeShare& share : allocation->nodes) {
    std::vector<std::size_t> numbers;
    share.cores.for_each([&](std::size_t core) { numbers.push_back(core); });
    text += text.empty() ? "" : "; ";
    text += names.text(nodes[share.node].name) + " " + ranges(numbers);
  }
  return text;
}

std::string TestCluster::devices(const std::optional<Allocation>& allocation) const {
  if (!allocation) return "waits";
  std::string text;
  for (const NodeShare& share : allocation->nodes) {
    std::vector<std::size_t> numbers;
    for (const DeviceShare& device : share.devices) numbers.push_back(device.device);
    text += text.empty() ? "" : "; ";
    text += names.text(nodes[share.node].name) + " " + ranges(numbers);
  }
  return text;
}

}  // namespace rehearse::test

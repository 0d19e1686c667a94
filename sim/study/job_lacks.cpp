// sim/study/job_lacks.cpp — the job's amounts against the largest node, and against all nodes.
#include "sim/study/job_lacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace rehearse {
namespace {

/// What the nodes have at most, and together.
struct Amount {
  std::uint64_t most = 0, all = 0;
  void add(std::uint64_t amount) {
    most = std::max(most, amount);
    all += amount;
  }
};

std::string memory_text(std::uint64_t mib) {
  constexpr double kMibOfGib = 1024;
  return mib < 1024 ? fmt::format("{}M", mib)
                    : fmt::format("{:.1f}G", static_cast<double>(mib) / kMibOfGib);
}

std::uint64_t units_of(const Node& node, const GresRequest& asked) {
  std::uint64_t units = 0;
  for (const NodeGres& gres : node.gres) {
    if (gres.name != asked.name) continue;
    if (asked.type == kNoName) units += gres.total;
    for (const GresDevice& device : gres.devices) {
      if (asked.type != kNoName && device.type == asked.type) units += device.units;
    }
  }
  return units;
}

/// Of each node at least, where so much is spread over so many nodes.
std::uint64_t share(std::uint64_t amount, std::uint64_t nodes) {
  return (amount + nodes - 1) / nodes;
}

std::string lacking_gres(const Request& request, const std::vector<const Node*>& nodes,
                         const NamePool& names) {
  for (const GresRequest& asked : request.gres) {
    Amount there;
    for (const Node* node : nodes) there.add(units_of(*node, asked));
    const std::string name =
        fmt::format("{}{}{}", names.text(asked.name), asked.type == kNoName ? "" : ":",
                    asked.type == kNoName ? "" : names.text(asked.type));
    const std::uint64_t a_node =
        std::max(asked.per_node,
                 request.max_nodes ? share(asked.per_job, *request.max_nodes) : std::uint64_t{0});
    if (there.all == 0) return fmt::format("no node there has {}", name);
    if (a_node > there.most) {
      return fmt::format("{} {} a node, none has more than {}", a_node, name, there.most);
    }
    if (asked.per_job > there.all) {
      return fmt::format("{} {}, all nodes there have {}", asked.per_job, name, there.all);
    }
  }
  return {};
}

}  // namespace

std::string what_nodes_lack(const Job& job, const Cluster& cluster) {
  const Request& request = cluster.requests[job.request];
  std::vector<const Node*> nodes;
  Amount cpus;
  Amount memory;
  for (const Node& node : cluster.nodes) {
    const bool is_there = std::any_of(
        job.partitions.begin(), job.partitions.end(),
        [&](PartitionId id) { return cluster.partitions[id].nodes.test(index_of(node.id)); });
    if (!is_there || node.state.future) continue;
    nodes.push_back(&node);
    cpus.add(node.effective_cpus);
    memory.add(node.memory_mib);
  }
  if (nodes.empty()) return "the partition has no node";
  if (request.min_nodes > nodes.size()) {
    return fmt::format("{} nodes, there are {}", request.min_nodes, nodes.size());
  }
  const std::uint64_t cpus_a_node = std::max<std::uint64_t>(
      request.pn_min_cpus, request.max_nodes ? share(request.min_cpus, *request.max_nodes) : 1);
  if (cpus_a_node > cpus.most) {
    return fmt::format("{} CPUs a node, none has more than {}", cpus_a_node, cpus.most);
  }
  if (request.min_cpus > cpus.all) {
    return fmt::format("{} CPUs, all nodes there have {}", request.min_cpus, cpus.all);
  }
  const std::uint64_t memory_a_node =
      request.memory_mode == MemoryMode::PerNode  ? request.memory_mib
      : request.memory_mode == MemoryMode::PerCpu ? request.memory_mib * cpus_a_node
                                                  : 0;
  if (memory_a_node > memory.most) {
    return fmt::format("{} of memory a node, none has more than {}", memory_text(memory_a_node),
                       memory_text(memory.most));
  }
  return lacking_gres(request, nodes, cluster.names);
}

}  // namespace rehearse

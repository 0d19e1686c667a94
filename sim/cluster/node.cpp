// sim/cluster/node.cpp — from a NodeName record to a node: cores, specialised cores, memory.
#include "sim/cluster/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/core/name_pool.hpp"

namespace rehearse {
namespace {

/// The i-th core that CoreSpecCount takes: from the last core of the last socket, one a socket in
/// turn; spec_cores_first starts at the other end (formats.md §3).
std::uint32_t specialised_core(const Node& node, std::uint32_t i, bool first) {
  const std::uint32_t round = i / node.sockets;
  const std::uint32_t turn = i % node.sockets;
  const std::uint32_t socket = first ? turn : node.sockets - 1U - turn;
  const std::uint32_t core = first ? round : node.cores_per_socket - 1U - round;
  return socket * node.cores_per_socket + core;
}

void specialise_count(std::uint32_t count, bool first, Node& node) {
  for (std::uint32_t i = 0; i < std::min(count, node.core_count()); ++i) {
    node.specialised_cores.set(specialised_core(node, i, first));
  }
}

void specialise(const NodeConf& conf, const SchedulerParameters& parameters, Node& node,
                Diagnostics& found) {
  if (conf.core_spec_count >= node.core_count() && conf.core_spec_count > 0) {
    found.error(conf.where,
                fmt::format("node {}: CoreSpecCount={} leaves no core of {}", conf.name,
                            conf.core_spec_count, node.core_count()),
                "specialise fewer cores than the node has");
    return;
  }
  specialise_count(conf.core_spec_count, parameters.spec_cores_first, node);
  for (const std::uint32_t cpu : conf.cpu_spec_list) {
    const std::uint32_t core = cpu / node.cpus_per_core;
    if (core < node.core_count()) {
      node.specialised_cores.set(core);
    } else {
      found.error(conf.where, fmt::format("node {}: CPUSpecList names CPU {}, the node has {}",
                                          conf.name, cpu, conf.cpus));
    }
  }
}

void set_memory(const NodeConf& conf, Node& node, Diagnostics& found) {
  node.real_memory_mib = conf.real_memory_mib;
  std::uint64_t reserved = conf.mem_spec_limit_mib;
  if (reserved >= conf.real_memory_mib && reserved > 0) {
    found.warning(conf.where,
                  fmt::format("node {}: MemSpecLimit={} is not below RealMemory={}: Slurm sets it "
                              "to 0",
                              conf.name, reserved, conf.real_memory_mib));
    reserved = 0;
  }
  node.memory_mib = conf.real_memory_mib - reserved;
}

/// CPUs= may count sockets, cores or threads; what it counts is what jobs get (formats.md §3).
void set_cores(const NodeConf& conf, Node& node) {
  node.sockets = static_cast<std::uint16_t>(conf.sockets);
  node.cores_per_socket = static_cast<std::uint16_t>(conf.cores_per_socket);
  node.threads_per_core = static_cast<std::uint16_t>(conf.threads_per_core);
  node.cpus = conf.cpus;
  const std::uint32_t cores = conf.sockets * conf.cores_per_socket;
  if (conf.cpus < cores) node.cores_per_socket = 1;  // sockets are what is scheduled
  node.cpus_per_core = conf.cpus == cores * conf.threads_per_core ? node.threads_per_core : 1;
}

}  // namespace

CoreSet Node::usable_cores() const {
  CoreSet cores = CoreSet::first(core_count());
  cores -= specialised_cores;
  return cores;
}

CoreSet Node::cores_beside(std::uint32_t count) const {
  CoreSet cores = CoreSet::first(core_count());
  specialised_cores.for_each([&](std::size_t core) {
    if (count == 0) return;
    cores.reset(core);
    --count;
  });
  for (std::uint32_t i = 0; i < core_count() && count > 0; ++i) {
    const std::uint32_t core = specialised_core(*this, i, false);
    if (!cores.test(core)) continue;
    cores.reset(core);
    --count;
  }
  return cores;
}

Node make_node(const NodeConf& conf, MergedGres gres, const SchedulerParameters& parameters,
               NamePool& names, Diagnostics& found) {
  Node node;
  node.name = names.intern(conf.name);
  const std::uint64_t cores = std::uint64_t{conf.sockets} * conf.cores_per_socket;
  if (cores > kMaxCores || cores == 0) {
    found.error(conf.where,
                fmt::format("node {} has {} cores, at most {} can be simulated", conf.name, cores,
                            kMaxCores),
                "describe it by Sockets=, CoresPerSocket= and ThreadsPerCore=");
    return node;
  }
  for (const NodeGres& each : gres.gres) {
    if (each.devices.size() <= kMaxCores) continue;
    found.error(conf.gres_where,
                fmt::format("node {} has {} devices of {}, at most {} can be simulated", conf.name,
                            each.devices.size(), names.text(each.name), kMaxCores),
                "leave out File= of devices that are only counted");
    return node;
  }
  set_cores(conf, node);
  specialise(conf, parameters, node, found);
  node.effective_cpus =
      (node.core_count() - static_cast<std::uint32_t>(node.specialised_cores.count())) *
      node.cpus_per_core;
  set_memory(conf, node, found);
  node.tmp_disk_mib = conf.tmp_disk_mib;
  node.weight = conf.weight;
  for (const std::string& feature : conf.features) node.features.push_back(names.intern(feature));
  node.gres = std::move(gres.gres);
  for (NodeGres& one : node.gres) {
    one.mixed_types = std::any_of(
        one.devices.begin(), one.devices.end(),
        [&](const GresDevice& device) { return device.type != one.devices.front().type; });
  }
  if (!gres.drain_reason.empty()) {
    node.state.drain = true;
    node.state.reason = std::move(gres.drain_reason);
  }
  return node;
}

void settle_one_sharing(IdVector<NodeId, Node>& nodes) {
  std::map<NameId, bool> one_sharing;
  for (const Node& node : nodes) {
    for (const NodeGres& gres : node.gres) {
      if (!gres.shares) continue;
      const auto [at, is_new] = one_sharing.try_emplace(gres.name, gres.one_sharing);
      if (!is_new) at->second = at->second && gres.one_sharing;
    }
  }
  for (Node& node : nodes) {
    for (NodeGres& gres : node.gres) {
      if (gres.shares) gres.one_sharing = one_sharing.at(gres.name);
    }
  }
}

}  // namespace rehearse

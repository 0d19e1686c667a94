// sim/output/cluster_facts.cpp — names and numbers of the cluster, without its state.
#include "sim/output/cluster_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/output/gres_text.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kMilli = 1000;

bool is_gpu(const NodeGres& gres, const NamePool& names) {
  return names.text(gres.name) == "gpu";
}

std::string features_text(const Node& node, const NamePool& names) {
  std::string text;
  for (const NameId feature : node.features) {
    if (!text.empty()) text += ',';
    text += names.text(feature);
  }
  return text;
}

NodeFacts facts_of(const Node& node, const NodeConf* conf,
                   const std::vector<std::string>& gres_types, const NamePool& names) {
  NodeFacts facts;
  facts.name = names.text(node.name);
  facts.features = features_text(node, names);
  GresTexts gres = gres_texts(node, conf == nullptr ? "" : conf->gres, gres_types, names);
  facts.gres = std::move(gres.all);
  facts.gres_idle = std::move(gres.idle);
  facts.cpus = node.cpus;
  facts.effective_cpus = node.effective_cpus;
  facts.sockets = node.sockets;
  facts.cores_per_socket = node.cores_per_socket;
  facts.threads_per_core = node.threads_per_core;
  facts.weight = node.weight;
  facts.gpu_milli = static_cast<std::uint32_t>(gpu_milli_of(node, names));
  facts.memory_mib = node.memory_mib;
  facts.real_memory_mib = node.real_memory_mib;
  facts.tmp_disk_mib = node.tmp_disk_mib;
  return facts;
}

std::string_view state_text(PartitionState state) {
  switch (state) {
    case PartitionState::Up:
      return "up";
    case PartitionState::Down:
      return "down";
    case PartitionState::Drain:
      return "drain";
    case PartitionState::Inactive:
      return "inact";
  }
  return "n/a";
}

std::string over_subscribe_text(const PartitionConf& conf) {
  switch (conf.over_subscribe) {
    case OverSubscribe::No:
      return "NO";
    case OverSubscribe::Exclusive:
      return "EXCLUSIVE";
    case OverSubscribe::Yes:
      return fmt::format("YES:{}", conf.over_subscribe_count);
    case OverSubscribe::Force:
      return fmt::format("FORCE:{}", conf.over_subscribe_count);
  }
  return "NO";
}

PartitionFacts facts_of(const Partition& partition, const Cluster& cluster) {
  PartitionFacts facts;
  std::vector<std::string> hosts;
  for_each_bit(partition.nodes, [&](std::size_t at) {
    hosts.push_back(cluster.names.text(cluster.nodes[id_at<NodeId>(at)].name));
  });
  facts.name = cluster.names.text(partition.name);
  facts.node_list = compress_hostlist(hosts);
  facts.state = state_text(partition.state);
  facts.over_subscribe = over_subscribe_text(partition.conf);
  facts.is_default = partition.conf.is_default;
  facts.root_only = partition.conf.root_only;
  if (partition.conf.max_time && *partition.conf.max_time != kUnlimited) {
    facts.max_time_min = static_cast<std::uint32_t>(partition.conf.max_time->count());
  }
  facts.min_nodes = partition.conf.min_nodes;
  facts.max_nodes = partition.conf.max_nodes.value_or(kLimitUnlimited);
  facts.priority_tier = partition.conf.priority_tier;
  facts.priority_job_factor = partition.conf.priority_job_factor;
  return facts;
}

}  // namespace

PriorityFacts priority_facts_of(const Cluster& cluster) {
  const PriorityConf& conf = cluster.conf.priority;
  PriorityFacts facts;
  facts.multifactor = conf.type == PriorityType::Multifactor;
  facts.fair_tree = !conf.no_fair_tree && !conf.depth_oblivious;
  facts.calculate_running = conf.calculate_running;
  facts.accrue_always = conf.accrue_always;
  facts.incr_only = conf.incr_only;
  facts.tick_s = conf.calc_period.count();
  facts.weight_age = conf.weight_age;
  facts.weight_assoc = conf.weight_assoc;
  facts.weight_fairshare = conf.weight_fairshare;
  facts.weight_job_size = conf.weight_job_size;
  facts.weight_partition = conf.weight_partition;
  facts.weight_qos = conf.weight_qos;
  facts.max_priority_job_factor = conf.no_normal_part ? 0 : cluster.max_priority_job_factor;
  for (const TresWeight& weight : conf.weight_tres) {
    facts.weight_tres +=
        fmt::format("{}{}={}", facts.weight_tres.empty() ? "" : ",", weight.tres, weight.weight);
  }
  facts.max_age_s = conf.max_age.count();
  return facts;
}

ClusterFacts facts_of(const Cluster& cluster) {
  ClusterFacts facts;
  facts.cluster_name = cluster.conf.cluster_name;
  facts.slurm_version = to_text(cluster.inputs.site.slurm_version);
  facts.time_zone = cluster.inputs.site.time_zone;
  std::size_t at = 0;
  for (const Node& node : cluster.nodes) {
    // Nodes are built one for each record, in its order.
    const NodeConf* conf = at < cluster.conf.nodes.size() ? &cluster.conf.nodes[at] : nullptr;
    facts.nodes.push_back(facts_of(node, conf, cluster.conf.gres_types, cluster.names));
    ++at;
  }
  for (const Partition& partition : cluster.partitions) {
    facts.partitions.push_back(facts_of(partition, cluster));
    for_each_bit(partition.nodes, [&](std::size_t node) {
      std::string& text = facts.nodes[node].partitions;
      text += (text.empty() ? "" : ",") + facts.partitions.back().name;
    });
  }
  for (const Qos& qos : cluster.accounts.qos) {
    facts.qos.push_back({cluster.names.text(qos.name), qos.conf.priority});
  }
  for (const Association& each : cluster.accounts.associations) {
    AssociationFacts one;
    one.account = cluster.names.text(each.account);
    one.user = cluster.names.text(each.user);
    one.partition = cluster.names.text(each.partition);
    one.parent = each.parent ? static_cast<std::uint32_t>(*each.parent) : kNoRow;
    one.shares = each.shares ? std::int64_t{*each.shares} : -1;
    one.shares_norm = each.shares_norm;
    facts.associations.push_back(std::move(one));
  }
  facts.priority = priority_facts_of(cluster);
  for (std::size_t i = 0; i < cluster.tres.size(); ++i) {
    facts.tres.push_back(cluster.tres.name(id_at<TresIndex>(i)));
  }
  facts.min_job_age_s = cluster.conf.min_job_age.count();
  return facts;
}

std::int64_t gpu_milli_of(const Node& node, const NamePool& names) {
  std::int64_t sum = 0;
  for (const NodeGres& gres : node.gres) {
    if (!is_gpu(gres, names)) continue;
    sum += gres.milli > 0 ? static_cast<std::int64_t>(gres.milli)
                          : static_cast<std::int64_t>(gres.total) * kMilli;
  }
  return sum;
}

std::int64_t gpu_milli_of(const NodeShare& share, const Node& node, const NamePool& names) {
  std::int64_t sum = 0;
  for (const DeviceShare& each : share.devices) {
    const NodeGres& gres = node.gres[each.gres];
    const auto units = static_cast<std::int64_t>(each.units);
    if (is_gpu(gres, names)) {
      const bool known = each.device < gres.devices.size();
      sum += units * (known ? std::int64_t{gres.devices[each.device].milli} : kMilli);
    } else if (gres.shares && each.device < gres.devices.size()) {
      sum += units * kMilli /
             std::max<std::int64_t>(1, static_cast<std::int64_t>(gres.devices[each.device].units));
    }
  }
  return sum;
}

std::string tres_per_node_text(const Request& request, const NamePool& names,
                               SlurmVersion version) {
  // `gres:gpu:2` up to 23.02, `gres/gpu:2` from 23.11 (outputs.md §1).
  const char* const head = has(version, Change::GresWithASlash) ? "gres/" : "gres:";
  std::string text;
  for (const GresRequest& gres : request.gres) {
    if (gres.per_node == 0) continue;
    if (!text.empty()) text += ',';
    text += head + names.text(gres.name);
    if (gres.type != kNoName) text += ":" + names.text(gres.type);
    text += fmt::format(":{}", gres.per_node);
  }
  return text;
}

std::uint16_t flags_of(const NodeState& state) {
  const auto bit = [](bool is, NodeFlag flag) { return is ? static_cast<unsigned>(flag) : 0U; };
  return static_cast<std::uint16_t>(
      bit(state.down, kNodeDown) | bit(state.drain, kNodeDrain) | bit(state.fail, kNodeFail) |
      bit(state.no_respond, kNodeNoRespond) | bit(state.maint, kNodeMaint) |
      bit(state.powering_up, kNodePoweringUp) | bit(state.powering_down, kNodePoweringDown) |
      bit(state.powered_down, kNodePoweredDown) | bit(state.future, kNodeFuture));
}

}  // namespace rehearse

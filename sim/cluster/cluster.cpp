// sim/cluster/cluster.cpp — from what the files say to nodes, partitions and accounts with ids.
#include "sim/cluster/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "sim/config/hostlist.hpp"
#include "sim/config/reconfiguration.hpp"
#include "sim/config/slurm_version.hpp"

namespace rehearse {
namespace {

std::vector<double> resolve_weights(const std::vector<TresWeight>& weights, const TresTable& tres,
                                    const SourcePosition& where, Diagnostics& found) {
  if (weights.empty()) return {};
  std::vector<double> by_tres(tres.size(), 0.0);
  for (const TresWeight& weight : weights) {
    if (const auto index = tres.find(weight.tres)) {
      by_tres[index_of(*index)] = weight.weight;
    } else {
      found.error(where, fmt::format("'{}' is not a TRES of this cluster", weight.tres),
                  "list it in AccountingStorageTRES");
    }
  }
  return by_tres;
}

/// Adds what `node` is configured with to `total` (priority.md §3.8).
void add_configured(TresVector& total, const Node& node, const TresTable& tres,
                    const NamePool& names) {
  total[index_of(TresTable::kCpu)] += node.effective_cpus;
  total[index_of(TresTable::kMem)] += node.real_memory_mib;
  total[index_of(TresTable::kNode)] += 1;
  for (const NodeGres& gres : node.gres) {
    const std::string name = "gres/" + names.text(gres.name);
    if (const auto index = tres.find(name)) total[index_of(*index)] += gres.total;
    for (const GresDevice& device : gres.devices) {
      if (device.type == kNoName || device.presence != Presence::Here) continue;
      if (const auto typed = tres.find(name + ":" + names.text(device.type))) {
        total[index_of(*typed)] += device.units;
      }
    }
  }
}

/// State= of a NodeName or DownNodes line (formats.md §3, §5).
void apply_state(NodeState& state, const NodeConf& conf) {
  state.down = conf.state == "DOWN";
  state.drain |= conf.state == "DRAIN";  // missing devices may have drained it already
  state.fail = conf.state == "FAIL";
  state.future = conf.state == "FUTURE";
  state.powered_down = conf.state == "CLOUD";
  if (!conf.reason.empty()) state.reason = conf.reason;
}

/// Nodes that lack devices are drained; those of one NodeName line are told together.
class Shortages {
 public:
  void add(const NodeConf& conf, const std::string& reason) {
    const SourcePosition& where = conf.gres_where;
    nodes_[{where.file, where.line, where.column, reason}].push_back(conf.name);
  }
  void tell(Diagnostics& found) const {
    for (const auto& [key, names] : nodes_) {
      const auto& [file, line, column, reason] = key;
      const bool many = names.size() > 1;
      found.warning(
          {file, line, column},
          fmt::format("node{} {} {} drained: {}", many ? "s" : "", compress_hostlist(names),
                      many ? "are" : "is", reason),
          reason.find("(0 <") == std::string::npos
              ? "the File= and Type= of its gres.conf lines must cover Gres="
              : "no line of gres.conf gives it one: where each node has a file of its own, put "
                "their lines into this one, each with its NodeName=");
    }
  }

 private:
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, std::vector<std::string>> nodes_;
};

IdVector<NodeId, Node> make_nodes(const SiteInputs& inputs, NamePool& names, Diagnostics& found) {
  IdVector<NodeId, Node> nodes;
  nodes.reserve(inputs.slurm_conf.nodes.size());
  Shortages shortages;
  for (const NodeConf& conf : inputs.slurm_conf.nodes) {
    const NodeId id =
        nodes.push_back(make_node(conf, inputs.gres_conf, inputs.slurm_conf.gres_types,
                                  inputs.slurm_conf.scheduler_parameters, names, found));
    nodes[id].id = id;
    if (nodes[id].state.drain) shortages.add(conf, nodes[id].state.reason);
    apply_state(nodes[id].state, conf);
  }
  shortages.tell(found);
  settle_one_sharing(nodes);
  return nodes;
}

/// By partition.
std::vector<std::uint16_t> rows_of(const SlurmConf& conf) {
  std::vector<std::uint16_t> rows;
  for (const PartitionConf& partition : conf.partitions) {
    rows.push_back(static_cast<std::uint16_t>(partition.jobs_a_core()));
  }
  return rows;
}

/// With preempt/qos a QOS may suspend without gang scheduling: its preemptors are placed over the
/// cores of others all the same (preemption.md §4 step 2).
bool suspends_by_qos(const SiteInputs& inputs) {
  const std::vector<QosConf>& all = inputs.accounting.qos;
  return inputs.slurm_conf.preempt_type == PreemptType::Qos &&
         std::any_of(all.begin(), all.end(), [](const QosConf& qos) {
           return qos.preempt_mode.find("suspend") != std::string::npos;
         });
}

/// True if several jobs may hold a core though nobody asks for it.
bool forces_sharing(const SiteInputs& inputs) {
  const std::vector<PartitionConf>& all = inputs.slurm_conf.partitions;
  return inputs.slurm_conf.preempt_gang || suspends_by_qos(inputs) || forces_twice(all) ||
         std::any_of(all.begin(), all.end(),
                     [](const PartitionConf& each) { return each.forces_sharing(); });
}

Ledger make_ledger(const IdVector<NodeId, Node>& nodes, const SiteInputs& inputs, bool forces) {
  const SlurmConf& conf = inputs.slurm_conf;
  Ledger ledger(
      nodes, rows_of(conf), forces,
      conf.preempt_type == PreemptType::Qos ? RowOrder::AsOpened : RowOrder::FullestFirst);
  const bool by_socket = conf.select_type_parameters.unit == ConsumableUnit::Socket;
  if (by_socket && conf.select_type != SelectType::Linear) ledger.lend_sockets();
  return ledger;
}

}  // namespace

bool forces_twice(const std::vector<PartitionConf>& partitions) {
  std::set<std::string_view> forced;
  return std::any_of(partitions.begin(), partitions.end(), [&](const auto& each) {
    if (each.over_subscribe != OverSubscribe::Force) return false;
    const std::set<std::string_view> own(each.nodes.begin(), each.nodes.end());
    const std::size_t before = forced.size();
    forced.insert(own.begin(), own.end());
    return forced.size() < before + own.size();
  });
}

namespace {

/// What is a share of a partition cannot be that of two (limits.md §13).
void refuse_shared_relative_qos(const Cluster& cluster, Diagnostics& found) {
  if (!has(cluster.inputs.site.slurm_version, Change::RelativeQos)) return;
  std::map<QosId, std::string_view> first_of;
  for (const Partition& partition : cluster.partitions) {
    if (!partition.qos || !cluster.accounts.qos[*partition.qos].conf.flags.relative) continue;
    const auto [first, is_first] = first_of.emplace(*partition.qos, partition.conf.name);
    if (is_first) continue;
    found.error(partition.conf.where,
                fmt::format("QOS '{}' has the flag Relative, and is that of partition {} already",
                            partition.conf.qos, first->second),
                "slurmctld does not start so; give each partition a QOS of its own");
  }
}

using NodesByName = std::map<NameId, NodeId>;

NodesByName nodes_by_name(const Cluster& cluster) {
  NodesByName by_name;
  for (const Node& node : cluster.nodes) by_name.emplace(node.name, node.id);
  return by_name;
}

void set_partition(Cluster& cluster, PartitionId id, const PartitionConf& record,
                   const NodesByName& by_name, Diagnostics& found) {
  Partition& partition = cluster.partitions[id];
  partition.conf = record;
  partition.name = cluster.names.intern(record.name);
  partition.nodes = NodeSet(cluster.nodes.size());
  partition.total = cluster.tres.zero();
  partition.total_cpus = 0;
  partition.state = record.state;
  for (const std::string& name : record.nodes) {
    const auto node = cluster.names.find(name);
    const auto known = node ? by_name.find(*node) : by_name.end();
    if (known == by_name.end()) continue;  // told by the reader of slurm.conf
    if (partition.nodes.test(index_of(known->second))) continue;
    partition.nodes.set(index_of(known->second));
    add_configured(partition.total, cluster.nodes[known->second], cluster.tres, cluster.names);
    partition.total_cpus += cluster.nodes[known->second].cpus;
  }
  const auto first = partition.nodes.find_first();
  const bool any = first != NodeSet::npos;
  partition.first_node_mib = any ? cluster.nodes[id_at<NodeId>(first)].memory_mib : 0;
  partition.first_node_cpus = any ? cluster.nodes[id_at<NodeId>(first)].cpus : 0;
  partition.billing_weights =
      resolve_weights(record.tres_billing_weights, cluster.tres, record.where, found);
  partition.qos.reset();
  if (!record.qos.empty()) {
    partition.qos = cluster.accounts.find_qos(cluster.names.intern(record.qos));
    if (!partition.qos) {
      found.error(
          record.where,
          fmt::format("partition {} has QOS '{}', which is not defined", record.name, record.qos),
          "slurmctld does not start so; define it in qos.txt (sacctmgr -P show qos)");
    }
  }
}

void weigh_partitions(Cluster& cluster) {
  cluster.max_priority_job_factor = 1;
  for (const Partition& each : cluster.partitions) {
    cluster.max_priority_job_factor =
        std::max(cluster.max_priority_job_factor, each.conf.priority_job_factor);
  }
}

}  // namespace

Cluster::Cluster(const SiteInputs& site_inputs, NamePool& name_pool, RequestTable& request_table,
                 Diagnostics& found)
    : inputs(site_inputs),
      conf(site_inputs.slurm_conf),
      names(name_pool),
      requests(request_table),
      tres(site_inputs.slurm_conf.accounting_storage_tres),
      nodes(make_nodes(site_inputs, name_pool, found)),
      accounts(make_account_book(site_inputs.accounting, tres, name_pool, found)),
      ledger(make_ledger(nodes, site_inputs, forces_sharing(site_inputs))),
      forces_sharing_(forces_sharing(site_inputs)) {
  if (conf.topology_plugin == TopologyPlugin::Tree) {
    topology = make_topology(inputs.topology, nodes, names, found);
  }
  for (const Node& node : nodes) total_cpus += node.effective_cpus;
  const NodesByName by_name = nodes_by_name(*this);
  for (const PartitionConf& record : conf.partitions) {
    const PartitionId id = id_at<PartitionId>(partitions.size());
    partitions.push_back({});
    partitions[id].id = id;
    if (record.is_default) default_partition = id;
    set_partition(*this, id, record, by_name, found);
  }
  weigh_partitions(*this);
  refuse_shared_relative_qos(*this, found);
  // An unknown name is fatal for slurmctld; the priority plugin takes the known ones by itself.
  if (const auto key = conf.raw.find("PriorityWeightTRES"); key != conf.raw.end()) {
    resolve_weights(conf.priority.weight_tres, tres, key->second.where, found);
  }
  for (const LicenseConf& license : conf.licenses) licenses_total.push_back(license.count);
  licenses_used.assign(licenses_total.size(), 0);
  if (!conf.preempt_gang && suspends_by_qos(inputs)) {
    found.warning(
        {"qos.txt", 0, 0},
        "a QOS has PreemptMode=suspend, but there is no gang scheduling: nobody is stopped, "
        "preemptors run on the same cores where jobs share them, else they wait",
        "PreemptMode=SUSPEND,GANG in slurm.conf");
  }
}

void Cluster::change_partition(PartitionId id, const PartitionConf& record, Diagnostics& found) {
  set_partition(*this, id, record, nodes_by_name(*this), found);
  weigh_partitions(*this);
}

void Cluster::reconfigure(const SlurmConf& file) {
  rehearse::reconfigure(conf, file);
  for (std::size_t i = 0; i < licenses_total.size(); ++i) {
    licenses_total[i] = conf.licenses[i].count;
  }
}

void Cluster::devices_changed() {
  for (Partition& partition : partitions) {
    partition.total = configured(partition.nodes);
  }
}

Ledger Cluster::empty_ledger() const {
  Ledger empty = make_ledger(nodes, inputs, forces_sharing_);
  if (!may_ask_to_share_ && !forces_sharing_) empty.share_no_cores();
  return empty;
}

void Cluster::expect_forced_sharing() {
  forces_sharing_ = true;
  ledger = empty_ledger();
}

void Cluster::expect_no_sharing() {
  may_ask_to_share_ = false;
  if (!forces_sharing_) ledger.share_no_cores();
}

void Cluster::refit_ledger() {
  ledger = empty_ledger();
  devices_changed();
}

std::optional<PartitionId> Cluster::find_partition(NameId name) const {
  for (const Partition& partition : partitions) {
    if (partition.name == name) return partition.id;
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::find_node(NameId name) const {
  for (const Node& node : nodes) {
    if (node.name == name) return node.id;
  }
  return std::nullopt;
}

TresVector Cluster::configured() const {
  TresVector total = tres.zero();
  for (const Node& node : nodes) add_configured(total, node, tres, names);
  return total;
}

TresVector Cluster::configured(const NodeSet& of) const {
  TresVector total = tres.zero();
  for_each_bit(of, [&](std::size_t node) {
    add_configured(total, nodes[id_at<NodeId>(node)], tres, names);
  });
  return total;
}

}  // namespace rehearse

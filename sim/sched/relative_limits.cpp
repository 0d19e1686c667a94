// sim/sched/relative_limits.cpp — shares of what there is (limits.md §13).
#include "sim/sched/relative_limits.hpp"

#include <algorithm>
#include <string>

#include "sim/cluster/limit_set.hpp"
#include "sim/config/slurm_version.hpp"
#include "sim/sched/billing.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kWhole = 100;

/// Of each node the most that any of its partitions makes of it.
std::uint64_t billing_of(const Cluster& cluster, const NodeSet& nodes) {
  const Billing billing(cluster.tres,
                        billing_rule(cluster.conf, cluster.inputs.site.slurm_version));
  std::uint64_t sum = 0;
  for_each_bit(nodes, [&](std::size_t node) {
    NodeSet alone(cluster.nodes.size());
    alone.set(node);
    const TresVector has = cluster.configured(alone);
    std::uint64_t most = 0;
    for (const Partition& partition : cluster.partitions) {
      if (!partition.nodes.test(node)) continue;
      most = std::max(most, truncated_billing(billing.of(partition, has)));
    }
    sum += most;
  });
  return sum;
}

TresVector whole_of(const Cluster& cluster, const NodeSet& nodes) {
  TresVector whole = cluster.configured(nodes);
  whole[index_of(TresTable::kBilling)] = billing_of(cluster, nodes);
  for (std::size_t i = 0; i < cluster.conf.licenses.size(); ++i) {
    const auto tres = cluster.tres.find("license/" + cluster.conf.licenses[i].name);
    if (tres) whole[index_of(*tres)] = cluster.licenses_total[i];
  }
  return whole;
}

NodeSet nodes_of(const Cluster& cluster, const Qos& qos) {
  const auto own = std::find_if(cluster.partitions.begin(), cluster.partitions.end(),
                                [&](const Partition& each) { return each.qos == qos.id; });
  if (own != cluster.partitions.end()) return own->nodes;
  NodeSet all(cluster.nodes.size());
  all.set();
  return all;
}

}  // namespace

void settle_relative_limits(Cluster& cluster) {
  if (!has(cluster.inputs.site.slurm_version, Change::RelativeQos)) return;
  for (Qos& qos : cluster.accounts.qos) {
    if (!qos.conf.flags.relative) continue;
    const TresVector whole = whole_of(cluster, nodes_of(cluster, qos));
    Diagnostics told;  // as when they were read
    qos.limits = resolve_limits(qos.conf, cluster.tres, told);
    for_each_tres(qos.limits, qos.conf, [&](TresLimits& limits, auto&&...) {
      for (std::size_t t = 0; t < limits.size(); ++t) {
        if (limits[t]) limits[t] = std::min(*limits[t], kWhole) * whole[t] / kWhole;
      }
    });
  }
}

}  // namespace rehearse

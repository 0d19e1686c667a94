// sim/sched/limits_certain.cpp — limits after selection, tested before there is a selection.
//
// Some amounts of an allocation are known from the request alone. Where the limits that bind a job
// look at no others, their test comes out as it will (limits.md §6.4).
#include <algorithm>

#include "sim/config/units.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

template <typename Owner>
TresMask looked_at(const Owner& owner) {
  TresMask mask = 0;
  for (std::size_t k = 0; k < kTresLimitKindCount; ++k) {
    const auto kind = static_cast<TresLimitKind>(k);
    const TresLimits& limits = tres_limits(owner, kind);
    for (std::size_t t = 0; t < limits.size(); ++t) {
      if (!limits[t]) continue;
      mask |= mask_of(t);
      if (kind == TresLimitKind::MaxPerNode) mask |= mask_of(index_of(TresTable::kNode));
    }
  }
  return mask;
}

/// Shares of GPUs, and devices that are no consumable somewhere.
bool counts_apart(const IdVector<NodeId, Node>& nodes, NameId name) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return std::any_of(node.gres.begin(), node.gres.end(), [&](const NodeGres& gres) {
      return gres.name == name && (gres.no_consume || gres.shares.has_value());
    });
  });
}

}  // namespace

TresMask looked_at_after_selection(const Qos& qos) {
  return looked_at(qos);
}

TresMask looked_at_after_selection(const Association& association) {
  return looked_at(association);
}

CertainAmounts Limits::certain_amounts(const Job& job, const CertainCpus& certain) const {
  const Request& request = cluster_.request_of(job);
  const std::vector<GresRequest>& requested = request.gres;
  CertainAmounts known;
  known.amounts = cluster_.tres.zero();
  known.amounts[index_of(TresTable::kCpu)] = certain.cpus;
  known.certain = mask_of(index_of(TresTable::kCpu));
  for (const GresTres& each : gres_) {
    if (each.tres >= kMostCertainTres) continue;
    const auto is_of = [&](const GresRequest& gres) {
      return equals_ignoring_case(each.name, cluster_.names.text(gres.name));
    };
    const auto gres = std::find_if(requested.begin(), requested.end(), is_of);
    if (gres == requested.end()) {  // it gets none
      known.certain |= mask_of(each.tres);
      continue;
    }
    // Every allocation has as many, whatever their types: what counts all types is known.
    const bool by_other = gres->per_socket + gres->per_task + gres->ntasks_per_gres > 0;
    const bool alone = std::count_if(requested.begin(), requested.end(), is_of) == 1;
    if (!each.type.empty() || by_other || !alone || counts_apart(cluster_.nodes, gres->name))
      continue;
    if (gres->per_node == 0 && gres->per_job >= certain.most_nodes) {
      known.amounts[each.tres] = gres->per_job;
    } else if (gres->per_job == 0 && request.min_nodes == certain.most_nodes) {
      known.amounts[each.tres] = gres->per_node * certain.most_nodes;
    } else {
      continue;
    }
    known.certain |= mask_of(each.tres);
  }
  return known;
}

bool Limits::surely_within(const Job& job, PartitionId partition,
                           const CertainAmounts& known) const {
  if (!concerns(job, partition, kAfter)) return true;
  const std::optional<QosId> of_partition = cluster_.partitions[partition].qos;
  TresMask looked = 0;
  if (job.qos) looked |= qos_looks_at_[index_of(*job.qos)];
  if (of_partition) looked |= qos_looks_at_[index_of(*of_partition)];
  if (job.association) looked |= chain_looks_at_[index_of(*job.association)];
  if ((looked & ~known.certain) != 0) return false;
  return !after_selection(job, partition, known.amounts, NodeSet{});
}

}  // namespace rehearse

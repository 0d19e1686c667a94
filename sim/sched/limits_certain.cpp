// sim/sched/limits_certain.cpp — limits after selection, tested before there is a selection.
//
// Some amounts of a plan are known from the request alone. Where the limits that bind a job look at
// no others, their test comes out as it will (limits.md §6.4).
#include <algorithm>

#include "sim/config/units.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

/// Shares of GPUs, and devices that are no consumable somewhere.
bool counts_apart(const IdVector<NodeId, Node>& nodes, NameId name) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return std::any_of(node.gres.begin(), node.gres.end(), [&](const NodeGres& gres) {
      return gres.name == name && (gres.no_consume || gres.shares.has_value());
    });
  });
}

}  // namespace

CertainAmounts Limits::certain_amounts(const Job& job, const CertainCpus& certain) const {
  const Request& request = cluster_.request_of(job);
  const std::vector<GresRequest>& requested = request.gres;
  CertainAmounts known;
  known.amounts = cluster_.tres.zero();
  known.amounts[index_of(TresTable::kCpu)] = certain.cpus;
  known.certain = mask_of(index_of(TresTable::kCpu));
  if (certain.whole) {
    count_gres_as_asked(job, certain.most_nodes, known.amounts);
    for (const GresTres& each : gres_) {
      if (each.tres < kMostCertainTres) known.certain |= mask_of(each.tres);
    }
    return known;
  }
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

std::optional<AfterSelection> Limits::foretold(const Job& job, PartitionId partition,
                                               const CertainAmounts& known) const {
  if (!concerns(job, partition, kAfter)) return AfterSelection{};
  const TresMask looked_at = bound_.of(cluster_.accounts, scope_of(job, partition)).looked_at;
  if ((looked_at & ~known.certain) != 0) return std::nullopt;
  return AfterSelection{after_selection(job, partition, known.amounts, NodeSet{})};
}

}  // namespace rehearse

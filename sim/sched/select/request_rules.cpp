// sim/sched/select/request_rules.cpp — the request copied, sharing settled, then the rules in
// order.
#include "sim/sched/select/request_rules.hpp"

#include <algorithm>

#include "sim/cluster/whole_nodes.hpp"

namespace rehearse {
namespace {

void copy_counts(const Request& request, EffectiveRequest& effective) {
  effective.min_nodes = std::max(request.min_nodes, 1U);
  effective.max_nodes = request.max_nodes;
  effective.num_tasks = request.num_tasks.value_or(0);
  effective.min_cpus = std::max(request.min_cpus, effective.min_nodes);
  effective.asked_cpus = effective.min_cpus;
  effective.max_cpus = request.max_cpus;
  effective.cpus_per_task = std::max<std::uint32_t>(request.cpus_per_task.value_or(1), 1);
  effective.ntasks_per_node = request.ntasks_per_node;
  effective.ntasks_per_socket = request.ntasks_per_socket;
  effective.ntasks_per_core = request.ntasks_per_core;
  effective.sockets_per_node = request.sockets_per_node;
  effective.cores_per_socket = request.cores_per_socket;
  effective.threads_per_core = request.threads_per_core;
  if (request.nomultithread) effective.threads_per_core = 1;
  effective.configured_threads = effective.threads_per_core;
  // An update of CPUsPerTask leaves what each node must have (lifecycle.md §10.1).
  const std::uint32_t of_task = request.first_cpus_per_task
                                    ? std::max<std::uint32_t>(*request.first_cpus_per_task, 1)
                                    : effective.cpus_per_task;
  effective.pn_min_cpus = std::max({request.pn_min_cpus, of_task, 1U});
  // With several tasks a node, each node must hold them all (scheduling.md §5.6).
  if (request.ntasks_per_node > 0 && request.num_tasks.value_or(2) > 1) {
    effective.pn_min_cpus = std::max(effective.pn_min_cpus, of_task * request.ntasks_per_node);
  }
  effective.tmp_disk_mib = request.tmp_disk_mib;
  effective.overcommit = request.overcommit;
  effective.contiguous = request.contiguous;
  effective.spread = request.spread;
  effective.enforce_binding = request.enforce_binding;
}

void settle_sharing(const Request& request, const PartitionConf& partition, const SlurmConf& conf,
                    EffectiveRequest& effective) {
  const SelectTypeParameters& parameters =
      partition.select_type_parameters.value_or(conf.select_type_parameters);
  effective.reserves_nodes = partition.over_subscribe == OverSubscribe::Exclusive;
  if (conf.allow_spec_resources) effective.core_spec = request.core_spec;
  effective.whole_nodes =
      asks_for_whole_nodes(request, partition) || conf.select_type == SelectType::Linear;
  effective.takes_no_rest = effective.whole_nodes || request.exclusive != ExclusiveRequest::None;
  const bool asks = partition.over_subscribe == OverSubscribe::Yes &&
                    partition.over_subscribe_count > 1 && request.oversubscribe;
  // FORCE cannot be opted out of (scheduling.md §5.3).
  const bool forces = conf.select_type == SelectType::Linear
                          ? partition.forces_sharing()
                          : partition.over_subscribe == OverSubscribe::Force;
  effective.shares_cores = forces || asks;
  effective.one_task_per_core = parameters.one_task_per_core;
  effective.block_cores = request.distribution == CoreDistribution::Default
                              ? parameters.core_default_dist_block
                              : request.distribution == CoreDistribution::Block;
  effective.lln = parameters.lln || conf.select_type_parameters.lln || partition.lln;
  effective.max_cpus_per_node = partition.max_cpus_per_node.value_or(UINT32_MAX);
}

/// select/linear counts nodes and their CPUs, however tasks would lie on them (scheduling.md §6; it
/// looks at no MaxCPUsPerNode either, limits.md §1.3).
void count_whole_nodes(EffectiveRequest& effective) {
  effective.max_cpus_per_node = UINT32_MAX;
  effective.ntasks_per_socket = effective.ntasks_per_core = effective.threads_per_core = 0;
  effective.core_spec.reset();
  effective.one_task_per_core = false;
  effective.knows_tasks = false;
}

}  // namespace

RuledRequest apply_request_rules(const Request& request, const Partition& partition,
                                 const SlurmConf& conf, const NamePool& names) {
  RuledRequest ruled;
  copy_counts(request, ruled.request);
  settle_sharing(request, partition.conf, conf, ruled.request);
  if (conf.select_type == SelectType::Linear) count_whole_nodes(ruled.request);
  ruled.refusal = apply_gres_rules(request, partition.conf, conf, names, ruled.request);
  if (!ruled.refusal) {
    ruled.refusal = apply_memory_rules(request, partition, conf, ruled.request);
  }
  if (ruled.request.max_cpus) {
    ruled.request.max_cpus = std::max(*ruled.request.max_cpus, ruled.request.min_cpus);
  }
  return ruled;
}

RuledNodeCounts ruled_node_counts(const EffectiveRequest& request, RuledNodeCounts asked) {
  RuledNodeCounts range{std::max(asked.min, request.min_nodes), asked.max};
  if (request.num_tasks > 0 && request.ntasks_per_node > 0) {
    const std::uint32_t per_node = request.ntasks_per_node;
    range.min = std::max(range.min, (request.num_tasks + per_node - 1) / per_node);
  }
  if (request.max_nodes) range.max = std::min(range.max, *request.max_nodes);
  if (request.num_tasks > 0 && range.max > request.num_tasks) {
    range.max = std::max(request.num_tasks, range.min);
  }
  return range;
}

}  // namespace rehearse

// sim/sched/select/certain_cpus.cpp — the cases in which dealing tasks to nodes leads to one sum.
//
// A choice of nodes has the CPUs that the request asks for, tasks are dealt until they have these,
// and cores round them up. The sum is the same for all nodes where one node has all tasks, or each
// as many; where each task is one CPU and each CPU a core of its own; and of whole nodes, where all
// have as many CPUs.
#include "sim/sched/select/certain_cpus.hpp"

#include <algorithm>

#include "sim/sched/select/distribution.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {
namespace {

/// Of all configured nodes alike; none: they differ, or there is none.
const Node* sample_of(const PreparedRequest& prepared, const SelectContext& context) {
  const Node* sample = nullptr;
  bool alike = true;
  for_each_bit(prepared.configured, [&](std::size_t n) {
    const Node& node = context.nodes[id_at<NodeId>(n)];
    if (sample == nullptr) sample = &node;
    alike = alike && node.cpus_per_core == sample->cpus_per_core;
  });
  return alike ? sample : nullptr;
}

std::optional<std::uint32_t> on_one_node(const EffectiveRequest& request, ConsumableUnit unit,
                                         const Node& node) {
  const std::uint32_t per_task = std::max(request.cpus_per_task, 1U);
  const std::uint32_t total =
      std::max({1U, std::uint32_t{request.ntasks_per_node}, request.min_cpus, request.pn_min_cpus});
  const std::uint32_t tasks = std::max<std::uint32_t>(request.ntasks_per_node, total / per_task);
  const std::uint32_t cpus = tasks * per_task;
  // No more than the choice has of the node for certain.
  if (cpus == 0 || cpus > request.min_cpus) return std::nullopt;
  if (unit == ConsumableUnit::Cpu) return cpus;
  const std::uint32_t per_core = usable_cpus_per_core(request, node);
  if (per_core == 0) return std::nullopt;
  const std::uint32_t whole = cores_per_task(request, per_core);
  const std::uint32_t cores = whole > 0 ? tasks * whole : (cpus + per_core - 1) / per_core;
  return cores * node.cpus_per_core;
}

/// As many tasks on each of so many nodes, none of which is offered without room for its tasks.
std::optional<std::uint32_t> on_even_nodes(const EffectiveRequest& request, ConsumableUnit unit,
                                           const Node& node, std::uint32_t nodes) {
  const std::uint32_t cpus = request.ntasks_per_node * request.cpus_per_task;
  const bool by_node =
      std::all_of(request.gres.begin(), request.gres.end(), [](const EffectiveGres& gres) {
        return gres.per_node > 0 && gres.per_job + gres.per_socket + gres.per_task == 0;
      });
  if (cpus == 0 || !by_node) return std::nullopt;
  if (request.pn_min_cpus != cpus || request.min_cpus != nodes * cpus) return std::nullopt;
  EffectiveRequest of_one = request;
  of_one.min_cpus = cpus;
  const auto each = on_one_node(of_one, unit, node);
  return each ? std::optional(*each * nodes) : std::nullopt;
}

std::optional<CertainCpus> on_whole_nodes(const PreparedRequest& prepared,
                                          const SelectContext& context, std::uint32_t nodes) {
  const auto cpus_of = [&](const Node& node) {
    return node.cpus_of(whole_node(prepared.ruled.request, node));
  };
  const Node* first = nullptr;
  bool has_equal_cpus = true;
  for_each_bit(prepared.configured, [&](std::size_t n) {
    const Node& node = context.nodes[id_at<NodeId>(n)];
    if (first == nullptr) first = &node;
    has_equal_cpus = has_equal_cpus && cpus_of(node) == cpus_of(*first);
  });
  if (first == nullptr || !has_equal_cpus || cpus_of(*first) == 0) return std::nullopt;
  return CertainCpus{cpus_of(*first) * nodes, nodes, true};
}

}  // namespace

std::optional<CertainCpus> certain_cpus(const PreparedRequest& prepared,
                                        const SelectContext& context, const Partition& partition,
                                        std::uint32_t min_nodes, std::uint32_t max_nodes) {
  const EffectiveRequest& request = prepared.ruled.request;
  const ConsumableUnit unit =
      partition.conf.select_type_parameters.value_or(context.conf.select_type_parameters).unit;
  if (prepared.ruled.refusal || !prepared.known || !prepared.counts.empty()) return std::nullopt;
  if (request.overcommit || request.shares_cores || request.max_cpus) return std::nullopt;
  if (request.spare_cpus > 0) return std::nullopt;  // it may have fewer
  // Each socket with one of its GPUs gives a core (gres.md §3.3).
  if (request.enforce_binding) return std::nullopt;
  if (counts_all_threads(request)) return std::nullopt;  // they may be those of fewer cores
  if (request.may_lack_cores) return std::nullopt;       // so there may be no layout
  // A plan may have a node more (scheduling.md §6.4 rule 2).
  if (context.conf.scheduler_parameters.bf_busy_nodes) return std::nullopt;
  const auto [least, most] = ruled_node_counts(request, {min_nodes, max_nodes});
  if (request.whole_nodes) {
    return least == most ? on_whole_nodes(prepared, context, most) : std::nullopt;
  }
  if (unit != ConsumableUnit::Core && unit != ConsumableUnit::Cpu) return std::nullopt;
  const Node* node = sample_of(prepared, context);
  if (node == nullptr) return std::nullopt;
  if (most <= 1) {
    const auto cpus = on_one_node(request, unit, *node);
    return cpus ? std::optional(CertainCpus{*cpus, 1}) : std::nullopt;
  }
  // The nodes of -w are taken before the others and without regard to what these need.
  if (prepared.required.any()) return std::nullopt;
  if (least == most) {
    const auto cpus = on_even_nodes(request, unit, *node, most);
    if (cpus) return CertainCpus{*cpus, most};
  }
  const bool by_cpu = unit == ConsumableUnit::Cpu || node->cpus_per_core == 1;
  const bool one_each = request.cpus_per_task <= 1 && request.ntasks_per_node == 0 &&
                        request.pn_min_cpus <= 1 && most <= request.min_cpus;
  return by_cpu && one_each ? std::optional(CertainCpus{request.min_cpus, most}) : std::nullopt;
}

}  // namespace rehearse

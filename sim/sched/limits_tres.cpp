// sim/sched/limits_tres.cpp — what a job asks for and holds, as amounts by TRES (limits.md §2).
#include <algorithm>
#include <map>

#include "sim/cluster/licenses.hpp"
#include "sim/config/units.hpp"
#include "sim/sched/held_gres.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

/// GRES units of one request line over the whole job on so many nodes.
std::uint64_t count_of(const GresRequest& gres, const Request& request, std::uint32_t nodes) {
  if (gres.per_job > 0) return gres.per_job;
  if (gres.per_node > 0) return gres.per_node * nodes;
  if (gres.per_socket > 0) {
    return gres.per_socket * std::max<std::uint64_t>(1, request.sockets_per_node) * nodes;
  }
  const std::uint32_t tasks = request.num_tasks.value_or(nodes);
  if (gres.per_task == 0 && gres.ntasks_per_gres > 0) return tasks / gres.ntasks_per_gres;
  return gres.per_task * tasks;
}

}  // namespace

const std::vector<std::size_t>& Limits::tres_of_gres(NameId name, NameId type) const {
  const auto known =
      std::find_if(counted_gres_.begin(), counted_gres_.end(),
                   [&](const CountedGres& each) { return each.name == name && each.type == type; });
  if (known != counted_gres_.end()) return known->tres;
  CountedGres& counted = counted_gres_.emplace_back(CountedGres{name, type, {}});
  const std::string& wanted = cluster_.names.text(type);
  bool generic = false;
  std::optional<std::size_t> first_typed;
  for (const GresTres& gres : gres_) {
    if (!equals_ignoring_case(gres.name, cluster_.names.text(name))) continue;
    if (gres.type.empty()) {
      counted.tres.push_back(gres.tres);
      generic = true;
      continue;
    }
    if (!first_typed) first_typed = gres.tres;
    if (!wanted.empty() && equals_ignoring_case(gres.type, wanted)) {
      counted.tres.push_back(gres.tres);
    }
  }
  // An untyped request where only types are tracked goes to the first of them.
  if (wanted.empty() && !generic && first_typed) counted.tres.push_back(*first_typed);
  return counted.tres;
}

void Limits::add_gres(TresVector& amounts, NameId name, NameId type, std::uint64_t count) const {
  for (const std::size_t tres : tres_of_gres(name, type)) amounts[tres] += count;
}

void Limits::count_gres_as_asked(const Job& job, std::uint32_t nodes, TresVector& amounts) const {
  for (const GresTres& gres : gres_) amounts[gres.tres] = 0;
  const Request& request = cluster_.request_of(job);
  for (const GresRequest& gres : request.gres) {
    add_gres(amounts, gres.name, gres.type, count_of(gres, request, nodes));
  }
}

TresVector Limits::vector_of(const Job& job, const Partition& partition, std::uint32_t cpus,
                             std::uint64_t per_cpu_mib, std::uint32_t nodes) const {
  const Request& request = cluster_.request_of(job);
  TresVector amounts = cluster_.tres.zero();
  amounts[index_of(TresTable::kCpu)] = cpus;
  amounts[index_of(TresTable::kNode)] = nodes;
  std::uint64_t gpus = 0;
  for (const GresRequest& gres : request.gres) {
    const std::uint64_t count = count_of(gres, request, request.min_nodes);
    if (cluster_.names.text(gres.name) == "gpu") gpus += count;
    add_gres(amounts, gres.name, gres.type, count);
  }

  std::uint64_t& memory = amounts[index_of(TresTable::kMem)];
  const SlurmConf& conf = cluster_.conf;
  switch (request.memory_mode) {
    case MemoryMode::PerNode:
      memory = request.memory_mib * nodes;
      break;
    case MemoryMode::PerCpu:
      memory = per_cpu_mib * cpus;
      break;
    case MemoryMode::PerGpu:
      memory = request.memory_mib * gpus;
      break;
    case MemoryMode::None:  // DefMemPerGPU shows in what is allocated only
      if (partition.conf.def_mem_per_node_mib) {
        memory = *partition.conf.def_mem_per_node_mib * nodes;
      } else if (partition.conf.def_mem_per_cpu_mib) {
        memory = *partition.conf.def_mem_per_cpu_mib * cpus;
      } else if (conf.def_mem_per_node_mib) {
        memory = *conf.def_mem_per_node_mib * nodes;
      } else {
        memory = conf.def_mem_per_cpu_mib.value_or(0) * cpus;
      }
  }
  // All of a node's: what the first of the partition has stands for it.
  if (memory == 0 && request.memory_mode != MemoryMode::PerGpu) {
    memory = partition.first_node_mib * nodes;
  }
  for (const LicenseRequest& license : request.licenses) {
    const auto index = cluster_.tres.find("license/" + cluster_.names.text(license.name));
    if (index) amounts[index_of(*index)] += license.count;
  }
  amounts[index_of(TresTable::kBilling)] = truncated_billing(billing_.of(partition, amounts));
  return amounts;
}

TresVector Limits::request_vector(const Job& job, const Partition& partition) const {
  const Request& request = cluster_.request_of(job);
  return vector_of(job, partition, request.min_cpus, request.memory_mib, request.min_nodes);
}

TresVector Limits::estimated_vector(const Job& job, const Partition& partition,
                                    const NodeSet* nodes, const EffectiveRequest& ruled) const {
  const Request& request = cluster_.request_of(job);
  const std::uint32_t count =
      nodes != nullptr ? static_cast<std::uint32_t>(nodes->count()) : request.min_nodes;
  std::uint32_t cpus = request.min_cpus;
  // Memory above MaxMemPerCPU was bought with CPUs, which are among them.
  std::uint64_t per_cpu_mib = request.memory_mib;
  if (job.total_cpus > 0) {
    cpus = job.total_cpus;
    const auto& conf = partition.conf;
    const auto most = conf.max_mem_per_cpu_mib || conf.max_mem_per_node_mib
                          ? conf.max_mem_per_cpu_mib
                          : cluster_.conf.max_mem_per_cpu_mib;
    if (most.value_or(0) > 0 && per_cpu_mib > *most) {
      const std::uint64_t ratio = (per_cpu_mib + *most - 1) / *most;
      per_cpu_mib = (per_cpu_mib + ratio - 1) / ratio;
    }
  }
  TresVector amounts = vector_of(job, partition, cpus, per_cpu_mib, count);
  if (nodes != nullptr) count_gres_of(*nodes, ruled, amounts);
  return amounts;
}

/// In the place of what was asked for: of whole nodes all GRES; of GPUs by job or by task all that
/// the nodes' memory suffices for, unless tasks come with them or, by --cpus-per-gpu, CPUs.
void Limits::count_gres_of(const NodeSet& nodes, const EffectiveRequest& request,
                           TresVector& amounts) const {
  const auto counts_all = [&](const EffectiveGres& gres) {
    const bool by_node = gres.per_node + gres.per_socket > 0;
    const bool brings_cpus = request.cpus_per_gpu_asked && gres.cpus_per_gres > 0;
    return !by_node && !brings_cpus && request.ntasks_per_gpu == 0;
  };
  if (request.whole_nodes) {
    for (const GresTres& gres : gres_) amounts[gres.tres] = 0;
  }
  for (const EffectiveGres& gres : request.gres) {
    if (request.whole_nodes || !counts_all(gres)) continue;
    for (const std::size_t tres : tres_of_gres(gres.name, gres.type)) amounts[tres] = 0;
  }
  const auto& wanted = request.gres;
  if (!request.whole_nodes && std::none_of(wanted.begin(), wanted.end(), counts_all)) return;
  const auto add_asked = [&](const Node& node, NameId name, NameId type, std::uint64_t units) {
    for (const EffectiveGres& gres : request.gres) {
      if (gres.name != name || !counts_all(gres)) continue;
      if (gres.type != kNoName && gres.type != type) continue;
      const bool tied = gres.mem_per_gres_mib > 0;
      const std::uint64_t most = tied ? node.memory_mib / gres.mem_per_gres_mib : units;
      add_gres(amounts, name, gres.type, std::min(units, most));
    }
  };
  const auto add_own = [&](const Node& node, const NodeGres& own) {
    for (const auto& [type, units] : units_by_type(own)) {
      if (request.whole_nodes) {
        add_gres(amounts, own.name, type, units);
      } else {
        add_asked(node, own.name, type, units);
      }
    }
  };
  for_each_bit(nodes, [&](std::size_t i) {
    const Node& node = cluster_.nodes[id_at<NodeId>(i)];
    for (const NodeGres& own : node.gres) {
      if (!own.no_consume) add_own(node, own);
    }
  });
}

TresVector Limits::allocation_vector(const Job& job, const Partition& partition,
                                     const Allocation& allocation,
                                     std::optional<double>& billing) const {
  TresVector amounts = cluster_.tres.zero();
  amounts[index_of(TresTable::kCpu)] = allocation.cpus;
  amounts[index_of(TresTable::kNode)] = allocation.nodes.size();
  for (const NodeShare& share : allocation.nodes) {
    amounts[index_of(TresTable::kMem)] += share.memory_mib;
  }
  // Under select/linear GRES that run are neither billed nor counted (scheduling.md §6).
  if (cluster_.conf.select_type != SelectType::Linear) {
    for_each_held_gres(cluster_, allocation, [&](NameId name, NameId type, std::uint64_t units) {
      add_gres(amounts, name, type, units);
    });
  }
  for (const LicenseRequest& license : licenses_of(cluster_, job)) {
    const auto index = cluster_.tres.find("license/" + cluster_.names.text(license.name));
    if (index) amounts[index_of(*index)] += license.count;
  }
  if (!billing) billing = billing_.of(partition, amounts);
  amounts[index_of(TresTable::kBilling)] = truncated_billing(*billing);
  return amounts;
}

TresVector Limits::count_component(Job& job, const Partition& partition,
                                   const Allocation& chosen) const {
  const auto nodes = static_cast<std::uint32_t>(chosen.nodes.size());
  TresVector amounts =
      vector_of(job, partition, chosen.cpus, cluster_.request_of(job).memory_mib, nodes);
  amounts[index_of(TresTable::kNode)] = 0;  // nodes are not counted together
  const double billing = job.billing.value_or(billing_.of(partition, amounts));
  amounts[index_of(TresTable::kBilling)] = truncated_billing(billing);
  if (enforced_ && cluster_.conf.priority.type == PriorityType::Multifactor) job.billing = billing;
  return amounts;
}

}  // namespace rehearse

// sim/sched/limits_tres.cpp — what a job asks for and holds, as amounts by TRES (limits.md §2).
#include <algorithm>

#include "sim/cluster/licenses.hpp"
#include "sim/config/units.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

/// GRES units of one request line over the whole job.
std::uint64_t count_of(const GresRequest& gres, const Request& request) {
  if (gres.per_job > 0) return gres.per_job;
  if (gres.per_node > 0) return gres.per_node * request.min_nodes;
  if (gres.per_socket > 0) {
    return gres.per_socket * std::max<std::uint64_t>(1, request.sockets_per_node) *
           request.min_nodes;
  }
  return gres.per_task * request.num_tasks.value_or(request.min_nodes);
}

}  // namespace

void Limits::add_gres(TresVector& amounts, std::string_view name, std::string_view type,
                      std::uint64_t count) const {
  bool generic = false;
  const GresTres* first_typed = nullptr;
  for (const GresTres& gres : gres_) {
    if (!equals_ignoring_case(gres.name, name)) continue;
    if (gres.type.empty()) {
      amounts[gres.tres] += count;
      generic = true;
      continue;
    }
    if (first_typed == nullptr) first_typed = &gres;
    if (!type.empty() && equals_ignoring_case(gres.type, type)) amounts[gres.tres] += count;
  }
  // An untyped request where only types are tracked goes to the first of them.
  if (type.empty() && !generic && first_typed != nullptr) amounts[first_typed->tres] += count;
}

TresVector Limits::request_vector(const Job& job, const Partition& partition) const {
  const Request& request = cluster_.request_of(job);
  TresVector amounts = cluster_.tres.zero();
  amounts[index_of(TresTable::kCpu)] = request.min_cpus;
  amounts[index_of(TresTable::kNode)] = request.min_nodes;
  std::uint64_t gpus = 0;
  for (const GresRequest& gres : request.gres) {
    const std::uint64_t count = count_of(gres, request);
    const std::string& name = cluster_.names.text(gres.name);
    if (name == "gpu") gpus += count;
    add_gres(amounts, name, cluster_.names.text(gres.type), count);
  }

  std::uint64_t& memory = amounts[index_of(TresTable::kMem)];
  const SlurmConf& conf = cluster_.conf;
  switch (request.memory_mode) {
    case MemoryMode::PerNode:
      memory = request.memory_mib * request.min_nodes;
      break;
    case MemoryMode::PerCpu:
      memory = request.memory_mib * request.min_cpus;
      break;
    case MemoryMode::PerGpu:
      memory = request.memory_mib * gpus;
      break;
    case MemoryMode::None:
      if (gpus > 0 && (partition.conf.def_mem_per_gpu_mib || conf.def_mem_per_gpu_mib)) {
        memory = gpus *
                 partition.conf.def_mem_per_gpu_mib.value_or(conf.def_mem_per_gpu_mib.value_or(0));
      } else if (partition.conf.def_mem_per_node_mib) {
        memory = *partition.conf.def_mem_per_node_mib * request.min_nodes;
      } else if (partition.conf.def_mem_per_cpu_mib) {
        memory = *partition.conf.def_mem_per_cpu_mib * request.min_cpus;
      } else if (conf.def_mem_per_node_mib) {
        memory = *conf.def_mem_per_node_mib * request.min_nodes;
      } else {
        memory = conf.def_mem_per_cpu_mib.value_or(0) * request.min_cpus;
      }
  }
  for (const LicenseRequest& license : request.licenses) {
    const auto index = cluster_.tres.find("license/" + cluster_.names.text(license.name));
    if (index) amounts[index_of(*index)] += license.count;
  }
  amounts[index_of(TresTable::kBilling)] = truncated_billing(billing_.of(partition, amounts));
  return amounts;
}

TresVector Limits::allocation_vector(const Job& job, const Partition& partition,
                                     const Allocation& allocation, double& billing) const {
  TresVector amounts = cluster_.tres.zero();
  amounts[index_of(TresTable::kCpu)] = allocation.cpus;
  amounts[index_of(TresTable::kNode)] = allocation.nodes.size();
  for (const NodeShare& share : allocation.nodes) {
    amounts[index_of(TresTable::kMem)] += share.memory_mib;
    const Node& node = cluster_.nodes[share.node];
    for (const DeviceShare& held : share.devices) {
      const NodeGres& gres = node.gres[held.gres];
      if (gres.no_consume) continue;
      const NameId type =
          held.device < gres.devices.size() ? gres.devices[held.device].type : kNoName;
      add_gres(amounts, cluster_.names.text(gres.name), cluster_.names.text(type), held.units);
    }
  }
  for (const LicenseRequest& license : licenses_of(cluster_, job)) {
    const auto index = cluster_.tres.find("license/" + cluster_.names.text(license.name));
    if (index) amounts[index_of(*index)] += license.count;
  }
  billing = billing_.of(partition, amounts);
  amounts[index_of(TresTable::kBilling)] = truncated_billing(billing);
  return amounts;
}

}  // namespace rehearse

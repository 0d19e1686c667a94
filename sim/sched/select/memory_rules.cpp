// sim/sched/select/memory_rules.cpp — memory defaults and maxima (scheduling.md §6.1).
#include <algorithm>

#include "sim/cluster/whole_nodes.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

struct MemoryLimit {
  MemoryMode mode = MemoryMode::None;
  std::uint64_t mib = 0;
};

/// The partition's value, else the global one; of both kinds in one place PerNode wins.
MemoryLimit resolve(const std::optional<std::uint64_t>& partition_node,
                    const std::optional<std::uint64_t>& partition_cpu,
                    const std::optional<std::uint64_t>& global_node,
                    const std::optional<std::uint64_t>& global_cpu) {
  if (partition_node) return {MemoryMode::PerNode, *partition_node};
  if (partition_cpu) return {MemoryMode::PerCpu, *partition_cpu};
  if (global_node) return {MemoryMode::PerNode, *global_node};
  if (global_cpu) return {MemoryMode::PerCpu, *global_cpu};
  return {};
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

MemoryLimit maximum(const PartitionConf& partition, const SlurmConf& conf) {
  return resolve(partition.max_mem_per_node_mib, partition.max_mem_per_cpu_mib,
                 conf.max_mem_per_node_mib, conf.max_mem_per_cpu_mib);
}

/// What maxima are held against: the memory asked for by node or by CPU, else the default, also
/// where it is counted by GPUs in the end. All of a node is what the partition's first one has.
MemoryLimit asked_memory(const Request& request, const MemoryLimit& def,
                         const Partition& partition) {
  MemoryLimit asked{request.memory_mode, request.memory_mib};
  if (asked.mode == MemoryMode::None || asked.mode == MemoryMode::PerGpu) asked = def;
  if (asked.mib == 0) asked = {MemoryMode::PerNode, partition.first_node_mib};
  return asked;
}

/// CPUs of one node, where memory by CPU is held against MaxMemPerNode before nodes are chosen.
std::uint64_t cpus_of_one_node(const Request& request, const Partition& partition,
                               const EffectiveRequest& effective) {
  if (asks_for_whole_nodes(request, partition.conf)) return partition.first_node_cpus;
  const std::uint64_t tasks =
      effective.max_nodes ? ceil_div(effective.num_tasks, *effective.max_nodes) : 0;
  return std::max<std::uint64_t>(effective.pn_min_cpus, tasks * effective.cpus_per_task);
}

/// Above MaxMemPerCPU Slurm buys the memory with CPUs instead of refusing.
void buy_with_cpus(const MemoryLimit& limit, const MemoryLimit& asked,
                   EffectiveRequest& effective) {
  if (asked.mode == MemoryMode::PerCpu) {
    if (asked.mib <= limit.mib || effective.memory_mode != MemoryMode::PerCpu) return;
    const auto ratio = static_cast<std::uint32_t>(ceil_div(effective.memory_mib, limit.mib));
    effective.cpus_per_task *= ratio;
    effective.memory_mib = ceil_div(effective.memory_mib, ratio);
    const std::uint32_t tasks = std::max(effective.num_tasks, 1U);
    effective.min_cpus = std::max(effective.min_cpus, tasks * effective.cpus_per_task);
    effective.pn_min_cpus = std::max(effective.pn_min_cpus, effective.cpus_per_task);
    return;
  }
  const auto cpus = static_cast<std::uint32_t>(ceil_div(asked.mib, limit.mib));
  effective.pn_min_cpus = std::max(effective.pn_min_cpus, cpus);
  if (effective.ntasks_per_node > 0) {
    const auto per_task =
        static_cast<std::uint32_t>(ceil_div(effective.pn_min_cpus, effective.ntasks_per_node));
    effective.cpus_per_task = std::max(effective.cpus_per_task, per_task);
  }
}

/// DefMemPerGPU takes the place of what was left, but the first test chooses among the nodes that
/// have room for that.
void look_first(const LeftMemory& left, const MemoryLimit& def, EffectiveRequest& effective) {
  const bool as_submitted = left.kind == LeftMemory::Kind::AsSubmitted;
  if (!as_submitted && left.kind != LeftMemory::Kind::All) return;
  effective.first_memory = FirstMemory::Also;
  if (!as_submitted) return;
  const bool by_cpu = def.mode == MemoryMode::PerCpu;
  effective.first_free_mib = def.mib * (by_cpu ? effective.pn_min_cpus : 1);
  if (by_cpu) effective.first_cpu_mib = def.mib;
}

}  // namespace

LeftMemory left_memory(const Request& request) {
  constexpr auto kPerGpu = static_cast<std::uint64_t>(LeftMemory::Kind::PerGpu);
  if (request.memory_mode != MemoryMode::None) return {};
  if (request.memory_mib < kPerGpu) return {static_cast<LeftMemory::Kind>(request.memory_mib), 0};
  return {LeftMemory::Kind::PerGpu, request.memory_mib - kPerGpu};
}

std::uint64_t as_memory_mib(const LeftMemory& left) {
  return static_cast<std::uint64_t>(left.kind) + left.per_gpu_mib;
}

std::optional<Reason> waits_by_rules(const Request& request, const Partition& partition,
                                     const SlurmConf& conf, const NamePool& names) {
  if (maximum(partition.conf, conf).mib == 0) return std::nullopt;
  const RuledRequest ruled = apply_request_rules(request, partition, conf, names);
  if (!ruled.refusal || ruled.refusal->at_submission) return std::nullopt;
  return ruled.refusal->reason;
}

std::optional<RequestRefusal> apply_memory_rules(const Request& request, const Partition& in,
                                                 const SlurmConf& conf,
                                                 EffectiveRequest& effective) {
  const PartitionConf& partition = in.conf;
  const SelectTypeParameters& own =
      partition.select_type_parameters.value_or(conf.select_type_parameters);
  const bool consumable = conf.select_type_parameters.memory || own.memory;
  const LeftMemory left = left_memory(request);
  const MemoryLimit def = resolve(partition.def_mem_per_node_mib, partition.def_mem_per_cpu_mib,
                                  conf.def_mem_per_node_mib, conf.def_mem_per_cpu_mib);
  if (effective.memory_mode == MemoryMode::PerGpu) {  // set by the GRES rules (DefMemPerGPU)
    look_first(left, def, effective);
  } else {
    effective.memory_mode = request.memory_mode;
    effective.memory_mib = request.memory_mib;
  }
  if (effective.memory_mode == MemoryMode::None) {
    const bool by_gpu = left.kind == LeftMemory::Kind::PerGpu;
    if (by_gpu || left.kind == LeftMemory::Kind::All) {
      effective.memory_mode = MemoryMode::PerNode;
      effective.memory_mib = 0;  // all of the node, whatever the maximum
    } else {
      effective.memory_mode = def.mib == 0 ? MemoryMode::PerNode : def.mode;
      effective.memory_mib = def.mib;
    }
    if (by_gpu) effective.first_memory = FirstMemory::Instead;
    effective.first_free_mib = left.per_gpu_mib;
  }
  if (effective.memory_mode == MemoryMode::PerCpu && effective.memory_mib == 0) {
    effective.memory_mode = MemoryMode::PerNode;  // 0 asks for all memory, however it is written
  }
  const MemoryLimit max = maximum(partition, conf);
  // What a test has left behind counts whatever the maximum (gres.md §2.3).
  const bool as_left =
      left.kind == LeftMemory::Kind::All ||
      (left.kind == LeftMemory::Kind::PerGpu && effective.memory_mode != MemoryMode::PerGpu);
  const bool limited = max.mib > 0 && !as_left;
  const MemoryLimit asked = asked_memory(request, def, in);
  if (limited && max.mode == MemoryMode::PerNode) {
    const std::uint64_t least = asked.mode == MemoryMode::PerNode
                                    ? asked.mib
                                    : asked.mib * cpus_of_one_node(request, in, effective);
    if (least > max.mib) return RequestRefusal{Reason::MaxMemPerLimit, {}, false};
  }
  if (limited && max.mode == MemoryMode::PerCpu) buy_with_cpus(max, asked, effective);
  // A value per CPU is compared as it is (scheduling.md §5.2).
  if (effective.memory_mode == MemoryMode::PerNode || effective.memory_mode == MemoryMode::PerCpu) {
    effective.configured_mib = effective.memory_mib;
  }
  if (!consumable) {
    effective.memory_mode = MemoryMode::None;
    effective.first_memory = FirstMemory::Same;
    effective.first_cpu_mib = 0;
  }
  return std::nullopt;
}

}  // namespace rehearse

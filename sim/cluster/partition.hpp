// sim/cluster/partition.hpp — a partition: its record in slurm.conf, with names resolved.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/tres.hpp"
#include "sim/config/slurm_conf.hpp"

namespace rehearse {

struct Partition {
  PartitionId id{};
  NameId name = kNoName;
  PartitionConf conf;  ///< limits, tiers, defaults, access lists
  NodeSet nodes;
  std::optional<QosId> qos;           ///< partition QOS
  TresVector total;                   ///< configured amounts over its nodes (priority.md §3.8)
  std::uint64_t total_cpus = 0;       ///< configured, of its nodes (scontrol's TotalCPUs)
  std::uint64_t first_node_mib = 0;   ///< memory of its first node: where no node is chosen yet,
                                      ///< what all memory of one is (limits.md §2)
  std::uint32_t first_node_cpus = 0;  ///< and CPUs: what all CPUs of one are (scheduling.md §6.1)
  std::vector<double> billing_weights;  ///< by TRES; empty: billing is CPUs
  PartitionState state = PartitionState::Up;
};

}  // namespace rehearse

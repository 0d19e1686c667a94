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
  std::optional<QosId> qos;             ///< partition QOS
  TresVector total;                     ///< configured amounts over its nodes (priority.md §3.8)
  std::uint64_t total_cpus = 0;         ///< configured, of its nodes (scontrol's TotalCPUs)
  std::vector<double> billing_weights;  ///< by TRES; empty: billing is CPUs
  PartitionState state = PartitionState::Up;
};

}  // namespace rehearse

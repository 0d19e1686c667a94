// sim/sched/select/context.hpp — the part of a cluster that selection reads.
#pragma once

#include "sim/cluster/node.hpp"
#include "sim/cluster/partition.hpp"
#include "sim/cluster/request.hpp"
#include "sim/cluster/topology.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

/// References into a Cluster, which must outlive the plugin.
struct SelectContext {
  const SlurmConf& conf;
  const NamePool& names;
  const RequestTable& requests;
  const IdVector<NodeId, Node>& nodes;
  const IdVector<PartitionId, Partition>& partitions;
  const Topology* topology;  ///< null: without topology/tree
  SlurmVersion version;
  bool recalls = true;  ///< Cluster::recalls
};

}  // namespace rehearse

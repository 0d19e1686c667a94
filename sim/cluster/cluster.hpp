// sim/cluster/cluster.hpp — the whole state of a simulated cluster: one run has one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/cluster/job_table.hpp"
#include "sim/cluster/ledger.hpp"
#include "sim/cluster/node.hpp"
#include "sim/cluster/partition.hpp"
#include "sim/cluster/request.hpp"
#include "sim/cluster/reservation.hpp"
#include "sim/cluster/topology.hpp"
#include "sim/cluster/tres.hpp"
#include "sim/config/cgroup_conf.hpp"
#include "sim/config/gres_conf.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/config/topology_conf.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

/// Everything a site's files say, read and typed.
struct SiteInputs {
  SlurmConf slurm_conf;
  GresConf gres_conf;
  std::vector<SwitchConf> topology;
  AccountingConf accounting;
  SiteConf site;
  CgroupConf cgroup;
};

struct Cluster {
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  Cluster(Cluster&&) = delete;
  Cluster& operator=(Cluster&&) = delete;
  ~Cluster() = default;

  /// Builds nodes, partitions and accounts from the inputs. `names` and `requests` may already hold
  /// those of the jobs. Findings (unknown QOS of a partition, impossible GRES …) go to `found`.
  Cluster(const SiteInputs& inputs, NamePool& names, RequestTable& requests, Diagnostics& found);

  const SiteInputs& inputs;
  SlurmConf conf;  ///< by which slurmctld goes; written by reconfigure()
  NamePool& names;
  RequestTable& requests;
  TresTable tres;
  IdVector<NodeId, Node> nodes;
  std::optional<Topology> topology;  ///< with topology/tree
  IdVector<PartitionId, Partition> partitions;
  AccountBook accounts;
  JobTable jobs;
  Ledger ledger;
  ReservationTable reservations;
  std::optional<PartitionId> default_partition;
  std::vector<std::uint32_t> licenses_total, licenses_used;  ///< beside conf.licenses
  std::uint32_t max_priority_job_factor = 1;                 ///< over partitions, at least 1
  std::uint64_t total_cpus = 0;  ///< effective CPUs of all nodes (priority.md §3.4)
  /// What was worked out for one question may answer the next. False, from before the run: every
  /// question is worked out anew, and the state is recounted after each event (run --paranoid).
  bool recalls = true;

  /// What all nodes are configured with, in any state.
  [[nodiscard]] TresVector configured() const;
  [[nodiscard]] TresVector configured(const NodeSet& of) const;
  /// An admin changed the partition's record; its state is the record's.
  void change_partition(PartitionId partition, const PartitionConf& record, Diagnostics& found);
  /// slurm.conf is another: what takes hold without a restart does (reconfiguration.hpp).
  /// Partitions and nodes are not touched.
  void reconfigure(const SlurmConf& file);
  /// A ledger of its nodes in which nobody holds anything.
  [[nodiscard]] Ledger empty_ledger() const;
  /// Nodes have other devices than when it was built, and nobody holds anything yet.
  void refit_ledger();
  /// From before the run: no job will ask to share cores, so that OverSubscribe=YES:n has none
  /// shared. What FORCE:n and gang scheduling have shared stays so.
  void expect_no_sharing();
  /// From before the run: FORCE partitions will be laid over each other.
  void expect_forced_sharing();
  /// Other devices are there than before: what partitions have in all is counted again.
  void devices_changed();
  [[nodiscard]] std::optional<PartitionId> find_partition(NameId name) const;
  [[nodiscard]] std::optional<NodeId> find_node(NameId name) const;
  /// A change took the node away (SiteConf::removed_nodes): who names it does without it.
  [[nodiscard]] bool has_lost(std::string_view node) const {
    return inputs.site.removed_nodes.contains(node);
  }
  [[nodiscard]] const Request& request_of(const Job& job) const { return requests[job.request]; }

 private:
  bool may_ask_to_share_ = true;  ///< by --oversubscribe
  bool forces_sharing_ = false;   ///< several jobs may hold a core though nobody asks for it
};

/// Jobs of one FORCE partition are laid over those of another on the same nodes, were it FORCE:1
/// (scheduling.md §5.3).
[[nodiscard]] bool forces_twice(const std::vector<PartitionConf>& partitions);

}  // namespace rehearse

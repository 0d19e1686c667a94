// sim/config/site_changes.hpp — --set KEY=VALUE beyond slurm.conf: QOS, associations, nodes,
// site.yaml.
//
//   QOS=high:Priority=1000                  a column of sacctmgr show qos
//   Account=ml:Fairshare=3                  a column of sacctmgr show assoc, of an account
//   Account=ml,User=ann:MaxJobs=5           … or of a user in it (and Partition=)
//   Nodes=n[01-72]:Count=80                 so many of these nodes: the last go, or more like the
//                                           last come
//   Nodes=n[01-08]:GpuType=h100             their GPUs are of this type
//   site.yaml:controller.epilog=5s          a key of site.yaml that holds one value
//
// Everything else is slurm.conf's (slurm_conf_changes.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/accounting.hpp"
#include "sim/config/gres_conf.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/config/topology_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// One change outside of slurm.conf, taken apart.
struct SiteChange {
  enum class Kind : std::uint8_t { Qos, Association, Nodes, SiteKey };
  Kind kind = Kind::SiteKey;
  std::string of;          ///< `high`, `ml,User=ann`, `n[01-72]`; empty for a key of site.yaml
  std::string key, value;  ///< key may end in + or - as sacctmgr has it
  SourcePosition where;    ///< the change as a whole
};

/// The changes by who reads them, each list in its order.
struct SiteChanges {
  std::vector<std::string> slurm_conf;
  std::vector<SiteChange> others;
};

/// What it is a change of, as --set has it: `QOS=high`, `Account=ml,User=ann`, `site.yaml`.
[[nodiscard]] std::string where_of(const SiteChange& change);

/// Which of `set` is whose. What has the head of another kind but not its form is an error.
[[nodiscard]] SiteChanges split_changes(const std::vector<std::string>& set, Diagnostics& found);

/// The changes of site.yaml. Before slurm.conf is read: its release decides what is known.
void change_site_keys(const SiteChanges& changes, SiteConf& site, Diagnostics& found);
/// The changes of QOS and associations. A name that is not there is an error.
void change_accounting(const SiteChanges& changes, AccountingConf& accounting, Diagnostics& found);
/// The changes of nodes: in slurm.conf's records and partitions, gres.conf, topology.conf and lists
/// of nodes in site.yaml (node_hardware, mig, failures).
void change_nodes(const SiteChanges& changes, SlurmConf& conf, GresConf& gres,
                  std::vector<SwitchConf>& topology, SiteConf& site, Diagnostics& found);

}  // namespace rehearse

// sim/controller/admin_command.hpp — what an admin typed, understood: the lines of events.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/config/reservation_words.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/controller/job_command.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// `scontrol update NodeName=… State=…`: which flags it sets or clears.
struct NodeStateChange {
  enum class To : std::uint8_t {
    None,
    Down,
    Drain,
    Fail,
    Resume,
    Undrain,
    NoRespond,
    PowerUp,
    PowerDown,
    PowerDownAsap,
    PowerDownForce,
    CancelReboot,
  };
  To to = To::None;
  std::string reason;
};

struct UpdateNodes {
  std::vector<NodeId> nodes;
  NodeStateChange change;
  std::optional<std::uint32_t> weight;
  std::optional<std::vector<NameId>> features;
};

/// `slurmd down|up NODES`: the daemon. `node crash|boot NODES`: the machine, with what runs on it.
/// `node hang|recover NODES`: nothing there can be killed.
struct ChangeDaemons {
  enum class To : std::uint8_t { Silent, Answering, Crashed, Booted, Hung, Recovered };
  std::vector<NodeId> nodes;
  To to = To::Silent;
};

/// `scontrol reboot [ASAP] [nextstate=RESUME|DOWN] [reason=…] NODES`.
struct RebootNodes {
  enum class Next : std::uint8_t { AsBefore, Resume, Down };
  std::vector<NodeId> nodes;
  bool asap = false;  ///< drained until then
  Next next = Next::AsBefore;
  std::string reason;
};

/// `scontrol update PartitionName=…`: the whole record afterwards.
struct UpdatePartition {
  PartitionId partition{};
  PartitionConf record;
};

/// `scontrol reconfigure`: slurm.conf is read again, so that what scontrol told of partitions, and
/// of weights and features of nodes, is gone.
struct Reconfigure {
  std::vector<SlurmConf> file;              ///< one; none: as it was read before
  std::vector<UpdatePartition> partitions;  ///< those that had been changed, as slurm.conf has them
};

/// `sacctmgr modify …`: all accounts and QOS afterwards.
struct ChangeAccounts {
  AccountingConf accounting;
};

/// `slurmctld down|up`. Whoever returns reads the files again.
struct ChangeController {
  bool up = false;
  Reconfigure again;  ///< of `down` what is there by then, of `up` what was edited meanwhile
};

/// `mig NODES GPUS LAYOUT …`: GPUs are cut anew (site.yaml `mig`).
struct CutGpus {
  MigLine line;
};

using AdminAction = std::variant<UpdateNodes, CancelJobs, ActOnJobs, UpdateJobs, ReservationCommand,
                                 ChangeDaemons, UpdatePartition, ChangeAccounts, ChangeController,
                                 RebootNodes, CutGpus, Reconfigure>;

/// Partitions that have another record afterwards; of an update this one.
[[nodiscard]] std::span<const UpdatePartition> partitions_changed_by(const AdminAction& action);

/// The slurm.conf that is in force afterwards; null: the one from before.
[[nodiscard]] const SlurmConf* conf_read_by(const AdminAction& action);

struct AdminCommandAt {
  Time at;
  std::string text;
  AdminAction action;
};

/// By their times; those of one instant stay as they came.
void put_in_order(std::vector<AdminCommandAt>& commands);

/// Understands the commands of events.csv. What is unknown is an error with its line; what is known
/// to Slurm and not simulated yet is a warning and is left out of the result.
[[nodiscard]] std::vector<AdminCommandAt> understand_commands(
    const std::vector<AdminCommand>& lines, const Cluster& cluster, NamePool& names,
    Diagnostics& found);

/// The rows of node_events.txt as commands and events of nodes: what was DOWN is gone from
/// TimeStart on and resumed at TimeEnd. Rows outside [from, to] are cut to it, or left out.
struct TimeSpan {
  SlurmTime from, to;
};
[[nodiscard]] std::vector<AdminCommandAt> replay_outages(const std::vector<NodeOutage>& rows,
                                                         TimeSpan span, const Cluster& cluster,
                                                         NamePool& names, Diagnostics& found);

}  // namespace rehearse

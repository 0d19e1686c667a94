// sim/config/reconfiguration.hpp — what another slurm.conf changes while slurmctld runs
// (lifecycle.md §12.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// `scontrol reconfigure`: what takes hold without a restart becomes as `file` has it: the settings
/// of priorities and of both loops, times, licences, weights and features of nodes. Partitions, and
/// what else there is of nodes, stay.
void reconfigure(SlurmConf& running, const SlurmConf& file);

/// What another slurm.conf says otherwise, and what goes on as it was all the same.
struct KeptSetting {
  enum class Why : std::uint8_t {
    NeedsRestart,  ///< in Slurm, too
    NotSimulated,
  };
  std::string what;      ///< `SelectType=select/linear`, `NodeName=g[01-04]: CPUs`, `… : gone`
  SourcePosition where;  ///< in `file`, or in `running` where it is gone
  Why why = Why::NotSimulated;
};
/// Global keys first, then nodes, then partitions that are gone.
[[nodiscard]] std::vector<KeptSetting> kept_settings(const SlurmConf& running,
                                                     const SlurmConf& file);

/// The line of that partition; null: there is none.
[[nodiscard]] const PartitionConf* find_partition(const SlurmConf& conf, std::string_view name);

/// Partitions that are new, or whose lines differ, as `file` has them.
[[nodiscard]] std::vector<const PartitionConf*> changed_partitions(const SlurmConf& running,
                                                                   const SlurmConf& file);

}  // namespace rehearse

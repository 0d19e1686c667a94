// sim/config/slurm_conf.hpp — a slurm.conf as typed values, each with the place it came from.
//
// Defaults are those of Slurm 22.05 (formats.md §3, §4, §6); each stands here, once, where its
// member is declared. What depends on the emulated release is in slurm_version.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/node_conf.hpp"
#include "sim/config/partition_conf.hpp"
#include "sim/config/priority_conf.hpp"
#include "sim/config/scheduler_parameters.hpp"
#include "sim/config/slurm_version.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

enum class SchedulerType : std::uint8_t { Builtin, Backfill };
enum class SelectType : std::uint8_t { Linear, ConsRes, ConsTres };
enum class PreemptType : std::uint8_t { None, Qos, PartitionPrio };
enum class TopologyPlugin : std::uint8_t { None, Tree, Block };
enum class EnforcePartLimits : std::uint8_t { No, Any, All };

/// AccountingStorageEnforce with what each token implies (limits.md §1.1).
struct EnforceConf {
  bool associations = false, limits = false, safe = false, qos = false, wckeys = false;
};

/// The order of victims (preemption.md §1, §3, §4).
struct PreemptParameters {
  bool youngest_first = false, strict_order = false;
  std::uint32_t reorder_count = 1;
  std::optional<std::uint32_t> min_exempt_priority;  ///< jobs above it are never candidates
  bool reclaim_licenses = false;                     ///< jobs are preempted for licences too
  bool send_user_signal = false;                     ///< a warning is the signal of --signal
};

struct LicenseConf {
  std::string name;
  std::uint32_t count = 1;
};

/// The whole configuration. Node order is the natural order of names (formats.md §2), the index of
/// every tie break; partitions stay in file order.
struct SlurmConf {
  std::string cluster_name;
  std::vector<NodeConf> nodes;
  std::vector<PartitionConf> partitions;

  SchedulerType scheduler_type = SchedulerType::Backfill;
  SchedulerParameters scheduler_parameters;
  SelectType select_type = SelectType::Linear;
  SelectTypeParameters select_type_parameters;
  std::vector<std::string> gres_types;  ///< in Slurm's order: shared types moved behind gpu
  TopologyPlugin topology_plugin = TopologyPlugin::None;
  bool topo_optional = false;  ///< TopologyParam has TopoOptional

  PriorityConf priority;

  PreemptType preempt_type = PreemptType::None;
  PreemptMode preempt_mode = PreemptMode::Off;
  bool preempt_gang = false, preempt_within = false, preempt_priority = false;
  PreemptParameters preempt_parameters;
  std::optional<Seconds> preempt_exempt_time;
  Seconds scheduler_time_slice{30};

  bool has_accounting = false;  ///< AccountingStorageType is slurmdbd
  EnforceConf enforce;
  std::vector<std::string> accounting_storage_tres;  ///< beyond the eight that always exist
  std::vector<LicenseConf> licenses;

  std::optional<std::uint64_t> def_mem_per_cpu_mib, def_mem_per_node_mib;
  std::optional<std::uint64_t> max_mem_per_cpu_mib, max_mem_per_node_mib;
  std::optional<std::uint64_t> def_cpu_per_gpu, def_mem_per_gpu_mib;
  EnforcePartLimits enforce_part_limits = EnforcePartLimits::No;
  std::uint32_t max_job_count = 10000;
  std::uint32_t max_array_size = 1001;
  std::uint32_t first_job_id = 1, max_job_id = 67043328;
  Seconds min_job_age{300};
  std::uint32_t max_tasks_per_node = 512;
  Seconds complete_wait{0};
  Seconds kill_wait{30};
  std::uint32_t over_time_limit_min = 0;  ///< [min]; UINT32_MAX: UNLIMITED
  bool job_requeue = true;
  bool allow_spec_resources = false;  ///< AllowSpecResourcesUsage
  std::vector<std::uint32_t> requeue_exit, requeue_exit_hold;
  std::uint32_t resv_over_run_min = 0;  ///< [min]; UINT32_MAX: UNLIMITED
  std::uint32_t return_to_service = 0;
  Seconds slurmd_timeout{300};
  Seconds batch_start_timeout{10};  ///< after which a script that its node does not know is missing
  Seconds message_timeout{10};
  Seconds unkillable_step_timeout{60};
  bool has_epilog = false;  ///< Epilog= is set: normal ends take the direct path
  bool has_prolog_slurmctld = false, has_prolog = false;
  bool prolog_at_allocation = false;  ///< PrologFlags has Alloc, or what implies it
  std::uint32_t controllers = 1;      ///< SlurmctldHost lines
  Seconds slurmctld_timeout{120};     ///< after which the second controller takes over
  bool kill_invalid_depend = false;   ///< DependencyParameters
  std::uint32_t max_depend_depth = 10;
  Seconds cred_expire{120};  ///< AuthInfo=cred_expire

  Seconds suspend_time{-1};  ///< -1: off
  Seconds suspend_timeout{30}, resume_timeout{60};
  std::uint32_t suspend_rate = 60, resume_rate = 300;
  std::string suspend_program, resume_program;
  std::vector<std::string> suspend_exc_nodes, suspend_exc_parts;
  std::vector<std::string> suspend_exc_states;                  ///< from 23.02
  Seconds power_save_interval{10}, power_save_min_interval{0};  ///< SlurmctldParameters
  bool idle_on_node_suspend = false;                            ///< SlurmctldParameters
  bool has_reboot_program = false;

  bool over_memory_kill = false;  ///< JobAcctGatherParams=OverMemoryKill
  bool has_task_cgroup = false;   ///< TaskPlugin has task/cgroup

  /// Every global key as written (canonical spelling); of partitions `PartitionName=x:Key`.
  struct RawValue {
    std::string text;
    SourcePosition where;
  };
  std::map<std::string, RawValue> raw;
  /// Keys of NodeName and PartitionName lines (canonical spelling), with their first use.
  std::map<std::string, SourcePosition> node_keys, partition_keys;
  std::vector<std::string> changes;  ///< KEY=VALUE of --set and of the scenario
  /// The files read, the main file first, then Includes in order; with their text for provenance.
  std::vector<std::pair<std::string, std::string>> sources;
};

/// Reads `path` and what it includes. `set` are KEY=VALUE changes applied after the file (--set);
/// `PartitionName=x:Key=Value` and `NodeName=…:Key=Value` forms change a record.
/// All errors of the file are added to `found`; the result is usable only if there are none.
/// `version` decides which keys exist, and some defaults (formats.md §6).
[[nodiscard]] SlurmConf read_slurm_conf(const std::filesystem::path& path,
                                        const std::vector<std::string>& set, Diagnostics& found,
                                        SlurmVersion version = {});

/// The same from text; `name` stands in messages. Includes are relative to `directory`.
[[nodiscard]] SlurmConf parse_slurm_conf(std::string_view text, const std::string& name,
                                         const std::filesystem::path& directory,
                                         const std::vector<std::string>& set, Diagnostics& found,
                                         SlurmVersion version = {});

}  // namespace rehearse

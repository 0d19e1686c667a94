// sim/config/partition_conf.hpp — one partition of slurm.conf, and how a cluster or a partition
// hands out its nodes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/tres_weight.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

enum class OverSubscribe : std::uint8_t { No, Exclusive, Yes, Force };
enum class PartitionState : std::uint8_t { Up, Down, Drain, Inactive };

/// What PreemptMode= says; GANG and WITHIN are modifiers of the cluster's (preemption.md §1).
enum class PreemptMode : std::uint8_t { Off, Cancel, Requeue, Suspend };

/// How cores and memory are consumed (scheduling.md §6).
enum class ConsumableUnit : std::uint8_t { None, Cpu, Core, Socket };
struct SelectTypeParameters {
  ConsumableUnit unit = ConsumableUnit::None;
  bool memory = false;
  bool one_task_per_core = false;
  bool core_default_dist_block = false;
  bool lln = false;
  bool pack_nodes = false;
  bool enforce_binding_gres = false;       ///< from 23.11
  bool multiple_sharing_gres_pj = false;   ///< from 23.11
  bool one_task_per_sharing_gres = false;  ///< from 23.11
  bool ll_shared_gres = false;             ///< from 23.11
};

/// One PartitionName record (formats.md §4). An empty optional is "not given here".
struct PartitionConf {
  std::string name;
  std::vector<std::string> nodes;  ///< expanded names, ALL and node sets resolved; as first named
  bool is_default = false;
  std::optional<Minutes> max_time;      ///< none: unlimited
  std::optional<Minutes> default_time;  ///< none: the partition's MaxTime
  std::uint32_t min_nodes = 0;
  std::optional<std::uint32_t> max_nodes;  ///< none: unlimited
  std::optional<std::uint32_t> max_cpus_per_node;
  std::optional<std::uint64_t> def_mem_per_cpu_mib;
  std::optional<std::uint64_t> def_mem_per_node_mib;
  std::optional<std::uint64_t> max_mem_per_cpu_mib;
  std::optional<std::uint64_t> max_mem_per_node_mib;
  std::optional<std::uint64_t> def_cpu_per_gpu;
  std::optional<std::uint64_t> def_mem_per_gpu_mib;
  std::uint32_t priority_tier = 1;
  std::uint32_t priority_job_factor = 1;
  std::optional<PreemptMode> preempt_mode;  ///< none: the cluster's
  bool shares_though_off = false;           ///< PreemptMode=GANG alone: OFF, but for sharing cores
  Seconds grace_time{0};
  OverSubscribe over_subscribe = OverSubscribe::No;
  std::uint32_t over_subscribe_count = 4;  ///< of YES:n and FORCE:n
  bool lln = false;
  bool exclusive_user = false;
  PartitionState state = PartitionState::Up;
  std::string qos;                                         ///< empty: none
  std::vector<std::string> allow_accounts, deny_accounts;  ///< empty: ALL / none
  std::vector<std::string> allow_qos, deny_qos;
  std::vector<std::string> allow_groups;
  std::map<std::string_view, SourcePosition> list_at;  ///< where each of these five stands, by key
  std::optional<std::uint32_t>
      over_time_limit_min;  ///< [min]; none: the cluster's; UINT32_MAX: never
  bool req_resv = false;
  bool root_only = false;
  bool hidden = false;
  bool disable_root_jobs = false;
  std::string alternate;
  std::optional<SelectTypeParameters> select_type_parameters;
  std::vector<TresWeight> tres_billing_weights;
  std::optional<Seconds> suspend_time, suspend_timeout, resume_timeout;
  SourcePosition where;

  /// How many jobs may share a core: n of FORCE:n and YES:n, else 1 (scheduling.md §5.3).
  [[nodiscard]] std::uint32_t jobs_a_core() const {
    const bool shares =
        over_subscribe == OverSubscribe::Force || over_subscribe == OverSubscribe::Yes;
    return shares ? over_subscribe_count : 1;
  }
  /// FORCE:n with n above 1: whoever runs here may have to share cores (scheduling.md §5.3).
  [[nodiscard]] bool forces_sharing() const {
    return over_subscribe == OverSubscribe::Force && over_subscribe_count > 1;
  }
};

}  // namespace rehearse

// sim/output/result.hpp — what is known of a finished run: columns of plain numbers, names by code.
//
// The recorder fills it, the file stores it, KPIs, views and sacct text are made of it: what can be
// printed after a run can be printed from its file. A row of `runs` is a row of `sacct -D`: one run
// of one job, or a job that never ran. About 200 bytes a row.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/job.hpp"
#include "sim/controller/observer.hpp"
#include "sim/core/name_pool.hpp"
#include "sim/output/completing_columns.hpp"
#include "sim/output/feedback_columns.hpp"
#include "sim/output/former_settings.hpp"
#include "sim/output/former_shares.hpp"
#include "sim/output/gpu_columns.hpp"
#include "sim/output/loop_columns.hpp"
#include "sim/output/parts_columns.hpp"
#include "sim/output/plan_columns.hpp"
#include "sim/output/run_columns.hpp"
#include "sim/output/speed_columns.hpp"

namespace rehearse {

/// Intervals in which a row was pending for one reason. Of an array: its tasks wait together.
struct WaitColumns {
  std::vector<std::uint32_t> run;  ///< row of runs
  std::vector<std::uint16_t> reason;
  std::vector<std::uint32_t> text;  ///< names.text; 0: the reason says it all
  std::vector<std::uint32_t> tasks;
  std::vector<std::int64_t> begin, end;
  [[nodiscard]] std::size_t size() const { return run.size(); }
};

/// What a run held of each node.
struct HoldingColumns {
  std::vector<std::uint32_t> run, node, cpus, gpu_milli;
  std::vector<std::uint64_t> memory_mib;
  std::vector<std::uint32_t> devices;       ///< names.text: `gpu:a100:2(IDX:0-1)`; 0: none
  std::vector<std::uint32_t> cuda_visible;  ///< names.text: CUDA_VISIBLE_DEVICES; 0: no GPU
  [[nodiscard]] std::size_t size() const { return run.size(); }
};

/// When runs stood still. No end: until the end of the simulated period.
struct SuspensionColumns {
  std::vector<std::uint32_t> run;  ///< row of runs
  std::vector<std::int64_t> begin, end;
  std::vector<std::uint8_t> lends_cores;  ///< 1: its CPUs were free for others, as an admin did it
  [[nodiscard]] std::size_t size() const { return run.size(); }
};

/// Changes of a node's state; the first rows are the states at the start.
struct NodeEventColumns {
  std::vector<std::int64_t> time;
  std::vector<std::uint32_t> node;
  std::vector<std::uint16_t> state;  ///< NodeFlag bits
  std::vector<std::uint32_t> text;   ///< names.text: the admin's reason
  [[nodiscard]] std::size_t size() const { return time.size(); }
};
enum NodeFlag : std::uint16_t {
  kNodeDown = 1,
  kNodeDrain = 2,
  kNodeFail = 4,
  kNodeNoRespond = 8,
  kNodeMaint = 16,
  kNodePoweringUp = 32,
  kNodePoweringDown = 64,
  kNodePoweredDown = 128,
  kNodeFuture = 256,
};

struct RejectionColumns {
  std::vector<std::int64_t> time;
  std::vector<std::uint32_t> job_id, user, account, requested_partitions, message;
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

/// Fair-share as the priority plugin left it, at most once an hour for each association.
struct FairShareColumns {
  std::vector<std::int64_t> time;
  std::vector<std::uint32_t> association;
  std::vector<double> raw_usage, usage_norm, usage_effective, level_fs, fair_share;
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

/// A quantity over time: its mean in each cell of the grid, and its integral over the whole run.
struct Series {
  std::string name, units, long_name;
  std::vector<double> mean;
  std::uint64_t integral = 0;  ///< [base unit × s], exact; GPUs in thousandths
};
struct SeriesGrid {
  std::int64_t period_s = 300;
  std::vector<std::int64_t> time;  ///< begin of each cell
  std::vector<Series> series;
  [[nodiscard]] const Series* find(std::string_view name) const;
};

struct NodeFacts {
  std::string name, features, gres, partitions;
  std::string gres_idle;  ///< GresUsed of the idle node; empty: an older file
  std::uint32_t cpus = 0, effective_cpus = 0, sockets = 1, cores_per_socket = 1,
                threads_per_core = 1, weight = 1, gpu_milli = 0;
  std::uint64_t memory_mib = 0, real_memory_mib = 0, tmp_disk_mib = 0;
};
struct PartitionFacts {
  std::string name, node_list, state, over_subscribe;
  bool is_default = false, root_only = false;
  std::uint32_t max_time_min = kLimitUnlimited, min_nodes = 0, max_nodes = kLimitUnlimited,
                priority_tier = 1, priority_job_factor = 1;
};
struct QosFacts {
  std::string name;
  std::uint32_t priority = 0;
};
struct AssociationFacts {
  std::string account, user, partition;
  std::uint32_t parent = kNoRow;
  std::int64_t shares = 1;  ///< −1: `parent`
  double shares_norm = 0;   ///< at the end of the run
};
/// What the views need of slurm.conf.
struct PriorityFacts {
  bool multifactor = false, fair_tree = true;
  bool calculate_running = false;  ///< priorities of jobs that run are kept up, and shown
  bool incr_only = false;          ///< a tick lowers no priority
  bool accrue_always = false;      ///< jobs age from their submission, dependent ones too
  std::uint32_t weight_age = 0, weight_assoc = 0, weight_fairshare = 0, weight_job_size = 0,
                weight_partition = 0, weight_qos = 0, max_priority_job_factor = 1;
  std::string weight_tres;  ///< as written
  std::int64_t max_age_s = 604800;
  std::int64_t tick_s = 0;  ///< PriorityCalcPeriod; 0: the file does not tell
};
struct ClusterFacts {
  std::string cluster_name, slurm_version = "22.05", time_zone = "UTC";
  std::vector<NodeFacts> nodes;
  std::vector<PartitionFacts> partitions;
  std::vector<QosFacts> qos;
  std::vector<AssociationFacts> associations;
  PriorityFacts priority;
  std::vector<std::string> tres;     ///< tracked, in TRES order; empty: the file does not tell
  std::int64_t min_job_age_s = 300;  ///< MinJobAge: ended jobs are known to slurmctld for so long
};

/// Texts by code; code 0 is the empty text.
struct ResultNames {
  NamePool job_name, user, account, constraints, partition_list, tres_set, node_list, text;
};

struct Result {
  ClusterFacts cluster;
  ResultNames names;
  RunColumns runs;
  WaitColumns waits;
  HoldingColumns holdings;
  SuspensionColumns suspensions;
  CompletingColumns completing;
  PlanColumns plans;
  SpeedColumns speeds;
  FeedbackColumns feedback;
  NodeEventColumns node_events;
  RejectionColumns rejections;
  FairShareColumns fair_share;
  FormerShareColumns former_shares;
  FormerSettingColumns former_settings;
  PartsColumns priority_parts;
  GpuRecord gpu;
  SeriesGrid series;
  LoopCounts loops;
  LoopColumns loops_by_hour;
  std::int64_t begin = 0, end = 0;  ///< the simulated period [s since the epoch]
  bool complete = false;            ///< false: interrupted
};

/// The text behind a code.
[[nodiscard]] inline const std::string& text_of(const NamePool& pool, std::uint32_t code) {
  return pool.text(id_at<NameId>(code));
}
/// The code of a text, which is added if it is new.
[[nodiscard]] inline std::uint32_t code_of(NamePool& pool, std::string_view text) {
  return static_cast<std::uint32_t>(pool.intern(text));
}

/// Since the epoch; kNoTime: none.
[[nodiscard]] inline std::int64_t seconds_or_none(const std::optional<SlurmTime>& at) {
  return at ? epoch_seconds(*at) : kNoTime;
}

/// `PENDING` … `REQUEUED`.
[[nodiscard]] std::string_view run_state_text(std::uint8_t state);

}  // namespace rehearse

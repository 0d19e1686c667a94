// sim/output/run_columns.hpp — what is recorded of each run of a job, column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace rehearse {

inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();  ///< numpy's NaT
inline constexpr std::uint32_t kNoRow = UINT32_MAX;                                ///< no such row
inline constexpr std::uint32_t kLimitUnlimited = UINT32_MAX;  ///< limit_min: UNLIMITED
inline constexpr std::uint32_t kLimitNone = UINT32_MAX - 1;   ///< limit_min: none was given

/// States of a run: JobState, and what sacct alone knows.
inline constexpr std::uint8_t kStateRequeued = 12;
inline constexpr std::uint8_t kStateResizing = 13;  ///< a part: the job went on with another size

/// One row a run. Times are whole seconds since the epoch, UTC; kNoTime: none.
struct RunColumns {
  std::vector<std::uint32_t> job_id, array_job, het_job;  ///< 0: not of an array, of a het job
  std::vector<std::int32_t> array_task, het_offset;       ///< −1: not a task, not a component
  std::vector<std::uint32_t> tasks;  ///< of an unsplit array that never ran, else 1
  std::vector<std::uint32_t> job_name, user, account, constraints, requested_partitions, array_text;
  std::vector<std::uint16_t> partition, qos;  ///< rows of partitions and qos
  std::vector<std::uint32_t> association;     ///< row of associations, or kNoRow
  std::vector<std::int64_t> submit, eligible, accrue, start, end;
  std::vector<std::uint32_t> limit_min;  ///< [min]
  /// [s]: suspended; work that the next run goes on from; before `start`, nodes being powered up.
  std::vector<std::uint32_t> suspended_s, kept_s, configuring_s;
  std::vector<std::uint8_t> state, started_by;
  std::vector<std::int32_t> exit_code;
  std::vector<std::uint16_t> restarts;                ///< runs of this job before this one
  std::vector<std::uint32_t> cpus, nodes, gpu_milli;  ///< held; 0: never ran
  std::vector<std::uint64_t> memory_mib;              ///< held [MiB]
  std::vector<std::uint32_t> requested_cpus, requested_nodes, requested_gpus;
  std::vector<std::uint64_t> requested_memory_mib;
  std::vector<std::uint32_t> requested_tres, held_tres, tres_per_node;  ///< names.tres_set, .text
  std::vector<std::uint32_t> node_list;                                 ///< names.node_list
  std::vector<std::uint32_t> priority;           ///< at the start, else the last known
  std::vector<std::uint32_t> priority_recorded;  ///< as accounting keeps it (priority.md §4.3)
  std::vector<std::int32_t> factor_age, factor_assoc, factor_fair_share, factor_job_size,
      factor_partition, factor_qos, factor_nice;
  std::vector<std::uint32_t> factor_tres;  ///< names.text: `cpu=167,gres/gpu=50`
  std::vector<std::uint16_t> reason;       ///< while pending: as sacct keeps it
  std::vector<std::uint32_t> split_from;   ///< row whose waits are also this one's, or kNoRow

  [[nodiscard]] std::size_t size() const { return job_id.size(); }
};

}  // namespace rehearse

// workloads/sacct_lines.hpp — writes jobs of a foreign trace in the columns of `sacct -a -X -P`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// One job as sacct would print it. Times are UTC.
struct SacctLine {
  std::uint32_t job_id = 0;
  std::optional<std::uint32_t> array_task;  ///< the row of a task, printed as `job_id_task`
  std::string name, user, account, partition, qos = "normal";
  SlurmTime submit;
  std::optional<SlurmTime> start, end;  ///< no start: never started
  Seconds elapsed{0};
  std::optional<Minutes> time_limit;  ///< none: Partition_Limit
  std::string_view state = "COMPLETED";
  std::int32_t exit_code = 0;
  std::uint64_t nodes = 1, cpus = 1, memory_mib = 0, gpus = 0;
  std::string gres;         ///< instead of gpus, as sacct prints it: `,gres/gpu:a100=2,gres/gpu=2`
  std::string submit_line;  ///< only where an option must be told that no column has
};

/// The lines by submit time and id under their header, times local to `zone`. SubmitLine is a
/// column only if some line has one.
[[nodiscard]] std::string sacct_text_of(std::vector<SacctLine> lines,
                                        const TimeZone& zone = TimeZone::utc());

/// The limit that a user would have asked for: the least of 15, 30 min, 1, 2, 4, 8, 12 h, 1, 2, 3,
/// 5, 7, 14, 30 d at or above 1.5 × the run time; above 30 d the whole minutes of that.
[[nodiscard]] Minutes invented_limit(Seconds run_time);

}  // namespace rehearse

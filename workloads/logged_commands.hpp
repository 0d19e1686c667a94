// workloads/logged_commands.hpp — when a recorded slurmctld carried out what was typed about jobs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/admin_command.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// `Processing Reconfiguration Request`, `update_part: setting state_up to 0 for partition gpu`,
/// `_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=123_4 uid 0`, or
/// `_slurm_rpc_update_job: complete JobId=123 uid=0 usec=900` (update, hold, release).
struct LoggedCommand {
  enum class Kind : std::uint8_t { Kill, Update, Partition, Reconfigure };
  Time at;
  Kind kind = Kind::Kill;
  JobId id{};             ///< as it was typed: the job's, or its array's
  std::string partition;  ///< of Partition
};

/// What a line says was typed, `at` left open; none: it says something else.
[[nodiscard]] std::optional<LoggedCommand> logged_command(std::string_view said);

/// events.csv has whole seconds, and a recorder writes them when the command is over: what the log
/// knows is carried out at its instant. Returns how many.
std::size_t sharpen(std::vector<AdminCommandAt>& commands,
                    const std::vector<LoggedCommand>& logged);

}  // namespace rehearse

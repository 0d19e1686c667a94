// sim/config/sbatch_args.hpp — the options of sbatch, salloc and srun, as a typed request.
//
// Used for SubmitLine of sacct, golden cases and `gen`. What does not steer scheduling (output
// files, mail, --wrap …) is known and skipped; an unknown option is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/gres_conf.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// `-N a[-b]`. none: not given.
struct NodeRange {
  std::uint32_t min = 1;
  std::optional<std::uint32_t> max;
};

enum class ExclusiveMode : std::uint8_t { None, Exclusive, User, Mcs };

/// What stands on a submit line. An empty optional was not given.
struct SbatchArgs {
  std::string program;  ///< sbatch, salloc or srun; empty where only options were given
  std::string account, partition, qos, job_name, reservation, user;
  std::optional<NodeRange> nodes;
  bool use_min_nodes = false, spread_job = false, contiguous = false, overcommit = false,
       oversubscribe = false, hold = false, exclusive_node = false;
  ExclusiveMode exclusive = ExclusiveMode::None;
  std::optional<std::uint32_t> ntasks, cpus_per_task, ntasks_per_node, ntasks_per_socket,
      ntasks_per_core, ntasks_per_gpu, min_cpus_per_node, core_spec, threads_per_core,
      sockets_per_node, cores_per_socket, thread_spec;
  bool extra_node_info = false;  ///< -B was given
  std::optional<bool> hint_nomultithread;
  std::optional<std::uint64_t> mem_per_node_mib, mem_per_cpu_mib, mem_per_gpu_mib, tmp_mib;
  std::vector<GresSpec> gres;     ///< of --gpus-per-node, then of --gres, each given last
  std::size_t gpus_per_node = 0;  ///< how many of `gres` are of --gpus-per-node
  std::vector<GresSpec> gpus;     ///< --gpus: names are "gpu"
  std::vector<GresSpec> gpus_per_task, gpus_per_socket;
  std::optional<std::uint32_t> cpus_per_gpu;
  bool enforce_binding = false;
  std::string constraint, prefer;
  std::string nodelist, exclude;  ///< host lists as written
  std::string dependency;
  std::optional<bool> kill_on_invalid_dep;
  std::string array;  ///< `0-9:2%3` as written
  std::string licenses;
  std::string begin, deadline;                  ///< as written; times need a zone
  std::optional<Minutes> time_limit, time_min;  ///< kUnlimited: asked for as UNLIMITED
  std::optional<std::int64_t> nice;             ///< bare --nice is 100
  std::optional<std::uint32_t> priority;        ///< TOP is 0xFFFFFFFD
  std::optional<bool> requeue;
  bool no_kill = false;
  std::optional<std::uint32_t> switches;
  std::optional<Minutes> switches_wait;
  std::string distribution, signal, comment, wckey;
  bool reboot = false;
};

/// Splits as a shell would (quotes, backslashes) and reads the options; a script name ends them. So
/// does an unquoted --wrap: sacct joins words by blanks, and the rest of the command looks like
/// options. Findings point at the column of the option or value, `where` being the line's start.
[[nodiscard]] SbatchArgs parse_submit_line(std::string_view line, const SourcePosition& where,
                                           Diagnostics& found);

/// The members of `0-9:2,12%3`, ascending, without the throttle. None: not an index set.
struct ArrayIndexes {
  std::vector<std::uint32_t> indexes;
  std::uint32_t max_running = 0;  ///< 0: no %N
};
[[nodiscard]] std::optional<ArrayIndexes> parse_array_indexes(std::string_view text);

}  // namespace rehearse

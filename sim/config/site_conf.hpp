// sim/config/site_conf.hpp — a site folder: which files it has, and what site.yaml adds to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/feedback_conf.hpp"
#include "sim/config/gpu_conf.hpp"
#include "sim/config/performance_conf.hpp"
#include "sim/config/policy_conf.hpp"
#include "sim/config/slurm_version.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// What no Slurm file says (site.yaml). Every key, unit, range and default: configs/reference.yaml.
struct SiteConf {
  SlurmVersion slurm_version;
  std::string time_zone = "UTC";  ///< an IANA name: the zone of sacct's local times
  bool names_zone = false;        ///< it stands in the file
  std::uint64_t seed = 1;
  bool leave_out_unusable_rows = false;  ///< of the trace: warned of and counted, not refused

  /// What the controller and its daemons take; all default to nothing.
  struct Controller {
    Duration background_turn{1000000};  ///< one turn of the background loop
    Duration launch_latency{0};         ///< start to script begin
    Duration completion_latency{0};     ///< job end to the last node leaving COMPLETING
    Duration kill_latency{0};           ///< more, where its processes had to be killed
    Duration epilog{0};                 ///< added to the completion of every job
    Duration main_cost_per_pass{0}, main_cost_per_record{0}, backfill_cost_per_cycle{0},
        backfill_cost_per_try{0};
    bool costs_from_sdiag = false;  ///< these four come from the site's sdiag.txt
    Duration prolog{0}, prolog_slurmctld{0};
    Duration phase{0};  ///< of the controller's start against a whole second
    /// When slurmctld started, local time: its ticks, scans and full passes count from there.
    /// Empty: a minute before the first job.
    std::string started;
    std::optional<SlurmTime> started_at;  ///< the same, once the zone is known (load_site)
  };
  Controller controller;

  /// Work that jobs save while they run (models/runtime/checkpoint.hpp): an assumption.
  struct Checkpoint {
    Duration interval{0};    ///< work between two checkpoints; 0: none, a requeued job begins anew
    Duration cost{0};        ///< what each takes of the run
    Duration restart{0};     ///< what going on from one takes
    bool on_signal = false;  ///< with --signal: also when preemption warns it
  };
  Checkpoint checkpoint;

  /// A random process of failures (models/failure). Rules apply side by side.
  struct FailureRule {
    std::string nodes;     ///< node-name expression; empty: all
    std::string gpu_type;  ///< only nodes that have such a device; empty: any
    bool each_gpu =
        false;         ///< every device of that type fails for itself, and takes its node along
    double shape = 1;  ///< of Weibull; 1: exponential
    Duration mtbf{0};  ///< mean time between failures of one node or device
    Duration repair_median{0};  ///< of a lognormal
    double repair_sigma = 0;    ///< standard deviation of its logarithm; 0: always the median
    std::string how = "crash";  ///< crash, down or drain
    std::string reason;
    SourcePosition where;
  };
  std::vector<FailureRule> failures;

  /// What power saving needs to know of the nodes.
  struct Power {
    std::optional<Duration> boot_time;  ///< from ResumeProgram to registration
  };
  Power power;

  /// What enforcement of memory needs to know of the programs.
  struct Memory {
    double peak_at = 1;  ///< the part of its run time at which a program holds its MaxRSS
  };
  Memory memory;

  GpuConf gpu;
  PerformanceConf performance;
  PolicyConf policy;
  FeedbackConf feedback;
  double price_gpu_hour = 0;  ///< currency units; 0: not told
  std::string currency;

  /// Members of groups that AllowGroups= names, as `getent group` lists them: user,user.
  std::map<std::string, std::string> groups;

  std::map<std::string, std::string> notes;  ///< free text: origin, licence, what is invented

  /// Of no file: nodes that a change (Nodes=…:Count) took away and that it made. What names a node
  /// that is gone does without it; what holds all nodes holds the new ones too.
  std::set<std::string, std::less<>> removed_nodes, added_nodes;
};

/// One line of events.csv: what an admin typed, and when.
struct AdminCommand {
  std::string time_text;  ///< as written; local unless it ends in Z or an offset
  std::string command;
  SourcePosition where;
};

/// One line of node_events.txt (`sacctmgr -P show event`): a node was not in its usual state.
struct NodeOutage {
  std::string nodes;
  std::string start_text, end_text;  ///< as written, local; end empty: not over
  std::string state, reason;
  SourcePosition where;
};

/// One line of runtimes.csv.
struct RuntimeRow {
  std::uint32_t job_id_raw = 0;
  Seconds runtime{0};
  std::int32_t exit_code = 0;
};

/// The folder and the files found in it. SITE may also be a scenario .yaml that names a site and
/// changes it (`site:`, `set:` list, `slurm_version:` …).
struct SiteFolder {
  std::filesystem::path root;
  std::filesystem::path slurm_conf;
  std::filesystem::path gres_conf, topology_conf, cgroup_conf;  ///< may not exist
  std::optional<std::filesystem::path> jobs;  ///< sacct.txt[.gz|.xz|.zst|.bz2] or sacct.json…
  std::optional<std::filesystem::path> usage, events, node_events, runtimes, site_yaml;
  std::optional<std::filesystem::path> reservations;  ///< reservations.txt
  std::vector<std::string> set;  ///< KEY=VALUE changes of the scenario, before those of --set
  SiteConf conf;
  std::vector<std::pair<std::string, std::string>> sources;  ///< of site.yaml and the scenario
};

[[nodiscard]] SiteFolder open_site(const std::filesystem::path& site, Diagnostics& found);

[[nodiscard]] std::vector<AdminCommand> read_admin_events(const std::filesystem::path& path,
                                                          Diagnostics& found);
/// Rows about the whole cluster (no NodeName) are left out.
[[nodiscard]] std::vector<NodeOutage> read_node_events(const std::filesystem::path& path,
                                                       Diagnostics& found);
[[nodiscard]] std::vector<RuntimeRow> read_runtimes(const std::filesystem::path& path,
                                                    Diagnostics& found);

}  // namespace rehearse

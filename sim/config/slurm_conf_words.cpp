// sim/config/slurm_conf_words.cpp — keys whose value is a list of words: one that is misspelt
// stops slurmctld, or is passed over by it in silence; here it is told (formats.md §6.7).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

using Words = std::span<const std::string_view>;

// The words of all releases.
constexpr std::array<std::string_view, 9> kTopologyWords = {
    "BlockAsNodeRank", "Dragonfly",        "NoCtldInAddrAny",   "NoInAddrAny", "RoutePart",
    "RouteTree",       "SwitchAsNodeRank", "TopoMaxSizeUnroll", "TopoOptional"};
constexpr std::array<std::string_view, 5> kGatherWords = {"DisableGPUAcct", "NoOverMemoryKill",
                                                          "NoShared", "OverMemoryKill", "UsePss"};
constexpr std::array<std::string_view, 13> kLaunchWords = {
    "batch_step_set_cpu_freq", "cray_net_exclusive", "disable_send_gids",
    "enable_nss_slurm",        "lustre_no_flush",    "mem_sort",
    "mpir_use_nodeaddr",       "send_gids",          "slurmstepd_memlock",
    "slurmstepd_memlock_all",  "test_exec",          "ulimit_pam_adopt",
    "use_interactive_step"};
constexpr std::array<std::string_view, 8> kSlurmdWords = {
    "allow_ecores",  "config_overrides",  "conmgr_max_connections", "conmgr_threads",
    "contain_spank", "l3cache_as_socket", "numa_node_as_socket",    "shutdown_on_reboot"};
constexpr std::array<std::string_view, 8> kPrologWords = {
    "Alloc", "Contain", "DeferBatch", "ForceRequeueOnFail", "NoHold", "RunInJob", "Serial", "X11"};
constexpr std::array<std::string_view, 8> kTaskPlugins = {
    "task/affinity", "task/cgroup", "task/cray_aries", "task/none",
    "affinity",      "cgroup",      "cray_aries",      "none"};

constexpr std::array<std::string_view, 63> kDebugFlags = {"Accrue",
                                                          "Agent",
                                                          "AuditRPCs",
                                                          "AuditTLS",
                                                          "Backfill",
                                                          "BackfillMap",
                                                          "BurstBuffer",
                                                          "CPU_Bind",
                                                          "Cgroup",
                                                          "ConMgr",
                                                          "CpuFrequency",
                                                          "DBD_Agent",
                                                          "DB_ARCHIVE",
                                                          "DB_ASSOC",
                                                          "DB_EVENT",
                                                          "DB_JOB",
                                                          "DB_QOS",
                                                          "DB_QUERY",
                                                          "DB_RESERVATION",
                                                          "DB_RESOURCE",
                                                          "DB_STEP",
                                                          "DB_TRES",
                                                          "DB_USAGE",
                                                          "DB_WCKEY",
                                                          "Data",
                                                          "Dependency",
                                                          "Elasticsearch",
                                                          "Energy",
                                                          "ExtSensors",
                                                          "Federation",
                                                          "FrontEnd",
                                                          "GLOB_SILENCE",
                                                          "Gang",
                                                          "Gres",
                                                          "Hetjob",
                                                          "Interconnect",
                                                          "JobAccountGather",
                                                          "JobComp",
                                                          "JobContainer",
                                                          "License",
                                                          "Metrics",
                                                          "NO_CONF_HASH",
                                                          "Namespace",
                                                          "Network",
                                                          "NetworkRaw",
                                                          "NodeFeatures",
                                                          "Power",
                                                          "PowerSave",
                                                          "Priority",
                                                          "Profile",
                                                          "Protocol",
                                                          "Reservation",
                                                          "Route",
                                                          "Script",
                                                          "SelectType",
                                                          "Steps",
                                                          "Switch",
                                                          "TLS",
                                                          "Task",
                                                          "TimeCray",
                                                          "TraceJobs",
                                                          "Triggers",
                                                          "WorkQueue"};
constexpr std::array<std::string_view, 4> kBindings = {"None", "Cores", "Sockets", "Threads"};
constexpr std::array<std::string_view, 9> kTaskWords = {
    "None",     "Cores",         "Sockets",     "Threads",           "Verbose",
    "Autobind", "SlurmdOffSpec", "OOMKillStep", "SlurmdSpecOverride"};
constexpr std::array<std::string_view, 3> kFormerTaskWords = {"Boards", "Cpusets", "Sched"};
constexpr std::array<std::string_view, 10> kUlimits = {
    "AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "RSS", "STACK"};
constexpr std::array<std::string_view, 10> kLogLevels = {
    "quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5"};

bool is_one_of(std::string_view word, Words words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return equals_ignoring_case(word, each); });
}

/// slurmctld stops at a word that is none.
void refuse_word(const FieldReader& reader, const ConfPair& pair, std::string_view word,
                 Words words) {
  const std::string near = did_you_mean(word, words);
  reader.error(pair, fmt::format("{} is no word of it; slurmctld stops at it", shown(word)),
               near.empty() ? fmt::format("one of {}", fmt::join(words, ", ")) : near);
}

/// And at NoHold beside Contain or X11.
void read_prolog_flags(ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("PrologFlags");
  if (pair == nullptr) return;
  const std::vector<std::string_view> words = split_list(pair->value);
  const auto has = [&](std::string_view word) { return is_one_of(word, words); };
  for (const std::string_view word : words) {
    if (!is_one_of(word, kPrologWords)) refuse_word(reader, *pair, word, kPrologWords);
  }
  if (has("NoHold") && (has("Contain") || has("X11"))) {
    reader.error(*pair, "NoHold goes neither with Contain nor with X11; slurmctld stops at it",
                 "remove one of them");
  }
  const ConfPair* tracking = in.globals.own("ProctrackType");
  if (has("X11") && tracking != nullptr &&
      equals_ignoring_case(tracking->value, "proctrack/linuxproc")) {
    reader.warning(*pair, "X11 does not go with proctrack/linuxproc; slurmctld stops at it",
                   "remove one of them; neither decides anything here");
  }
  // Contain and X11 imply Alloc, NoHold needs it.
  in.conf.prolog_at_allocation = has("Alloc") || has("Contain") || has("NoHold") || has("X11");
}

void check_debug_flags(const ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("DebugFlags");
  if (pair == nullptr) return;
  for (const std::string_view word : split_list(pair->value)) {
    if (!is_one_of(word, kDebugFlags)) refuse_word(reader, *pair, word, kDebugFlags);
  }
}

/// What tasks are bound to, at most one of it, and what else they do.
void check_task_param(const ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("TaskPluginParam");
  if (pair == nullptr) return;
  std::string_view binding, autobind;
  for (const std::string_view item : split_list(pair->value)) {
    const std::string_view word = item.substr(0, item.find('='));
    const bool is_autobind = equals_ignoring_case(word, "Autobind");
    const bool is_binding = is_one_of(item, kBindings);
    if (is_one_of(item, kFormerTaskWords)) {
      reader.warning(*pair,
                     fmt::format("{} was removed before 22.05, whose slurmctld stops at it; it "
                                 "decides nothing here, and is passed over",
                                 shown(item)),
                     "remove it");
      continue;
    }
    if (!is_one_of(word, kTaskWords) || is_autobind != (item.size() > word.size())) {
      refuse_word(reader, *pair, item, kTaskWords);
    } else if (is_autobind && !is_one_of(item.substr(word.size() + 1), kBindings)) {
      refuse_word(reader, *pair, item.substr(word.size() + 1), kBindings);
    } else if (!(is_autobind ? autobind : binding).empty() && (is_autobind || is_binding)) {
      reader.error(*pair,
                   fmt::format("{} stands beside {}; slurmctld stops at it", shown(item),
                               shown(is_autobind ? autobind : binding)),
                   "remove one of them");
    } else if (is_autobind || is_binding) {
      (is_autobind ? autobind : binding) = item;
    }
  }
}

/// ALL or NONE, or names of ulimits; in capitals.
void check_ulimits(const ConfReading& in, const FieldReader& reader, std::string_view key) {
  const ConfPair* pair = in.globals.own(key);
  if (pair == nullptr || pair->value == "ALL" || pair->value == "NONE") return;
  for (std::string_view word : split_list(pair->value)) {
    if (word.starts_with("RLIMIT_")) word.remove_prefix(7);
    if (std::find(kUlimits.begin(), kUlimits.end(), word) != kUlimits.end()) continue;
    refuse_word(reader, *pair, word, kUlimits);
  }
}

/// A word, or a number.
void check_log_level(const ConfReading& in, const FieldReader& reader, std::string_view key) {
  const ConfPair* pair = in.globals.own(key);
  if (pair == nullptr || pair->value.empty() || is_digit(pair->value.front())) return;
  if (!is_one_of(pair->value, kLogLevels)) refuse_word(reader, *pair, pair->value, kLogLevels);
}

void read_task_plugin(ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("TaskPlugin");
  if (pair == nullptr) return;
  const std::vector<std::string_view> words = split_list(pair->value);
  for (const std::string_view word : words) {
    if (is_one_of(word, kTaskPlugins)) continue;
    reader.warning(*pair,
                   fmt::format("{} is no plugin of Slurm; no slurmd starts with it", shown(word)),
                   did_you_mean(word, kTaskPlugins));
  }
  in.conf.has_task_cgroup = is_one_of("task/cgroup", words) || is_one_of("cgroup", words);
}

}  // namespace

void tell_unknown_words(const FieldReader& in, const ConfPair& pair, Words known) {
  for (const std::string_view item : split_list(pair.value)) {
    const std::string_view word = trimmed(item.substr(0, item.find('=')));
    const auto holds = [&](std::string_view name) { return contains_ignoring_case(word, name); };
    if (word.empty() || std::any_of(known.begin(), known.end(), holds)) continue;
    in.warning(pair, fmt::format("{} is no word of it; Slurm ignores it", shown(word)),
               did_you_mean(word, known));
  }
}

void read_word_lists(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  const auto pair_of = [&](std::string_view key, Words words) {
    const ConfPair* pair = in.globals.own(key);
    if (pair != nullptr) tell_unknown_words(reader, *pair, words);
    return pair;
  };
  if (const ConfPair* pair = pair_of("TopologyParam", kTopologyWords)) {
    in.conf.topo_optional = contains_ignoring_case(pair->value, "TopoOptional");
  }
  if (const ConfPair* pair = pair_of("JobAcctGatherParams", kGatherWords)) {
    in.conf.over_memory_kill = is_one_of("OverMemoryKill", split_list(pair->value));
  }
  (void)pair_of("LaunchParameters", kLaunchWords);
  (void)pair_of("SlurmdParameters", kSlurmdWords);
  read_prolog_flags(in, reader);
  read_task_plugin(in, reader);
  check_debug_flags(in, reader);
  check_task_param(in, reader);
  for (const std::string_view key : {"PropagateResourceLimits", "PropagateResourceLimitsExcept"}) {
    check_ulimits(in, reader, key);
  }
  for (const std::string_view key :
       {"SlurmctldDebug", "SlurmctldSyslogDebug", "SlurmdDebug", "SlurmdSyslogDebug"}) {
    check_log_level(in, reader, key);
  }
}

}  // namespace rehearse

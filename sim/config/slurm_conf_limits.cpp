// sim/config/slurm_conf_limits.cpp — limits, defaults, the life of a job, power saving, licences
// and SchedulerParameters (formats.md §6.2, §6.5, §7).
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/hostlist.hpp"
#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {

void read_suspend_time(const FieldReader& in, Seconds& value) {
  const ConfPair* pair = in.record().find("SuspendTime");
  if (pair == nullptr || pair->value == "-1") return;
  const std::optional<std::uint64_t> given = in.number(pair, kU32OrInfinite);
  if (given && *given != kInfinite) value = Seconds{static_cast<std::int64_t>(*given)};
}

namespace {

/// atoi of what follows `word=` (formats.md §7); none: the word is not there.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view word) {
  for (const std::string_view item : split_list(text)) {
    if (!starts_with_ignoring_case(item, word) || item.size() <= word.size() ||
        item[word.size()] != '=') {
      continue;
    }
    std::int64_t value = 0;
    for (const char c : item.substr(word.size() + 1)) {
      if (!is_digit(c) || value > 1'000'000'000) break;
      value = value * 10 + (c - '0');
    }
    return value;
  }
  return std::nullopt;
}

void read_memory(ConfReading& in, const FieldReader& reader) {
  SlurmConf& conf = in.conf;
  const MemoryPair defaults = read_memory_pair(reader, "DefMemPerCPU", "DefMemPerNode");
  conf.def_mem_per_cpu_mib = defaults.per_cpu;
  conf.def_mem_per_node_mib = defaults.per_node;
  const MemoryPair maxima = read_memory_pair(reader, "MaxMemPerCPU", "MaxMemPerNode");
  conf.max_mem_per_cpu_mib = maxima.per_cpu;
  conf.max_mem_per_node_mib = maxima.per_node;
  conf.def_cpu_per_gpu = reader.number("DefCPUPerGPU", kU32);
  NumberRule memory = kMemory;
  memory.may_be_infinite = false;
  conf.def_mem_per_gpu_mib = reader.number("DefMemPerGPU", memory);
}

void read_enforce_part_limits(const FieldReader& in, EnforcePartLimits& value) {
  const ConfPair* pair = in.record().own("EnforcePartLimits");
  if (pair == nullptr) return;
  const std::optional<bool> yes = parse_conf_bool(pair->value);
  if (equals_ignoring_case(pair->value, "ALL")) {
    value = EnforcePartLimits::All;
  } else if (equals_ignoring_case(pair->value, "ANY") || yes == true) {  // YES is shown as ANY
    value = EnforcePartLimits::Any;
  } else if (yes == false) {
    value = EnforcePartLimits::No;
  } else {
    in.error(*pair, fmt::format("{} is no way to enforce limits", shown(pair->value)),
             "NO, ANY (or YES) or ALL");
  }
}

void read_jobs(ConfReading& in, const FieldReader& reader) {
  SlurmConf& conf = in.conf;
  read_enforce_part_limits(reader, conf.enforce_part_limits);
  reader.read("MaxJobCount", conf.max_job_count, {.least = 1});
  reader.read("MaxArraySize", conf.max_array_size, {.most = 4000001});
  constexpr std::uint64_t kMostJobId = 0x03ff0000;
  reader.read("FirstJobId", conf.first_job_id, {.least = 1, .most = kMostJobId});
  reader.read("MaxJobId", conf.max_job_id, {.least = 1});
  constexpr std::uint32_t kBeyondJobIds = (1U << 26U) - 1;
  if (conf.max_job_id > kBeyondJobIds) {
    reader.warning(*in.globals.own("MaxJobId"),
                   fmt::format("is above all that there are; Slurm uses {}", kBeyondJobIds));
    conf.max_job_id = kBeyondJobIds;
  }
  if (conf.first_job_id > conf.max_job_id) {
    reader.error(
        *in.globals.own(in.globals.own("FirstJobId") ? "FirstJobId" : "MaxJobId"),
        fmt::format("FirstJobId ({}) is above MaxJobId ({})", conf.first_job_id, conf.max_job_id));
  }
  reader.read_seconds("MinJobAge", conf.min_job_age, kU32);
  if (conf.min_job_age == Seconds{1}) {
    reader.warning(*in.globals.own("MinJobAge"), "less than 2 seconds; 2 is used");
    conf.min_job_age = Seconds{2};
  }
  reader.read("MaxTasksPerNode", conf.max_tasks_per_node, {.least = 1, .most = 65533});
  reader.read_seconds("CompleteWait", conf.complete_wait, {.most = 65534});
  reader.read_seconds("KillWait", conf.kill_wait, kU16);
  reader.read("OverTimeLimit", conf.over_time_limit_min, kU16OrInfinite);
  reader.read("ResvOverRun", conf.resv_over_run_min, kU16OrInfinite);
  reader.read("ReturnToService", conf.return_to_service, {.most = 2});
  reader.read_seconds("SlurmdTimeout", conf.slurmd_timeout, kU16);
  reader.read_seconds("BatchStartTimeout", conf.batch_start_timeout, kU16);
  reader.read_seconds("SlurmctldTimeout", conf.slurmctld_timeout, kU16);
  reader.read_seconds("MessageTimeout", conf.message_timeout, {.least = 1, .most = 65535});
  reader.read_seconds("UnkillableStepTimeout", conf.unkillable_step_timeout, kU16);
  reader.read("AllowSpecResourcesUsage", conf.allow_spec_resources);
  std::uint32_t requeue = conf.job_requeue ? 1 : 0;
  reader.read("JobRequeue", requeue, kU16);  // a number, not yes or no: all but 0 is 1
  conf.job_requeue = requeue != 0;
}

void read_exit_codes(const FieldReader& in, std::string_view key,
                     std::vector<std::uint32_t>& codes) {
  const ConfPair* pair = in.record().own(key);
  if (pair == nullptr) return;
  const auto list = parse_index_list(pair->value, 255);
  if (!list) {
    in.warning(*pair,
               fmt::format("{} is no list of exit codes; slurmctld starts all the same",
                           shown(pair->value)),
               "numbers and ranges from 0 to 255, as 1,10-12");
    return;
  }
  codes = *list;
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

void read_programs(ConfReading& in) {
  const auto is_set = [&](std::string_view key) {
    const ConfPair* pair = in.globals.own(key);
    return pair != nullptr && !pair->value.empty();
  };
  in.conf.has_epilog = is_set("Epilog");
  in.conf.has_reboot_program = is_set("RebootProgram");
  in.conf.has_prolog_slurmctld = is_set("PrologSlurmctld");
  in.conf.has_prolog = is_set("Prolog");
}

void read_dependencies(ConfReading& in, const FieldReader& reader) {
  if (const ConfPair* pair = in.globals.own("DependencyParameters")) {
    constexpr std::string_view kWords[] = {"disable_remote_singleton", "kill_invalid_depend",
                                           "max_depend_depth"};
    tell_unknown_words(reader, *pair, kWords);
    in.conf.kill_invalid_depend = contains_ignoring_case(pair->value, "kill_invalid_depend");
    const auto depth = number_after(pair->value, "max_depend_depth");
    if (depth && (*depth < 0 || *depth > 1000)) {
      reader.error(*pair, fmt::format("max_depend_depth={} is out of range", *depth),
                   "from 0 to 1000");
    } else if (depth) {
      in.conf.max_depend_depth = static_cast<std::uint32_t>(*depth);
    }
  }
  const ConfPair* auth = in.globals.own("AuthInfo");
  if (auth == nullptr) return;
  const auto expire = number_after(auth->value, "cred_expire");
  if (expire && *expire < 5) {
    reader.warning(*auth, fmt::format("cred_expire={} is too short; 120 is used", *expire));
  } else if (expire) {
    in.conf.cred_expire = Seconds{*expire};
  }
}

/// `NAME[:COUNT]`; a count that is left out is 1, one of no digits 0, as slurmctld reads them.
std::optional<LicenseConf> parse_license(std::string_view item) {
  const std::size_t colon = std::min(item.find_first_of(":="), item.size());
  LicenseConf license{std::string(item.substr(0, colon)), 1};
  std::string_view digits = item.substr(std::min(colon + 1, item.size()));
  if (license.name.empty()) return std::nullopt;
  if (colon == item.size()) return license;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::uint64_t count = 0;
  for (const char digit : digits) {
    if (!is_digit(digit) || count >= kU32.most) return std::nullopt;
    count = count * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  if (count >= kU32.most) return std::nullopt;
  license.count = static_cast<std::uint32_t>(count);
  return license;
}

/// Entries end at commas and semicolons; of those of one name the counts are added up.
void read_licenses(ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("Licenses");
  if (pair == nullptr) return;
  std::vector<LicenseConf>& all = in.conf.licenses;
  if (std::any_of(pair->value.begin(), pair->value.end(), is_blank)) {
    reader.error(*pair, fmt::format("{} has a blank; slurmctld stops at it", shown(pair->value)),
                 "write NAME:COUNT,NAME:COUNT");
    return;
  }
  std::string text = pair->value;
  std::replace(text.begin(), text.end(), ';', ',');
  for (const std::string_view item : split_list(text)) {
    std::optional<LicenseConf> license = parse_license(item);
    if (!license) {
      reader.error(*pair, fmt::format("{} is no licence", shown(item)), "write NAME:COUNT");
      continue;
    }
    if (license->count == 0) {
      reader.warning(*pair, fmt::format("there is none of licence {}", shown(license->name)));
    }
    const auto twin = std::find_if(all.begin(), all.end(),
                                   [&](const LicenseConf& l) { return l.name == license->name; });
    if (twin == all.end()) {
      all.push_back(std::move(*license));
      continue;
    }
    twin->count += license->count;
    reader.warning(*pair,
                   fmt::format("licence {} is listed twice; slurmctld adds the counts up to {}",
                               shown(license->name), twin->count),
                   "list it once");
  }
}

/// `power_save_interval=30` and the like among the words of SlurmctldParameters.
void read_controller_words(const FieldReader& reader, SlurmConf& conf) {
  const ConfPair* pair = reader.record().own("SlurmctldParameters");
  if (pair == nullptr) return;
  // Those of all releases.
  constexpr std::string_view kWords[] = {"allow_user_triggers",
                                         "cloud_dns",
                                         "cloud_reg_addrs",
                                         "conmgr_max_connections",
                                         "conmgr_threads",
                                         "disable_triggers",
                                         "enable_async_reply",
                                         "enable_configless",
                                         "enable_job_state_cache",
                                         "enable_stepmgr",
                                         "idle_on_node_suspend",
                                         "max_dbd_msg_action",
                                         "max_powered_nodes",
                                         "no_quick_restart",
                                         "node_reg_mem_percent",
                                         "power_save_interval",
                                         "power_save_min_interval",
                                         "preempt_send_user_signal",
                                         "reboot_from_controller",
                                         "rl_bucket_size",
                                         "rl_enable",
                                         "rl_log_freq",
                                         "rl_refill_period",
                                         "rl_refill_rate",
                                         "rl_table_size",
                                         "user_resv_delete"};
  tell_unknown_words(reader, *pair, kWords);
  for (const std::string_view word : split_list(pair->value)) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view key = word.substr(0, equals);
    if (equals_ignoring_case(key, "idle_on_node_suspend")) conf.idle_on_node_suspend = true;
    const bool is_interval = equals_ignoring_case(key, "power_save_interval");
    if (!is_interval && !equals_ignoring_case(key, "power_save_min_interval")) continue;
    const auto seconds =
        equals < word.size() ? text::parse_decimal32(word.substr(equals + 1)) : std::nullopt;
    if (!seconds || *seconds > 65533) {
      reader.error(*pair, fmt::format("{} is not a number of seconds", shown(word)),
                   "power_save_interval=10");
      continue;
    }
    (is_interval ? conf.power_save_interval : conf.power_save_min_interval) = Seconds{*seconds};
  }
}

void read_power_saving(ConfReading& in, const FieldReader& reader) {
  SlurmConf& conf = in.conf;
  read_controller_words(reader, conf);
  reader.read_list("SuspendExcStates", conf.suspend_exc_states);
  for (std::string& word : conf.suspend_exc_states) word = to_lower(word);
  read_suspend_time(reader, conf.suspend_time);
  reader.read_seconds("SuspendTimeout", conf.suspend_timeout, kU16);
  reader.read_seconds("ResumeTimeout", conf.resume_timeout, kU16);
  reader.read("SuspendRate", conf.suspend_rate, kU16);
  reader.read("ResumeRate", conf.resume_rate, kU16);
  reader.read("SuspendProgram", conf.suspend_program);
  reader.read("ResumeProgram", conf.resume_program);
  reader.read_list("SuspendExcParts", conf.suspend_exc_parts);
  const ConfPair* nodes = in.globals.own("SuspendExcNodes");
  if (nodes == nullptr) return;
  std::string list = nodes->value;
  if (list.find(':') != std::string::npos) {
    reader.warning(*nodes, "a count behind ':' is not simulated: all nodes of the list stay up");
    std::string plain;
    bool skips = false;
    for (const char c : list) {
      skips = c == ':' || (skips && is_digit(c));
      if (!skips) plain += c;
    }
    list = plain;
  }
  HostlistResult hosts = expand_hostlist(list);
  if (!hosts.error.empty()) {
    reader.error(*nodes, fmt::format("{}: {}", shown(nodes->value), hosts.error));
  }
  conf.suspend_exc_nodes = std::move(hosts.hosts);
}

/// FastSchedule=1 is ignored with an error, 0 and 2 stop slurmctld (formats.md §9): of an older
/// release, and what nodes have is taken from slurm.conf whatever it says.
void check_fast_schedule(ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("FastSchedule");
  if (pair == nullptr) return;
  if (pair->value == "1") {
    reader.warning(*pair, "was removed in 20.02; 1 is what Slurm does now", "remove the line");
  } else {
    reader.warning(*pair,
                   fmt::format("{} stops slurmctld: the key was removed in 20.02; nodes are taken "
                               "as slurm.conf has them",
                               shown(pair->value)),
                   "remove the line; SlurmdParameters=config_overrides is what 2 did");
  }
}

}  // namespace

void read_limits_and_life_cycle(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  read_memory(in, reader);
  read_jobs(in, reader);
  read_exit_codes(reader, "RequeueExit", in.conf.requeue_exit);
  read_exit_codes(reader, "RequeueExitHold", in.conf.requeue_exit_hold);
  read_programs(in);
  read_dependencies(in, reader);
  read_licenses(in, reader);
  read_power_saving(in, reader);
  check_fast_schedule(in, reader);
  const ConfPair* pair = in.globals.own("SchedulerParameters");
  const SourcePosition where = pair != nullptr ? in.at(*pair) : SourcePosition{};
  in.conf.scheduler_parameters = parse_scheduler_parameters(
      pair != nullptr ? pair->value : "", where, in.conf.message_timeout, in.found, in.version);
}

}  // namespace rehearse

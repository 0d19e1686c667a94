// sim/config/reconfiguration.cpp — keys by what another value of them does to a running slurmctld.
#include "sim/config/reconfiguration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/config/lint.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

using Take = void (*)(SlurmConf& running, const SlurmConf& file);

using May = bool (*)(const SlurmConf& running, const SlurmConf& file);

/// A key whose new value takes hold; several may share what is taken.
struct Followed {
  std::string_view key;
  Take take;
  May may = nullptr;  ///< else it goes on as it was; null: always
};

void take_priority(SlurmConf& running, const SlurmConf& file) {
  const PriorityType type = running.priority.type;
  running.priority = file.priority;
  running.priority.type = type;
}

/// Of the words of preemption, preempt_youngest_first is read at a start only, and the last count
/// stays where the word is gone (preemption.md §1).
void take_scheduler_parameters(SlurmConf& running, const SlurmConf& file) {
  running.scheduler_parameters = file.scheduler_parameters;
  if (running.raw.contains("PreemptParameters")) return;
  running.preempt_parameters.strict_order = file.preempt_parameters.strict_order;
  const auto words = file.raw.find("SchedulerParameters");
  if (words == file.raw.end()) return;
  if (to_lower(words->second.text).find("preempt_reorder_count") == std::string::npos) return;
  running.preempt_parameters.reorder_count = file.preempt_parameters.reorder_count;
}

/// Counts stand beside their names wherever licences are held.
bool have_the_same_licenses(const SlurmConf& running, const SlurmConf& file) {
  return std::equal(running.licenses.begin(), running.licenses.end(), file.licenses.begin(),
                    file.licenses.end(),
                    [](const LicenseConf& a, const LicenseConf& b) { return a.name == b.name; });
}

/// Another end for victims; to begin or to cease preempting, and gang scheduling, is more.
bool both_end_victims(const SlurmConf& running, const SlurmConf& file) {
  const auto ends = [](const SlurmConf& conf) {
    return conf.preempt_mode == PreemptMode::Cancel || conf.preempt_mode == PreemptMode::Requeue;
  };
  return ends(running) && ends(file) && running.preempt_gang == file.preempt_gang &&
         running.preempt_within == file.preempt_within &&
         running.preempt_priority == file.preempt_priority;
}

template <auto member>
void take(SlurmConf& running, const SlurmConf& file) {
  running.*member = file.*member;
}

constexpr Followed kFollowed[] = {
    {"PriorityCalcPeriod", take_priority},
    {"PriorityDecayHalfLife", take_priority},
    {"PriorityFavorSmall", take_priority},
    {"PriorityFlags", take_priority},
    {"PriorityMaxAge", take_priority},
    {"PriorityUsageResetPeriod", take_priority},
    {"PriorityWeightAge", take_priority},
    {"PriorityWeightAssoc", take_priority},
    {"PriorityWeightFairshare", take_priority},
    {"PriorityWeightJobSize", take_priority},
    {"PriorityWeightPartition", take_priority},
    {"PriorityWeightQOS", take_priority},
    {"PriorityWeightTRES", take_priority},
    {"FairShareDampeningFactor", take_priority},
    {"SchedulerParameters", take_scheduler_parameters},
    {"EnforcePartLimits", take<&SlurmConf::enforce_part_limits>},
    {"JobRequeue", take<&SlurmConf::job_requeue>},
    {"KillWait", take<&SlurmConf::kill_wait>},
    {"Licenses", take<&SlurmConf::licenses>, have_the_same_licenses},
    {"MaxJobCount", take<&SlurmConf::max_job_count>},
    {"MaxMemPerCPU", take<&SlurmConf::max_mem_per_cpu_mib>},
    {"MaxMemPerNode", take<&SlurmConf::max_mem_per_node_mib>},
    {"MinJobAge", take<&SlurmConf::min_job_age>},
    {"OverTimeLimit", take<&SlurmConf::over_time_limit_min>},
    {"PreemptExemptTime", take<&SlurmConf::preempt_exempt_time>},
    {"PreemptMode", take<&SlurmConf::preempt_mode>, both_end_victims},
};

/// Of these Slurm, too, takes another value at a restart only.
constexpr std::string_view kNeedRestart[] = {
    "AccountingStorageEnforce", "GresTypes",    "MaxArraySize", "SchedulerType", "SelectType",
    "SelectTypeParameters",     "SlurmctldHost"};

bool takes(const Followed& each, const SlurmConf& running, const SlurmConf& file) {
  return each.may == nullptr || each.may(running, file);
}

bool follows(std::string_view key, const SlurmConf& running, const SlurmConf& file) {
  return std::any_of(std::begin(kFollowed), std::end(kFollowed), [&](const Followed& each) {
    return each.key == key && takes(each, running, file);
  });
}

bool needs_restart(std::string_view key) {
  return std::find(std::begin(kNeedRestart), std::end(kNeedRestart), key) != std::end(kNeedRestart);
}

/// Keys whose texts differ, of those that are said in either.
template <typename Told>
void for_each_difference(const SlurmConf& running, const SlurmConf& file, Told&& told) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : running.raw) keys.insert(key);
  for (const auto& [key, value] : file.raw) keys.insert(key);
  for (const std::string_view key : keys) {
    const auto before = running.raw.find(std::string(key));
    const auto after = file.raw.find(std::string(key));
    const bool is_there = after != file.raw.end();
    if (before != running.raw.end() && is_there && before->second.text == after->second.text) {
      continue;
    }
    told(key, is_there ? after->second : before->second, is_there);
  }
}

std::string_view partition_of(std::string_view key) {
  constexpr std::string_view kHead = "PartitionName=";
  if (!key.starts_with(kHead)) return {};
  return key.substr(kHead.size(), key.rfind(':') - kHead.size());
}

/// What two lines of one node say otherwise, but its weight, features and state.
std::vector<std::string_view> differences(const NodeConf& a, const NodeConf& b) {
  std::vector<std::string_view> found;
  const auto note = [&](std::string_view key, bool same) {
    if (!same) found.push_back(key);
  };
  note("CPUs", a.cpus == b.cpus);
  note("Sockets", a.sockets == b.sockets && a.boards == b.boards);
  note("CoresPerSocket", a.cores_per_socket == b.cores_per_socket);
  note("ThreadsPerCore", a.threads_per_core == b.threads_per_core);
  note("RealMemory", a.real_memory_mib == b.real_memory_mib);
  note("MemSpecLimit", a.mem_spec_limit_mib == b.mem_spec_limit_mib);
  note("CoreSpecCount", a.core_spec_count == b.core_spec_count);
  note("CpuSpecList", a.cpu_spec_list == b.cpu_spec_list);
  note("TmpDisk", a.tmp_disk_mib == b.tmp_disk_mib);
  note("Gres", a.gres == b.gres);
  return found;
}

void keep_nodes(const SlurmConf& running, const SlurmConf& file, std::vector<KeptSetting>& kept) {
  using Why = KeptSetting::Why;
  struct Nodes {
    std::vector<std::string> names;
    SourcePosition where;  ///< of the first
  };
  std::map<std::pair<Why, std::string_view>, Nodes> by_what;
  const auto note = [&](const NodeConf& node, std::string_view what, Why why) {
    Nodes& nodes = by_what[{why, what}];
    if (nodes.names.empty()) nodes.where = node.where;
    nodes.names.push_back(node.name);
  };
  std::map<std::string_view, const NodeConf*> before;
  for (const NodeConf& node : running.nodes) before.emplace(node.name, &node);
  for (const NodeConf& node : file.nodes) {
    const auto known = before.find(node.name);
    if (known == before.end()) {
      note(node, "new", Why::NeedsRestart);
      continue;
    }
    for (const std::string_view key : differences(*known->second, node)) {
      note(node, key, Why::NotSimulated);
    }
    before.erase(known);
  }
  for (const auto& [name, node] : before) note(*node, "gone", Why::NeedsRestart);
  for (auto& [what, nodes] : by_what) {
    kept.push_back({fmt::format("NodeName={}: {}", compress_hostlist(nodes.names), what.second),
                    nodes.where, what.first});
  }
}

std::set<std::string_view> names_of_partitions(const SlurmConf& conf) {
  std::set<std::string_view> names;
  for (const PartitionConf& each : conf.partitions) names.insert(each.name);
  return names;
}

void keep_partitions(const SlurmConf& running, const SlurmConf& file,
                     std::vector<KeptSetting>& kept) {
  const std::set<std::string_view> names = names_of_partitions(file);
  for (const PartitionConf& partition : running.partitions) {
    if (names.contains(partition.name)) continue;
    kept.push_back({fmt::format("PartitionName={}: gone", partition.name), partition.where,
                    KeptSetting::Why::NotSimulated});
  }
}

}  // namespace

const PartitionConf* find_partition(const SlurmConf& conf, std::string_view name) {
  const auto found = std::find_if(conf.partitions.begin(), conf.partitions.end(),
                                  [&](const PartitionConf& each) { return each.name == name; });
  return found == conf.partitions.end() ? nullptr : &*found;
}

void reconfigure(SlurmConf& running, const SlurmConf& file) {
  for (const Followed& each : kFollowed) {
    if (!takes(each, running, file)) continue;
    each.take(running, file);
    const auto text = file.raw.find(std::string(each.key));
    if (text != file.raw.end()) {
      running.raw[text->first] = text->second;
    } else {
      running.raw.erase(std::string(each.key));
    }
  }
  std::map<std::string_view, const NodeConf*> after;
  for (const NodeConf& node : file.nodes) after.emplace(node.name, &node);
  for (NodeConf& node : running.nodes) {
    const auto found = after.find(node.name);
    if (found == after.end()) continue;
    node.weight = found->second->weight;
    node.features = found->second->features;
  }
}

std::vector<KeptSetting> kept_settings(const SlurmConf& running, const SlurmConf& file) {
  std::vector<KeptSetting> kept;
  for_each_difference(
      running, file, [&](std::string_view key, const SlurmConf::RawValue& value, bool is_there) {
        if (!partition_of(key).empty() || follows(key, running, file)) return;
        const KnownKey* known = find_known_key(KeyScope::Global, key);
        if (known == nullptr || known->effect == KeyEffect::Harmless) return;
        const auto why =
            needs_restart(key) ? KeptSetting::Why::NeedsRestart : KeptSetting::Why::NotSimulated;
        kept.push_back({is_there ? fmt::format("{}={}", key, shortened(value.text))
                                 : fmt::format("{}: gone", key),
                        value.where, why});
      });
  keep_nodes(running, file, kept);
  keep_partitions(running, file, kept);
  return kept;
}

std::vector<const PartitionConf*> changed_partitions(const SlurmConf& running,
                                                     const SlurmConf& file) {
  std::set<std::string_view> names;
  for_each_difference(running, file, [&](std::string_view key, const SlurmConf::RawValue&, bool) {
    const std::string_view name = partition_of(key);
    if (!name.empty()) names.insert(name);
  });
  const std::set<std::string_view> before = names_of_partitions(running);
  std::vector<const PartitionConf*> changed;
  for (const PartitionConf& partition : file.partitions) {
    if (names.contains(partition.name) || !before.contains(partition.name)) {
      changed.push_back(&partition);
    }
  }
  return changed;
}

}  // namespace rehearse

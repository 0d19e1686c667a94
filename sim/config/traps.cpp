// sim/config/traps.cpp — each trap is a function: what was found, why it bites, what to write
// instead.
#include "sim/config/traps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

SourcePosition place_of(const SlurmConf& conf, const std::string& key) {
  const auto raw = conf.raw.find(key);
  if (raw != conf.raw.end()) return raw->second.where;
  return {conf.sources.empty() ? std::string("slurm.conf") : conf.sources.front().first, 0, 0};
}

void selection_traps(const SlurmConf& conf, Diagnostics& found) {
  if (conf.select_type == SelectType::ConsRes) {
    found.warning(
        place_of(conf, "SelectType"),
        "select/cons_res is simulated as select/cons_tres; it knows no --gpus options and "
        "was removed in 23.11",
        "write SelectType=select/cons_tres");
  }
  if (conf.select_type == SelectType::Linear && !conf.gres_types.empty()) {
    found.warning(place_of(conf, "SelectType"),
                  "select/linear gives whole nodes: a job with one GPU holds all of its node",
                  "write SelectType=select/cons_tres");
  }
  for (const PartitionConf& part : conf.partitions) {
    const bool shares = part.over_subscribe == OverSubscribe::Yes || part.forces_sharing();
    if (shares && !conf.preempt_gang) {
      found.warning(
          part.where,
          fmt::format("partition {} oversubscribes cores, but there is no gang scheduling: "
                      "jobs run beside each other on the same cores",
                      shown(part.name)),
          "OverSubscribe=NO, or PreemptMode=SUSPEND,GANG");
    }
  }
}

/// What stands in a partition's PreemptMode= and does nothing there [V] (preemption.md §1, §4).
void suspend_traps(const SlurmConf& conf, Diagnostics& found) {
  const bool by_qos = conf.preempt_type == PreemptType::Qos;
  for (const PartitionConf& part : conf.partitions) {
    const auto warn = [&](std::string_view what, std::string hint) {
      found.warning(part.where, fmt::format("partition {}: {}", shown(part.name), what),
                    std::move(hint));
    };
    if (by_qos && part.preempt_mode) {
      warn("PreemptMode of a partition counts with preempt/partition_prio only",
           "give the QOS a PreemptMode instead");
    }
    if (conf.preempt_type == PreemptType::PartitionPrio && !conf.preempt_gang &&
        part.preempt_mode == PreemptMode::Suspend) {
      warn("SUSPEND without GANG at cluster level stops nobody: preemptors wait for these jobs",
           "PreemptMode=SUSPEND,GANG at cluster level");
    }
    const bool shares =
        part.over_subscribe == OverSubscribe::Force || part.over_subscribe == OverSubscribe::Yes;
    if (by_qos && conf.preempt_mode == PreemptMode::Suspend && !shares) {
      warn(
          "with preempt/qos nobody is ever suspended where jobs do not share cores: preemptors "
          "wait",
          "OverSubscribe=FORCE:1");
    }
  }
}

void power_traps(const SlurmConf& conf, Diagnostics& found) {
  const bool wanted = conf.suspend_time >= Seconds{0};
  const bool complete = !conf.suspend_program.empty() && !conf.resume_program.empty();
  if (wanted && !complete) {
    found.warning(place_of(conf, "SuspendTime"),
                  "there is no power saving without both SuspendProgram and ResumeProgram",
                  "give both, or take SuspendTime out");
  }
  const auto cloud = std::find_if(conf.nodes.begin(), conf.nodes.end(),
                                  [](const NodeConf& node) { return node.state == "CLOUD"; });
  const bool by_partition =
      std::any_of(conf.partitions.begin(), conf.partitions.end(),
                  [](const PartitionConf& part) { return part.suspend_time.has_value(); });
  if (cloud != conf.nodes.end() && !(complete && (wanted || by_partition))) {
    found.warning(cloud->where,
                  "CLOUD nodes are powered down, and without power saving nobody wakes them: jobs "
                  "start on them at once",
                  "SuspendTime=, SuspendProgram= and ResumeProgram=");
  }
}

bool several_tiers(const SlurmConf& conf) {
  return std::any_of(conf.partitions.begin(), conf.partitions.end(),
                     [&](const PartitionConf& part) {
                       return part.priority_tier != conf.partitions.front().priority_tier;
                     });
}

void tier_traps(const SlurmConf& conf, Diagnostics& found) {
  const auto priority = conf.partition_keys.find("Priority");
  if (priority != conf.partition_keys.end()) {
    found.warning(
        priority->second,
        "Priority= of a partition sets PriorityTier and PriorityJobFactor; tiers dominate "
        "every weight",
        "write PriorityJobFactor= for a part in the sum, PriorityTier= for a queue of its own");
  } else if (several_tiers(conf) && conf.priority.type == PriorityType::Multifactor) {
    const auto tier = conf.partition_keys.find("PriorityTier");
    found.warning(
        tier == conf.partition_keys.end() ? SourcePosition{} : tier->second,
        "partitions have different PriorityTier: a job of a higher tier goes first, whatever "
        "the weights say",
        "equal tiers and PriorityWeightPartition, if the order was meant to be gradual");
  }
  if (conf.preempt_type == PreemptType::PartitionPrio && !several_tiers(conf)) {
    found.warning(place_of(conf, "PreemptType"),
                  "all partitions have the same PriorityTier: nothing can be preempted",
                  "give the preempting partition a higher PriorityTier");
  }
}

/// Slurm passes over what SuspendExc… names and there is not.
void excepted_traps(const SlurmConf& conf, Diagnostics& found) {
  const auto tell = [&](const std::string& key, const auto& given, const auto& records,
                        std::string_view what) {
    std::vector<std::string_view> names;
    for (const auto& record : records) names.push_back(record.name);
    for (const std::string& name : given) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const std::string near = did_you_mean(name, names);
      found.warning(place_of(conf, key),
                    fmt::format("{}: there is no {} {}", key, what, shown(name)),
                    near.empty() ? "correct the name, or leave it out" : near);
    }
  };
  tell("SuspendExcNodes", conf.suspend_exc_nodes, conf.nodes, "node");
  tell("SuspendExcParts", conf.suspend_exc_parts, conf.partitions, "partition");
  for (const PartitionConf& part : conf.partitions) {
    if (part.alternate.empty()) continue;
    const auto is_it = [&](const PartitionConf& other) { return other.name == part.alternate; };
    if (std::any_of(conf.partitions.begin(), conf.partitions.end(), is_it)) continue;
    found.warning(part.where,
                  fmt::format("partition {}: there is no partition {} for Alternate=",
                              shown(part.name), shown(part.alternate)),
                  "correct the name, or leave it out");
  }
}

/// formats.md §6.3: backfill sees nothing beyond bf_window.
void window_traps(const SlurmConf& conf, Diagnostics& found) {
  if (conf.scheduler_type != SchedulerType::Backfill || !conf.scheduler_parameters.bf_interval)
    return;
  const Minutes window = conf.scheduler_parameters.bf_window;
  for (const PartitionConf& part : conf.partitions) {
    if (!part.max_time) {
      found.warning(
          part.where,
          fmt::format("partition {}: its MaxTime is UNLIMITED{}", shown(part.name),
                      part.default_time ? ""
                                        : ": jobs that give no limit have none, and backfill "
                                          "cannot fit them in"),
          "give it MaxTime= and DefaultTime=");
    } else if (*part.max_time > window) {
      found.warning(part.where,
                    fmt::format("partition {} allows {} minutes, but backfill plans only {} ahead",
                                shown(part.name), part.max_time->count(), window.count()),
                    fmt::format("SchedulerParameters=bf_window={} (and a larger bf_resolution)",
                                std::min<std::int64_t>(part.max_time->count(), 43200)));
    }
  }
}

struct Weight {
  std::string key;
  double value = 0;
  std::string constant;  ///< why its factor is the same for all jobs; empty: it is not
};

std::vector<Weight> weights_of(const SlurmConf& conf) {
  const PriorityConf& p = conf.priority;
  const bool equal_factors =
      std::all_of(conf.partitions.begin(), conf.partitions.end(), [&](const PartitionConf& part) {
        return part.priority_job_factor == conf.partitions.front().priority_job_factor;
      });
  const std::string no_accounting =
      conf.has_accounting ? "" : "there is no accounting database (AccountingStorageType)";
  std::vector<Weight> weights = {
      {"PriorityWeightAge", static_cast<double>(p.weight_age), no_accounting},
      {"PriorityWeightAssoc", static_cast<double>(p.weight_assoc), no_accounting},
      {"PriorityWeightFairshare", static_cast<double>(p.weight_fairshare), no_accounting},
      {"PriorityWeightJobSize", static_cast<double>(p.weight_job_size), ""},
      {"PriorityWeightPartition", static_cast<double>(p.weight_partition),
       equal_factors ? "all partitions have the same PriorityJobFactor" : ""},
      {"PriorityWeightQOS", static_cast<double>(p.weight_qos), no_accounting}};
  if (p.max_age >= Seconds{4294967236} && no_accounting.empty()) {
    weights[0].constant = "PriorityMaxAge is unlimited, so the age factor stays 0";
  }
  double tres = 0;
  for (const TresWeight& weight : p.weight_tres) tres = std::max(tres, weight.weight);
  weights.push_back({"PriorityWeightTRES", tres, ""});
  return weights;
}

void weight_traps(const SlurmConf& conf, Diagnostics& found) {
  constexpr double kHopeless = 1000;
  const std::vector<Weight> weights = weights_of(conf);
  double sum = 0, largest = 0;
  for (const Weight& weight : weights) {
    if (weight.key != "PriorityWeightTRES") sum += weight.value;
    if (weight.constant.empty()) largest = std::max(largest, weight.value);
  }
  if (conf.priority.type == PriorityType::Basic) {
    if (sum > 0) {
      found.warning(place_of(conf, "PriorityType"),
                    "PriorityType is priority/basic (first come, first served): no weight matters",
                    "write PriorityType=priority/multifactor");
    }
    return;
  }
  for (const Weight& weight : weights) {
    if (weight.value <= 0) continue;
    if (!weight.constant.empty()) {
      found.warning(place_of(conf, weight.key),
                    fmt::format("{} is a dead weight: {}", weight.key, weight.constant));
    } else if (weight.value * kHopeless <= largest) {
      found.warning(
          place_of(conf, weight.key),
          fmt::format("{}={} is a dead weight beside one of {}", weight.key, weight.value, largest),
          "only a tie in the larger factors would let it decide");
    }
  }
  if (sum <= 0 && conf.priority.weight_tres.empty()) {
    found.warning(place_of(conf, "PriorityType"),
                  "priority/multifactor with every weight 0: all jobs have the same priority",
                  "set PriorityWeightFairshare= and PriorityWeightAge=");
  }
  if (sum > 4294967295.0) {
    found.warning(place_of(conf, "PriorityType"),
                  "the weights sum to more than 4294967295: priorities overflow",
                  "divide them all");
  }
}

/// The line that lists this name beside those that are there.
std::string types_with(const SlurmConf& conf, const std::string& name) {
  const bool any = !conf.gres_types.empty();
  return fmt::format("write GresTypes={}{}{}", fmt::join(conf.gres_types, ","), any ? "," : "",
                     shortened(name));
}

/// gres.md §1.1: names that GresTypes does not list are dropped; of nodes Cluster tells them.
void gres_traps(const SlurmConf& conf, const GresConf& gres, Diagnostics& found) {
  const std::set<std::string> types(conf.gres_types.begin(), conf.gres_types.end());
  const std::vector<std::string_view> names(conf.gres_types.begin(), conf.gres_types.end());
  std::set<std::string> counted(conf.accounting_storage_tres.begin(),
                                conf.accounting_storage_tres.end());
  for (const GresConfLine& line : gres.lines) {
    if (line.name.empty() || types.contains(line.name)) continue;
    const std::string near = did_you_mean(line.name, names);
    found.warning(
        line.where,
        fmt::format("{} is not in GresTypes, so Slurm ignores the line", shown(line.name)),
        near.empty() ? types_with(conf, line.name) : near);
  }
  for (const std::string& tres : conf.accounting_storage_tres) {
    if (!tres.starts_with("gres/")) continue;
    const std::string name = tres.substr(5, tres.find(':') - 5);
    if (types.contains(name)) continue;
    found.warning(
        place_of(conf, "AccountingStorageTRES"),
        fmt::format("{} counts nothing: {} is not in GresTypes", shown(tres), shown(name)),
        did_you_mean(name, {names.begin(), names.end()}));
  }
  const bool has_limits = conf.enforce.limits && conf.has_accounting;
  if (has_limits && types.contains("gpu") && !counted.contains("gres/gpu")) {
    found.warning(
        place_of(conf, "AccountingStorageTRES"),
        "gres/gpu is not in AccountingStorageTRES: GPUs are scheduled, but neither counted "
        "nor limited",
        "add AccountingStorageTRES=gres/gpu");
  }
}

/// RealMemory= in GB or KB. One node is told for all.
void memory_unit_traps(const SlurmConf& conf, Diagnostics& found) {
  constexpr std::uint64_t kLeast = 256, kMost = std::uint64_t{1} << 28;  // [MB]
  for (const NodeConf& node : conf.nodes) {
    const std::uint64_t mib = node.real_memory_mib;
    if (mib <= 1 || (mib >= kLeast && mib <= kMost)) continue;
    const bool is_small = mib < kLeast;
    found.warning(
        node.where,
        fmt::format("RealMemory={} of node {} is in MB: that is {}", mib, shown(node.name),
                    is_small ? "less than any node has" : "over 256 TB"),
        fmt::format("write {} if {} are meant", is_small ? mib * 1024 : mib / 1024,
                    is_small ? "GB" : "KB"));
    return;
  }
}

void memory_traps(const SlurmConf& conf, Diagnostics& found) {
  std::map<std::string, const NodeConf*> nodes;
  for (const NodeConf& node : conf.nodes) nodes.emplace(node.name, &node);
  for (const PartitionConf& part : conf.partitions) {
    const auto per_node =
        part.max_mem_per_node_mib ? part.max_mem_per_node_mib : conf.max_mem_per_node_mib;
    const auto given =
        part.def_mem_per_node_mib ? part.def_mem_per_node_mib : conf.def_mem_per_node_mib;
    if (per_node && given && *per_node > 0 && *given > *per_node) {
      found.warning(part.where,
                    fmt::format("partition {}: DefMemPerNode ({}) is above MaxMemPerNode "
                                "({}): jobs that ask for no memory are refused",
                                shown(part.name), *given, *per_node));
    }
    std::uint64_t largest = 0;
    for (const std::string& name : part.nodes) {
      const auto node = nodes.find(name);
      if (node != nodes.end()) largest = std::max(largest, node->second->real_memory_mib);
    }
    if (given && !part.nodes.empty() && *given > largest) {
      found.warning(part.where,
                    fmt::format("partition {}: DefMemPerNode ({}) is more than any of its "
                                "nodes has ({})",
                                shown(part.name), *given, largest));
    }
  }
  const bool memory_counts = conf.select_type_parameters.memory;
  const bool unset = std::any_of(conf.nodes.begin(), conf.nodes.end(),
                                 [](const NodeConf& node) { return node.real_memory_mib <= 1; });
  if (memory_counts && unset) {
    found.warning(place_of(conf, "SelectTypeParameters"),
                  "memory is consumed, but some nodes have no RealMemory: they count as 1 MB",
                  "add RealMemory= to every NodeName line");
  }
}

}  // namespace

void find_traps(const SlurmConf& conf, const GresConf& gres, Diagnostics& found) {
  selection_traps(conf, found);
  suspend_traps(conf, found);
  power_traps(conf, found);
  excepted_traps(conf, found);
  if (!conf.partitions.empty()) tier_traps(conf, found);
  window_traps(conf, found);
  weight_traps(conf, found);
  gres_traps(conf, gres, found);
  memory_unit_traps(conf, found);
  memory_traps(conf, found);
}

}  // namespace rehearse

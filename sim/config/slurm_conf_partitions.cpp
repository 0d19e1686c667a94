// sim/config/slurm_conf_partitions.cpp — PartitionName and NodeSet lines (formats.md §4, §5).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/config/hostlist.hpp"
#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {
namespace {

struct NodeSet {
  std::string name;
  std::vector<std::string> nodes;
};

bool is_node(const SlurmConf& conf, const std::string& name) {
  return std::binary_search(conf.nodes.begin(), conf.nodes.end(), name,
                            [](const auto& a, const auto& b) {
                              const auto text = [](const auto& x) -> std::string_view {
                                if constexpr (requires { x.name; }) {
                                  return x.name;
                                } else {
                                  return x;
                                }
                              };
                              return natural_less(text(a), text(b));
                            });
}

std::string nearest_node(const ConfReading& in, const std::vector<NodeSet>& sets,
                         std::string_view name) {
  std::vector<std::string_view> names;
  for (const NodeConf& node : in.conf.nodes) names.push_back(node.name);
  for (const NodeSet& set : sets) names.push_back(set.name);
  const std::string hint = did_you_mean(name, names);
  return hint.empty() ? "add a NodeName line, or correct Nodes=" : hint;
}

/// The nodes of Nodes=: ALL, host lists and node sets; unknown names are told.
std::vector<std::string> resolve_nodes(ConfReading& in, const ConfPair& pair,
                                       const std::vector<NodeSet>& sets) {
  std::vector<std::string> nodes;
  if (equals_ignoring_case(pair.value, "ALL")) {
    for (const NodeConf& node : in.conf.nodes) nodes.push_back(node.name);
    return nodes;
  }
  std::string list = pair.value;
  std::replace_if(list.begin(), list.end(), is_blank, ',');
  HostlistResult hosts = expand_hostlist(list);
  if (!hosts.error.empty()) {
    in.found.error(in.at(pair), fmt::format("{}: {}", shown(pair.value), hosts.error),
                   "a host list is written like node[01-16,20],login1");
    return nodes;
  }
  std::vector<std::string> unknown;
  for (std::string& host : hosts.hosts) {
    const auto set =
        std::find_if(sets.begin(), sets.end(), [&](const NodeSet& s) { return s.name == host; });
    if (set != sets.end()) {
      nodes.insert(nodes.end(), set->nodes.begin(), set->nodes.end());
    } else if (is_node(in.conf, host)) {
      nodes.push_back(std::move(host));
    } else {
      unknown.push_back(std::move(host));
    }
  }
  if (!unknown.empty()) {
    const std::string first = unknown.front();
    in.found.error(
        in.at(pair),
        fmt::format("no NodeName line defines {}", shortened(compress_hostlist(unknown))),
        nearest_node(in, sets, first));
  }
  return nodes;
}

/// As first named, without repetition.
void drop_repeated(std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  std::vector<bool> repeated(names.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    repeated[order[i]] = names[order[i]] == names[order[i - 1]];
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!repeated[i]) std::swap(names[kept++], names[i]);
  }
  names.resize(kept);
}

std::vector<NodeSet> read_node_sets(ConfReading& in) {
  std::vector<NodeSet> sets;
  for (const ConfRecordLine& line : in.node_sets) {
    NodeSet set{line.head->value, {}};
    const SourcePosition where = in.at(*line.head);
    if (is_node(in.conf, set.name)) {
      in.found.error(where, fmt::format("node set {} has the name of a node", shown(set.name)));
    }
    for (const NodeSet& other : sets) {
      if (other.name == set.name) {
        in.found.error(where, fmt::format("node set {} is defined twice", shown(set.name)));
      }
    }
    if (const ConfPair* feature = line.record.own("Feature")) {
      for (const NodeConf& node : in.conf.nodes) {
        if (std::find(node.features.begin(), node.features.end(), feature->value) !=
            node.features.end()) {
          set.nodes.push_back(node.name);
        }
      }
    }
    if (const ConfPair* nodes = line.record.own("Nodes")) {
      for (std::string& name : resolve_nodes(in, *nodes, {})) set.nodes.push_back(std::move(name));
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

void read_times(const FieldReader& in, std::string_view name, PartitionConf& part) {
  const std::optional<Minutes> max = in.minutes("MaxTime");
  if (max && *max != kUnlimited) part.max_time = max;
  const std::optional<Minutes> given = in.minutes("DefaultTime");
  if (!given) return;
  if (part.max_time && *given > *part.max_time) {
    in.warning(*in.record().find("DefaultTime"),
               fmt::format("larger than the MaxTime of partition {}; Slurm drops it", name),
               "its jobs without a limit get MaxTime");
    return;
  }
  if (*given != kUnlimited) part.default_time = given;
}

void read_priority(const FieldReader& in, PartitionConf& part) {
  const ConfPair* tier = in.record().find("PriorityTier", "Priority");
  const ConfPair* factor = in.record().find("PriorityJobFactor", "Priority");
  part.priority_tier = static_cast<std::uint32_t>(in.number(tier, kU16).value_or(1));
  const bool told = factor == tier && tier != nullptr;  // one bad Priority= is one error
  part.priority_job_factor =
      told ? part.priority_tier : static_cast<std::uint32_t>(in.number(factor, kU16).value_or(1));
}

void read_over_subscribe(const FieldReader& in, PartitionConf& part) {
  const ConfPair* pair = in.record().find("OverSubscribe", "Shared");
  if (pair == nullptr) return;
  const std::string_view text = pair->value;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view word = text.substr(0, colon);
  const bool is_yes = equals_ignoring_case(word, "YES"),
             is_force = equals_ignoring_case(word, "FORCE");
  std::optional<std::uint64_t> count = 4;
  if (colon < text.size()) count = parse_conf_uint(text.substr(colon + 1), kInfinite);
  const bool plain = colon == text.size();
  if ((is_yes || is_force) && count && *count <= 32767) {
    part.over_subscribe_count = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(*count));
    part.over_subscribe = is_force ? OverSubscribe::Force : OverSubscribe::Yes;
    if (*count == 0 || (is_yes && *count == 1)) part.over_subscribe = OverSubscribe::No;
  } else if (plain && equals_ignoring_case(word, "NO")) {
    part.over_subscribe = OverSubscribe::No;
  } else if (plain && equals_ignoring_case(word, "EXCLUSIVE")) {
    part.over_subscribe = OverSubscribe::Exclusive;
  } else {
    in.error(*pair, fmt::format("{} is not a way to share", shown(text)),
             "NO, EXCLUSIVE, YES[:N] or FORCE[:N]");
  }
}

void read_access(const FieldReader& in, PartitionConf& part) {
  in.read("QOS", part.qos);
  const auto read_names = [&](std::string_view key, std::vector<std::string>& names) {
    in.read_list(key, names);
    if (!names.empty()) part.list_at[key] = in.at(*in.record().find(key));
  };
  read_names("AllowAccounts", part.allow_accounts);
  read_names("DenyAccounts", part.deny_accounts);
  read_names("AllowQos", part.allow_qos);
  read_names("DenyQos", part.deny_qos);
  read_names("AllowGroups", part.allow_groups);
  const auto allow_wins = [&](std::string_view deny, const auto& allow, auto& denied) {
    if (allow.empty() || denied.empty()) return;
    in.warning(*in.record().find(deny), "ignored, as the Allow form is given too");
    denied.clear();
  };
  allow_wins("DenyAccounts", part.allow_accounts, part.deny_accounts);
  allow_wins("DenyQos", part.allow_qos, part.deny_qos);
  in.read("ReqResv", part.req_resv);
  in.read("RootOnly", part.root_only);
  in.read("Hidden", part.hidden);
  in.read("DisableRootJobs", part.disable_root_jobs);
  in.read("Alternate", part.alternate);
  const ConfPair* state = in.record().find("State");
  if (state == nullptr) return;
  constexpr std::pair<std::string_view, PartitionState> kStates[] = {
      {"UP", PartitionState::Up},
      {"DOWN", PartitionState::Down},
      {"DRAIN", PartitionState::Drain},
      {"INACTIVE", PartitionState::Inactive}};
  for (const auto& [word, value] : kStates) {
    part.state = value;
    if (equals_ignoring_case(state->value, word)) return;
  }
  part.state = PartitionState::Up;
  in.error(*state, fmt::format("{} is no state of a partition", shown(state->value)),
           "UP, DOWN, DRAIN or INACTIVE");
}

void read_resources(const FieldReader& in, PartitionConf& part) {
  in.read("MinNodes", part.min_nodes);
  const auto limit = [&](std::string_view key, std::optional<std::uint32_t>& value) {
    const std::optional<std::uint64_t> given = in.number(key, kU32OrInfinite);
    if (given && *given != kInfinite) value = static_cast<std::uint32_t>(*given);
  };
  limit("MaxNodes", part.max_nodes);
  limit("MaxCPUsPerNode", part.max_cpus_per_node);
  const MemoryPair defaults = read_memory_pair(in, "DefMemPerCPU", "DefMemPerNode");
  part.def_mem_per_cpu_mib = defaults.per_cpu;
  part.def_mem_per_node_mib = defaults.per_node;
  const MemoryPair maxima = read_memory_pair(in, "MaxMemPerCPU", "MaxMemPerNode");
  part.max_mem_per_cpu_mib = maxima.per_cpu;
  part.max_mem_per_node_mib = maxima.per_node;
  part.def_cpu_per_gpu = in.number("DefCPUPerGPU", kU32);
  NumberRule memory = kMemory;
  memory.may_be_infinite = false;
  part.def_mem_per_gpu_mib = in.number("DefMemPerGPU", memory);
  in.read("LLN", part.lln);
  in.read("ExclusiveUser", part.exclusive_user);
  const ConfPair* select = in.record().find("SelectTypeParameters");
  if (select == nullptr) return;
  const std::string_view text = select->value;
  SelectTypeParameters& chosen = part.select_type_parameters.emplace();
  // Slurm compares prefixes, the longer words first.
  const bool core = starts_with_ignoring_case(text, "CR_Core");
  const bool socket = starts_with_ignoring_case(text, "CR_Socket");
  chosen.unit = core ? ConsumableUnit::Core : ConsumableUnit::Socket;
  chosen.memory = starts_with_ignoring_case(text, "CR_Core_Memory") ||
                  starts_with_ignoring_case(text, "CR_Socket_Memory");
  if (!core && !socket) {
    in.error(*select, fmt::format("{} is not for partitions", shown(text)),
             "CR_Core, CR_Core_Memory, CR_Socket or CR_Socket_Memory");
  }
}

void read_seconds_of(const FieldReader& in, std::string_view key, std::optional<Seconds>& value) {
  const std::optional<std::uint64_t> given = in.number(key, kU16OrInfinite);
  if (given && *given != kInfinite) value = Seconds{static_cast<std::int64_t>(*given)};
}

PartitionConf read_partition(ConfReading& conf, std::string_view name, const ConfRecord& record,
                             const std::vector<NodeSet>& sets) {
  const FieldReader in = conf.reader(record);
  PartitionConf part;
  part.name = name;
  if (const ConfPair* nodes = record.find("Nodes")) {
    part.nodes = resolve_nodes(conf, *nodes, sets);
    drop_repeated(part.nodes);
  }
  in.read("Default", part.is_default);
  read_times(in, name, part);
  read_priority(in, part);
  read_over_subscribe(in, part);
  conf.reader(conf.globals).read("DisableRootJobs", part.disable_root_jobs);
  read_access(in, part);
  read_resources(in, part);
  if (const ConfPair* mode = record.find("PreemptMode")) {
    const PreemptModes modes = parse_preempt_mode(in, *mode);
    part.preempt_mode = modes.mode;
    part.shares_though_off = modes.gang && modes.mode == PreemptMode::Off;
    if (part.shares_though_off) {
      in.warning(*mode, "GANG is of the whole cluster; of a partition it means OFF",
                 "24.11 and later refuse it");
    }
  }
  in.read_seconds("GraceTime", part.grace_time, kU32);
  if (const auto minutes = in.number("OverTimeLimit", kU16OrInfinite)) {
    part.over_time_limit_min = *minutes == kInfinite ? std::numeric_limits<std::uint32_t>::max()
                                                     : static_cast<std::uint32_t>(*minutes);
  }
  if (const ConfPair* weights = record.find("TRESBillingWeights")) {
    part.tres_billing_weights =
        parse_tres_weights(weights->value, conf.known_tres, in.at(*weights), conf.found);
  }
  if (record.find("SuspendTime") != nullptr) {
    read_suspend_time(in, part.suspend_time.emplace(-1));
  }
  read_seconds_of(in, "SuspendTimeout", part.suspend_timeout);
  read_seconds_of(in, "ResumeTimeout", part.resume_timeout);
  return part;
}

/// Its keys beside the global ones, DEFAULT lines and changes applied: named as --set names them.
void keep_raw(ConfReading& in, const std::string& name, const ConfRecord& record) {
  for (const KnownKey* key : known_keys(KeyScope::Partition)) {
    const ConfPair* const pair = record.find(key->name);
    if (pair == nullptr || equals_ignoring_case(key->name, "PartitionName")) continue;
    in.conf.raw[fmt::format("PartitionName={}:{}", name, key->name)] = {pair->value, in.at(*pair)};
  }
}

void settle_default(ConfReading& in) {
  PartitionConf* chosen = nullptr;
  for (PartitionConf& part : in.conf.partitions) {
    if (!part.is_default) continue;
    if (chosen != nullptr) {
      chosen->is_default = false;
      in.found.note(part.where, fmt::format("the default partition is now {}, no longer {}",
                                            shown(part.name), shown(chosen->name)));
    }
    chosen = &part;
  }
  if (chosen == nullptr && !in.conf.partitions.empty()) {
    in.found.warning(in.conf.partitions.front().where,
                     "no partition has Default=YES: every job must name its partition");
  }
}

/// Nodes that no job can have: forgotten, or added by --set without their partition.
void tell_unused_nodes(ConfReading& in) {
  if (in.found.has_errors() || in.conf.partitions.empty()) return;
  std::vector<std::string_view> used;
  for (const PartitionConf& partition : in.conf.partitions) {
    used.insert(used.end(), partition.nodes.begin(), partition.nodes.end());
  }
  std::sort(used.begin(), used.end());
  std::vector<std::string> unused;
  const NodeConf* first = nullptr;
  for (const NodeConf& node : in.conf.nodes) {
    if (node.state == "FUTURE") continue;
    if (std::binary_search(used.begin(), used.end(), std::string_view(node.name))) continue;
    if (first == nullptr) first = &node;
    unused.push_back(node.name);
  }
  if (first == nullptr) return;
  in.found.note(first->where,
                fmt::format("no partition has {}: no job can be there", compress_hostlist(unused)),
                "--set 'PartitionName=x:Nodes=…' gives a partition other nodes; "
                "--set 'Nodes=n[01-30]:Count=50' adds nodes in theirs");
}

}  // namespace

void read_partitions(ConfReading& in) {
  const std::vector<NodeSet> sets = read_node_sets(in);
  std::vector<bool> used(in.changes.size());
  std::map<std::string, std::uint32_t> lines;
  for (ConfRecordLine& line : in.partitions) {
    for (const std::string_view name : split_list(line.head->value)) {
      ConfRecord record = line.record;
      for (std::size_t i = 0; i < in.changes.size(); ++i) {
        const RecordChange& change = in.changes[i];
        const std::vector<std::string_view> names = split_list(change.names);
        if (change.scope != KeyScope::Partition ||
            std::find(names.begin(), names.end(), name) == names.end()) {
          continue;
        }
        record.set_own(change.pair);
        used[i] = true;
      }
      PartitionConf part = read_partition(in, name, record, sets);
      keep_raw(in, part.name, record);
      part.where = in.text.position(line.head->key_at);
      const auto [first, is_new] = lines.try_emplace(part.name, part.where.line);
      if (!is_new) {
        in.found.error(part.where, fmt::format("partition {} is defined twice", shown(part.name)),
                       fmt::format("the first is at line {}", first->second));
      }
      in.conf.partitions.push_back(std::move(part));
    }
  }
  for (std::size_t i = 0; i < in.changes.size(); ++i) {
    if (in.changes[i].scope != KeyScope::Partition || used[i]) continue;
    std::vector<std::string_view> names;
    for (const PartitionConf& each : in.conf.partitions) names.push_back(each.name);
    const std::string hint = did_you_mean(in.changes[i].names, names);
    in.found.error(in.at(in.changes[i].pair),
                   fmt::format("no partition is named {}", shown(in.changes[i].names)),
                   hint.empty() ? "see PartitionName in slurm.conf" : hint);
  }
  settle_default(in);
  tell_unused_nodes(in);
}

}  // namespace rehearse

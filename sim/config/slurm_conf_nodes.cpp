// sim/config/slurm_conf_nodes.cpp — NodeName and DownNodes lines: defaults, inference of sockets
// and CPUs, and the natural order that breaks every tie (formats.md §2, §3, §5).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/hostlist.hpp"
#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {
namespace {

// The limit of sim/cluster/core_set.hpp (kMaxCores), which stands on a higher floor than this file.
constexpr std::uint64_t kMostCores = 512;
constexpr std::size_t kMostNodes = std::size_t{1} << 18;

struct Hardware {
  std::uint32_t boards = 1, sockets = 1, cores = 1, threads = 1;
  std::uint32_t cpus = 0;  // 0: not given
  bool has_sockets = false;
};

/// Sockets of the whole node, from either spelling.
void read_sockets(const FieldReader& in, Hardware& hw) {
  const ConfPair* total = in.record().find("Sockets");
  const ConfPair* per_board = in.record().find("SocketsPerBoard");
  hw.has_sockets = total != nullptr || per_board != nullptr;
  if (!hw.has_sockets) return;
  const auto sockets = std::max<std::uint64_t>(in.number(total, kU16).value_or(1), 1);
  const auto on_board = std::max<std::uint64_t>(in.number(per_board, kU16).value_or(1), 1);
  if (total != nullptr && per_board != nullptr && sockets != on_board * hw.boards) {
    in.error(*per_board, fmt::format("{} contradicts Sockets={}", shown(per_board->value), sockets),
             "give one of the two");
  }
  if (total != nullptr && sockets % hw.boards != 0) {
    in.error(*total, fmt::format("{} sockets do not divide over {} boards", sockets, hw.boards),
             "write SocketsPerBoard=");
  }
  hw.sockets = static_cast<std::uint32_t>(total != nullptr ? sockets : on_board * hw.boards);
}

Hardware read_hardware(const FieldReader& in) {
  Hardware hw;
  in.read("Boards", hw.boards, kU16);
  in.read("CoresPerSocket", hw.cores, kU16);
  in.read("ThreadsPerCore", hw.threads, kU16);
  for (std::uint32_t* count : {&hw.boards, &hw.cores, &hw.threads}) *count = std::max(*count, 1U);
  read_sockets(in, hw);
  const ConfPair* cpus = in.record().find("CPUs", "Procs");
  hw.cpus = static_cast<std::uint32_t>(in.number(cpus, kU16).value_or(0));
  return hw;
}

/// Settles what was not given (formats.md §3, "Inference").
void infer(const FieldReader& in, Hardware& hw) {
  const std::uint64_t per_socket = std::uint64_t{hw.cores} * hw.threads;
  if (!hw.has_sockets && hw.cpus > 0) {
    const std::uint64_t sockets = hw.cpus / per_socket;
    if (sockets >= 1 && hw.cpus % per_socket == 0) {
      hw.sockets = static_cast<std::uint32_t>(sockets);
    } else {
      hw.sockets = hw.boards;
    }
  } else if (!hw.has_sockets) {
    hw.sockets = hw.boards;
  }
  const std::uint64_t cores = std::uint64_t{hw.sockets} * hw.cores, all = cores * hw.threads;
  if (hw.cpus != 0 && hw.cpus != hw.sockets && hw.cpus != cores && hw.cpus != all) {
    in.warning(*in.record().find("CPUs", "Procs"),
               fmt::format("{} is neither sockets ({}), cores ({}) nor threads ({}); Slurm uses {}",
                           hw.cpus, hw.sockets, cores, all, all),
               "correct CPUs, or leave it out");
    hw.cpus = 0;
  }
  if (hw.cpus == 0) hw.cpus = static_cast<std::uint32_t>(std::min<std::uint64_t>(all, 1U << 30U));
}

std::string read_state(const FieldReader& in, const ConfPair& pair) {
  for (const std::string_view state : {"CLOUD", "DRAIN", "FAIL"}) {  // DRAINED, FAILING … too
    if (starts_with_ignoring_case(pair.value, state)) return std::string(state);
  }
  for (const std::string_view state :
       {"UNKNOWN", "FUTURE", "DOWN", "IDLE", "ALLOCATED", "MIXED", "ERROR"}) {
    if (equals_ignoring_case(pair.value, state)) return std::string(state);
  }
  in.error(pair, fmt::format("{} is no state of a node", shown(pair.value)),
           "UNKNOWN, CLOUD, FUTURE, DOWN, DRAIN or FAIL");
  return "UNKNOWN";
}

void read_reserved(const FieldReader& in, NodeConf& node) {
  in.read("MemSpecLimit", node.mem_spec_limit_mib, kMemory);
  if (node.mem_spec_limit_mib > 0 && node.mem_spec_limit_mib >= node.real_memory_mib) {
    in.warning(*in.record().find("MemSpecLimit"),
               fmt::format("{} is not below RealMemory ({}); Slurm uses 0", node.mem_spec_limit_mib,
                           node.real_memory_mib));
    node.mem_spec_limit_mib = 0;
  }
  in.read("CoreSpecCount", node.core_spec_count, kU16);
  const std::uint64_t cores = std::uint64_t{node.sockets} * node.cores_per_socket;
  if (node.core_spec_count > 0 && node.core_spec_count >= cores) {
    in.warning(*in.record().find("CoreSpecCount"),
               fmt::format("{} leaves none of the {} cores to jobs; Slurm uses 1",
                           node.core_spec_count, cores));
    node.core_spec_count = 1;
  }
  const ConfPair* list = in.record().find("CPUSpecList");
  if (list == nullptr) return;
  const std::uint64_t threads = cores * node.threads_per_core;
  constexpr std::uint32_t kMost = (1U << 20U) - 1;
  const auto cpus = parse_index_list(
      list->value, static_cast<std::uint32_t>(std::min<std::uint64_t>(threads - 1, kMost)));
  const std::string range = fmt::format("numbers and ranges from 0 to {}", threads - 1);
  if (!cpus && parse_index_list(list->value, kMost)) {
    in.warning(*list,
               fmt::format("{} names CPUs that the node has not: Slurm passes over the list",
                           shown(list->value)),
               range);
  } else if (!cpus) {
    in.error(*list, fmt::format("{} is no list of CPUs of the node", shown(list->value)), range);
  }
  node.cpu_spec_list = cpus.value_or(std::vector<std::uint32_t>{});
}

/// What a line says of each of its nodes; the name is filled in by the caller.
NodeConf read_node(const FieldReader& in, const ConfPair& head, const SourcePosition& where) {
  NodeConf node;
  Hardware hw = read_hardware(in);
  infer(in, hw);
  const std::uint64_t cores = std::uint64_t{hw.sockets} * hw.cores;
  if (cores > kMostCores) {
    in.error(head, fmt::format("nodes of {} cores are too large for the simulator", cores),
             fmt::format("it knows nodes of up to {} cores", kMostCores));
  }
  node.boards = hw.boards;
  node.sockets = hw.sockets;
  node.cores_per_socket = hw.cores;
  node.threads_per_core = hw.threads;
  node.cpus = hw.cpus;
  NumberRule memory = kMemory;
  memory.may_be_infinite = false;
  in.read("RealMemory", node.real_memory_mib, memory);
  node.real_memory_mib = std::max<std::uint64_t>(node.real_memory_mib, 1);
  read_reserved(in, node);
  in.read("TmpDisk", node.tmp_disk_mib,
          {.most = std::numeric_limits<std::uint32_t>::max(), .is_memory = true});
  in.read("Weight", node.weight);
  if (const ConfPair* features = in.record().find("Features", "Feature")) {
    for (const std::string_view word : split_list(features->value))
      node.features.emplace_back(word);
  }
  node.where = where;
  if (const ConfPair* gres = in.record().find("Gres")) {
    node.gres = gres->value;
    node.gres_where = in.at(*gres);
  }
  if (const ConfPair* state = in.record().find("State")) node.state = read_state(in, *state);
  in.read("Reason", node.reason);
  return node;
}

/// select/cons_tres and cons_res do not take the number of sockets (formats.md §6.8).
void check_cpus(const ConfReading& in, const FieldReader& reader, const NodeConf& node) {
  const std::uint64_t cores = std::uint64_t{node.sockets} * node.cores_per_socket;
  const std::uint64_t threads = cores * node.threads_per_core;
  const ConfPair* cpus = reader.record().find("CPUs", "Procs");
  if (cpus == nullptr || node.cpus == cores || node.cpus == threads) return;
  if (in.conf.select_type == SelectType::Linear) return;
  reader.error(*cpus,
               fmt::format("{} is neither cores ({}) nor threads ({}); slurmctld stops at it",
                           node.cpus, cores, threads),
               fmt::format("write CPUs={}, or leave it out", threads));
}

/// NodeAddr and its kin name one address for each node, or one for all (formats.md §6.8).
void check_addresses(const FieldReader& in, std::size_t nodes) {
  for (const std::string_view key : {"NodeAddr", "NodeHostname", "BcastAddr"}) {
    const ConfPair* pair = in.record().own(key);
    if (pair == nullptr) continue;
    const HostlistResult list = expand_hostlist(pair->value);
    if (!list.error.empty()) {
      in.error(*pair, fmt::format("{}: {}", shown(pair->value), list.error));
    } else if (list.hosts.size() != nodes && list.hosts.size() != 1) {
      in.error(*pair, fmt::format("{} names for {} nodes", list.hosts.size(), nodes),
               "give as many as the line has nodes, or one");
    }
  }
}

/// One port for all nodes, or one for each.
void check_ports(const FieldReader& in, std::size_t nodes) {
  const ConfPair* pair = in.record().own("Port");
  if (pair == nullptr) return;
  std::string list = pair->value;  // brackets may stand around it
  std::erase_if(list, [](char c) { return c == '[' || c == ']'; });
  const auto ports = parse_index_list(list, 65535);
  if (!ports || *std::min_element(ports->begin(), ports->end()) == 0) {
    in.error(*pair, fmt::format("{} is no port; slurmctld stops at it", shown(pair->value)),
             "from 1 to 65535, or as many: [17001-17016]");
  } else if (ports->size() != nodes && ports->size() != 1) {
    in.error(*pair, fmt::format("{} ports for {} nodes", ports->size(), nodes),
             "give as many as the line has nodes, or one");
  }
}

/// Hosts of a record's head; empty after an error.
std::vector<std::string> names_of(ConfReading& in, const ConfPair& head) {
  if (equals_ignoring_case(head.value, "ALL")) {
    in.found.error(in.at(head), "ALL is reserved: no node can have this name",
                   "use NodeName=DEFAULT for what all nodes share");
    return {};
  }
  HostlistResult list = expand_hostlist(head.value);
  if (!list.error.empty()) {
    in.found.error(in.at(head), fmt::format("{}: {}", shown(head.value), list.error),
                   "a host list is written like node[01-16,20],login1");
  } else if (list.hosts.empty()) {
    in.found.error(in.at(head), fmt::format("{} names no node", shown(head.value)));
  }
  return std::move(list.hosts);
}

/// --set changes of single nodes: (name, pair), by name.
using NodeChanges = std::vector<std::pair<std::string, const ConfPair*>>;

NodeChanges expand_changes(ConfReading& in) {
  NodeChanges changes;
  for (const RecordChange& change : in.changes) {
    if (change.scope != KeyScope::Node) continue;
    const HostlistResult list = expand_hostlist(change.names);
    if (!list.error.empty()) in.found.error(in.at(change.pair), list.error);
    for (const std::string& name : list.hosts) changes.emplace_back(name, &change.pair);
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return changes;
}

/// The changes of one node as a range.
auto changes_of(const NodeChanges& changes, const std::string& name) {
  return std::equal_range(changes.begin(), changes.end(), std::pair{name, nullptr},
                          [](const auto& a, const auto& b) { return a.first < b.first; });
}

void add_line(ConfReading& in, const ConfRecordLine& line, const NodeChanges& changes) {
  const SourcePosition where = in.text.position(line.head->key_at);
  const FieldReader reader = in.reader(line.record);
  const std::vector<std::string> names = names_of(in, *line.head);
  if (in.conf.nodes.size() + names.size() > kMostNodes) {
    in.found.error(in.at(*line.head), fmt::format("more than {} nodes", kMostNodes));
    return;
  }
  check_addresses(reader, names.size());
  check_ports(reader, names.size());
  NodeConf shared = read_node(reader, *line.head, where);
  check_cpus(in, reader, shared);
  for (const std::string& name : names) {
    const auto [first, last] = changes_of(changes, name);
    if (first == last) {
      in.conf.nodes.push_back(shared);
    } else {
      ConfRecord changed = line.record;
      for (auto it = first; it != last; ++it) changed.set_own(*it->second);
      in.conf.nodes.push_back(read_node(in.reader(changed), *line.head, where));
      check_cpus(in, in.reader(changed), in.conf.nodes.back());
    }
    in.conf.nodes.back().name = name;
  }
}

const NodeConf* find_node(const SlurmConf& conf, const std::string& name) {
  const auto at = std::lower_bound(
      conf.nodes.begin(), conf.nodes.end(), name,
      [](const NodeConf& node, const std::string& n) { return natural_less(node.name, n); });
  return at != conf.nodes.end() && at->name == name ? &*at : nullptr;
}

void apply_down_nodes(ConfReading& in) {
  for (const ConfRecordLine& line : in.down_nodes) {
    const FieldReader reader = in.reader(line.record);
    const ConfPair* state = line.record.own("State");
    for (const std::string& name : names_of(in, *line.head)) {
      const NodeConf* known = find_node(in.conf, name);
      if (known == nullptr) {
        in.found.error(in.at(*line.head),
                       fmt::format("DownNodes: no node is named {}", shown(name)));
        break;
      }
      NodeConf& node = in.conf.nodes[static_cast<std::size_t>(known - in.conf.nodes.data())];
      node.state = state != nullptr ? read_state(reader, *state) : "DOWN";
      reader.read("Reason", node.reason);
    }
  }
}

}  // namespace

void read_nodes(ConfReading& in) {
  const NodeChanges changes = expand_changes(in);
  for (const ConfRecordLine& line : in.nodes) add_line(in, line, changes);
  std::vector<NodeConf>& nodes = in.conf.nodes;
  const auto by_name = [](const NodeConf& a, const NodeConf& b) {
    return natural_less(a.name, b.name);
  };
  if (!std::is_sorted(nodes.begin(), nodes.end(),
                      by_name)) {  // most files are, and nodes are large
    std::stable_sort(nodes.begin(), nodes.end(), by_name);
  }
  std::size_t twins = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].name != nodes[i - 1].name) continue;
    if (++twins > 10) break;  // one repeated line says it all
    in.found.error(nodes[i].where, fmt::format("node {} is defined twice", shown(nodes[i].name)),
                   fmt::format("the first is at line {}", nodes[i - 1].where.line));
  }
  for (const auto& [name, pair] : changes) {
    if (find_node(in.conf, name) == nullptr) {
      in.found.error(in.at(*pair), fmt::format("no node is named {}", shown(name)),
                     "see NodeName in slurm.conf");
    }
  }
  apply_down_nodes(in);
}

}  // namespace rehearse

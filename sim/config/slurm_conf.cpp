// sim/config/slurm_conf.cpp — slurm.conf from text to typed values, in Slurm's order: lines, then
// nodes, then partitions; all errors are collected.
#include "sim/config/slurm_conf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/hostlist.hpp"
#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

// Slurm has no such limits; they keep a damaged file from costing minutes and gigabytes.
constexpr std::size_t kLongestValue = 64 << 10;
constexpr std::size_t kLongestList = 8 << 20;  // of host lists and of lists of accounts or groups

/// False, and told, where a value is absurdly long.
bool has_sane_length(ConfReading& in, const ConfPair& pair, std::size_t most) {
  if (pair.value.size() <= most) return true;
  in.found.error(in.at(pair), fmt::format("{}: the value has {} characters; at most {} are read",
                                          pair.key, pair.value.size(), most));
  return false;
}

bool is_long_list(std::string_view key) {
  constexpr std::string_view kKeys[] = {
      "Nodes",         "NodeAddr",     "NodeHostname", "BcastAddr",  "Port",
      "AllowAccounts", "DenyAccounts", "AllowGroups",  "AllocNodes", "SuspendExcNodes"};
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](std::string_view k) { return equals_ignoring_case(k, key); });
}

bool is_default(const ConfPair& head) {
  return equals_ignoring_case(head.value, "DEFAULT");
}

/// True if `key` may follow the head of its record.
bool may_stand(ConfReading& in, KeyScope scope, const ConfPair& pair) {
  const KeyTrouble trouble = check_key(scope, pair.key, release_of(in.version));
  if (trouble.what.empty()) {
    return has_sane_length(in, pair, is_long_list(pair.key) ? kLongestList : kLongestValue);
  }
  const SourcePosition where = in.text.position(pair.key_at);
  if (trouble.decides_nothing) {
    in.found.warning(where, trouble.what, trouble.hint);
  } else {
    in.found.error(where, trouble.what, trouble.hint);
  }
  return false;
}

bool may_stand_among(ConfReading& in, const ConfPair& pair, std::span<const std::string_view> keys,
                     std::string_view line) {
  for (const std::string_view key : keys) {
    if (equals_ignoring_case(key, pair.key)) return true;
  }
  in.found.error(in.text.position(pair.key_at),
                 fmt::format("{} is not a key of {}", shown(pair.key), line),
                 did_you_mean(pair.key, keys));
  return false;
}

void set_once(ConfReading& in, ConfRecord& record, const ConfPair& pair) {
  if (record.own(pair.key) != nullptr) {
    in.found.warning(
        in.text.position(pair.key_at),
        fmt::format("{} is given more than once on this line; the last wins", pair.key));
  }
  record.set_own(pair);
}

/// Notes the first use of each key of a record.
void note_key(ConfReading& in, KeyScope scope, const ConfPair& pair) {
  auto& keys = scope == KeyScope::Node ? in.conf.node_keys : in.conf.partition_keys;
  const std::string name(find_known_key(scope, pair.key)->name);
  if (!keys.contains(name)) keys.emplace(name, in.text.position(pair.key_at));
}

/// Defaults accumulate over DEFAULT lines and reach the lines behind them.
class RecordSorter {
 public:
  RecordSorter(ConfReading& in, KeyScope scope) : in_(in), scope_(scope) {}

  void add(const ConfLine& line, std::size_t head_at, std::vector<ConfRecordLine>& lines) {
    const ConfPair& head = line.pairs[head_at];
    if (!has_sane_length(in_, head, kLongestList)) return;
    ConfRecord record = defaults_;
    for (std::size_t i = head_at + 1; i < line.pairs.size(); ++i) {
      if (!may_stand(in_, scope_, line.pairs[i])) continue;
      note_key(in_, scope_, line.pairs[i]);
      set_once(in_, record, line.pairs[i]);
    }
    if (!is_default(head)) {
      lines.push_back({&head, std::move(record)});
      return;
    }
    record.make_own_default();
    if (scope_ == KeyScope::Partition) {  // formats.md §4: these four are not inherited
      for (const std::string_view key :
           {"ExclusiveUser", "DisableRootJobs", "SelectTypeParameters", "SuspendTime"}) {
        record.drop_default(key);
      }
    }
    defaults_ = std::move(record);
  }

 private:
  ConfReading& in_;
  KeyScope scope_;
  ConfRecord defaults_;
};

void add_small_record(ConfReading& in, const ConfLine& line, std::size_t head_at,
                      std::span<const std::string_view> keys, std::vector<ConfRecordLine>& lines) {
  const ConfPair& head = line.pairs[head_at];
  if (!has_sane_length(in, head, kLongestList)) return;
  ConfRecordLine result{&head, {}};
  for (std::size_t i = head_at + 1; i < line.pairs.size(); ++i) {
    if (may_stand_among(in, line.pairs[i], keys, fmt::format("a {} line", head.key))) {
      set_once(in, result.record, line.pairs[i]);
    }
  }
  lines.push_back(std::move(result));
}

void add_global(ConfReading& in, const ConfPair& pair) {
  const KnownKey* known = find_known_key(KeyScope::Global, pair.key);
  if (!may_stand(in, KeyScope::Global, pair) || known == nullptr) return;
  const SourcePosition where = in.text.position(pair.key_at);
  const bool repeats = in.globals.own(pair.key) != nullptr && pair.key_at.line > 0;
  if (repeats && !equals_ignoring_case(pair.key, "SlurmctldHost")) {
    in.found.warning(
        where, fmt::format("{} is specified more than once; the last value is used", known->name));
  }
  if (pair.op != '=') {
    in.found.error(where, fmt::format("{}{}= has no meaning in slurm.conf", known->name, pair.op),
                   "write = and the whole value");
  }
  in.globals.set_own(pair);
  if (repeats && equals_ignoring_case(pair.key, "SlurmctldHost")) ++in.conf.controllers;
  if (equals_ignoring_case(pair.key, "BackupController") && in.conf.controllers == 1) {
    in.conf.controllers = 2;
  }
  in.conf.raw[std::string(known->name)] = {pair.value, in.at(pair)};
}

}  // namespace

void sort_lines(ConfReading& in) {
  constexpr std::string_view kNodeSetKeys[] = {"Feature", "Nodes"};
  constexpr std::string_view kDownNodesKeys[] = {"State", "Reason"};
  RecordSorter nodes(in, KeyScope::Node), partitions(in, KeyScope::Partition);
  for (const ConfLine& line : in.text.lines) {
    for (std::size_t i = 0; i < line.pairs.size(); ++i) {
      const std::string_view key = line.pairs[i].key;
      if (equals_ignoring_case(key, "FrontendName")) {  // known, and ignored with its keys
        in.found.warning(in.text.position(line.pairs[i].key_at),
                         "front ends are not simulated, and passed over; a slurmctld that was not "
                         "built for them stops at it",
                         "remove the line: jobs run on the nodes themselves");
        break;
      }
      if (equals_ignoring_case(key, "NodeName")) {
        nodes.add(line, i, in.nodes);
        break;
      }
      if (equals_ignoring_case(key, "PartitionName")) {
        partitions.add(line, i, in.partitions);
        break;
      }
      if (equals_ignoring_case(key, "NodeSet")) {
        add_small_record(in, line, i, kNodeSetKeys, in.node_sets);
        break;
      }
      if (equals_ignoring_case(key, "DownNodes")) {
        add_small_record(in, line, i, kDownNodesKeys, in.down_nodes);
        break;
      }
      add_global(in, line.pairs[i]);
    }
  }
}

namespace {

void check_mandatory(ConfReading& in) {
  const SourcePosition file{in.text.sources[0].first, 0, 0};
  if (in.conf.cluster_name.empty()) {
    in.found.note(file,
                  "no ClusterName: slurmctld would not start; the simulation does not need it");
  }
  if (in.globals.own("SlurmctldHost") == nullptr && in.globals.own("ControlMachine") == nullptr) {
    in.found.note(file,
                  "no SlurmctldHost: slurmctld would not start; the simulation does not need it");
  }
  if (in.nodes.empty()) {
    in.found.error(
        file, "no NodeName line: a cluster needs nodes",
        in.globals.own("MaxNodeCount") == nullptr
            ? ""
            : "dynamic nodes (MaxNodeCount) are not simulated: write a NodeName line for "
              "those that scontrol show node shows");
  }
  if (in.partitions.empty()) {
    in.found.error(file, "no PartitionName line: slurmctld stops without partitions");
  }
}

SlurmConf finish(ConfReading& in, const std::vector<std::string>& set) {
  const std::size_t files = in.text.sources.size();
  apply_changes(in, set);
  sort_lines(in);
  in.conf.cluster_name.clear();
  if (const ConfPair* name = in.globals.own("ClusterName")) {
    in.conf.cluster_name = to_lower(name->value);
  }
  check_mandatory(in);
  read_accounting_and_priority(in);
  read_selection(in);
  read_preemption(in);
  read_limits_and_life_cycle(in);
  read_plugin_names(in);
  check_plain_numbers(in);
  read_word_lists(in);
  read_nodes(in);
  read_partitions(in);
  in.conf.changes = set;
  in.conf.sources = std::move(in.text.sources);
  in.conf.sources.resize(files);  // the changes are no files
  return std::move(in.conf);
}

}  // namespace

SlurmConf parse_slurm_conf(std::string_view text, const std::string& name,
                           const std::filesystem::path& directory,
                           const std::vector<std::string>& set, Diagnostics& found,
                           SlurmVersion version) {
  ConfReading in{
      .text = lex_conf(text, name, directory, found), .version = version, .found = found};
  return finish(in, set);
}

SlurmConf read_slurm_conf(const std::filesystem::path& path, const std::vector<std::string>& set,
                          Diagnostics& found, SlurmVersion version) {
  std::string text;
  if (!read_text_file(path, text)) {
    found.error({path.string(), 0, 0}, "cannot read the file",
                "a site folder holds the slurm.conf of its cluster");
    return {};
  }
  return parse_slurm_conf(text, path.string(), path.parent_path(), set, found, version);
}

}  // namespace rehearse

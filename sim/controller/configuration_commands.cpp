// sim/controller/configuration_commands.cpp — reading changes of slurm.conf, by admins or there.
//
// A change is applied to the configuration as it stands after the commands before it, and read
// again by the reader of slurm.conf: one place says what a value may be.
#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/config/reconfiguration.hpp"
#include "sim/config/slurm_conf_again.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"
#include "sim/controller/later_files.hpp"

namespace rehearse {
namespace {

SlurmConf read_with(const CommandText& text, const SlurmConf& of,
                    const std::vector<std::string>& changes, Diagnostics& found) {
  return read_again(of, changes, text.cluster.inputs.site.slurm_version, found);
}

const SlurmConf& file_of(const CommandText& text, const ConfigurationEdits& edits) {
  return edits.file ? *edits.file : text.cluster.inputs.slurm_conf;
}

/// The file as slurmctld read it last. Read anew once: the inputs have changes of nodes that no
/// text has (--set NodeName=…:Count+=).
const SlurmConf& as_read(const CommandText& text, ConfigurationEdits& edits) {
  if (!edits.read) {
    Diagnostics told;  // when the site was read
    const SlurmConf& inputs = text.cluster.inputs.slurm_conf;
    edits.read = edits.first = read_with(text, inputs, inputs.changes, told);
  }
  return *edits.read;
}

/// The record as the cluster takes it; none: what it would change is not simulated, and told.
std::optional<UpdatePartition> update_of(CommandText& text, const ConfigurationEdits& edits,
                                         const PartitionConf& record) {
  const auto name = text.names.find(record.name);
  const auto partition = name ? text.cluster.find_partition(*name) : std::nullopt;
  if (!partition) {  // load_site() has those of files that are rows
    (void)text.not_simulated(fmt::format("the new partition {}", record.name));
    return std::nullopt;
  }
  const PartitionConf& now = text.cluster.partitions[*partition].conf;
  if (record.jobs_a_core() != now.jobs_a_core()) {
    (void)text.not_simulated("another number of jobs that share a core (OverSubscribe)");
    return std::nullopt;
  }
  if (record.qos != now.qos) {
    (void)text.not_simulated("another QOS of a partition");
    return std::nullopt;
  }
  UpdatePartition update{*partition, record};
  const PartitionConf* first = find_partition(*edits.first, record.name);
  if (first != nullptr && first->nodes == record.nodes) update.record.nodes = now.nodes;
  return update;
}

/// Of `slurm.conf FILE`; none: it has been told why.
std::optional<SlurmConf> read_later_file(CommandText& text, const std::string& name) {
  const SlurmConf& inputs = text.cluster.inputs.slurm_conf;
  const std::filesystem::path own = inputs.sources.front().first;
  const std::filesystem::path path = own.parent_path() / name;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    const bool is_there = std::filesystem::exists(path, failed);
    (void)text.fail(is_there
                        ? fmt::format("'{}' is no regular file", shortened(name))
                        : fmt::format("there is no file '{}' beside slurm.conf", shortened(name)),
                    name.find('\\') != std::string::npos
                        ? "folders are parted by /: slurm.conf history/later.conf"
                        : "slurm.conf FILE, or slurm.conf KEY=VALUE …");
    return std::nullopt;
  }
  Diagnostics found;
  SlurmConf conf =
      read_slurm_conf(path, inputs.changes, found, text.cluster.inputs.site.slurm_version);
  for (const Diagnostic& each : found.all()) {
    if (each.severity == Severity::Warning) text.found.warning(each.where, each.what, each.hint);
    if (each.severity == Severity::Note) text.found.note(each.where, each.what, each.hint);
    if (each.severity != Severity::Error) continue;
    if (each.where.file.starts_with("--set ")) {  // it goes with the first file
      (void)text.fail(fmt::format("{} with {}: {}", name, each.where.file, each.what), each.hint);
    } else {
      text.found.error(each.where, each.what, each.hint);
    }
  }
  if (found.has_errors()) return std::nullopt;
  return conf;
}

}  // namespace

std::optional<AdminAction> read_partition_update(CommandText& text, std::string_view name,
                                                 ConfigurationEdits& edits) {
  const auto id = text.names.find(name);
  const auto partition = id ? text.cluster.find_partition(*id) : std::nullopt;
  if (!partition) {
    std::vector<std::string_view> known;
    for (const Partition& each : text.cluster.partitions) known.push_back(each.conf.name);
    return text.fail(fmt::format("no partition is called '{}'", shortened(name)),
                     did_you_mean(name, known));
  }
  std::vector<std::string> by_admins = edits.by_admins;
  for (std::size_t i = 2; i < text.words.size(); ++i) {
    const auto each = text.assignment(text.words[i]);
    if (!each) return std::nullopt;
    if (equals_ignoring_case(each->key, "PartitionName")) continue;
    if (equals_ignoring_case(each->key, "QOS"))
      return text.not_simulated("another QOS of a partition");
    by_admins.push_back(fmt::format("PartitionName={}:{}={}", name, each->key, each->value));
  }
  if (by_admins.size() == edits.by_admins.size()) {
    return text.fail("nothing to change", "State=DOWN, MaxTime=…, Nodes=…");
  }
  const SlurmConf& before = as_read(text, edits);
  std::vector<std::string> changes = before.changes;
  changes.insert(changes.end(), by_admins.begin(), by_admins.end());
  Diagnostics found;
  const SlurmConf conf = read_with(text, before, changes, found);
  if (text.tell_error(found)) return std::nullopt;
  const PartitionConf* record = find_partition(conf, name);
  if (record == nullptr) return text.fail("the partition is gone after the change");
  auto update = update_of(text, edits, *record);
  if (!update) return std::nullopt;
  edits.by_admins = std::move(by_admins);
  return std::move(*update);
}

void read_conf_edit(CommandText& text, ConfigurationEdits& edits) {
  (void)as_read(text, edits);
  const SlurmConf& inputs = text.cluster.inputs.slurm_conf;
  if (const std::string name = later_file(text.words); !name.empty()) {
    auto conf = read_later_file(text, name);
    if (!conf) return;
    edits.file = std::move(*conf);
    edits.in_file.clear();
    edits.is_edited = true;
    return;
  }
  if (text.words.size() < 2) {
    (void)text.fail("nothing is edited", "slurm.conf FILE, or slurm.conf KEY=VALUE …");
    return;
  }
  std::vector<std::string> in_file = edits.in_file;
  for (std::size_t i = 1; i < text.words.size(); ++i) {
    if (text.words[i].find('=') == std::string::npos) {
      (void)text.fail(
          fmt::format("'{}' is not KEY=VALUE", shortened(text.words[i])),
          "a file and lines are rows of their own; a name with blanks stands in quotes");
      return;
    }
    if (!text.assignment(text.words[i])) return;
    in_file.push_back(text.words[i]);
  }
  std::vector<std::string> changes = in_file;
  changes.insert(changes.end(), inputs.changes.begin(), inputs.changes.end());
  Diagnostics found;
  (void)read_with(text, file_of(text, edits), changes, found);
  if (text.tell_error(found)) return;
  edits.in_file = std::move(in_file);
  edits.is_edited = true;
}

namespace {

/// The file as it stands there, in force from now on.
void read_file(CommandText& text, const ConfigurationEdits& edits, ReadBy by, Reconfigure& again) {
  std::vector<std::string> changes = edits.in_file;
  const std::vector<std::string>& asked = text.cluster.inputs.slurm_conf.changes;
  changes.insert(changes.end(), asked.begin(), asked.end());
  Diagnostics told;  // when it was edited
  again.file = {read_with(text, file_of(text, edits), changes, told)};
  const SlurmConf& file = again.file.front();
  for (const KeptSetting& kept : kept_settings(*edits.read, file)) {
    text.found.warning(
        text.line.where,
        fmt::format("slurm.conf is read again, {}: {}", kept.what,
                    by == ReadBy::Reconfigure && kept.why == KeptSetting::Why::NeedsRestart
                        ? "takes hold when slurmctld is restarted, and goes on as before"
                        : "not simulated yet, and goes on as before"));
  }
  for (const TresWeight& weight : file.priority.weight_tres) {
    if (text.cluster.tres.find(weight.tres)) continue;
    text.found.warning(text.line.where,
                       fmt::format("PriorityWeightTRES: '{}' is not a TRES of this cluster, and "
                                   "weighs nothing",
                                   weight.tres));
  }
}

}  // namespace

Reconfigure read_files_again(CommandText& text, ConfigurationEdits& edits, ReadBy by) {
  const SlurmConf& before = as_read(text, edits);
  Reconfigure again;
  if (edits.is_edited) read_file(text, edits, by, again);
  const SlurmConf& after = again.file.empty() ? before : again.file.front();
  const std::vector<const PartitionConf*> found = changed_partitions(before, after);
  const std::set<const PartitionConf*> changed(found.begin(), found.end());
  for (const PartitionConf& record : after.partitions) {
    const std::string prefix = fmt::format("PartitionName={}:", record.name);
    const bool is_told =
        std::any_of(edits.by_admins.begin(), edits.by_admins.end(),
                    [&](const std::string& change) { return change.starts_with(prefix); });
    if (!is_told && !changed.contains(&record)) continue;
    if (auto update = update_of(text, edits, record)) {
      again.partitions.push_back(std::move(*update));
    }
  }
  edits.by_admins.clear();
  edits.is_edited = false;
  if (!again.file.empty()) edits.read = again.file.front();
  return again;
}

std::optional<AdminAction> read_controller_change(CommandText& text, ConfigurationEdits& edits) {
  const std::string what = text.words.size() == 2 ? to_lower(text.words[1]) : "";
  if (what == "down") return ChangeController{false, read_files_again(text, edits, ReadBy::Start)};
  if (what != "up") return text.fail("slurmctld can go down or up", "slurmctld down");
  // What scontrol is told meanwhile reaches the one that returns.
  std::vector<std::string> told = std::move(edits.by_admins);
  ChangeController change{true, read_files_again(text, edits, ReadBy::Start)};
  edits.by_admins = std::move(told);
  return change;
}

}  // namespace rehearse

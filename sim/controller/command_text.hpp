// sim/controller/command_text.hpp — one command of events.csv in words, and the readers of its
// kinds.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/controller/admin_command.hpp"

namespace rehearse {

/// slurm.conf and accounting as the commands so far have made them.
struct ConfigurationEdits {
  std::optional<SlurmConf> file;         ///< whose text stands there; none: that of the inputs
  std::vector<std::string> in_file;      ///< what was edited in it, as --set takes it
  bool is_edited = false;                ///< since it was read
  std::optional<SlurmConf> first, read;  ///< as read at the start, and last; none: not yet
  std::vector<std::string> by_admins;    ///< what scontrol told of partitions since then
  AccountingConf accounting;
};

struct Assignment {
  std::string key, value;
};

struct CommandText {
  const AdminCommand& line;
  const Cluster& cluster;
  NamePool& names;
  Diagnostics& found;
  std::vector<std::string> words;

  std::optional<AdminAction> fail(std::string what, std::string hint = {}) {
    found.error(line.where, std::move(what), std::move(hint));
    return std::nullopt;
  }
  /// KEY=VALUE; nothing once it has been told that the word is none.
  [[nodiscard]] std::optional<Assignment> assignment(const std::string& word);
  /// Tells the first error of `of` at the command's place.
  bool tell_error(const Diagnostics& of);
  /// Known to Slurm, not simulated: told, and left out.
  std::optional<AdminAction> not_simulated(std::string_view what) {
    found.warning(line.where,
                  fmt::format("{} is not simulated yet: this command is left out", what));
    return std::nullopt;
  }
};

/// Words as a shell would split them.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

/// `123`, `123_4`, `123_[1-3,7]`, `123+1`, several with commas. None: not job ids.
[[nodiscard]] std::optional<std::vector<JobTarget>> parse_job_targets(std::string_view text);
/// `hold`, `release` …; none: no such verb of scontrol.
[[nodiscard]] std::optional<JobAction> find_job_action(std::string_view verb);
/// `scontrol VERB ID…`
[[nodiscard]] std::optional<AdminAction> read_job_action(CommandText& text, JobAction action);
/// The nodes of these names; those that a change took away are passed over, and told. Nothing once
/// a name has been told that nobody bears.
[[nodiscard]] std::optional<std::vector<NodeId>> known_nodes(CommandText& text,
                                                             const std::vector<std::string>& hosts);
/// The nodes of a list expression, or of ALL; nothing once it has been told what is wrong.
[[nodiscard]] std::optional<std::vector<NodeId>> nodes_of(CommandText& text, std::string_view list);
/// `scontrol reboot …`, `scontrol cancel_reboot NODES`
[[nodiscard]] std::optional<AdminAction> read_reboot(CommandText& text);
[[nodiscard]] std::optional<AdminAction> read_cancel_reboot(CommandText& text);
/// `scancel …`
[[nodiscard]] std::optional<AdminAction> read_scancel(CommandText& text);
/// When and where a command is typed: what `now+2hours` means.
struct CommandMoment {
  SlurmTime at;
  const TimeZone& zone;
};
/// `scontrol update JobId=… …`
[[nodiscard]] std::optional<AdminAction> read_job_update(CommandText& text, std::string_view ids,
                                                         const CommandMoment& moment);

/// `scontrol update NodeName=LIST …`; the words behind it are keys and values.
[[nodiscard]] std::optional<AdminAction> read_node_update(CommandText& text, std::string_view list);
/// `slurmd down|up NODES`, `node crash|boot NODES`.
[[nodiscard]] std::optional<AdminAction> read_daemon_change(CommandText& text);
/// `mig NODES GPUS LAYOUT …`
[[nodiscard]] std::optional<AdminAction> read_gpu_cut(CommandText& text);
/// `scontrol update PartitionName=NAME …`
[[nodiscard]] std::optional<AdminAction> read_partition_update(CommandText& text,
                                                               std::string_view name,
                                                               ConfigurationEdits& edits);
/// `slurm.conf FILE`, `slurm.conf KEY=VALUE …`: what the next reconfiguration will read. No action.
void read_conf_edit(CommandText& text, ConfigurationEdits& edits);
enum class ReadBy : std::uint8_t { Reconfigure, Start };
/// `scontrol reconfigure`, or slurmctld as it starts. What is not followed is told.
[[nodiscard]] Reconfigure read_files_again(CommandText& text, ConfigurationEdits& edits, ReadBy by);
/// `slurmctld down|up`
[[nodiscard]] std::optional<AdminAction> read_controller_change(CommandText& text,
                                                                ConfigurationEdits& edits);
/// `sacctmgr modify qos|account|user … set …`
[[nodiscard]] std::optional<AdminAction> read_account_change(CommandText& text,
                                                             ConfigurationEdits& edits);

}  // namespace rehearse

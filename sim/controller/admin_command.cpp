// sim/controller/admin_command.cpp — reading scontrol and scancel as an admin types them.
#include "sim/controller/admin_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/config/text.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"
#include "sim/sched/reservations/access.hpp"
#include "sim/sched/reservations/creation.hpp"

namespace rehearse {
std::optional<Assignment> CommandText::assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(fmt::format("'{}' is not KEY=VALUE", shortened(word)));
    return std::nullopt;
  }
  return Assignment{word.substr(0, equals), word.substr(equals + 1)};
}

bool CommandText::tell_error(const Diagnostics& of) {
  for (const Diagnostic& finding : of.all()) {
    if (finding.severity != Severity::Error) continue;
    fail(finding.what, finding.hint);
    return true;
  }
  return false;
}

namespace {

struct Reader : CommandText {
  ConfigurationEdits& edits;
  SlurmTime at;
  const TimeZone& zone;

  std::optional<AdminAction> reservation() {
    const std::size_t before = found.error_count();
    auto command = read_reservation_command(line.command, line.where, at, zone, found);
    if (!command) return std::nullopt;
    command->words.where = line.where;
    check_names(command->words, cluster, names, found);
    if (command->verb == ReservationVerb::Create) {
      ReservationAccess access;
      resolve_access(command->words, cluster, names, access, found);
    }
    if (found.error_count() > before) return std::nullopt;
    return std::move(*command);
  }

  std::optional<AdminAction> scontrol() {
    if (words.size() < 2) return fail("scontrol without a command");
    const std::string verb = to_lower(words[1]);
    if (const auto action = find_job_action(verb)) return read_job_action(*this, *action);
    if (verb == "create" || verb == "delete") {
      for (std::size_t i = 2; i < words.size(); ++i) {
        if (names_a_reservation(words[i])) return reservation();
      }
      return fail(fmt::format("scontrol {} of something that is no reservation", verb),
                  "ReservationName=…");
    }
    if (verb == "reconfigure" || verb == "reconfig") {
      return read_files_again(*this, edits, ReadBy::Reconfigure);
    }
    if (verb == "reboot" || verb == "reboot_nodes") return read_reboot(*this);
    if (verb == "cancel_reboot") return read_cancel_reboot(*this);
    if (verb != "update") {
      return fail(
          fmt::format("scontrol '{}' is not known", words[1].substr(0, 60)),
          "update, hold, uhold, release, requeue, requeuehold, suspend, resume, top, create, "
          "delete, reboot, cancel_reboot, reconfigure");
    }
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::string lower = to_lower(words[i]);
      if (lower.starts_with("nodename=")) {
        return read_node_update(*this, std::string_view(words[i]).substr(9));
      }
      if (lower.starts_with("partitionname=")) {
        return read_partition_update(*this, std::string_view(words[i]).substr(14), edits);
      }
      if (lower.starts_with("jobid=") || lower.starts_with("job=")) {
        const std::string ids = words[i].substr(words[i].find('=') + 1);
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
        return read_job_update(*this, ids, {at, zone});
      }
      if (names_a_reservation(lower)) return reservation();
    }
    return fail("scontrol update names nothing that is known",
                "NodeName=…, JobId=…, PartitionName=… or ReservationName=…");
  }

  std::optional<AdminAction> read() {
    words = split_words(line.command);
    if (words.empty()) return fail("the command is empty");
    if (words.front() == "scontrol") return scontrol();
    if (words.front() == "scancel") return read_scancel(*this);
    if (words.front() == "sacctmgr") return read_account_change(*this, edits);
    if (words.front() == "slurmd" || words.front() == "node") return read_daemon_change(*this);
    if (words.front() == "slurmctld") return read_controller_change(*this, edits);
    if (words.front() == "mig") return read_gpu_cut(*this);
    if (words.front() == "slurm.conf") {
      read_conf_edit(*this, edits);
      return std::nullopt;
    }
    return fail(
        fmt::format("'{}' is not a command that can be replayed", words.front().substr(0, 60)),
        "scontrol, scancel or sacctmgr as an admin types them; slurmd, node, slurmctld, mig or "
        "slurm.conf for what is done to them otherwise");
  }
};

}  // namespace

std::span<const UpdatePartition> partitions_changed_by(const AdminAction& action) {
  if (const auto* update = std::get_if<UpdatePartition>(&action)) return {update, 1};
  if (const auto* again = std::get_if<Reconfigure>(&action)) return again->partitions;
  if (const auto* change = std::get_if<ChangeController>(&action)) return change->again.partitions;
  return {};
}

const SlurmConf* conf_read_by(const AdminAction& action) {
  const auto* again = std::get_if<Reconfigure>(&action);
  const auto* change = std::get_if<ChangeController>(&action);
  if (change != nullptr) again = &change->again;
  return again == nullptr || again->file.empty() ? nullptr : &again->file.front();
}

void put_in_order(std::vector<AdminCommandAt>& commands) {
  std::stable_sort(commands.begin(), commands.end(),
                   [](const AdminCommandAt& a, const AdminCommandAt& b) { return a.at < b.at; });
}

namespace {

struct TimedLine {
  SlurmTime at;
  const AdminCommand* line;
};

/// A command is understood as what came before it has left slurm.conf and accounts.
std::vector<TimedLine> in_order_of_time(const std::vector<AdminCommand>& lines,
                                        const TimeZone& local, Diagnostics& found) {
  std::vector<TimedLine> timed;
  for (const AdminCommand& line : lines) {
    if (const auto at = local.read(line.time_text)) {
      timed.push_back({*at, &line});
    } else {
      found.error(line.where, fmt::format("'{}' is not a time", line.time_text.substr(0, 60)),
                  "YYYY-MM-DDTHH:MM:SS, with Z or an offset if it is not the site's zone");
    }
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const TimedLine& a, const TimedLine& b) { return a.at < b.at; });
  return timed;
}

}  // namespace

std::vector<AdminCommandAt> understand_commands(const std::vector<AdminCommand>& lines,
                                                const Cluster& cluster, NamePool& names,
                                                Diagnostics& found) {
  std::vector<AdminCommandAt> commands;
  const TimeZone local = TimeZone::find(cluster.inputs.site.time_zone).value_or(TimeZone::utc());
  ConfigurationEdits edits;
  edits.accounting = cluster.inputs.accounting;
  const AdminCommand* last_edit = nullptr;
  for (const auto& [at, line] : in_order_of_time(lines, local, found)) {
    Reader reader{{*line, cluster, names, found, {}}, edits, at, local};
    if (auto action = reader.read()) {
      commands.push_back({Time{at}, line->command, std::move(*action)});
    } else if (reader.words.size() > 1 && reader.words.front() == "slurm.conf") {
      last_edit = line;
    }
  }
  if (edits.is_edited && last_edit != nullptr) {
    found.warning(
        last_edit->where,
        "slurm.conf is edited, and slurmctld does not read it afterwards: nothing changes",
        "scontrol reconfigure in a later row, or slurmctld down and slurmctld up");
  }
  return commands;
}

}  // namespace rehearse

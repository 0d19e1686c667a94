// sim/controller/admin_command.cpp — reading scontrol and scancel as an admin types them.
#include "sim/controller/admin_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "sim/config/time_zone.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"
#include "sim/sched/reservations/access.hpp"
#include "sim/sched/reservations/creation.hpp"

namespace rehearse {
namespace {

/// Words as a shell would split them.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

struct Reader : CommandText {
  ConfigurationEdits& edits;
  SlurmTime at;
  const TimeZone& zone;

  std::optional<std::vector<JobId>> ids(std::size_t from) {
    std::vector<JobId> result;
    for (std::size_t i = from; i < words.size(); ++i) {
      std::string_view rest = words[i];
      while (!rest.empty()) {
        const std::string_view item = rest.substr(0, rest.find(','));
        std::uint32_t id = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), id);
        if (end != item.data() && end != item.data() + item.size() &&
            (*end == '_' || *end == '+')) {
          not_simulated(fmt::format("a part of a job ({})", item.substr(0, 60)));
          return std::nullopt;
        }
        if (error != std::errc{} || end != item.data() + item.size()) {
          found.error(line.where, fmt::format("'{}' is not a job id", item.substr(0, 60)));
          return std::nullopt;
        }
        result.push_back(JobId{id});
        rest.remove_prefix(std::min(item.size() + 1, rest.size()));
      }
    }
    return result;
  }

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
    using Action = HoldJobs::Action;
    const std::map<std::string, Action> actions{
        {"hold", Action::Hold},       {"uhold", Action::Hold},      {"release", Action::Release},
        {"requeue", Action::Requeue}, {"suspend", Action::Suspend}, {"resume", Action::Resume}};
    if (const auto action = actions.find(verb); action != actions.end()) {
      const auto jobs = ids(2);
      if (!jobs) return std::nullopt;
      return HoldJobs{action->second, *jobs};
    }
    if (verb == "create" || verb == "delete") {
      for (std::size_t i = 2; i < words.size(); ++i) {
        if (names_a_reservation(words[i])) return reservation();
      }
      return fail(fmt::format("scontrol {} of something that is no reservation", verb),
                  "ReservationName=…");
    }
    if (verb == "reconfigure" || verb == "reconfig") {
      found.note(line.where, "reconfigure: slurm.conf is the same before and after",
                 "tell what changes: scontrol update …, sacctmgr modify …");
      return std::nullopt;
    }
    if (verb == "requeuehold" || verb == "top") return not_simulated("scontrol " + verb);
    if (verb != "update") {
      return fail(fmt::format("scontrol '{}' is not known", words[1].substr(0, 60)),
                  "update, hold, release, requeue, suspend, resume, create, delete, reconfigure");
    }
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::string lower = to_lower(words[i]);
      if (lower.starts_with("nodename=")) {
        return read_node_update(*this, std::string_view(words[i]).substr(9));
      }
      if (lower.starts_with("partitionname=")) {
        return read_partition_update(*this, std::string_view(words[i]).substr(14), edits);
      }
      if (lower.starts_with("jobid=")) return not_simulated("an update of a job");
      if (names_a_reservation(lower)) return reservation();
    }
    return fail("scontrol update names nothing that is known",
                "NodeName=…, JobId=…, PartitionName=… or ReservationName=…");
  }

  std::optional<AdminAction> scancel() {
    CancelJobs cancel;
    std::vector<std::string> rest{words.front()};
    for (std::size_t i = 1; i < words.size(); ++i) {
      std::string word = words[i];
      if (!word.starts_with('-')) {
        rest.push_back(word);
        continue;
      }
      std::string value;
      if (const std::size_t equals = word.find('='); equals != std::string::npos) {
        value = word.substr(equals + 1);
        word.resize(equals);
      } else if (word.size() > 2 && word[1] != '-') {
        value = word.substr(2);
        word.resize(2);
      } else if (i + 1 < words.size()) {
        value = words[++i];
      }
      if (word == "--state" || word == "-t") {
        const std::string state = to_lower(value);
        if (state == "pending" || state == "pd") {
          cancel.state = JobState::Pending;
        } else if (state == "running" || state == "r") {
          cancel.state = JobState::Running;
        } else if (state == "suspended" || state == "s") {
          cancel.state = JobState::Suspended;
        } else {
          return fail(fmt::format("scancel: state '{}' is not known", value),
                      "PENDING, RUNNING or SUSPENDED");
        }
      } else if (word == "--user" || word == "-u") {
        cancel.user = names.intern(value);
      } else if (word == "--account" || word == "-A") {
        cancel.account = names.intern(value);
      } else if (word == "--partition" || word == "-p") {
        cancel.partition = names.intern(value);
      } else if (word == "--name" || word == "-n") {
        cancel.name = names.intern(value);
      } else {
        return fail(fmt::format("scancel: option '{}' is not known", word),
                    "--state, --user, --account, --partition, --name or job ids");
      }
    }
    words = std::move(rest);
    const auto jobs = ids(1);
    if (!jobs) return std::nullopt;
    cancel.ids = *jobs;
    return cancel;
  }

  std::optional<AdminAction> read() {
    words = split_words(line.command);
    if (words.empty()) return fail("the command is empty");
    if (words.front() == "scontrol") return scontrol();
    if (words.front() == "scancel") return scancel();
    if (words.front() == "sacctmgr") return read_account_change(*this, edits);
    if (words.front() == "slurmd" || words.front() == "node" || words.front() == "slurmctld") {
      return read_daemon_change(*this);
    }
    return fail(
        fmt::format("'{}' is not a command that can be replayed", words.front().substr(0, 60)),
        "scontrol, scancel or sacctmgr as an admin types them; slurmd, node or slurmctld for what "
        "befalls them");
  }
};

}  // namespace

std::vector<AdminCommandAt> understand_commands(const std::vector<AdminCommand>& lines,
                                                const Cluster& cluster, NamePool& names,
                                                Diagnostics& found) {
  std::vector<AdminCommandAt> commands;
  const TimeZone local = TimeZone::find(cluster.inputs.site.time_zone).value_or(TimeZone::utc());
  ConfigurationEdits edits{{}, cluster.inputs.accounting};
  for (const AdminCommand& line : lines) {
    const auto at = local.read(line.time_text);
    if (!at) {
      found.error(line.where, fmt::format("'{}' is not a time", line.time_text.substr(0, 60)),
                  "YYYY-MM-DDTHH:MM:SS, with Z or an offset if it is not the site's zone");
      continue;
    }
    Reader reader{{line, cluster, names, found, {}}, edits, *at, local};
    if (auto action = reader.read()) {
      commands.push_back({Time{*at}, line.command, std::move(*action)});
    }
  }
  std::stable_sort(commands.begin(), commands.end(),
                   [](const AdminCommandAt& a, const AdminCommandAt& b) { return a.at < b.at; });
  return commands;
}

}  // namespace rehearse

// sim/study/site_warnings.cpp — each a warning, with what would mend it.
#include "sim/study/site_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/power/boot.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/slurm_version.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// What power saving assumes is told.
void tell_boot_time(const LoadedSite& loaded, Diagnostics& found) {
  const SlurmConf& conf = loaded.inputs.slurm_conf;
  const SiteConf::Power& power = loaded.inputs.site.power;
  if (!saves_power(conf) || power.boot_time) return;
  const auto assumed = std::chrono::duration_cast<Seconds>(boot_time(conf, power));
  found.warning({loaded.folder.slurm_conf.string(), 0, 0},
                fmt::format("power saving is on, and nothing says how long a node boots: {} s are "
                            "assumed, half of ResumeTimeout",
                            assumed.count()),
                "power.boot_time in site.yaml");
}

/// Where associations are enforced and none is known, every job is refused.
void tell_missing_accounts(const LoadedSite& loaded, Diagnostics& found) {
  const auto& known = loaded.inputs.accounting.associations;
  if (!loaded.inputs.slurm_conf.enforce.associations || known.size() > 1) return;  // root is one
  found.warning({loaded.folder.slurm_conf.string(), 0, 0},
                "AccountingStorageEnforce holds jobs to associations, and none is known: all jobs "
                "are refused",
                "put assoc.dump into the folder (sacctmgr dump CLUSTER file=assoc.dump), or try "
                "--set AccountingStorageEnforce=none");
}

/// A signal that nobody sends saves nothing.
void tell_unsent_signal(const LoadedSite& loaded, Diagnostics& found) {
  if (!loaded.inputs.site.checkpoint.on_signal) return;
  if (loaded.inputs.slurm_conf.preempt_parameters.send_user_signal) return;
  found.warning(
      {loaded.folder.slurm_conf.string(), 0, 0},
      "checkpoint.on_signal of site.yaml has no effect: preemption warns with SIGTERM, and "
      "not with the signal of --signal",
      has(loaded.inputs.site.slurm_version, Change::PreemptParametersKey)
          ? "PreemptParameters=send_user_signal"
          : "SlurmctldParameters=preempt_send_user_signal");
}

/// They are in slurm.conf for scontrol to bring up one day.
void tell_future_nodes(const LoadedSite& loaded, Diagnostics& found) {
  std::vector<std::string> names;
  const SourcePosition* where = nullptr;
  for (const NodeConf& node : loaded.inputs.slurm_conf.nodes) {
    if (node.state != "FUTURE") continue;
    if (where == nullptr) where = &node.where;
    names.push_back(node.name);
  }
  if (where == nullptr) return;
  found.note(*where,
             fmt::format("{} of State=FUTURE ({}): no job runs there, and no capacity is counted",
                         names.size() == 1 ? "a node" : fmt::format("{} nodes", names.size()),
                         compress_hostlist(names)),
             "leave State=FUTURE out to try the cluster with them");
}

/// The jobs that a command names by their ids; none where it names none.
std::vector<JobTarget> targets_of(const AdminAction& action) {
  if (const auto* cancel = std::get_if<CancelJobs>(&action)) return cancel->targets;
  if (const auto* act = std::get_if<ActOnJobs>(&action)) return act->targets;
  if (const auto* update = std::get_if<UpdateJobs>(&action)) return update->targets;
  return {};
}

/// What commands can name of a site's jobs.
struct Known {
  std::set<JobId> jobs;
  std::set<NameId> users, accounts, partitions, qos;

  explicit Known(const LoadedSite& loaded) {
    for (const JobSpec& spec : loaded.jobs().specs()) {
      jobs.insert(spec.id);
      users.insert(spec.user);
      accounts.insert(spec.account);
      if (!spec.extras) continue;
      for (const ArrayTask& task : spec.extras->array) jobs.insert(task.id);
    }
    for (const Association& one : loaded.cluster->accounts.associations) {
      users.insert(one.user);
      accounts.insert(one.account);
    }
    for (const Partition& one : loaded.cluster->partitions) partitions.insert(one.name);
    for (const Qos& one : loaded.cluster->accounts.qos) qos.insert(one.name);
  }

  [[nodiscard]] std::vector<std::pair<const char*, NameId>> lacking(const CancelJobs& all) const {
    std::vector<std::pair<const char*, NameId>> found;
    const auto look = [&](const char* what, NameId name, const std::set<NameId>& in) {
      if (name != kNoName && !in.contains(name)) found.emplace_back(what, name);
    };
    look("user", all.user, users);
    look("account", all.account, accounts);
    look("partition", all.partition, partitions);
    look("QOS", all.qos, qos);
    return found;
  }
};

/// What sacctmgr stores, and no limit test looks at.
void tell_unused_limits(const LoadedSite& loaded, Diagnostics& found) {
  const SlurmVersion version = loaded.inputs.site.slurm_version;
  for (const QosConf& qos : loaded.inputs.accounting.qos) {
    if (qos.flags.relative && !has(version, Change::RelativeQos)) {
      found.warning(qos.where,
                    fmt::format("QOS '{}' has the flag Relative, which came with 23.11: its TRES "
                                "limits are taken as amounts",
                                qos.name),
                    "write the amounts into qos.txt, and take the flag away");
    }
    if (qos.max_tres_run_mins_per_user.empty() && qos.max_tres_run_mins_per_account.empty()) {
      continue;
    }
    if (has(version, Change::RunMinutesOfUsersAreEnforced)) continue;
    found.note(qos.where, fmt::format("MaxTRESRunMinsPU and MaxTRESRunMinsPA of QOS '{}' are "
                                      "stored, and enforced from 24.05 on only",
                                      qos.name));
  }
  for (const AssociationConf& each : loaded.inputs.accounting.associations) {
    if (each.max_tres_run_mins.empty()) continue;
    found.note(each.where,
               "MaxTRESRunMins of associations is stored, and no release of Slurm enforces it");
    return;  // one is told for all
  }
}

/// Names of a partition's lists that the accounting has not: Slurm goes on, and whoever was meant
/// stays out, or comes in.
void tell_unknown_names(const LoadedSite& loaded, Diagnostics& found) {
  const AccountingConf& accounting = loaded.inputs.accounting;
  std::set<std::string> accounts, qos;
  for (const AssociationConf& each : accounting.associations) {
    accounts.insert(to_lower(each.account));
  }
  for (const QosConf& each : accounting.qos) qos.insert(to_lower(each.name));
  const bool knows_accounts = accounting.associations.size() > 1;  // root is one
  const auto tell = [&](const PartitionConf& partition, std::string_view key,
                        const std::vector<std::string>& names, const std::set<std::string>& known,
                        const char* what) {
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    const auto at = partition.list_at.find(key);
    for (const std::string& name : names) {
      if (known.contains(to_lower(name))) continue;
      std::string hint = did_you_mean(name, candidates);
      if (hint.empty()) {
        hint = known.size() == 1   ? "put qos.txt into the folder (sacctmgr -P show qos)"
               : known.size() <= 8 ? fmt::format("there are {}", fmt::join(known, ", "))
                                   : fmt::format("the folder has {} others", known.size());
      }
      found.warning(
          at == partition.list_at.end() ? partition.where : at->second,
          fmt::format("{}: there is no {} '{}'; Slurm passes over it", key, what, shortened(name)),
          std::move(hint));
    }
  };
  for (const PartitionConf& each : loaded.inputs.slurm_conf.partitions) {
    tell(each, "AllowQos", each.allow_qos, qos, "QOS");
    tell(each, "DenyQos", each.deny_qos, qos, "QOS");
    if (!knows_accounts) continue;
    tell(each, "AllowAccounts", each.allow_accounts, accounts, "account");
    tell(each, "DenyAccounts", each.deny_accounts, accounts, "account");
  }
}

}  // namespace

void tell_configuration(const LoadedSite& loaded, Diagnostics& found) {
  tell_future_nodes(loaded, found);
  tell_boot_time(loaded, found);
  tell_unsent_signal(loaded, found);
  tell_missing_accounts(loaded, found);
  tell_unused_limits(loaded, found);
  tell_unknown_names(loaded, found);
}

void tell_unknown_targets(const std::vector<AdminCommand>& lines, const LoadedSite& loaded,
                          Diagnostics& found) {
  const SacctOptions& how = loaded.sacct;
  const bool is_whole = !how.from && !how.to && loaded.user_change.is_neutral();
  if (!loaded.has_jobs || !is_whole) return;
  const Known known(loaded);
  std::set<JobId> unknown;
  SourcePosition first_at;
  for (const AdminCommand& line : lines) {
    const auto same = [&](const AdminCommandAt& command) { return command.text == line.command; };
    const auto command = std::find_if(loaded.commands.begin(), loaded.commands.end(), same);
    if (command == loaded.commands.end()) continue;
    for (const JobTarget& target : targets_of(command->action)) {
      if (target.name != kNoName || known.jobs.contains(target.id)) continue;
      if (unknown.empty()) first_at = line.where;
      unknown.insert(target.id);
    }
    if (const auto* cancel = std::get_if<CancelJobs>(&command->action)) {
      for (const auto& [what, name] : known.lacking(*cancel)) {
        found.warning(line.where,
                      fmt::format("scancel: no job has the {} '{}': nothing is cancelled", what,
                                  loaded.names.text(name)));
      }
    }
  }
  if (unknown.empty()) return;
  found.warning(first_at,
                fmt::format("{} jobs that the file names are not among the jobs, job {} first: "
                            "nothing is done to them",
                            unknown.size(), static_cast<std::uint32_t>(*unknown.begin())),
                "ids are those of JobIDRaw, or 123_4 for a task");
}

void tell_unknown_qos(const LoadedSite& loaded, Diagnostics& found) {
  if (!loaded.inputs.slurm_conf.has_accounting) return;  // its jobs have none in Slurm either
  std::map<std::string, std::size_t, std::less<>> jobs_by_name;
  for (const JobSpec& spec : loaded.jobs().specs()) {
    if (spec.qos == kNoName || loaded.cluster->accounts.find_qos(spec.qos)) continue;
    ++jobs_by_name[std::string(loaded.names.text(spec.qos))];
  }
  if (jobs_by_name.empty()) return;
  std::vector<std::string> shown;
  for (const auto& [name, count] : jobs_by_name) {
    if (shown.size() == 10) break;
    shown.push_back(fmt::format("{} ({} jobs)", shortened(name), count));
  }
  const bool all = shown.size() == jobs_by_name.size();
  const bool refused = loaded.inputs.slurm_conf.enforce.qos;
  const bool has_file = std::filesystem::exists(loaded.folder.root / "qos.txt");
  found.warning({loaded.folder.root.string(), 0, 0},
                fmt::format("jobs have QOS that no file defines, {}{}: they are {}",
                            fmt::join(shown, ", "), all ? "" : " …",
                            refused ? "refused, as AccountingStorageEnforce has qos (Invalid qos "
                                      "specification)"
                                    : "scheduled without its priority and limits"),
                has_file ? "qos.txt lacks them: sacctmgr -P show qos withdeleted > qos.txt"
                         : "put qos.txt into the folder: sacctmgr -P show qos > qos.txt");
}

void tell_unknown_reservations(const LoadedSite& loaded, Diagnostics& found) {
  std::set<std::string, std::less<>> created;
  for (const AdminCommandAt& command : loaded.commands) {
    const auto* change = std::get_if<ReservationCommand>(&command.action);
    if (change != nullptr) created.insert(change->words.name);
  }
  std::map<std::string, std::size_t, std::less<>> jobs_by_name;
  for (const JobSpec& spec : loaded.jobs().specs()) {
    if (!spec.extras) continue;
    std::string_view rest = spec.extras->reservation;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view word = rest.substr(0, comma);
      const auto name = loaded.names.find(word);
      if (!created.contains(word) && !(name && loaded.cluster->reservations.is_known(*name))) {
        ++jobs_by_name[std::string(word)];
      }
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  for (const auto& [name, count] : jobs_by_name) {
    found.warning(
        {loaded.folder.root.string(), 0, 0},
        fmt::format("{} jobs ask for the reservation {}, which no file describes: they are "
                    "scheduled without it",
                    count, name),
        "put what scontrol show reservation prints into reservations.txt");
  }
}

}  // namespace rehearse

// sim/controller/configuration_commands.cpp — reading changes of partitions and of accounts.
//
// A change is applied to the configuration as it stands after the commands before it, and read
// again by the readers of slurm.conf and of sacctmgr's tables: one place says what a value may be.
#include <algorithm>

#include "sim/config/account_edit.hpp"
#include "sim/config/slurm_conf_again.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"

namespace rehearse {
namespace {

/// Tells the first error of `found` at the command's place.
bool tell_error(CommandText& text, const Diagnostics& found) {
  for (const Diagnostic& finding : found.all()) {
    if (finding.severity != Severity::Error) continue;
    text.fail(finding.what, finding.hint);
    return true;
  }
  return false;
}

struct Assignment {
  std::string key, value;
};

std::optional<Assignment> assignment_of(CommandText& text, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    text.fail(fmt::format("'{}' is not KEY=VALUE", shortened(word)));
    return std::nullopt;
  }
  return Assignment{word.substr(0, equals), word.substr(equals + 1)};
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
  ConfigurationEdits after = edits;
  bool some = false;
  for (std::size_t i = 2; i < text.words.size(); ++i) {
    const auto each = assignment_of(text, text.words[i]);
    if (!each) return std::nullopt;
    if (equals_ignoring_case(each->key, "PartitionName")) continue;
    if (equals_ignoring_case(each->key, "QOS"))
      return text.not_simulated("another QOS of a partition");
    after.changes.push_back(fmt::format("PartitionName={}:{}={}", name, each->key, each->value));
    some = true;
  }
  if (!some) return text.fail("nothing to change", "State=DOWN, MaxTime=…, Nodes=…");
  std::vector<std::string> changes = text.cluster.conf.changes;
  changes.insert(changes.end(), after.changes.begin(), after.changes.end());
  Diagnostics found;
  const SlurmConf conf =
      read_again(text.cluster.conf, changes, text.cluster.inputs.site.slurm_version, found);
  if (tell_error(text, found)) return std::nullopt;
  for (const PartitionConf& record : conf.partitions) {
    if (record.name != name) continue;
    if (record.jobs_a_core() != text.cluster.partitions[*partition].conf.jobs_a_core()) {
      return text.not_simulated("another number of jobs that share a core (OverSubscribe)");
    }
    edits = std::move(after);
    return UpdatePartition{*partition, record};
  }
  return text.fail("the partition is gone after the change");
}

std::optional<AdminAction> read_reconfigure(CommandText& text, ConfigurationEdits& edits) {
  Reconfigure again;
  for (const Partition& partition : text.cluster.partitions) {
    const std::string prefix = fmt::format("PartitionName={}:", partition.conf.name);
    const bool is_changed =
        std::any_of(edits.changes.begin(), edits.changes.end(),
                    [&](const std::string& change) { return change.starts_with(prefix); });
    if (is_changed) again.partitions.push_back({partition.id, partition.conf});
  }
  edits.changes.clear();
  return again;
}

namespace {

/// What stands between the entity and `set`: whom the change is for.
struct Selection {
  std::vector<std::string> names, accounts, partitions;
};

bool holds(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

void add_names(std::vector<std::string>& into, std::string_view list) {
  for (const std::string_view name : split_list(list)) into.push_back(to_lower(name));
}

bool read_selection(CommandText& text, std::size_t from, std::size_t to, Selection& chosen) {
  for (std::size_t i = from; i < to; ++i) {
    const std::string& word = text.words[i];
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      if (to_lower(word) != "where") add_names(chosen.names, word);
      continue;
    }
    const std::string key = to_lower(std::string_view(word).substr(0, equals));
    const std::string_view value = std::string_view(word).substr(equals + 1);
    if (key == "name" || key == "names" || key == "user" || key == "users") {
      add_names(chosen.names, value);
    } else if (key == "account" || key == "accounts" || key == "acct") {
      add_names(chosen.accounts, value);
    } else if (key == "partition" || key == "partitions") {
      add_names(chosen.partitions, value);
    } else if (key != "cluster" && key != "clusters") {
      text.fail(fmt::format("'{}' does not select anything here", shortened(key)),
                "name=, account=, partition=, cluster=");
      return false;
    }
  }
  return true;
}

std::size_t change_qos(CommandText& text, const Selection& chosen,
                       const std::vector<Assignment>& values, AccountingConf& conf) {
  std::size_t count = 0;
  for (QosConf& qos : conf.qos) {
    if (!holds(chosen.names, qos.name)) continue;
    ++count;
    for (const Assignment& each : values) {
      set_qos_value(qos, each.key, each.value, text.line.where, text.found);
    }
  }
  return count;
}

std::size_t change_associations(CommandText& text, bool users, const Selection& chosen,
                                const std::vector<Assignment>& values, AccountingConf& conf) {
  std::size_t count = 0;
  for (AssociationConf& row : conf.associations) {
    if (row.user.empty() == users) continue;
    const std::vector<std::string>& accounts = users ? chosen.accounts : chosen.names;
    if (!holds(accounts, row.account) || (users && !holds(chosen.names, to_lower(row.user))) ||
        (!chosen.partitions.empty() && !holds(chosen.partitions, row.partition))) {
      continue;
    }
    ++count;
    for (const Assignment& each : values) {
      set_association_value(row, each.key, each.value, text.line.where, text.found);
    }
  }
  return count;
}

}  // namespace

std::optional<AdminAction> read_account_change(CommandText& text, ConfigurationEdits& edits) {
  std::erase_if(text.words, [](const std::string& word) {
    return word == "-i" || word == "--immediate" || word == "-Q" || word == "--quiet";
  });
  const std::string verb = text.words.size() > 1 ? to_lower(text.words[1]) : "";
  if (verb == "add" || verb == "create" || verb == "delete" || verb == "remove") {
    return text.not_simulated("sacctmgr " + verb);
  }
  if (verb != "modify" && verb != "update") {
    return text.fail(fmt::format("sacctmgr '{}' is not known", shortened(verb)),
                     "sacctmgr modify qos|account|user NAME set KEY=VALUE");
  }
  const std::string what = text.words.size() > 2 ? to_lower(text.words[2]) : "";
  const bool qos = what == "qos", user = what == "user" || what == "users",
             account = what == "account" || what == "accounts";
  if (!qos && !user && !account) {
    return text.fail(fmt::format("sacctmgr modify '{}' is not known", shortened(what)),
                     "qos, account or user");
  }
  const auto set = std::find_if(text.words.begin() + 3, text.words.end(),
                                [](const std::string& word) { return to_lower(word) == "set"; });
  if (set == text.words.end() || set + 1 == text.words.end()) {
    return text.fail("nothing to set", "… set GrpTRES=gres/gpu=8");
  }
  Selection chosen;
  const auto at = static_cast<std::size_t>(set - text.words.begin());
  if (!read_selection(text, 3, at, chosen)) return std::nullopt;
  std::vector<Assignment> values;
  for (auto word = set + 1; word != text.words.end(); ++word) {
    if (to_lower(*word) == "where") {
      if (!read_selection(text, static_cast<std::size_t>(word - text.words.begin()),
                          text.words.size(), chosen)) {
        return std::nullopt;
      }
      break;
    }
    const auto each = assignment_of(text, *word);
    if (!each) return std::nullopt;
    values.push_back(*each);
  }
  if (chosen.names.empty() && chosen.accounts.empty()) {
    return text.fail("no " + what + " is named", "sacctmgr modify " + what + " NAME set …");
  }
  AccountingConf after = edits.accounting;
  const std::size_t errors = text.found.error_count();
  const std::size_t count = qos ? change_qos(text, chosen, values, after)
                                : change_associations(text, user, chosen, values, after);
  if (text.found.error_count() > errors) return std::nullopt;
  if (count == 0) return text.fail(fmt::format("no such {}: nothing is modified", what));
  Diagnostics found;
  NamePool& names = text.names;
  (void)make_account_book(after, text.cluster.tres, names, found);
  if (tell_error(text, found)) return std::nullopt;
  edits.accounting = after;
  return ChangeAccounts{std::move(after)};
}

}  // namespace rehearse

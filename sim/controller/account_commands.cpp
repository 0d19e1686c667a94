// sim/controller/account_commands.cpp — reading changes of accounts and QOS.
//
// A change is applied to the tables as they stand after the commands before it, and read again by
// the readers of sacctmgr's tables: one place says what a value may be.
#include <algorithm>

#include "sim/config/account_edit.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"

namespace rehearse {
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
  const auto sets_shares = [](const Assignment& each) {
    return to_lower(each.key) == "fairshare" || to_lower(each.key) == "share";
  };
  if (count > 0 && std::any_of(values.begin(), values.end(), sets_shares)) list_by_name(conf);
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
    const auto each = text.assignment(*word);
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
  if (text.tell_error(found)) return std::nullopt;
  edits.accounting = after;
  return ChangeAccounts{std::move(after)};
}

}  // namespace rehearse

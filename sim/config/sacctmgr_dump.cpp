// sim/config/sacctmgr_dump.cpp — `sacctmgr dump`: the account tree with each object's own values.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "sim/config/accounting.hpp"
#include "sim/config/accounting_cell.hpp"
#include "sim/config/sacctmgr_lines.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

enum Titles : std::uint8_t { kCluster = 1, kAccount = 2, kUser = 4, kAll = 7 };

/// A line's object while its fields are read.
struct Object {
  AssociationConf& association;
  std::string& default_account;
};

using Apply = void (*)(Object&, const AccountingCell&);

/// One key, the fewest letters it may be cut to, and where it may stand (limits.md §11.2).
struct DumpKey {
  std::string_view name;
  std::size_t least;
  Titles titles;
  Apply apply;
};

void ignore(Object&, const AccountingCell&) {}  // steers no decision

#define REHEARSE_SET(member, reader) \
  [](Object& object, const AccountingCell& cell) { object.association.member = cell.reader(); }
#define REHEARSE_SET_ONE(member, tres) \
  [](Object& object, const AccountingCell& cell) { cell.one_tres(tres, object.association.member); }

constexpr DumpKey kKeys[] = {
    {"AdminLevel", 2, kUser, REHEARSE_SET(is_operator, is_operator)},
    {"Classification", 3, kCluster, ignore},
    {"Comment", 3, kAll, ignore},  // from 24.05
    {"Coordinator", 2, kUser, ignore},
    {"DefaultAccount", 8, kUser,
     [](Object& object, const AccountingCell& cell) { object.default_account = cell.name(); }},
    {"DefaultQOS", 8, kAll, REHEARSE_SET(default_qos, name)},
    {"DefaultWCKey", 8, kUser, ignore},
    {"Description", 3, kAccount, ignore},
    {"FairShare", 1, kAll, REHEARSE_SET(fairshare, shares)},
    {"Flags", 2, kAll, ignore},  // from 24.05; the first letter alone stays FairShare
    {"GrpCPUMins", 7, kAll, REHEARSE_SET_ONE(limits.grp_tres_mins, "cpu")},
    {"GrpCPURunMins", 7, kAll, REHEARSE_SET_ONE(limits.grp_tres_run_mins, "cpu")},
    {"GrpCPUs", 6, kAll, REHEARSE_SET_ONE(limits.grp_tres, "cpu")},
    {"GrpJobs", 4, kAll, REHEARSE_SET(limits.grp_jobs, count)},
    {"GrpJobsAccrue", 8, kAll, REHEARSE_SET(limits.grp_jobs_accrue, count)},
    {"GrpMemory", 4, kAll, REHEARSE_SET_ONE(limits.grp_tres, "mem")},
    {"GrpNodes", 4, kAll, REHEARSE_SET_ONE(limits.grp_tres, "node")},
    {"GrpSubmitJobs", 4, kAll, REHEARSE_SET(limits.grp_submit_jobs, count)},
    {"GrpTRES", 7, kAll, REHEARSE_SET(limits.grp_tres, tres)},
    {"GrpTRESMins", 8, kAll, REHEARSE_SET(limits.grp_tres_mins, tres)},
    {"GrpTRESRunMins", 8, kAll, REHEARSE_SET(limits.grp_tres_run_mins, tres)},
    {"GrpWall", 4, kAll, REHEARSE_SET(limits.grp_wall, minutes)},
    {"MaxCPUMinsPerJob", 7, kAll, REHEARSE_SET_ONE(limits.max_tres_mins_per_job, "cpu")},
    {"MaxCPURunMins", 7, kAll, REHEARSE_SET_ONE(max_tres_run_mins, "cpu")},
    {"MaxCPUsPerJob", 6, kAll, REHEARSE_SET_ONE(limits.max_tres_per_job, "cpu")},
    {"MaxJobs", 4, kAll, REHEARSE_SET(max_jobs, count)},
    {"MaxJobsAccrue", 8, kAll, REHEARSE_SET(max_jobs_accrue, count)},
    {"MaxNodesPerJob", 4, kAll, REHEARSE_SET_ONE(limits.max_tres_per_job, "node")},
    {"MaxSubmitJobs", 4, kAll, REHEARSE_SET(max_submit_jobs, count)},
    {"MaxTRESMinsPerJob", 8, kAll, REHEARSE_SET(limits.max_tres_mins_per_job, tres)},
    {"MaxTRESPerJob", 7, kAll, REHEARSE_SET(limits.max_tres_per_job, tres)},
    {"MaxTRESPerNode", 11, kAll, REHEARSE_SET(limits.max_tres_per_node, tres)},
    {"MaxTRESRunMins", 8, kAll, REHEARSE_SET(max_tres_run_mins, tres)},
    {"MaxWallDurationPerJob", 4, kAll, REHEARSE_SET(limits.max_wall_per_job, minutes)},
    {"MinPrioThreshold", 4, kAll, REHEARSE_SET(limits.min_prio_threshold, count)},
    {"Organization", 1, kAccount, ignore},
    {"Partition", 1, kUser, REHEARSE_SET(partition, name)},
    {"Priority", 2, kAll, REHEARSE_SET(priority, count)},
    {"QOS", 1, kAll,
     [](Object& object, const AccountingCell& cell) { read_qos_list(cell, object.association); }},
    {"Shares", 1, kAll, REHEARSE_SET(fairshare, shares)},
    {"WCKeys", 2, kUser, ignore},
};
#undef REHEARSE_SET
#undef REHEARSE_SET_ONE

constexpr std::array<std::string_view, 6> kTitles = {"Cluster", "Machine", "Parent",
                                                     "Account", "Project", "User"};

const DumpKey* find_key(std::string_view written, Titles title) {
  for (const DumpKey& key : kKeys) {
    if ((key.titles & title) != 0 && equals_ignoring_case(written, key.name)) return &key;
  }
  for (const DumpKey& key : kKeys) {
    if ((key.titles & title) != 0 && text::abbreviates(written, key.name, key.least)) return &key;
  }
  return nullptr;
}

std::string hint_for_key(std::string_view written, Titles title) {
  std::vector<std::string_view> names;
  for (const DumpKey& key : kKeys) {
    if ((key.titles & title) != 0) names.push_back(key.name);
  }
  return did_you_mean(written, names);
}

class DumpReader {
 public:
  DumpReader(std::string file, Diagnostics& found) : file_(std::move(file)), found_(found) {}

  AccountingConf read(std::string_view text);

 private:
  void on_cluster(const DumpLine& line);
  void on_parent(const DumpLine& line);
  void on_account(const DumpLine& line);
  void on_user(const DumpLine& line);
  void mark_default_accounts();
  /// The name of the line's object; none, with an error, where it has none or two.
  const DumpField* name_of(const DumpLine& line);
  void apply(const DumpLine& line, Titles title, Object object);
  AssociationConf& account_at(const std::string& name) {
    return conf_.associations[accounts_.at(name)];
  }

  std::string file_;
  Diagnostics& found_;
  AccountingConf conf_;
  bool has_cluster_ = false;
  std::string parent_ = "root";
  std::map<std::string, std::size_t> accounts_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> users_;
  std::map<std::string, std::pair<std::string, SourcePosition>> default_accounts_;
};

const DumpField* DumpReader::name_of(const DumpLine& line) {
  const DumpField* name = nullptr;
  for (const DumpField& field : line.fields) {
    if (!field.key.empty()) continue;
    if (name != nullptr) {
      found_.error(field.value_at,
                   fmt::format("a second name '{}' on the line", shortened(field.value)),
                   "fields are Key=value; quote values that hold a colon");
      return nullptr;
    }
    name = &field;
  }
  if (name == nullptr) {
    found_.error(line.where, fmt::format("{} has no name", line.title),
                 fmt::format("write {} - 'name':Key=value", line.title));
  }
  return name;
}

void DumpReader::apply(const DumpLine& line, Titles title, Object object) {
  for (const DumpField& field : line.fields) {
    if (field.key.empty()) continue;
    const DumpKey* key = find_key(field.key, title);
    if (key == nullptr) {
      found_.error(field.key_at,
                   fmt::format("{}: unknown key for {}", shortened(field.key), line.title),
                   hint_for_key(field.key, title));
      continue;
    }
    if (field.value.empty()) continue;  // Slurm: empty values are ignored
    key->apply(object, AccountingCell(key->name, field.value, field.value_at, found_));
  }
}

void DumpReader::on_cluster(const DumpLine& line) {
  if (has_cluster_) {
    found_.error(line.where, "a second Cluster line", "a dump holds one cluster");
    return;
  }
  has_cluster_ = true;
  const DumpField* name = name_of(line);
  if (name == nullptr) return;
  conf_.cluster = to_lower(name->value);
  std::string ignored;
  AssociationConf& root = account_at("root");
  root.where = line.where;
  apply(line, kCluster, {root, ignored});
}

void DumpReader::on_parent(const DumpLine& line) {
  const DumpField* name = name_of(line);
  if (name == nullptr) return;
  std::string parent = to_lower(name->value);
  if (!accounts_.contains(parent)) {
    found_.error(name->value_at,
                 fmt::format("Parent '{}' is not defined above", shortened(name->value)),
                 "its Account line must come first");
    // Following lines still get a home, so that their own errors are told too.
    AssociationConf stand_in;
    stand_in.account = parent;
    stand_in.parent = "root";
    stand_in.where = line.where;
    accounts_[parent] = conf_.associations.size();
    conf_.associations.push_back(std::move(stand_in));
  }
  parent_ = std::move(parent);
}

void DumpReader::on_account(const DumpLine& line) {
  const DumpField* name = name_of(line);
  if (name == nullptr) return;
  const std::string account = to_lower(name->value);
  const auto known = accounts_.find(account);
  if (known == accounts_.end()) {
    AssociationConf fresh;
    fresh.account = account;
    fresh.parent = parent_;
    fresh.where = line.where;
    accounts_[account] = conf_.associations.size();
    conf_.associations.push_back(std::move(fresh));
  } else if (account != "root" && account_at(account).parent != parent_) {
    found_.error(name->value_at, fmt::format("account '{}' is already below '{}'", account,
                                             account_at(account).parent));
    return;
  }
  std::string ignored;
  apply(line, kAccount, {account_at(account), ignored});
}

void DumpReader::on_user(const DumpLine& line) {
  const DumpField* name = name_of(line);
  if (name == nullptr) return;
  AssociationConf fresh;
  fresh.account = parent_;
  fresh.user = name->value;
  fresh.parent = parent_;
  fresh.where = line.where;
  for (const DumpField& field : line.fields) {  // the partition is part of the identity
    const DumpKey* key = field.key.empty() ? nullptr : find_key(field.key, kUser);
    if (key != nullptr && key->name == "Partition") fresh.partition = to_lower(field.value);
  }
  const auto [known, is_new] = users_.try_emplace(
      std::tuple(fresh.account, fresh.user, fresh.partition), conf_.associations.size());
  const std::string user = fresh.user;
  if (is_new) conf_.associations.push_back(std::move(fresh));
  // A line for what exists modifies the fields it names, as `load` does.
  std::string default_account;
  apply(line, kUser, {conf_.associations[known->second], default_account});
  if (!default_account.empty()) {
    default_accounts_[user] = {default_account, line.where};
  } else {
    default_accounts_.try_emplace(user, parent_, line.where);
  }
}

void DumpReader::mark_default_accounts() {
  std::map<std::string, bool> has_default;
  for (AssociationConf& association : conf_.associations) {
    if (association.user.empty()) continue;
    const auto& [account, where] = default_accounts_.at(association.user);
    association.is_default_account = association.account == account;
    has_default[association.user] |= association.is_default_account;
  }
  for (const auto& [user, has] : has_default) {
    if (has) continue;
    const auto& [account, where] = default_accounts_.at(user);
    found_.warning(where,
                   fmt::format("user '{}' has no association with its DefaultAccount '{}'",
                               shortened(user), shortened(account)),
                   "jobs of this user need --account");
  }
}

AccountingConf DumpReader::read(std::string_view text) {
  AssociationConf root;
  root.account = "root";
  root.qos = {"normal"};  // as a new cluster has it (limits.md §1)
  conf_.associations.push_back(std::move(root));
  accounts_["root"] = 0;
  bool told_order = false;
  for (const DumpLine& line : read_dump_lines(text, file_, found_)) {
    const auto is = [&](std::string_view title) { return equals_ignoring_case(line.title, title); };
    const bool is_cluster = is("Cluster") || is("Machine");
    if (!is_cluster && !has_cluster_ && !told_order) {
      found_.error(line.where, "the first line must be the Cluster line",
                   "is this what `sacctmgr dump CLUSTER file=assoc.dump` wrote?");
      told_order = true;
    }
    if (is_cluster) {
      on_cluster(line);
    } else if (is("Parent")) {
      on_parent(line);
    } else if (is("Account") || is("Project")) {
      on_account(line);
    } else if (is("User")) {
      on_user(line);
    } else {
      found_.error(line.where, fmt::format("unknown title '{}'", shortened(line.title)),
                   did_you_mean(line.title, kTitles));
    }
  }
  if (!has_cluster_ && !told_order) {
    found_.error({file_}, "no Cluster line",
                 "is this what `sacctmgr dump CLUSTER file=assoc.dump` wrote?");
  }
  mark_default_accounts();
  return std::move(conf_);
}

}  // namespace

AccountingConf parse_sacctmgr_dump(std::string_view text, const std::string& file,
                                   Diagnostics& found) {
  return DumpReader(file, found).read(text);
}

}  // namespace rehearse

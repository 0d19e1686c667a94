// sim/config/assoc_table.cpp — `show assoc -P`: the associations, any columns of any release.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sim/config/account_edit.hpp"
#include "sim/config/accounting.hpp"
#include "sim/config/accounting_cell.hpp"
#include "sim/config/accounting_columns.hpp"
#include "sim/config/assoc_rows.hpp"
#include "sim/config/parsable_table.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

using Column = AccountingColumn<AssocRow>;

#define REHEARSE_SET(member, reader) \
  [](AssocRow& row, const AccountingCell& cell) { row.association.member = cell.reader(); }
#define REHEARSE_SET_ONE(member, tres) \
  [](AssocRow& row, const AccountingCell& cell) { cell.one_tres(tres, row.association.member); }
#define REHEARSE_SET_ID(member) \
  [](AssocRow& row, const AccountingCell& cell) { row.member = text::parse_decimal(cell.text()); }

void ignore(AssocRow&, const AccountingCell&) {}

constexpr Column kColumns[] = {
    {{"Cluster", ""}, [](AssocRow& row, const AccountingCell& cell) { row.cluster = cell.name(); }},
    {{"Account", "Acct"}, REHEARSE_SET(account, name)},
    {{"User", ""},
     [](AssocRow& row, const AccountingCell& cell) { row.association.user = cell.text(); }},
    {{"Partition", ""}, REHEARSE_SET(partition, name)},
    {{"Share", "FairShare"}, REHEARSE_SET(fairshare, shares)},
    {{"Priority", ""}, REHEARSE_SET(priority, count)},
    {{"GrpJobs", ""}, REHEARSE_SET(limits.grp_jobs, count)},
    {{"GrpJobsAccrue", ""}, REHEARSE_SET(limits.grp_jobs_accrue, count)},
    {{"GrpTRES", ""}, REHEARSE_SET(limits.grp_tres, tres)},
    {{"GrpSubmit", "GrpSubmitJobs"}, REHEARSE_SET(limits.grp_submit_jobs, count)},
    {{"GrpWall", ""}, REHEARSE_SET(limits.grp_wall, minutes)},
    {{"GrpTRESMins", ""}, REHEARSE_SET(limits.grp_tres_mins, tres)},
    {{"GrpTRESRunMins", ""}, REHEARSE_SET(limits.grp_tres_run_mins, tres)},
    {{"MaxJobs", ""}, REHEARSE_SET(max_jobs, count)},
    {{"MaxJobsAccrue", ""}, REHEARSE_SET(max_jobs_accrue, count)},
    {{"MaxTRES", "MaxTRESPerJob"}, REHEARSE_SET(limits.max_tres_per_job, tres)},
    {{"MaxTRESPerNode", ""}, REHEARSE_SET(limits.max_tres_per_node, tres)},
    {{"MaxSubmit", "MaxSubmitJobs"}, REHEARSE_SET(max_submit_jobs, count)},
    {{"MaxWall", "MaxWallDurationPerJob"}, REHEARSE_SET(limits.max_wall_per_job, minutes)},
    {{"MaxTRESMins", "MaxTRESMinsPerJob"}, REHEARSE_SET(limits.max_tres_mins_per_job, tres)},
    {{"MaxTRESRunMins", "MaxTRESRunMinsPU"}, REHEARSE_SET(max_tres_run_mins, tres)},
    {{"MinPrioThres", "MinPrioThreshold"}, REHEARSE_SET(limits.min_prio_threshold, count)},
    {{"QOS", ""},
     [](AssocRow& row, const AccountingCell& cell) { read_qos_list(cell, row.association); }},
    {{"Def QOS", "DefaultQOS"}, REHEARSE_SET(default_qos, name)},
    {{"Def Acct", "DefaultAccount"},
     [](AssocRow& row, const AccountingCell& cell) { row.default_account = cell.name(); }},
    {{"Par Name", "ParentName"},
     [](AssocRow& row, const AccountingCell& cell) { row.parent_name = cell.name(); }},
    {{"ID", ""}, REHEARSE_SET_ID(id)},
    {{"Par ID", "ParentID"}, REHEARSE_SET_ID(parent_id)},
    {{"LFT", ""}, REHEARSE_SET_ID(left)},
    {{"RGT", ""}, REHEARSE_SET_ID(right)},
    // Before 15.08.
    {{"GrpCPUs", ""}, REHEARSE_SET_ONE(limits.grp_tres, "cpu")},
    {{"GrpMem", "GrpMemory"}, REHEARSE_SET_ONE(limits.grp_tres, "mem")},
    {{"GrpNodes", ""}, REHEARSE_SET_ONE(limits.grp_tres, "node")},
    {{"GrpCPUMins", ""}, REHEARSE_SET_ONE(limits.grp_tres_mins, "cpu")},
    {{"GrpCPURunMins", ""}, REHEARSE_SET_ONE(limits.grp_tres_run_mins, "cpu")},
    {{"MaxCPUs", "MaxCPUsPerJob"}, REHEARSE_SET_ONE(limits.max_tres_per_job, "cpu")},
    {{"MaxNodes", "MaxNodesPerJob"}, REHEARSE_SET_ONE(limits.max_tres_per_job, "node")},
    {{"MaxCPUMins", "MaxCPUMinsPerJob"}, REHEARSE_SET_ONE(limits.max_tres_mins_per_job, "cpu")},
    {{"Admin", "AdminLevel"}, REHEARSE_SET(is_operator, is_operator)},
    // Nothing that decides.
    {{"Comment", ""}, ignore},
    {{"Coord Accounts", "Coordinators"}, ignore},
    {{"Descr", "Description"}, ignore},
    {{"Flags", ""}, ignore},
    {{"Lineage", ""}, ignore},
    {{"Org", "Organization"}, ignore},
    {{"WCKeys", ""}, ignore},
};
#undef REHEARSE_SET
#undef REHEARSE_SET_ONE
#undef REHEARSE_SET_ID

std::vector<AssocRow> read_rows(const ParsableTable& table, Diagnostics& found) {
  const auto columns = columns_of<AssocRow>(table, kColumns, found);
  std::vector<AssocRow> rows;
  for (const TableRow& line : table.rows) {
    AssocRow row;
    row.association.where = {table.file, line.line, 1};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] == nullptr) continue;
      const std::string_view text = line.cells[i].text;
      const std::string_view bare = trimmed(text);
      const std::size_t lead = bare.empty() ? 0 : text.find(bare);
      if (columns[i]->name.header == "Account") row.indent = lead;
      if (bare.empty()) continue;
      const SourcePosition where = text::shifted(table.at(line, i), lead);
      columns[i]->apply(row, AccountingCell(columns[i]->name.header, bare, where, found));
    }
    if (row.association.account.empty()) {
      found.error({table.file, line.line, 1}, "the row has no account");
      continue;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Without a column for it, a user's only account is the default, else the first one listed.
void mark_default_accounts(std::vector<AssocRow>& rows, const std::string& file,
                           Diagnostics& found) {
  std::map<std::string, std::string> chosen;
  std::map<std::string, bool> guessed;
  for (const AssocRow& row : rows) {
    const AssociationConf& association = row.association;
    if (association.user.empty()) continue;
    if (!row.default_account.empty()) {
      chosen[association.user] = row.default_account;
      guessed[association.user] = false;
      continue;
    }
    const auto [known, is_new] = chosen.try_emplace(association.user, association.account);
    if (is_new) continue;
    if (known->second != association.account) guessed.try_emplace(association.user, true);
  }
  for (AssocRow& row : rows) {
    AssociationConf& association = row.association;
    if (association.user.empty()) continue;
    association.is_default_account = association.account == chosen[association.user];
  }
  const auto count =
      std::count_if(guessed.begin(), guessed.end(), [](const auto& entry) { return entry.second; });
  if (count == 0) return;
  found.warning({file},
                fmt::format("{} user(s) have several accounts and no default here; the first one "
                            "listed is taken",
                            count),
                "`sacctmgr dump` has the default accounts");
}

std::string only_cluster(const std::vector<AssocRow>& rows, Diagnostics& found) {
  std::string cluster;
  for (const AssocRow& row : rows) {
    if (cluster.empty()) cluster = row.cluster;
    if (row.cluster.empty() || row.cluster == cluster) continue;
    found.error(
        row.association.where,
        fmt::format("a second cluster '{}' after '{}'", shortened(row.cluster), shortened(cluster)),
        "sacctmgr -P show assoc cluster=NAME");
    break;
  }
  return cluster;
}

}  // namespace

std::vector<AssocRow> read_assoc_rows(std::string_view text, const std::string& file,
                                      Diagnostics& found) {
  std::vector<AssocRow> rows;
  if (const auto table = read_parsable_table(text, file, kShowAssoc, found)) {
    if (!table->find({"Account", "Acct"})) {
      found.error({file, table->header_line, 1}, "no Account column",
                  fmt::format("run: {}", kShowAssoc));
    } else if (!table->find({"User"})) {
      found.error({file, table->header_line, 1}, "no User column",
                  fmt::format("run: {}", kShowAssoc));
    } else {
      rows = read_rows(*table, found);
    }
  }
  return rows;
}

AccountingConf parse_assoc_table(std::string_view text, const std::string& file,
                                 Diagnostics& found) {
  std::vector<AssocRow> rows = read_assoc_rows(text, file, found);
  AccountingConf conf;
  conf.cluster = only_cluster(rows, found);
  find_assoc_tree(rows, file, found);
  mark_default_accounts(rows, file, found);
  conf.associations = in_tree_order(std::move(rows), found);
  return conf;
}

void set_association_value(AssociationConf& association, std::string_view key,
                           std::string_view value, const SourcePosition& where,
                           Diagnostics& found) {
  const char sign = key.empty() ? ' ' : key.back();
  const bool edits = sign == '+' || sign == '-';
  const std::string_view name = edits ? key.substr(0, key.size() - 1) : key;
  const auto column = std::find_if(std::begin(kColumns), std::end(kColumns),
                                   [&](const Column& c) { return c.name.is(name); });
  constexpr std::string_view kFixed[] = {"Cluster",  "Account", "User",   "Partition", "Def Acct",
                                         "Par Name", "ID",      "Par ID", "LFT",       "RGT"};
  const bool settable =
      column != std::end(kColumns) &&
      std::find(std::begin(kFixed), std::end(kFixed), column->name.header) == std::end(kFixed);
  if (!settable || (edits && column->name.header != "QOS")) {
    std::vector<std::string_view> names;
    for (const Column& each : kColumns) names.push_back(each.name.header);
    found.error(where, fmt::format("an association has no '{}' to set", shortened(key)),
                did_you_mean(name, names));
    return;
  }
  AssocRow row;
  row.association = association;
  if (!edits) {
    if (column->name.header == "QOS") row.association.qos.clear();
    column->apply(row, AccountingCell(column->name.header, value, where, found));
  } else {
    // Words are added to a list of its own, or become edits of the parent's.
    if (association.qos.empty()) row.association.qos_is_edit = true;
    for (const std::string_view item : split_list(value)) {
      const std::string word = to_lower(item);
      std::erase(row.association.qos, word);
      std::erase(row.association.qos, "+" + word);
      std::erase(row.association.qos, "-" + word);
      if (row.association.qos_is_edit) row.association.qos.push_back(sign + word);
      if (!row.association.qos_is_edit && sign == '+') row.association.qos.push_back(word);
    }
  }
  merge_limits(row.association.limits, association.limits, value);
  association = std::move(row.association);
}

}  // namespace rehearse

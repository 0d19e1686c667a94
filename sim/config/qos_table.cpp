// sim/config/qos_table.cpp — `show qos -P`: what a QOS allows, any columns of any release.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "sim/config/account_edit.hpp"
#include "sim/config/accounting.hpp"
#include "sim/config/accounting_cell.hpp"
#include "sim/config/accounting_columns.hpp"
#include "sim/config/parsable_table.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kCommand = "sacctmgr -P show qos > qos.txt";

struct Row {
  QosConf qos;
  std::optional<std::uint64_t> id;
};

using Column = AccountingColumn<Row>;

/// QOS flags in the order in which Slurm prints them (limits.md §7.5).
struct FlagName {
  std::string_view name;
  bool QosFlags::*flag;
};
constexpr std::array<FlagName, 11> kFlags = {{
    {"DenyOnLimit", &QosFlags::deny_on_limit},
    {"EnforceUsageThreshold", &QosFlags::enforce_usage_threshold},
    {"NoReserve", &QosFlags::no_reserve},
    {"PartitionMaxNodes", &QosFlags::partition_max_nodes},
    {"PartitionMinNodes", &QosFlags::partition_min_nodes},
    {"OverPartQOS", &QosFlags::over_part_qos},
    {"PartitionTimeLimit", &QosFlags::partition_time_limit},
    {"RequiresReservation", &QosFlags::requires_reservation},
    {"NoDecay", &QosFlags::no_decay},
    {"Relative", &QosFlags::relative},
    {"UsageFactorSafe", &QosFlags::usage_factor_safe},
}};

void read_flags(Row& row, const AccountingCell& cell) {
  if (cell.text() == "-1") return;  // clears them
  for (const std::string& word : cell.names()) {
    const auto known = std::find_if(kFlags.begin(), kFlags.end(), [&](const FlagName& flag) {
      return equals_ignoring_case(word, flag.name);
    });
    if (known != kFlags.end()) {
      row.qos.flags.*(known->flag) = true;
      continue;
    }
    std::array<std::string_view, kFlags.size()> names{};
    std::transform(kFlags.begin(), kFlags.end(), names.begin(),
                   [](const FlagName& flag) { return flag.name; });
    cell.error(fmt::format("unknown QOS flag '{}'", shortened(word)), did_you_mean(word, names));
  }
}

void read_preempt_mode(Row& row, const AccountingCell& cell) {
  constexpr std::array<std::string_view, 8> kModes = {"cluster", "off",  "cancel", "requeue",
                                                      "suspend", "gang", "within", "priority"};
  std::string modes;
  for (const std::string& word : cell.names()) {
    if (std::find(kModes.begin(), kModes.end(), word) == kModes.end()) {
      cell.error(fmt::format("unknown PreemptMode '{}'", shortened(word)),
                 did_you_mean(word, kModes));
      continue;
    }
    modes += (modes.empty() ? "" : ",") + word;
  }
  if (!modes.empty()) row.qos.preempt_mode = modes;
}

void read_usage_factor(Row& row, const AccountingCell& cell) {
  row.qos.usage_factor = cell.factor().value_or(1.0);  // negative and unset are 1 (limits.md §7.5)
}

#define REHEARSE_SET(member, reader) \
  [](Row& row, const AccountingCell& cell) { row.qos.member = cell.reader(); }
#define REHEARSE_SET_ONE(member, tres) \
  [](Row& row, const AccountingCell& cell) { cell.one_tres(tres, row.qos.member); }

constexpr Column kColumns[] = {
    {{"Name", ""}, REHEARSE_SET(name, name)},
    {{"ID", ""},
     [](Row& row, const AccountingCell& cell) { row.id = text::parse_decimal(cell.text()); }},
    {{"Priority", ""},
     [](Row& row, const AccountingCell& cell) { row.qos.priority = cell.count().value_or(0); }},
    {{"GraceTime", ""},
     [](Row& row, const AccountingCell& cell) {
       row.qos.grace_time = cell.seconds().value_or(Seconds{0});
     }},
    {{"Preempt", ""}, REHEARSE_SET(preempt, names)},
    {{"PreemptExemptTime", ""}, REHEARSE_SET(preempt_exempt_time, seconds)},
    {{"PreemptMode", ""}, read_preempt_mode},
    {{"Flags", ""}, read_flags},
    {{"UsageThres", "UsageThreshold"}, REHEARSE_SET(usage_threshold, factor)},
    {{"UsageFactor", ""}, read_usage_factor},
    {{"LimitFactor", ""}, REHEARSE_SET(limit_factor, factor)},
    {{"MinPrioThres", "MinPrioThreshold"}, REHEARSE_SET(limits.min_prio_threshold, count)},
    {{"GrpTRES", ""}, REHEARSE_SET(limits.grp_tres, tres)},
    {{"GrpTRESMins", ""}, REHEARSE_SET(limits.grp_tres_mins, tres)},
    {{"GrpTRESRunMins", ""}, REHEARSE_SET(limits.grp_tres_run_mins, tres)},
    {{"GrpJobs", ""}, REHEARSE_SET(limits.grp_jobs, count)},
    {{"GrpJobsAccrue", ""}, REHEARSE_SET(limits.grp_jobs_accrue, count)},
    {{"GrpSubmit", "GrpSubmitJobs"}, REHEARSE_SET(limits.grp_submit_jobs, count)},
    {{"GrpWall", ""}, REHEARSE_SET(limits.grp_wall, minutes)},
    {{"MaxTRES", "MaxTRESPerJob"}, REHEARSE_SET(limits.max_tres_per_job, tres)},
    {{"MaxTRESPerNode", ""}, REHEARSE_SET(limits.max_tres_per_node, tres)},
    {{"MaxTRESMins", "MaxTRESMinsPerJob"}, REHEARSE_SET(limits.max_tres_mins_per_job, tres)},
    {{"MaxWall", "MaxWallDurationPerJob"}, REHEARSE_SET(limits.max_wall_per_job, minutes)},
    {{"MaxTRESPU", "MaxTRESPerUser"}, REHEARSE_SET(max_tres_per_user, tres)},
    {{"MaxJobsPU", "MaxJobsPerUser"}, REHEARSE_SET(max_jobs_per_user, count)},
    {{"MaxSubmitPU", "MaxSubmitJobsPerUser"}, REHEARSE_SET(max_submit_jobs_per_user, count)},
    {{"MaxSubmitJobsPU", ""}, REHEARSE_SET(max_submit_jobs_per_user, count)},
    {{"MaxJobsAccruePU", "MaxJobsAccruePerUser"}, REHEARSE_SET(max_jobs_accrue_per_user, count)},
    {{"MaxTRESPA", "MaxTRESPerAccount"}, REHEARSE_SET(max_tres_per_account, tres)},
    {{"MaxJobsPA", "MaxJobsPerAccount"}, REHEARSE_SET(max_jobs_per_account, count)},
    {{"MaxSubmitPA", "MaxSubmitJobsPerAccount"}, REHEARSE_SET(max_submit_jobs_per_account, count)},
    {{"MaxSubmitJobsPA", ""}, REHEARSE_SET(max_submit_jobs_per_account, count)},
    {{"MaxJobsAccruePA", "MaxJobsAccruePerAccount"},
     REHEARSE_SET(max_jobs_accrue_per_account, count)},
    {{"MaxTRESRunMinsPU", "MaxTRESRunMinsPerUser"}, REHEARSE_SET(max_tres_run_mins_per_user, tres)},
    {{"MaxTRESRunMinsPA", "MaxTRESRunMinsPerAccount"},
     REHEARSE_SET(max_tres_run_mins_per_account, tres)},
    {{"MinTRES", "MinTRESPerJob"}, REHEARSE_SET(min_tres_per_job, tres)},
    // Before 15.08.
    {{"GrpCPUs", ""}, REHEARSE_SET_ONE(limits.grp_tres, "cpu")},
    {{"GrpMem", "GrpMemory"}, REHEARSE_SET_ONE(limits.grp_tres, "mem")},
    {{"GrpNodes", ""}, REHEARSE_SET_ONE(limits.grp_tres, "node")},
    {{"GrpCPUMins", ""}, REHEARSE_SET_ONE(limits.grp_tres_mins, "cpu")},
    {{"GrpCPURunMins", ""}, REHEARSE_SET_ONE(limits.grp_tres_run_mins, "cpu")},
    {{"MaxCPUs", "MaxCPUsPerJob"}, REHEARSE_SET_ONE(limits.max_tres_per_job, "cpu")},
    {{"MaxNodes", "MaxNodesPerJob"}, REHEARSE_SET_ONE(limits.max_tres_per_job, "node")},
    {{"MaxCPUMins", "MaxCPUMinsPerJob"}, REHEARSE_SET_ONE(limits.max_tres_mins_per_job, "cpu")},
    {{"MaxCPUsPU", "MaxCPUsPerUser"}, REHEARSE_SET_ONE(max_tres_per_user, "cpu")},
    {{"MaxNodesPU", "MaxNodesPerUser"}, REHEARSE_SET_ONE(max_tres_per_user, "node")},
    {{"MinCPUs", "MinCPUsPerJob"}, REHEARSE_SET_ONE(min_tres_per_job, "cpu")},
    // Nothing that decides.
    {{"Descr", "Description"}, [](Row&, const AccountingCell&) {}},
};
#undef REHEARSE_SET
#undef REHEARSE_SET_ONE

std::vector<Row> read_rows(const ParsableTable& table, Diagnostics& found) {
  const auto columns = columns_of<Row>(table, kColumns, found);
  std::vector<Row> rows;
  std::map<std::string, std::uint32_t> lines;
  for (const TableRow& line : table.rows) {
    Row row;
    row.qos.where = {table.file, line.line, 1};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string_view bare = trimmed(line.cells[i].text);
      if (columns[i] == nullptr || bare.empty()) continue;
      columns[i]->apply(row,
                        AccountingCell(columns[i]->name.header, bare, table.at(line, i), found));
    }
    if (row.qos.name.empty()) {
      found.error({table.file, line.line, 1}, "the row has no QOS name");
      continue;
    }
    const auto [first, is_new] = lines.try_emplace(row.qos.name, line.line);
    if (!is_new) {
      found.error({table.file, line.line, 1}, fmt::format("QOS '{}' is already on line {}",
                                                          shortened(row.qos.name), first->second));
      continue;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void check_preempted_exist(const std::vector<Row>& rows, Diagnostics& found) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.qos.name);
  for (const Row& row : rows) {
    for (const std::string& victim : row.qos.preempt) {
      if (victim == "normal" || std::find(names.begin(), names.end(), victim) != names.end()) {
        continue;
      }
      found.error(row.qos.where,
                  fmt::format("QOS '{}' preempts '{}', which is not defined",
                              shortened(row.qos.name), shortened(victim)),
                  did_you_mean(victim, names));
    }
  }
}

}  // namespace

std::vector<QosConf> parse_qos_table(std::string_view text, const std::string& file,
                                     Diagnostics& found) {
  std::vector<Row> rows;
  if (const auto table = read_parsable_table(text, file, kCommand, found)) {
    if (!table->find({"Name"})) {
      found.error({file, table->header_line, 1}, "no Name column",
                  fmt::format("run: {}", kCommand));
    } else {
      rows = read_rows(*table, found);
    }
  }
  check_preempted_exist(rows, found);
  const auto has_id = [](const Row& row) { return row.id.has_value(); };
  if (std::all_of(rows.begin(), rows.end(), has_id)) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return *a.id < *b.id; });
  }
  const auto is_normal = [](const Row& row) { return row.qos.name == "normal"; };
  std::vector<QosConf> all;
  if (std::none_of(rows.begin(), rows.end(), is_normal)) {
    all.emplace_back().name = "normal";  // created with the database, id 1 (limits.md §1)
  }
  for (Row& row : rows) all.push_back(std::move(row.qos));
  return all;
}

void set_qos_value(QosConf& qos, std::string_view key, std::string_view value,
                   const SourcePosition& where, Diagnostics& found) {
  const char sign = key.empty() ? ' ' : key.back();
  const bool edits = sign == '+' || sign == '-';
  const std::string_view name = edits ? key.substr(0, key.size() - 1) : key;
  const auto column = std::find_if(std::begin(kColumns), std::end(kColumns),
                                   [&](const Column& c) { return c.name.is(name); });
  const bool fixed = column != std::end(kColumns) &&
                     (column->name.header == "Name" || column->name.header == "ID");
  const bool is_flags = column != std::end(kColumns) && column->name.header == "Flags";
  if (column == std::end(kColumns) || fixed ||
      (edits && !is_flags && column->name.header != "Preempt")) {
    std::vector<std::string_view> names;
    for (const Column& each : kColumns) names.push_back(each.name.header);
    found.error(where, fmt::format("a QOS has no '{}' to set", shortened(key)),
                did_you_mean(name, names));
    return;
  }
  Row row{.qos = qos, .id = {}};
  if (is_flags) row.qos.flags = {};
  column->apply(row, AccountingCell(column->name.header, value, where, found));
  if (edits && is_flags) {
    const QosFlags named = std::exchange(row.qos.flags, qos.flags);
    for (const auto& [name_of, flag] : kFlags) {
      if (named.*flag) row.qos.flags.*flag = sign == '+';
    }
  } else if (edits) {
    const std::vector<std::string> words = std::exchange(row.qos.preempt, qos.preempt);
    for (const std::string& word : words) {
      std::erase(row.qos.preempt, word);
      if (sign == '+') row.qos.preempt.push_back(word);
    }
  }
  merge_limits(row.qos.limits, qos.limits, value);
  if (column->name.header == "MaxTRESPU") {
    row.qos.max_tres_per_user =
        merged_tres(qos.max_tres_per_user, row.qos.max_tres_per_user, value);
  } else if (column->name.header == "MaxTRESPA") {
    row.qos.max_tres_per_account =
        merged_tres(qos.max_tres_per_account, row.qos.max_tres_per_account, value);
  } else if (column->name.header == "MinTRES") {
    row.qos.min_tres_per_job = merged_tres(qos.min_tres_per_job, row.qos.min_tres_per_job, value);
  }
  qos = std::move(row.qos);
}

}  // namespace rehearse

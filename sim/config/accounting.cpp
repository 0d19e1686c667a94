// sim/config/accounting.cpp — a site's accounting: the dump, the tables, and how they join.
#include "sim/config/accounting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/config/assoc_rows.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_if_there(const fs::path& path, AccountingConf& conf,
                                         Diagnostics& found) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  std::optional<std::string> text = text::read_file(path, found);
  if (text) conf.sources.emplace_back(path.filename().string(), *text);
  return text;
}

using Key = std::tuple<std::string, std::string, std::string>;
Key key_of(const AssociationConf& a) {
  return {a.account, a.user, a.partition};
}

/// The dump omits MinPrioThreshold up to 24.11 (limits.md §11.2), and LFT; assoc.txt may have them.
/// What one of them has and the other lacks is told: they may be of different days.
void fill_from_table(AccountingConf& conf, const std::vector<AssocRow>& rows,
                     const std::string& file, Diagnostics& found) {
  std::map<Key, AssociationConf*> known;
  for (AssociationConf& association : conf.associations) known[key_of(association)] = &association;
  std::size_t missing = 0;
  std::string first;
  for (const AssocRow& line : rows) {
    const AssociationConf& row = line.association;
    const auto at = known.find(key_of(row));
    if (at == known.end()) {
      if (missing++ == 0) first = row.user.empty() ? row.account : row.account + "/" + row.user;
      continue;
    }
    auto& threshold = at->second->limits.min_prio_threshold;
    if (!threshold) threshold = row.limits.min_prio_threshold;
    at->second->left = line.left;
  }
  if (missing > 0) {
    found.warning({file},
                  fmt::format("{} association(s) are not in assoc.dump and are left out, first {}",
                              missing, shortened(first)),
                  "take both files on the same day");
  }
}

/// Every QOS that an association names must be defined; without qos.txt it is made up, told once.
void check_qos_names(AccountingConf& conf, bool has_table, Diagnostics& found) {
  std::set<std::string> defined;
  for (const QosConf& qos : conf.qos) defined.insert(qos.name);
  std::set<std::string> invented;
  const auto check = [&](std::string_view name, const AssociationConf& association) {
    if (name.empty() || defined.contains(std::string(name))) return;
    if (!has_table) {
      invented.emplace(name);
      return;
    }
    const std::vector<std::string_view> names(defined.begin(), defined.end());
    found.error(association.where,
                fmt::format("QOS '{}' is not defined in qos.txt", shortened(name)),
                did_you_mean(name, names));
  };
  for (const AssociationConf& association : conf.associations) {
    check(association.default_qos, association);
    for (std::string_view name : association.qos) {
      if (association.qos_is_edit) name.remove_prefix(1);
      check(name, association);
    }
  }
  if (invented.empty()) return;
  std::string list;
  for (const std::string& name : invented) {
    conf.qos.emplace_back().name = name;
    list += (list.empty() ? "" : ", ") + name;
  }
  found.warning({conf.associations.front().where.file},
                fmt::format("no qos.txt: these QOS have priority 0 and no limits: {}", list),
                "a dump has no QOS definitions; run: sacctmgr -P show qos > qos.txt");
}

AccountingConf bare_accounting() {
  AccountingConf conf;
  AssociationConf& root = conf.associations.emplace_back();
  root.account = "root";
  root.qos = {"normal"};
  conf.qos.emplace_back().name = "normal";
  return conf;
}

}  // namespace

AccountingConf read_accounting(const fs::path& site, Diagnostics& found, SlurmVersion version) {
  AccountingConf conf = bare_accounting();
  const auto dump = read_if_there(site / "assoc.dump", conf, found);
  const auto table = read_if_there(site / "assoc.txt", conf, found);
  const auto qos = read_if_there(site / "qos.txt", conf, found);
  const auto take_tree = [&](AccountingConf&& from) {
    conf.cluster = std::move(from.cluster);
    conf.associations = std::move(from.associations);
  };
  const std::string table_file = (site / "assoc.txt").string();
  if (dump) {
    take_tree(parse_sacctmgr_dump(*dump, (site / "assoc.dump").string(), found));
    if (table) {
      fill_from_table(conf, read_assoc_rows(*table, table_file, found), table_file, found);
    }
  } else if (table) {
    take_tree(parse_assoc_table(*table, table_file, found));
  }
  conf.has_qos_table = qos.has_value();
  if (qos) conf.qos = parse_qos_table(*qos, (site / "qos.txt").string(), found);
  check_qos_names(conf, qos.has_value(), found);
  if (has(version, Change::AssociationsByLineage)) list_by_name(conf);
  return conf;
}

void list_by_name(AccountingConf& conf) {
  for (AssociationConf& association : conf.associations) association.left.reset();
}

void take_named_qos(AccountingConf& conf, SlurmConf& slurm_conf, Diagnostics& found) {
  const EnforceConf& enforce = slurm_conf.enforce;
  // Files of a database are believed where slurm.conf does not name it.
  const bool has_database =
      slurm_conf.has_accounting || conf.has_qos_table || conf.associations.size() > 1;
  if (!has_database && (enforce.associations || enforce.limits || enforce.qos)) {
    found.warning(slurm_conf.raw.at("AccountingStorageEnforce").where,
                  "nothing is enforced without a database (AccountingStorageType), as in slurmctld",
                  "write AccountingStorageType=accounting_storage/slurmdbd where there is one");
    slurm_conf.enforce = {};
  }
  std::set<std::string> as_written, defined, named;
  for (const QosConf& qos : conf.qos) {
    as_written.insert(qos.name);
    defined.insert(to_lower(qos.name));
  }
  const SourcePosition* first = nullptr;
  for (PartitionConf& partition : slurm_conf.partitions) {
    std::set<std::string> here(partition.allow_qos.begin(), partition.allow_qos.end());
    here.insert(partition.deny_qos.begin(), partition.deny_qos.end());
    if (!partition.qos.empty()) here.insert(partition.qos);
    if (here.empty()) continue;
    if (first == nullptr) first = &partition.where;
    for (const std::string& name : here) named.insert(to_lower(name));
    if (!as_written.contains(partition.qos)) partition.qos = to_lower(partition.qos);
    if (has_database) continue;
    partition.qos.clear();
    partition.allow_qos.clear();
    partition.deny_qos.clear();
  }
  if (first == nullptr) return;
  if (!has_database) {
    found.warning(*first, fmt::format("QOS of partitions mean nothing without a database "
                                      "(AccountingStorageType): {}",
                                      fmt::join(named, ", ")));
    return;
  }
  if (conf.has_qos_table) return;
  std::vector<std::string> made;
  std::set_difference(named.begin(), named.end(), defined.begin(), defined.end(),
                      std::back_inserter(made));
  if (made.empty()) return;
  for (const std::string& name : made) conf.qos.emplace_back().name = name;
  found.warning(*first,
                fmt::format("no qos.txt: these QOS of partitions have priority 0 and no limits: {}",
                            fmt::join(made, ", ")),
                "put it into the folder: sacctmgr -P show qos > qos.txt");
}

}  // namespace rehearse

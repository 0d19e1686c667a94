// sim/output/result_tables.cpp — one list of fields a table, walked by the writer and by the
// reader.
#include "sim/output/result_tables.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "sim/core/error.hpp"

namespace rehearse {
namespace {

using hdf5::Table;
using hdf5::TableColumn;

struct Field {
  const char* name;
  const char* units;
  const char* long_name;
  bool is_newer = false;  ///< files of earlier builds lack it
};

template <typename Node, typename Use>
void for_each_node_field(Node& n, Use&& use) {
  use(Field{"name", "", "node name"}, n.name);
  use(Field{"cpus", "1", "configured CPUs"}, n.cpus);
  use(Field{"effective_cpus", "1", "CPUs without specialised cores"}, n.effective_cpus);
  use(Field{"sockets", "1", "sockets"}, n.sockets);
  use(Field{"cores_per_socket", "1", "cores of a socket"}, n.cores_per_socket);
  use(Field{"threads_per_core", "1", "threads of a core"}, n.threads_per_core);
  use(Field{"weight", "1", "Weight"}, n.weight);
  use(Field{"gpus_milli", "0.001", "GPUs in thousandths"}, n.gpu_milli);
  use(Field{"memory", "MiB", "memory for jobs"}, n.memory_mib);
  use(Field{"real_memory", "MiB", "RealMemory"}, n.real_memory_mib);
  use(Field{"tmp_disk", "MiB", "TmpDisk"}, n.tmp_disk_mib);
  use(Field{"features", "", "features as written"}, n.features);
  use(Field{"gres", "", "Gres as scontrol shows it"}, n.gres);
  use(Field{"gres_idle", "", "GresUsed of the idle node", true}, n.gres_idle);
  use(Field{"partitions", "", "partitions it belongs to"}, n.partitions);
}

template <typename Partition, typename Use>
void for_each_partition_field(Partition& p, Use&& use) {
  use(Field{"name", "", "partition name"}, p.name);
  use(Field{"state", "", "up, down, drain or inact"}, p.state);
  use(Field{"is_default", "1", "1: the default partition"}, p.is_default);
  use(Field{"root_only", "1", "1: RootOnly"}, p.root_only);
  use(Field{"max_time", "min", "MaxTime; 4294967295: unlimited"}, p.max_time_min);
  use(Field{"min_nodes", "1", "MinNodes"}, p.min_nodes);
  use(Field{"max_nodes", "1", "MaxNodes; 4294967295: unlimited"}, p.max_nodes);
  use(Field{"priority_tier", "1", "PriorityTier"}, p.priority_tier);
  use(Field{"priority_job_factor", "1", "PriorityJobFactor"}, p.priority_job_factor);
  use(Field{"over_subscribe", "", "OverSubscribe"}, p.over_subscribe);
  use(Field{"node_list", "", "nodes as a host list"}, p.node_list);
}

template <typename Qos, typename Use>
void for_each_qos_field(Qos& q, Use&& use) {
  use(Field{"name", "", "QOS name"}, q.name);
  use(Field{"priority", "1", "Priority"}, q.priority);
}

template <typename Association, typename Use>
void for_each_account_field(Association& a, Use&& use) {
  use(Field{"account", "", "account"}, a.account);
  use(Field{"user", "", "user; empty: the account itself"}, a.user);
  use(Field{"partition", "", "partition; empty: every one"}, a.partition);
  use(Field{"parent", "1", "row of the parent; 4294967295: the root"}, a.parent);
  use(Field{"shares", "1", "RawShares; -1: parent"}, a.shares);
  use(Field{"shares_norm", "1", "NormShares at the end of the run"}, a.shares_norm);
}

template <typename Loops, typename Use>
void for_each_loop_field(Loops& l, Use&& use) {
  use(Field{"main_passes", "1", "passes of the main loop"}, l.main_passes);
  use(Field{"main_records", "1", "queue records it looked at"}, l.main_records);
  use(Field{"main_starts", "1", "jobs it started"}, l.main_starts);
  use(Field{"backfill_cycles", "1", "backfill cycles"}, l.backfill_cycles);
  use(Field{"backfill_depth", "1", "queue records that it came to", true}, l.backfill_depth);
  use(Field{"backfill_starts", "1", "jobs it started"}, l.backfill_starts);
  use(Field{"priority_ticks", "1", "recalculations of priorities"}, l.priority_ticks);
  use(Field{"time_limit_scans", "1", "jobs that met their limit"}, l.time_limit_scans);
  use(Field{"events", "1", "events of the engine"}, l.events);
  use(Field{"commands_done", "1", "commands of an admin"}, l.commands_done);
}

/// Appends one record's fields to the columns of `table`, which are made at the first record.
class Appender {
 public:
  explicit Appender(Table& table) : table_(table) {}
  template <typename T>
  void operator()(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      push<std::string>(field, value);
    } else if constexpr (std::is_same_v<T, double>) {
      push<double>(field, value);
    } else {
      push<std::int64_t>(field, static_cast<std::int64_t>(value));
    }
  }

 private:
  template <typename V>
  void push(const Field& field, const V& value) {
    if (at_ == table_.size()) {
      table_.push_back({field.name, std::vector<V>{}, field.units, field.long_name});
    }
    std::get<std::vector<V>>(table_[at_++].values).push_back(value);
  }
  Table& table_;
  std::size_t at_ = 0;
};

/// Fills one record's fields from row `row` of `table`, by name.
class Taker {
 public:
  Taker(const Table& table, std::size_t row) : table_(table), row_(row) {}
  template <typename T>
  void operator()(const Field& field, T& value) const {
    for (const TableColumn& column : table_) {
      if (column.name != field.name) continue;
      if constexpr (std::is_same_v<T, std::string>) {
        value = std::get<std::vector<std::string>>(column.values)[row_];
      } else if constexpr (std::is_same_v<T, double>) {
        value = std::get<std::vector<double>>(column.values)[row_];
      } else {
        value = static_cast<T>(std::get<std::vector<std::int64_t>>(column.values)[row_]);
      }
      return;
    }
    if (field.is_newer) return;
    throw InputError({field.name, 0, 0}, "the result file lacks this table column");
  }

 private:
  const Table& table_;
  std::size_t row_;
};

std::size_t rows_of(const Table& table) {
  if (table.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, table.front().values);
}

template <typename Records, typename Walk>
Table to_table(const Records& records, Walk walk) {
  Table table;
  for (const auto& record : records) walk(record, Appender(table));
  if (records.empty()) {
    // Columns without rows: made of an empty record, then emptied.
    typename Records::value_type none{};
    walk(none, Appender(table));
    for (TableColumn& column : table) {
      std::visit([](auto& values) { values.clear(); }, column.values);
    }
  }
  return table;
}

template <typename Records, typename Walk>
void from_table(const Table& table, Records& records, Walk walk) {
  records.resize(rows_of(table));
  for (std::size_t row = 0; row < records.size(); ++row) walk(records[row], Taker(table, row));
}

constexpr auto kNodes = [](auto& r, auto&& use) { for_each_node_field(r, use); };
constexpr auto kPartitions = [](auto& r, auto&& use) { for_each_partition_field(r, use); };
constexpr auto kQos = [](auto& r, auto&& use) { for_each_qos_field(r, use); };
constexpr auto kAccounts = [](auto& r, auto&& use) { for_each_account_field(r, use); };

struct SummaryRow {
  std::string name, units, long_name, formula, denominator;
  double value = 0;
};
constexpr auto kSummary = [](auto& r, auto&& use) {
  use(Field{"name", "", "figure"}, r.name);
  use(Field{"value", "", "its value, in the units beside it"}, r.value);
  use(Field{"units", "", "units of the value"}, r.units);
  use(Field{"long_name", "", "what it is"}, r.long_name);
  use(Field{"formula", "", "how it is computed"}, r.formula);
  use(Field{"denominator", "", "what it is divided by"}, r.denominator);
};
constexpr auto kDefinition = [](auto& r, auto&& use) {
  use(Field{"name", "", "figure"}, r.name);
  use(Field{"units", "", "its units"}, r.units);
  use(Field{"long_name", "", "what it is"}, r.long_name);
  use(Field{"formula", "", "how it is computed"}, r.formula);
  use(Field{"denominator", "", "what it is divided by"}, r.denominator);
};
constexpr auto kGroup = [](auto& r, auto&& use) {
  use(Field{"scope", "", "partition, account, qos, size, reason or state"}, r.scope);
  use(Field{"group", "", "which of them"}, r.group);
  use(Field{"name", "", "figure, defined in kpi/definitions"}, r.name);
  use(Field{"value", "", "its value, in the units of its definition"}, r.value);
};

SummaryRow with_definition(const KpiDefinition& definition) {
  return {std::string(definition.name),        std::string(definition.units),
          std::string(definition.long_name),   std::string(definition.formula),
          std::string(definition.denominator), 0};
}

}  // namespace

Table nodes_table(const ClusterFacts& facts) {
  return to_table(facts.nodes, kNodes);
}
Table partitions_table(const ClusterFacts& facts) {
  return to_table(facts.partitions, kPartitions);
}
Table qos_table(const ClusterFacts& facts) {
  return to_table(facts.qos, kQos);
}
Table accounts_table(const ClusterFacts& facts) {
  return to_table(facts.associations, kAccounts);
}

Table kpi_summary_table(const Kpis& kpis) {
  std::vector<SummaryRow> rows;
  for (const Kpi& kpi : kpis.values) {
    if (kpi.scope != "all") continue;
    const KpiDefinition* definition = find_kpi_definition(kpi.name);
    SummaryRow row = definition != nullptr ? with_definition(*definition) : SummaryRow{};
    row.name = kpi.name;
    row.value = kpi.value;
    rows.push_back(std::move(row));
  }
  return to_table(rows, kSummary);
}

Table kpi_groups_table(const Kpis& kpis) {
  std::vector<Kpi> rows;
  for (const Kpi& kpi : kpis.values) {
    if (kpi.scope != "all") rows.push_back(kpi);
  }
  return to_table(rows, kGroup);
}

Table kpi_definitions_table() {
  std::vector<SummaryRow> rows;
  for (const KpiDefinition& definition : kpi_definitions()) {
    rows.push_back(with_definition(definition));
  }
  return to_table(rows, kDefinition);
}

Table loops_table(const LoopCounts& loops) {
  return to_table(std::vector<LoopCounts>{loops},
                  [](auto& r, auto&& use) { for_each_loop_field(r, use); });
}

void read_nodes(const Table& table, ClusterFacts& facts) {
  from_table(table, facts.nodes, kNodes);
}
void read_partitions(const Table& table, ClusterFacts& facts) {
  from_table(table, facts.partitions, kPartitions);
}
void read_qos(const Table& table, ClusterFacts& facts) {
  from_table(table, facts.qos, kQos);
}
void read_accounts(const Table& table, ClusterFacts& facts) {
  from_table(table, facts.associations, kAccounts);
}

void read_kpis(const Table& summary, const Table& groups, Kpis& kpis) {
  std::vector<SummaryRow> rows;
  from_table(summary, rows, kSummary);
  for (SummaryRow& row : rows) kpis.values.push_back({"all", "", std::move(row.name), row.value});
  std::vector<Kpi> grouped;
  from_table(groups, grouped, kGroup);
  for (Kpi& kpi : grouped) kpis.values.push_back(std::move(kpi));
}

void read_loops(const Table& table, LoopCounts& loops) {
  std::vector<LoopCounts> rows;
  from_table(table, rows, [](auto& r, auto&& use) { for_each_loop_field(r, use); });
  if (rows.empty()) return;
  // Fingerprints are root attributes, not of this table.
  rows.front().event_fingerprint = loops.event_fingerprint;
  rows.front().schedule_fingerprint = loops.schedule_fingerprint;
  loops = rows.front();
}

}  // namespace rehearse

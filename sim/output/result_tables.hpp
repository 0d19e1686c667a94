// sim/output/result_tables.hpp — cluster facts and KPIs as compound tables, both ways.
#pragma once

#include "sim/output/hdf5.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

[[nodiscard]] hdf5::Table nodes_table(const ClusterFacts& facts);
[[nodiscard]] hdf5::Table partitions_table(const ClusterFacts& facts);
[[nodiscard]] hdf5::Table qos_table(const ClusterFacts& facts);
[[nodiscard]] hdf5::Table accounts_table(const ClusterFacts& facts);
/// Figures of the whole run with their definitions.
[[nodiscard]] hdf5::Table kpi_summary_table(const Kpis& kpis);
/// Figures by partition, account, QOS, size, reason, state.
[[nodiscard]] hdf5::Table kpi_groups_table(const Kpis& kpis);
[[nodiscard]] hdf5::Table kpi_definitions_table();
[[nodiscard]] hdf5::Table loops_table(const LoopCounts& loops);

void read_nodes(const hdf5::Table& table, ClusterFacts& facts);
void read_partitions(const hdf5::Table& table, ClusterFacts& facts);
void read_qos(const hdf5::Table& table, ClusterFacts& facts);
void read_accounts(const hdf5::Table& table, ClusterFacts& facts);
void read_kpis(const hdf5::Table& summary, const hdf5::Table& groups, Kpis& kpis);
void read_loops(const hdf5::Table& table, LoopCounts& loops);

}  // namespace rehearse

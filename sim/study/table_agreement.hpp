// sim/study/table_agreement.hpp — are priorities and shares what the recorded tables say?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "workloads/recorded_tables.hpp"

namespace rehearse {

/// One cell that differs.
struct TableDifference {
  SlurmTime at;
  std::string row, column, ours, theirs;
};

struct TableAgreement {
  std::size_t tables = 0;
  std::size_t priority_rows = 0, priority_rows_within_one = 0;
  std::size_t share_rows = 0, share_rows_same = 0;
  std::vector<TableDifference> differences;  ///< by instant, the first of each row
};

/// With CALCULATE_RUNNING sprio tells of jobs that have ended, too, until slurmctld forgets them:
/// no decision asks for their priorities, and the state does not keep them up.
void leave_out_ended(RecordedTables& recorded, const Cluster& cluster);

/// The rows that the state contradicts, and the first cell of each that does. Of sprio a row agrees
/// if no number is more than one point away, of sshare if each column but TRESRunMins is the same
/// to its last digit. A row of which there is no job or association is contradicted.
[[nodiscard]] RecordedTables differing_rows(const RecordedTables& recorded, const Cluster& cluster,
                                            const NamePool& names,
                                            std::vector<TableDifference>& why);

}  // namespace rehearse

// sim/config/assoc_rows.hpp — the rows of `show assoc -P` on their way to a tree (limits.md §11.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/accounting.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// What a hint tells to run.
inline constexpr std::string_view kShowAssoc =
    "sacctmgr -P show assoc tree format=Cluster,Account,ParentName,User,Partition,Share,Priority,"
    "GrpJobs,GrpTRES,GrpSubmit,GrpWall,GrpTRESMins,GrpTRESRunMins,MaxJobs,MaxTRES,MaxTRESPerNode,"
    "MaxSubmit,MaxWall,MaxTRESMins,QOS,DefaultQOS > assoc.txt";

/// A row while the tree is not yet known.
struct AssocRow {
  AssociationConf association;
  std::string cluster, default_account;
  std::optional<std::string> parent_name;
  std::optional<std::uint64_t> id, parent_id, left, right;
  std::size_t indent = 0;
};

/// The rows with their values; parents are not yet known.
[[nodiscard]] std::vector<AssocRow> read_assoc_rows(std::string_view text, const std::string& file,
                                                    Diagnostics& found);

/// Settles every account's parent by the best evidence that the rows have.
void find_assoc_tree(std::vector<AssocRow>& rows, const std::string& file, Diagnostics& found);

/// Root first, then everything behind its parent. Rows that hang nowhere are errors.
[[nodiscard]] std::vector<AssociationConf> in_tree_order(std::vector<AssocRow> rows,
                                                         Diagnostics& found);

}  // namespace rehearse

// sim/config/accounting_columns.hpp — which column of a table of sacctmgr is which.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/config/accounting_cell.hpp"
#include "sim/config/parsable_table.hpp"

namespace rehearse {

struct ColumnName {
  std::string_view header, other;  ///< as printed, and the name asked for with format=; empty: none
  [[nodiscard]] bool is(std::string_view name) const;  ///< in any letter case
};

/// A column that is read into a row.
template <typename Row>
struct AccountingColumn {
  ColumnName name;
  void (*apply)(Row&, const AccountingCell&);
};

/// By column of the table, the position in `known` of what it is called, in any letter case; none,
/// with a warning, where nobody reads it.
[[nodiscard]] std::vector<std::optional<std::size_t>> match_columns(
    const ParsableTable& table, std::span<const ColumnName> known, Diagnostics& found);

/// By column of the table; null, with a warning, where nobody reads it.
template <typename Row>
[[nodiscard]] std::vector<const AccountingColumn<Row>*> columns_of(
    const ParsableTable& table, std::span<const AccountingColumn<Row>> known, Diagnostics& found) {
  std::vector<ColumnName> names;
  for (const AccountingColumn<Row>& column : known) names.push_back(column.name);
  std::vector<const AccountingColumn<Row>*> columns;
  for (const auto at : match_columns(table, names, found)) {
    columns.push_back(at ? &known[*at] : nullptr);
  }
  return columns;
}

}  // namespace rehearse

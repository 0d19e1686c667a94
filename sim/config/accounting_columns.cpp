// sim/config/accounting_columns.cpp — names of columns, with what was meant where they are unknown.
#include "sim/config/accounting_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {

bool ColumnName::is(std::string_view name) const {
  return equals_ignoring_case(name, header) ||
         (!other.empty() && equals_ignoring_case(name, other));
}

std::vector<std::optional<std::size_t>> match_columns(const ParsableTable& table,
                                                      std::span<const ColumnName> known,
                                                      Diagnostics& found) {
  std::vector<std::optional<std::size_t>> columns;
  for (const TableCell& cell : table.columns) {
    const std::string_view name = trimmed(cell.text);
    const auto at = std::find_if(known.begin(), known.end(),
                                 [&](const ColumnName& each) { return each.is(name); });
    if (at != known.end()) {
      columns.emplace_back(static_cast<std::size_t>(at - known.begin()));
      continue;
    }
    columns.emplace_back();
    std::vector<std::string_view> names;
    for (const ColumnName& each : known) names.push_back(each.header);
    found.warning({table.file, table.header_line, cell.column},
                  fmt::format("column '{}' is unknown and not read", shortened(name)),
                  did_you_mean(name, names));
  }
  return columns;
}

}  // namespace rehearse

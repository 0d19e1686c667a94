// sim/config/csv_table.hpp — RFC 4180 text: a header, rows, quotes, and where each cell stands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

struct CsvCell {
  std::string text;
  SourcePosition where;
};

/// Rows with exactly the wanted columns, in the wanted order.
using CsvRows = std::vector<std::vector<CsvCell>>;

/// A column that a file must or may have. Where it has none, its cells are empty.
struct CsvColumn {
  std::string_view name;
  bool is_required = true;
};

/// Reads `text` by its header, in any order and letter case. Missing and unknown columns, rows of
/// another length and open quotes are errors in `found`.
[[nodiscard]] CsvRows read_csv(std::string_view text, const std::string& file,
                               std::span<const CsvColumn> columns, Diagnostics& found);

}  // namespace rehearse

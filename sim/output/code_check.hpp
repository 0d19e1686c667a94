// sim/output/code_check.hpp — do the numbers of a column that stand for rows or words stand for
// some?
//
// libhdf5 and the seal tell of damaged bytes, not of what another program has written into a file.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/output/column_info.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// How many there are of what the numbers of the column stand for: rows of a table, words, Reasons,
/// states. None: they are no such numbers. The names and tables of `result` have been read, and of
/// /jobs the first column.
[[nodiscard]] std::optional<std::size_t> known_codes(const Result& result, const ColumnInfo& info);

/// The first number that stands for nothing; none: all do.
template <typename T>
std::optional<std::size_t> first_unknown_code(const Result& result, const ColumnInfo& info,
                                              const std::vector<T>& values) {
  if constexpr (std::is_unsigned_v<T>) {
    const auto known = known_codes(result, info);
    if (!known) return std::nullopt;
    for (std::size_t row = 0; row < values.size(); ++row) {
      const bool is_none = info.has_none && values[row] == std::numeric_limits<T>::max();
      if (values[row] >= *known && !is_none) return row;
    }
  }
  return std::nullopt;
}

}  // namespace rehearse

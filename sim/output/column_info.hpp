// sim/output/column_info.hpp — what a column of the result file says of itself.
#pragma once

#include <cstdint>
#include <string_view>

namespace rehearse {

/// How a column's numbers are to be read.
enum class ColumnKind : std::uint8_t { Plain, Instant, StateCode, LoopCode, ReasonCode, NodeFlags };

struct ColumnInfo {
  std::string_view name, units, long_name;
  ColumnKind kind = ColumnKind::Plain;
  std::string_view names = {};  ///< the dataset or table whose rows the numbers are
  bool has_none = false;        ///< the type's extreme value means none (_FillValue)
};

namespace columns {
inline constexpr ColumnKind kTime = ColumnKind::Instant;
inline constexpr ColumnKind kPlain = ColumnKind::Plain;
}  // namespace columns

}  // namespace rehearse

// workloads/csv_trace.hpp — a foreign trace with a header line and commas, row by row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/import.hpp"
#include "workloads/local_time.hpp"
#include "workloads/row_findings.hpp"

namespace rehearse {

struct TraceColumn {
  std::string_view name;
  bool is_required = true;
};

/// Without a header line the columns stand as they are asked for.
enum class CsvHeader : std::uint8_t { IsThere, MayBeAbsent };

/// Walks the rows of such a text. Fields have no quotes in the traces that are read so. Rows that
/// cannot be used are told with line and column, and explained in the report.
class CsvTrace {
 public:
  CsvTrace(std::string_view text, std::span<const TraceColumn> columns, ImportReport& report,
           RowFindings& found, CsvHeader header = CsvHeader::IsThere);

  /// To the next row with as many fields as the header; false: none is left.
  bool next();
  /// The line of the row in the text, from 1; and which row it is, from 1.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] std::uint64_t row() const { return rows_; }
  /// The field under columns[i]; empty where the file has no such column.
  [[nodiscard]] std::string_view operator[](std::size_t i) const;

  /// The row cannot be used because of this field. False.
  bool refuse(std::size_t i, std::string_view what);
  /// A whole number, `7` or `7.0`, of at most 2^32; else the row is refused.
  [[nodiscard]] std::optional<std::uint64_t> whole(std::size_t i, std::string_view what);
  /// A number from 0 on; else the row is refused.
  [[nodiscard]] std::optional<double> number(std::size_t i, std::string_view what);
  /// A time; none for an empty one, `None` and the like. False: no time, and the row is refused.
  bool time(std::size_t i, LocalClock& clock, std::optional<SlurmTime>& at);

 private:
  std::string_view text_, row_text_;
  std::vector<std::size_t> place_;  // of each column in the file; npos: not there
  std::size_t width_ = 0;
  std::vector<std::string_view> fields_;
  std::uint64_t line_ = 0, rows_ = 0;
  ImportReport& report_;
  RowFindings& found_;
};

}  // namespace rehearse

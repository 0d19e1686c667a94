// workloads/sacct_columns.hpp — the columns of sacct that tell something about a job's request or
// run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rehearse {

/// formats.md §10.2. `Other` is any column that the reader knows by name and does not use.
enum class Column : std::uint8_t {
  JobId,
  JobIdRaw,
  JobName,
  User,
  Account,
  Partition,
  Qos,
  QosRequested,
  Cluster,
  Submit,
  Eligible,
  Start,
  End,
  Elapsed,
  ElapsedRaw,
  Suspended,
  TimeLimit,
  TimeLimitRaw,
  State,
  ExitCode,
  NNodes,
  ReqNodes,
  AllocNodes,
  NCpus,
  ReqCpus,
  AllocCpus,
  ReqMem,
  ReqTres,
  AllocTres,
  NodeList,
  Constraints,
  Reason,
  SubmitLine,
  Reservation,
  WcKey,
  Licenses,
  Flags,
  MaxRss,
  Other,
};
inline constexpr std::size_t kColumns = static_cast<std::size_t>(Column::Other);

/// The column of that name, in any case and under the names of any release; none: sacct has no such
/// field.
[[nodiscard]] std::optional<Column> column_by_name(std::string_view name);

/// May hold the delimiter or a newline, as sacct escapes neither (formats.md §10.1).
[[nodiscard]] bool is_free_text(std::string_view name);

/// The values of one row by column. A column that the input does not have is a view of nothing
/// (data() is null); an empty value is a view of size 0 into the text.
struct SacctRow {
  std::array<std::string_view, kColumns> fields{};
  std::string_view text;    ///< of the whole row: gives the columns of findings
  std::uint64_t line = 0;   ///< in the file, from 1
  std::uint32_t lines = 1;  ///< physical lines that it takes; more where a text holds newlines
  bool is_step = false;

  [[nodiscard]] std::string_view operator[](Column column) const {
    return fields[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] bool has(Column column) const { return (*this)[column].data() != nullptr; }
};

}  // namespace rehearse

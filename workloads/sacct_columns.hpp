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

/// What the values of a column look like, as far as a shifted one can be told by it. Of a Text
/// nothing is known; a FreeText may hold the delimiter or a newline, as sacct escapes neither
/// (formats.md §10.1), Features the delimiter alone, `[a100|h100]`.
enum class Form : std::uint8_t {
  Text,
  FreeText,
  SubmitLine,  ///< free text too
  Features,
  JobId,
  Submit,
  State,
  Instant,
  Length,
  Limit,
  Number,
  Amount,
  TresList,
  ExitCode,
};

[[nodiscard]] Form form_of(std::string_view name);
[[nodiscard]] constexpr bool is_free_text(Form form) {
  return form == Form::FreeText || form == Form::SubmitLine;
}

/// Can the value stand in a column of that form? One that is empty can, but for the three that no
/// row is without.
[[nodiscard]] bool has_form(Form form, std::string_view value);
/// Is it what such columns mostly hold: brackets of features that are closed, a submit line that
/// begins with the command?
[[nodiscard]] bool looks_usual(Form form, std::string_view value);
/// `123`, `123_4`, `123_[5-9]`, `123+1`, with or without a step: what a JobID looks like.
[[nodiscard]] bool looks_like_job_id(std::string_view text);

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

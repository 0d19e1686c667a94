// sim/output/views/view.hpp — Slurm's own tables at an instant of the simulation (outputs.md §1–5).
//
// A view is made of the result file alone. What a file does not hold is told in `note`, which
// belongs on stderr (priorities between ticks, planned starts), or left out (fields of scontrol).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

struct ViewOptions {
  std::optional<std::int64_t> at;  ///< [s since the epoch]; none: the end of the run
  bool parsable = false;           ///< -P: fields joined by `|`, never cut
  bool no_header = false;          ///< -n
  bool long_form = false;          ///< -l
  bool start = false;              ///< --start: planned starts of pending jobs
  bool one_line = false;           ///< -o of scontrol: one record a line
  bool details = false;            ///< -d of scontrol: which devices are in use
  bool json = false;               ///< rows instead of text
  /// job: first rows of the jobs asked for; empty: all that slurmctld knows at the instant.
  std::vector<std::uint32_t> jobs;
  std::string nodes;  ///< node: a host list; empty: all
};

/// A row for scripts: what each of its columns or fields holds, by name, in the table's order.
using ViewValue = std::variant<std::string, std::int64_t, std::vector<std::string>>;
using ViewRow = std::vector<std::pair<std::string, ViewValue>>;

struct View {
  std::string text;           ///< ends in a newline
  std::string note;           ///< empty: exact
  std::vector<ViewRow> rows;  ///< in place of text, where the options ask for JSON
};

[[nodiscard]] View squeue_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View sacct_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View sinfo_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View sprio_view(const Result& result, const ViewOptions& options);
/// A number of sshare: `%f`, in exponent form where that is wider than the column.
[[nodiscard]] std::string share_number(double value, std::size_t width);
[[nodiscard]] View sshare_view(const Result& result, const ViewOptions& options);
/// As `scontrol show job` and `scontrol show node` print (outputs.md §7–8); throw InputError where
/// the job or the node is none.
[[nodiscard]] View job_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View node_view(const Result& result, const ViewOptions& options);
/// Counters begin anew at midnight UTC, as slurmctld's do (outputs.md §6).
[[nodiscard]] View sdiag_view(const Result& result, const ViewOptions& options);
/// A view as one JSON object, rehearse-show/1; `table`: its name.
[[nodiscard]] std::string view_json(const Result& result, std::string_view table,
                                    const ViewOptions& options, const View& view);

// What the views share.

/// One column: its header, its width (0: as is), its side, and its name in JSON (empty: the
/// header).
struct ViewColumn {
  std::string header;
  std::size_t width = 0;
  bool left = false;
  std::string key = {};
};

/// Rows of texts, printed as squeue, sinfo and sprio do, or as sacct and sshare do.
struct ViewTable {
  std::vector<ViewColumn> columns;
  std::vector<std::vector<std::string>> rows;

  /// Cut to the first N characters, no blank at the end of a row unless a field has it.
  [[nodiscard]] std::string as_squeue(const ViewOptions& options) const;
  /// A row of dashes, a blank after every field, cut text marked by `+`.
  [[nodiscard]] std::string as_sacct(const ViewOptions& options) const;
  /// The table as `print` makes it, or its rows.
  using Print = std::string (ViewTable::*)(const ViewOptions&) const;
  [[nodiscard]] View view(Print print, const ViewOptions& options, std::string note = {}) const;
};

/// What the date says above the long form of a table; empty where none is asked for.
[[nodiscard]] std::string heading(const Result& result, const ViewOptions& options);

enum class Standing : std::uint8_t { Absent, Pending, Running, Ended };

/// Where row `row` stands at `at`.
[[nodiscard]] Standing standing_at(const RunColumns& runs, std::size_t row, std::int64_t at);
/// Seconds that a row had been suspended by then, and whether it is.
struct StoodStill {
  std::int64_t seconds = 0;
  bool is_suspended = false;
  bool lends_cores = false;  ///< its CPUs are free for others
};
/// By row of runs; only of those that were ever suspended.
[[nodiscard]] std::map<std::uint32_t, StoodStill> stood_still_at(const Result& result,
                                                                 std::int64_t at);
/// Rows that have ended but keep their nodes at `at` (COMPLETING), ascending.
[[nodiscard]] std::vector<std::uint32_t> completing_at(const Result& result, std::int64_t at);
/// For each row of runs, the row of waits that covers `at`, or kNoRow.
[[nodiscard]] std::vector<std::uint32_t> waits_at(const Result& result, std::int64_t at);

/// `M:SS`, `H:MM:SS`, `D-HH:MM:SS`; INVALID if negative or above 365 days.
[[nodiscard]] std::string squeue_time(std::int64_t seconds);
/// `Wed Nov 20 23:14:01 2024`, local.
[[nodiscard]] std::string ctime_text(const TimeZone& zone, std::int64_t at);
[[nodiscard]] TimeZone zone_of(const Result& result);

}  // namespace rehearse

// sim/output/views/view.hpp — Slurm's own tables at an instant of the simulation (outputs.md §1–5).
//
// A view is made of the result file alone. What a file does not hold is told in `note`, which
// belongs on stderr: completing jobs (shown as ended), priorities between ticks, planned starts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
};

struct View {
  std::string text;  ///< ends in a newline
  std::string note;  ///< empty: exact
};

[[nodiscard]] View squeue_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View sacct_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View sinfo_view(const Result& result, const ViewOptions& options);
[[nodiscard]] View sprio_view(const Result& result, const ViewOptions& options);
/// A number of sshare: `%f`, in exponent form where that is wider than the column.
[[nodiscard]] std::string share_number(double value, std::size_t width);
[[nodiscard]] View sshare_view(const Result& result, const ViewOptions& options);

// What the views share.

/// One column: its header, its width (0: as is), its side, and whether a text cut is marked by `+`.
struct ViewColumn {
  std::string header;
  std::size_t width = 0;
  bool left = false;
};

/// Rows of texts, printed as squeue, sinfo and sprio do, or as sacct and sshare do.
struct ViewTable {
  std::vector<ViewColumn> columns;
  std::vector<std::vector<std::string>> rows;

  /// Cut to the first N characters, no blank at the end of a row unless a field has it.
  [[nodiscard]] std::string as_squeue(const ViewOptions& options) const;
  /// A row of dashes, a blank after every field, cut text marked by `+`.
  [[nodiscard]] std::string as_sacct(const ViewOptions& options) const;
};

enum class Standing : std::uint8_t { Absent, Pending, Running, Ended };

/// Where row `row` stands at `at`.
[[nodiscard]] Standing standing_at(const RunColumns& runs, std::size_t row, std::int64_t at);
/// Seconds that a row had been suspended by then, and whether it is.
struct StoodStill {
  std::int64_t seconds = 0;
  bool is_suspended = false;
};
/// By row of runs; only of those that were ever suspended.
[[nodiscard]] std::map<std::uint32_t, StoodStill> stood_still_at(const Result& result,
                                                                 std::int64_t at);
/// For each row of runs, the row of waits that covers `at`, or kNoRow.
[[nodiscard]] std::vector<std::uint32_t> waits_at(const Result& result, std::int64_t at);

/// `M:SS`, `H:MM:SS`, `D-HH:MM:SS`; INVALID if negative or above 365 days.
[[nodiscard]] std::string squeue_time(std::int64_t seconds);
/// `Wed Nov 20 23:14:01 2024`, local.
[[nodiscard]] std::string ctime_text(const TimeZone& zone, std::int64_t at);
[[nodiscard]] TimeZone zone_of(const Result& result);

}  // namespace rehearse

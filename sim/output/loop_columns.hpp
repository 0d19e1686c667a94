// sim/output/loop_columns.hpp — what the scheduling loops had done by whole hours: sdiag at an
// instant (outputs.md §6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// Sums since the begin of the run, at whole hours of the epoch and at the end; an hour in which
/// nothing was done has no row.
struct LoopColumns {
  std::vector<std::int64_t> time;
  std::vector<std::uint64_t> main_passes, main_records, backfill_cycles;
  bool kept = false;  ///< false: a file from before they were kept
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

/// Calls use(info, vector) for each column of /loops. Info: ColumnInfo of result_columns.hpp.
template <typename Info, typename Loops, typename Use>
void for_each_loop_column(Loops& l, Use&& use) {
  Info time{"time", "", "whole hour, or the end: what was done before it"};
  time.kind = decltype(time.kind)::Instant;
  use(time, l.time);
  use(Info{"main_passes", "1", "passes of the main loop since the begin"}, l.main_passes);
  use(Info{"main_records", "1", "queue records that it looked at"}, l.main_records);
  use(Info{"backfill_cycles", "1", "backfill cycles since the begin"}, l.backfill_cycles);
}

}  // namespace rehearse

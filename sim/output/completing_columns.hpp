// sim/output/completing_columns.hpp — how long ended runs kept their nodes: COMPLETING
// (lifecycle.md §5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// One row a run whose nodes were not clean in the second of its end; in order of those seconds.
struct CompletingColumns {
  std::vector<std::uint32_t> run;  ///< row of runs
  std::vector<std::int64_t> end;   ///< none: not within the simulated period
  bool kept = false;               ///< false: a file from before they were kept
  [[nodiscard]] std::size_t size() const { return run.size(); }
};

/// Calls use(info, vector) for each column of /completing. Info: ColumnInfo of result_columns.hpp.
template <typename Info, typename Completing, typename Use>
void for_each_completing_column(Completing& c, Use&& use) {
  Info info;
  info = {"job", "1", "row of /jobs"};
  info.names = "/jobs";
  use(info, c.run);
  info = {"end", "", "when its last node was clean; none: not within the simulated time"};
  info.kind = decltype(info.kind)::Instant;
  use(info, c.end);
}

}  // namespace rehearse

// sim/config/sdiag_table.hpp — what the scheduling loops of a real slurmctld take: sdiag.txt, the
// output of `sdiag`.
#pragma once

#include <filesystem>

#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Mean over the cycles that the command knows; sleeps of backfill are not in them.
struct LoopTimes {
  Duration main_per_pass{0};       ///< where no depth is told
  Duration main_per_record{0};     ///< mean cycle over mean depth cycle
  Duration backfill_per_cycle{0};  ///< where no try depth is told
  Duration backfill_per_try{0};    ///< mean cycle over mean try depth
};

/// Errors: no such file, a section or a figure that is missing or no number.
[[nodiscard]] LoopTimes read_sdiag(const std::filesystem::path& path, Diagnostics& found);

}  // namespace rehearse

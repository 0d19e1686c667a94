// sim/output/kpi/idle_causes.hpp — where the GPU-hours that existed went: a waterfall from existing
// to busy, each idle one with its cause.
//
// On the grid of /series: within a cell (five minutes) a GPU is idle for want of demand as far as
// fewer GPUs are asked for than idle. What is idle and wanted is first on nodes without a free CPU
// or free memory, and beyond that shared by the Reasons of the jobs that wait, as many GPUs as they
// ask for. What is asked for by none but jobs that still pend when the run ends stands apart. The
// causes add up to what is idle, cell by cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/output/result.hpp"

namespace rehearse {

enum class GpuHours : std::uint8_t {
  Busy,
  Unavailable,     ///< of nodes that are down or drained, and not busy
  NoDemand,        ///< fewer GPUs were asked for than idle
  CpusGone,        ///< on nodes whose CPUs are all held
  MemoryGone,      ///< on nodes whose memory is all held
  NotYetEligible,  ///< wanted by jobs that wait for a dependency, a begin time or a release
  Limits,          ///< wanted by jobs that a limit or a licence holds back
  Reserved,        ///< wanted by jobs that wait for a reservation or for nodes that are reserved
  NotFitting,      ///< wanted by jobs that fit nowhere: fragments, wrong type (Resources)
  Queued,          ///< wanted by jobs behind others: held for a planned start (Priority, None)
  Left,            ///< wanted by none but jobs that still pend when the run ends; the last
};
inline constexpr std::size_t kGpuHoursCount = 11;

/// `busy`, `no demand` … for tables; `no_demand` … for scripts.
[[nodiscard]] std::string_view title_of(GpuHours what);
[[nodiscard]] std::string_view name_of(GpuHours what);

/// What a job that waits for this Reason is held by: Limits, Reserved, NotFitting …
[[nodiscard]] GpuHours cause_of(Reason reason);

using GpuHoursByCause = std::array<double, kGpuHoursCount>;
/// GPU-hours by GpuHours; their sum is what existed. Zeros for a cluster without GPUs.
[[nodiscard]] GpuHoursByCause gpu_hours_by_cause(const Result& result);
/// Those of [from, to) [s since the epoch]; a cell at an edge counts by its part inside.
[[nodiscard]] GpuHoursByCause gpu_hours_by_cause(const Result& result, std::int64_t from,
                                                 std::int64_t to);

}  // namespace rehearse

// sim/output/kpi/idle_causes.hpp — where the GPU-hours that existed went: a waterfall from existing
// to busy, each idle one with its cause.
//
// What is busy, available and idle are those of /series; idle_sweep.hpp has how the idle ones are
// shared. The causes add up to what existed.
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
  NoDemand,        ///< no job that waited asked for them, or could have used their nodes
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

// sim/study/trace_gaps.cpp — the longest time between two submissions.
#include "sim/study/trace_gaps.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {
namespace {

constexpr Seconds kLeast = std::chrono::hours{24} * 30;

}  // namespace

void tell_trace_gaps(const LoadedSite& loaded, Diagnostics& found) {
  const std::vector<JobSpec>& specs = loaded.trace.jobs.specs();  // by submission
  if (specs.size() < 2) return;
  std::size_t after = 1;
  for (std::size_t i = 2; i < specs.size(); ++i) {
    if (specs[i].submit - specs[i - 1].submit > specs[after].submit - specs[after - 1].submit) {
      after = i;
    }
  }
  const SlurmTime before = whole_second(specs[after - 1].submit);
  const SlurmTime next = whole_second(specs[after].submit);
  const Seconds gap = next - before;
  const Seconds all = whole_second(specs.back().submit) - whole_second(specs.front().submit);
  if (gap < kLeast || gap * 2 <= all) return;
  // The row of the wrong time is on the side of fewer jobs.
  const JobSpec& odd = after * 2 <= specs.size() ? specs[after - 1] : specs[after];
  constexpr double kSecondsPerDay = 86400;
  found.warning(
      {loaded.trace.report.source, static_cast<std::uint32_t>(odd.source_row), 0},
      fmt::format("nothing is submitted for {:.0f} days, from {} to {}, of {:.0f} in all: "
                  "throughput and utilization are of that time too",
                  static_cast<double>(gap.count()) / kSecondsPerDay, loaded.zone.print(before),
                  loaded.zone.print(next), static_cast<double>(all.count()) / kSecondsPerDay),
      fmt::format("is the time of job {} right? --from and --to leave jobs out",
                  static_cast<std::uint32_t>(odd.id)));
}

}  // namespace rehearse

// models/memory/enforcement.cpp — MaxRSS against the memory that a run holds.
#include "models/memory/enforcement.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// How much of a node's memory [MiB] a run that holds `held` may use; none: as much as it likes.
std::optional<double> usable_mib(double held, const SiteInputs& inputs) {
  std::optional<double> most;
  if (inputs.slurm_conf.has_task_cgroup && inputs.cgroup.constrain_ram_space) {
    most = held * inputs.cgroup.allowed_ram_percent / 100;
  }
  if (inputs.slurm_conf.over_memory_kill) most = std::min(most.value_or(held), held);
  return most;
}

}  // namespace

TrueRun run_within_memory(const TrueRun& run, const Allocation& allocation,
                          const SiteInputs& inputs) {
  if (!run.max_rss_mib || run.outcome == RunOutcome::OutOfMemory || allocation.nodes.empty()) {
    return run;
  }
  std::uint64_t least = UINT64_MAX;
  for (const NodeShare& share : allocation.nodes) least = std::min(least, share.memory_mib);
  if (least == 0) return run;  // memory is not handed out: nothing to hold it to
  const auto usable = usable_mib(static_cast<double>(least), inputs);
  if (!usable || static_cast<double>(*run.max_rss_mib) <= *usable) return run;
  TrueRun cut = run;
  cut.outcome = RunOutcome::OutOfMemory;
  cut.last_second.reset();
  // Of a run that was killed at its limit the length is a least one: it may have been reached.
  const auto seconds = static_cast<double>(run.runtime.count()) * inputs.site.memory.peak_at;
  cut.runtime = Seconds{static_cast<std::int64_t>(seconds)};
  return cut;
}

}  // namespace rehearse

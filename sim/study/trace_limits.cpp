// sim/study/trace_limits.cpp — who ran for longer than the limit that is known.
#include "sim/study/trace_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace rehearse {
namespace {

/// A limit is found exceeded by a scan, and its job gone after KillWait: this much is no wonder.
constexpr Minutes kSlack{10};

/// The longest recorded run of the job, or of a task of its array.
Seconds longest_run(const JobSpec& spec) {
  const auto length = [](const TrueRun& run) {
    return run.outcome == RunOutcome::UntilKilled ? Seconds{0} : run.runtime;
  };
  Seconds longest = length(spec.run);
  if (!spec.extras) return longest;
  for (const ArrayTask& task : spec.extras->array) longest = std::max(longest, length(task.run));
  return longest;
}

/// DefaultTime of the partition that the job names first; none: its limit is no shorter than
/// MaxTime.
std::optional<Minutes> default_limit(const JobSpec& spec, const LoadedSite& loaded) {
  const Cluster& cluster = *loaded.cluster;
  std::optional<PartitionId> partition = cluster.default_partition;
  if (spec.partitions != kNoName) {
    const std::string_view list = loaded.names.text(spec.partitions);
    const auto name = loaded.names.find(list.substr(0, list.find(',')));
    partition = name ? cluster.find_partition(*name) : std::nullopt;
  }
  if (!partition) return std::nullopt;
  const PartitionConf& conf = cluster.partitions[*partition].conf;
  return conf.default_time ? conf.default_time : conf.max_time;
}

/// Jobs, and the hours that they ran beyond a limit.
struct Beyond {
  std::size_t jobs = 0;
  Seconds time{0};
  JobId first{};

  void add(const JobSpec& spec, Seconds more) {
    if (jobs == 0) first = spec.id;
    ++jobs;
    time += more;
  }
  [[nodiscard]] double hours() const { return static_cast<double>(time.count()) / 3600; }
};

void lengthen_unknown_limits(LoadedSite& loaded, Diagnostics& found) {
  Beyond beyond;
  loaded.trace.jobs.change([&](JobSpec& spec) {
    const Seconds longest = longest_run(spec);
    const auto limit = default_limit(spec, loaded);
    if (!limit || longest <= *limit) return;
    beyond.add(spec, longest - *limit);
    spec.time_limit = std::chrono::ceil<Minutes>(longest);
  });
  if (beyond.jobs == 0) return;
  found.warning({loaded.trace.report.source, 0, 0},
                fmt::format("{} jobs ran beyond the default limit of their partition, for {:.0f} "
                            "hours in all (first: job {}), and no column tells their limits: "
                            "they get the minutes that they ran",
                            beyond.jobs, beyond.hours(), static_cast<std::uint32_t>(beyond.first)),
                "export sacct with Timelimit: backfill plans by it");
}

void tell_runs_beyond_limits(const LoadedSite& loaded, Diagnostics& found) {
  const std::uint32_t over = loaded.inputs.slurm_conf.over_time_limit_min;
  if (over == UINT32_MAX) return;
  // What runtimes.csv tells is not what ran: the limit may have cut it.
  std::set<std::uint32_t> told;
  for (const RuntimeRow& row : loaded.sacct.runtimes) told.insert(row.job_id_raw);
  const auto is_told = [&](const JobSpec& spec) {
    if (told.contains(static_cast<std::uint32_t>(spec.id))) return true;
    return spec.extras && std::ranges::any_of(spec.extras->array, [&](const ArrayTask& task) {
             return told.contains(static_cast<std::uint32_t>(task.id));
           });
  };
  Beyond beyond;
  for (const JobSpec& spec : loaded.trace.jobs.specs()) {
    if (!spec.time_limit || *spec.time_limit == kUnlimited || is_told(spec)) continue;
    const Minutes limit = *spec.time_limit + Minutes{over};
    const Seconds longest = longest_run(spec);
    if (longest > limit + kSlack) beyond.add(spec, longest - limit);
  }
  if (beyond.jobs == 0) return;
  found.warning({loaded.trace.report.source, 0, 0},
                fmt::format("{} jobs ran more than {} minutes beyond their Timelimit, for {:.0f} "
                            "hours in all (first: job {}): here they end at it",
                            beyond.jobs, kSlack.count(), beyond.hours(),
                            static_cast<std::uint32_t>(beyond.first)),
                "OverTimeLimit in slurm.conf lets jobs go on");
}

}  // namespace

void settle_trace_limits(LoadedSite& loaded, Diagnostics& found) {
  if (!loaded.has_jobs || loaded.jobs_of != nullptr) return;
  if (loaded.trace.report.tells_limits) {
    tell_runs_beyond_limits(loaded, found);
  } else {
    lengthen_unknown_limits(loaded, found);
  }
}

}  // namespace rehearse

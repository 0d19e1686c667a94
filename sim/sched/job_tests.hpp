// sim/sched/job_tests.hpp — small questions about one pending job that both loops ask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {

/// N of `--array=…%N`; 0: none.
[[nodiscard]] std::uint32_t array_task_limit(const Job& job);

/// By its number of tasks or their largest index (lifecycle.md §2).
[[nodiscard]] bool is_too_large_an_array(const std::vector<ArrayTask>& array,
                                         const SlurmConf& conf);

/// Of a component of a heterogeneous job: the id of its job; none: an ordinary one.
[[nodiscard]] inline std::optional<JobId> het_leader(const Job& job) {
  if (job.spec == nullptr || !job.spec->extras) return std::nullopt;
  const JobId leader = job.spec->extras->het_leader;
  return leader != JobId{} ? std::optional(leader) : std::nullopt;
}

/// The --time-min that backfill plans by: of a job with a deadline none (scheduling.md §8.6).
[[nodiscard]] inline std::optional<Minutes> planned_time_min(const Job& job) {
  const bool has_deadline = job.spec->extras && job.spec->extras->deadline;
  return has_deadline ? std::nullopt : job.spec->time_min;
}

/// True of a QOS with NoReserve: backfill starts its jobs, and keeps nodes for none (§8.6).
[[nodiscard]] bool leaves_no_plan(const Job& job, const Cluster& cluster);

/// The minutes that backfill plans a job of a QOS with NoReserve with: one where there is
/// preemption, else --time-min; none: with its own limit, or it is of another QOS (scheduling.md
/// §8.6).
[[nodiscard]] std::optional<Minutes> unreserved_minutes(const Job& job, const Cluster& cluster);

/// True if sbatch refuses its --time-min: above its limit, DefaultTime included, or above MaxTime
/// of each of its partitions (lifecycle.md §2). Its QOS is known, and no limit from accounts yet.
[[nodiscard]] bool has_bad_time_min(const Job& job, const Cluster& cluster);

/// True if the job cannot end before its deadline if it starts now (lifecycle.md §7).
[[nodiscard]] bool misses_deadline(const Job& job, SlurmTime now);
/// From when on it cannot; none: it has no deadline.
[[nodiscard]] std::optional<SlurmTime> deadline_missed_at(const Job& job);

/// The limit with which the job would start in `partition` (scheduling.md §4.6); kUnlimited: none.
[[nodiscard]] Minutes effective_limit(const Job& job, const Partition& partition,
                                      const Cluster& cluster);

/// The same, cut to the minutes before its deadline (lifecycle.md §7).
[[nodiscard]] Minutes limit_from(SlurmTime now, const Job& job, const Partition& partition,
                                 const Cluster& cluster);

/// Before an attempt to place it: sets Job::any_switches once `--switches=n@t` has been waited for,
/// min(t, max_switch_wait) since the first attempt (scheduling.md §6.6).
void note_switch_wait(Job& job, SlurmTime now, const Cluster& cluster);
/// How long it waits for them.
[[nodiscard]] Seconds switches_wait(const Job& job, const Cluster& cluster);

/// A job below this priority never reserves: MinPrioThreshold, else bf_min_prio_reserve
/// (limits.md §7.2).
[[nodiscard]] std::uint32_t least_reserving_priority(const Job& job, PartitionId partition,
                                                     const Cluster& cluster, const Limits& limits);

}  // namespace rehearse

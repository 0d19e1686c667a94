// sim/controller/recorded_clock.hpp — when a recording's loops ran: instants that a replay follows.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/job.hpp"
#include "sim/controller/known_cycles.hpp"
#include "sim/controller/loop_clock.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Of one run: how long after its end its nodes were clean, and the instant.
struct KnownCleanUp {
  Duration took{0};
  Time at;
  std::vector<std::pair<std::string, Time>> before;  ///< nodes that were clean before the last
};

/// slurmctld noticed that a node does not answer, or set it DOWN for that.
struct KnownSilence {
  Time at;
  bool sets_down = false;
};

/// Each list ascending; empty: not known, the simulated clock keeps its own time. Facts of the
/// daemon and its machine, not of its decisions.
struct RecordedClock {
  /// The first tick of the priority thread; the later ones keep its part of a second.
  std::optional<Time> first_tick;
  std::vector<Time> backfill;  ///< cycles began
  std::vector<Time> limit_scans;
  /// Of these scans those that found a job beyond its limit, by job, run by run.
  std::map<JobId, std::vector<Time>> overdue;
  std::vector<BackgroundClock::KnownPass> main_passes;
  std::vector<BackgroundClock::KnownTurn> long_turns;  ///< of the background loop
  std::vector<KnownCycle> cycles;                      ///< of backfill
  std::vector<Time> slices;                            ///< of gang scheduling: when they ended
  std::vector<Time> share_questions;                   ///< somebody ran `sshare`
  /// When slurmctld noticed that a node answers again, by the node's name.
  std::map<std::string, std::vector<Time>, std::less<>> answers;
  /// … that one does not, by the node's name: no rounds of pings are simulated beside them.
  std::map<std::string, std::vector<KnownSilence>, std::less<>> silences;
  /// When the nodes of a job were clean, run by run; none, or no more: not known.
  std::map<JobId, std::vector<std::optional<KnownCleanUp>>> clean_ups;
  /// Of jobs that an admin requeued after their end: how long the program of the first run took.
  std::map<JobId, Duration> first_runs;
  /// When the first runs of jobs started: to which second a pass of the main loop had come.
  std::map<JobId, SlurmTime> first_starts;

  /// The answer of a node to what was done to it just before `now`.
  [[nodiscard]] std::optional<Time> answer_of(std::string_view node, Time now) const {
    constexpr Seconds kSoon{10};
    const auto next = next_answer(node, now);
    return next && *next < now + kSoon ? next : std::nullopt;
  }
  /// The next answer of a node from `now` on.
  [[nodiscard]] std::optional<Time> next_answer(std::string_view node, Time now) const {
    const auto known = answers.find(node);
    if (known == answers.end()) return std::nullopt;
    const auto first = std::lower_bound(known->second.begin(), known->second.end(), now);
    return first != known->second.end() ? std::optional(*first) : std::nullopt;
  }
  /// The start of a job that a pass begun at `now` starts `worked` after its begin: slurmctld reads
  /// the clock again for each job, and the recorded run can bear the next second.
  [[nodiscard]] Time start_in_pass(const Job& job, Time now, Duration worked) const {
    const SlurmTime next = whole_second(now) + Seconds{1};
    const auto known = first_starts.find(job.id);
    const bool crosses = job.restarts == 0 && known != first_starts.end() && known->second == next;
    return crosses ? std::max(now + worked, Time{next}) : now + worked;
  }
  /// The scan that finds a job beyond its `limit`: `own`, or, where the record has another found
  /// it within the period, that one. The scan before it lay before the limit (lifecycle.md §6).
  [[nodiscard]] Time scan_of(const Job& job, Time limit, Time own) const {
    const auto known = overdue.find(job.id);
    if (known == overdue.end()) return own;
    const auto at = std::lower_bound(known->second.begin(), known->second.end(), limit);
    const bool within =
        at != known->second.end() && *at < limit + BackgroundClock::kScanPeriod + Seconds{1};
    return within ? *at : own;
  }
  /// Of a run that has just ended.
  [[nodiscard]] std::optional<KnownCleanUp> clean_up_of(const Job& job) const {
    const auto known = clean_ups.find(job.id);
    const bool is_known = known != clean_ups.end() && job.restarts < known->second.size();
    return is_known ? known->second[job.restarts] : std::nullopt;
  }
};

}  // namespace rehearse

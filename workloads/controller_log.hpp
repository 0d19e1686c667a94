// workloads/controller_log.hpp — the instants that sacct cuts to seconds, from a slurmctld.log.
//
// Only what happened to the controller is read for a replay, never whom it started: when a
// submission came in, when a job's end came in, how long its nodes took to be clean, when its
// threads were up, when a pass began, how long a cycle took, with which priorities it tested its
// records, and when time limits were looked at.
// Whom it preempted is for those who compare decisions.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/controller/known_cycles.hpp"
#include "sim/controller/loop_clock.hpp"
#include "sim/controller/recorded_clock.hpp"
#include "sim/core/time.hpp"
#include "workloads/logged_commands.hpp"
#include "workloads/logged_nodes.hpp"
#include "workloads/logged_reservations.hpp"
#include "workloads/logged_slices.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// Something that a log tells of one job. Of an array: a submission has the array's id, a task's
/// end the task's own (the number in parentheses).
struct LoggedInstant {
  JobId id{};
  Time at;
};

/// What a node told of one job; of a start: the host list of the run's nodes.
struct LoggedNode {
  JobId id{};
  Time at;
  std::string node;
};

/// A victim, and for whom: told when it is warned, or killed or requeued without a warning.
struct LoggedPreemption {
  Time at;
  JobId victim{};
  JobId preemptor{};  ///< 0: it does not pend any more
  bool requeued = false;
  bool warned = false;  ///< it has its grace time first (told at level debug only)
  bool killed = false;  ///< … which is over
  Seconds grace{0};
};

struct ControllerLog {
  /// The priority thread, and with it the background loop, was up. The process can have begun a
  /// minute before, waiting for its database. None: no such line.
  std::optional<Time> loops_began;
  std::vector<LoggedInstant> submitted, completed;  ///< by id, then time
  std::vector<LoggedInstant> requeued;              ///< the same: back in the queue
  std::vector<LoggedInstant> overdue;    ///< the same: a scan found the run beyond its limit
  std::vector<LoggedInstant> ended;      ///< the same: by whatever came first, a message or a kill
  std::vector<LoggedInstant> cleaned;    ///< the same: nodes clean, with DebugFlags=TraceJobs
  std::vector<LoggedInstant> left_gang;  ///< the same instant, with DebugFlags=Gang
  std::vector<LoggedNode> node_cleaned;  ///< by job: epilog messages, with DebugFlags=Route
  std::vector<LoggedInstant> epilogs;    ///< the same without a node, with DebugFlags=TraceJobs
  std::vector<LoggedNode> started;       ///< by job, then time: a run and its nodes
  std::map<std::string, std::vector<Time>, std::less<>> answers;  ///< nodes that respond again
  /// Nodes that do not.
  std::map<std::string, std::vector<KnownSilence>, std::less<>> silences;
  std::vector<Time> slices;  ///< ascending: time slices of gang scheduling ended (DebugFlags=Gang)
  std::vector<LoggedTurn> gang_turns;                   ///< ascending: jobs stood still or went on
  std::vector<LoggedPreemption> preempted;              ///< ascending
  std::vector<BackgroundClock::KnownPass> main_passes;  ///< ascending
  std::vector<BackgroundClock::KnownTurn> long_turns;   ///< ascending: of the background loop
  std::vector<KnownCycle> cycles;                       ///< of backfill, ascending
  std::vector<Time> limit_scans;  ///< ascending: those that found a job beyond its limit
  std::vector<LoggedReservation> reservations;  ///< as they were made
  std::vector<LoggedNodeUpdate> node_updates;   ///< of states, in the order of the lines
  std::vector<LoggedCommand> commands;          ///< about jobs, in the order of the lines
};

/// `slurmctld.log` of a site folder, plain or compressed. None: there is no such file. Lines that
/// are not of interest, or torn, are passed over: a log is a help, not an input that must be whole.
/// Throws InputError when the file cannot be read.
[[nodiscard]] std::optional<ControllerLog> find_controller_log(const std::filesystem::path& root,
                                                               const TimeZone& zone);

/// The log's lines; stamps are local to `zone`, with or without a part of a second.
[[nodiscard]] ControllerLog read_controller_log(std::string_view text, const TimeZone& zone);

/// When the nodes of each run were clean, in order of the job's runs: of all runs where the log
/// was written with DebugFlags=TraceJobs or Gang, else of those that were requeued.
[[nodiscard]] std::map<JobId, std::vector<std::optional<KnownCleanUp>>> clean_up_times(
    const ControllerLog& log);

/// Of jobs that an admin requeued after their end: how long the program of the first run took.
/// sacct dates that run's end to the command (lifecycle.md §10).
[[nodiscard]] std::map<JobId, Duration> first_runs(const TraceJobs& jobs, const ControllerLog& log);

/// When jobs and tasks of arrays started for the first time, of those that did.
[[nodiscard]] std::map<JobId, SlurmTime> first_starts(const TraceJobs& jobs);

/// Submissions and ends at the logged part of the second that sacct gives. Returns how many
/// instants were sharpened; those that the log puts into another second stay as they are.
std::size_t sharpen(TraceJobs& jobs, const ControllerLog& log);

}  // namespace rehearse

// sim/controller/events.hpp — everything that can happen. An event is a fact: plain data.
#pragma once

#include <cstdint>
#include <variant>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/job_spec.hpp"
#include "sim/core/event_queue.hpp"

namespace rehearse {

/// A program came to its end. Of an earlier stint (Job::stint): stale, ignored.
struct ProgramEnded {
  static constexpr Phase phase = Phase::Release;  // resources come back before anyone asks
  JobIndex job{};
  std::uint64_t stint = 0;
  bool warned = false;  ///< by the signal of --signal, of which it dies
};

/// The scan of the background loop found the job over its time limit.
struct TimeLimitReached {
  static constexpr Phase phase = Phase::Release;
  JobIndex job{};
  std::uint64_t stint = 0;
};

/// The last node of an ended job is clean again: COMPLETING is over. Or one of its nodes alone is.
struct NodesCleaned {
  static constexpr Phase phase = Phase::Release;
  JobIndex job{};
  std::uint64_t run_number = 0;
  std::optional<NodeId> only = std::nullopt;
};

/// … and while that is to come.
struct AwaitedCleanUp {
  NodesCleaned event;
  Time ended, due;
};

/// The scan of the background loop found that a preempted job's grace time is over.
struct GraceEnded {
  static constexpr Phase phase = Phase::Release;
  JobIndex job{};
  std::uint64_t run_number = 0;
};

/// The scan of the background loop looks for limits that running jobs have used up.
struct LimitsScanned {
  static constexpr Phase phase = Phase::Release;
};

/// A time slice of gang scheduling is over.
struct SliceEnded {
  static constexpr Phase phase = Phase::Decide;
};

/// The next job of the source is due.
struct JobArrived {
  static constexpr Phase phase = Phase::Arrive;
};

/// sbatch tries again to submit a job that slurmctld had no room for (MaxJobCount).
struct SubmissionRetried {
  static constexpr Phase phase = Phase::Arrive;
  const JobSpec* spec = nullptr;
  std::uint32_t attempt = 0;  ///< 1: the second
};

/// A pending job of the trace is cancelled by its user.
struct CancelRequested {
  static constexpr Phase phase = Phase::Arrive;
  JobIndex job{};
};

/// The next admin command is due.
struct CommandIssued {
  static constexpr Phase phase = Phase::Arrive;
  std::uint32_t command = 0;  ///< position in the list of commands
};

/// The priority thread woke up.
struct PriorityTicked {
  static constexpr Phase phase = Phase::Decide;
};

/// Somebody ran `sshare` while it was recorded, which settles users' factors.
struct SharesAsked {
  static constexpr Phase phase = Phase::Decide;
};

/// A turn of the background loop at which a main pass may be due (scheduling.md §2.1).
struct BackgroundTurned {
  static constexpr Phase phase = Phase::Decide;
  std::uint64_t generation = 0;  ///< of the clock: an older one was rescheduled
};

/// A direct request woke the scheduler agent.
struct SchedulerWoken {
  static constexpr Phase phase = Phase::Decide;
};

/// The backfill thread found its conditions met.
struct BackfillWoken {
  static constexpr Phase phase = Phase::Decide;
  std::uint64_t generation = 0;
};

/// The 5-s check of the background loop: reservations begin and end.
struct ReservationsChecked {
  static constexpr Phase phase = Phase::Arrive;
  std::uint64_t generation = 0;  ///< an older one was rescheduled
};

/// The 30-s scan ends jobs whose reservation is over, and reservations that nobody needs.
struct ReservationsScanned {
  static constexpr Phase phase = Phase::Release;
  std::uint64_t generation = 0;
};

/// The recorded runs of a second start (sim/controller/forced_history.hpp).
struct RunsForced {
  static constexpr Phase phase = Phase::Decide;
  std::uint32_t first = 0;  ///< position in the history
};

/// A recorded run ends.
struct RunForcedToEnd {
  static constexpr Phase phase = Phase::Release;
  std::uint32_t run = 0;  ///< position in the history
};

/// A recorded pass of one of the loops: somebody wants to know what ours would do.
struct PassReached {
  static constexpr Phase phase = Phase::Release;  // before the facts of that instant
  std::uint32_t pass = 0;                         ///< position in the history
};

/// A node answers, does not answer, or its round of pings is due (node_keeper.hpp).
struct NodeFact {
  static constexpr Phase phase = Phase::Release;
  enum class What : std::uint8_t {
    PingRound,
    Unanswered,
    GivenUp,  ///< … for so long that it is set DOWN, as a recording tells
    Answered,
    ControllerBack,
    FailureDue,
    Registered,           ///< slurmd is back, as a recording tells
    RegisteredAfterBoot,  ///< … and with it the node
  };
  What what = What::PingRound;
  NodeId node{};
  std::uint32_t question = 0;  ///< of Answered: which one; an older one is void
};

/// Power saving (power_keeper.hpp): its thread has work, a node has gone to sleep, has registered
/// after its boot, or has not in time; the scan looks for jobs whose nodes are ready.
struct PowerFact {
  static constexpr Phase phase = Phase::Release;
  enum class What : std::uint8_t { Work, PoweredDown, Booted, GaveUp, ConfiguredScan };
  What what = What::Work;
  NodeId node{};
  std::uint32_t generation = 0;
};

/// `scontrol reboot` (reboots.hpp): idle nodes are looked for; a node has registered after its
/// reboot, or has not in time.
struct RebootFact {
  static constexpr Phase phase = Phase::Release;
  enum class What : std::uint8_t { Look, Registered, TimedOut };
  What what = What::Look;
  NodeId node{};
  std::uint32_t generation = 0;  ///< an older order's fact is void
};

/// A line of mig.changes is due, or a GPU has been cut anew (mig_keeper.hpp).
struct MigFact {
  static constexpr Phase phase = Phase::Release;
  enum class What : std::uint8_t { Due, Cut };
  What what = What::Due;
  std::uint32_t number = 0;  ///< of the line, or of the GPU in the plan
};

/// A job has taken the device memory that it wants (run_speeds.hpp).
struct DeviceMemoryGrown {
  static constexpr Phase phase = Phase::Release;
  JobIndex job{};
  std::uint64_t run_number = 0;
};

using Event =
    std::variant<ProgramEnded, TimeLimitReached, NodesCleaned, LimitsScanned, SliceEnded,
                 GraceEnded, JobArrived, CancelRequested, CommandIssued, SubmissionRetried,
                 PriorityTicked, SharesAsked, BackgroundTurned, SchedulerWoken, BackfillWoken,
                 ReservationsChecked, ReservationsScanned, RunsForced, RunForcedToEnd, PassReached,
                 NodeFact, PowerFact, DeviceMemoryGrown, RebootFact, MigFact>;

}  // namespace rehearse

// sim/cluster/job.hpp — a job from submission to its end: its states and the numbers Slurm keeps of
// it.
//
// An array is one record until tasks are split off it (scheduling.md §4.5). Records live in a
// JobTable; a requeued job keeps its record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/cluster/job_spec.hpp"
#include "sim/cluster/pending_tasks.hpp"
#include "sim/cluster/reason.hpp"
#include "sim/cluster/suspension.hpp"
#include "sim/cluster/tres.hpp"

namespace rehearse {

/// Base states (lifecycle.md §1).
enum class JobState : std::uint8_t {
  Pending,
  Running,
  Suspended,
  Completed,
  Cancelled,
  Failed,
  Timeout,
  NodeFail,
  Preempted,
  BootFail,
  Deadline,
  OutOfMemory,
};
/// `COMPLETED`, as sacct prints.
[[nodiscard]] std::string_view to_text(JobState state);
/// `CD`, as squeue prints.
[[nodiscard]] std::string_view short_text(JobState state);

/// Which loop started it: sacct's Flags.
enum class StartedBy : std::uint8_t { Nobody, Submit, Main, Backfill };

/// The terms of a priority, weighted, as sprio shows them (priority.md §2, §11.7).
struct PriorityFactors {
  double age = 0, assoc = 0, fair_share = 0, job_size = 0, partition = 0, qos = 0;
  std::vector<double> tres;  ///< by TresIndex; empty: no TRES weights
  std::int64_t site = 0, nice = 0;
};

/// What an operator changed of a job's request: the limits on it do not bind (limits.md §9).
struct OperatorSet {
  bool time_limit = false;
  bool cpus = false, nodes = false, memory = false;
  bool qos = false;
};

struct Job {
  // What every pass over the queue and every tick looks at stands together, ahead of the rest.
  JobIndex index{};
  JobId id{};                               ///< JobIDRaw
  JobId array_job{};                        ///< 0: not of an array
  std::optional<std::uint32_t> array_task;  ///< of a task; none with array_job set: the meta record
  JobState state = JobState::Pending;
  bool completing = false;
  bool configuring = false;  ///< its nodes are not ready: the script waits
  bool held = false;
  Reason reason = Reason::None;
  bool preempt_in_progress = false;  ///< it is a preemptor of the present pass
  bool direct_priority = false;
  bool is_uncounted = false;  ///< no test has told how many nodes it would have, its submission's
                              ///< neither: that a limit on nodes, or a hold, left out
  bool limit_filled = false;  ///< the limit came from a default: undone by a requeue
  OperatorSet set_by_operator;
  std::uint32_t priority = 0;     ///< 0: held
  std::uint32_t total_cpus = 0;   ///< that the last placement test or allocation found; 0: never
                                  ///< tested (priority.md §3.4)
  std::uint32_t least_nodes = 0;  ///< MinNodes of its partitions as it came, the least of them
  RequestId request{};
  PartitionId partition{};  ///< the one in use, or tried last
  const JobSpec* spec = nullptr;
  std::vector<PartitionId> partitions;  ///< descending PriorityTier, stable (priority.md §5)
  std::vector<std::uint32_t> partition_priority;  ///< beside `partitions` if there are several
  std::optional<SlurmTime> begin;     ///< eligible time: none until first found independent
  std::optional<SlurmTime> accrue;    ///< since when it ages (priority.md §3.1)
  std::optional<Minutes> time_limit;  ///< present value; filled in at submission or start
  Time submit;
  std::optional<AssociationId> association;
  std::optional<QosId> qos;
  std::int64_t nice = 0;
  PriorityFactors factors;  ///< of the last recalculation, for `partition`
  TresVector request_tres;  ///< limits.md §2, the request vector

  PendingTasks pending_tasks;  ///< of the meta record
  TrueRun run;                 ///< of this record (a task's own truth)
  std::optional<SlurmTime> cancel_at;
  std::string reason_text;  ///< a description that hides the reason (lifecycle.md §15)
  std::uint32_t restarts = 0;
  std::optional<SlurmTime> start;
  std::optional<SlurmTime> end;  ///< running: start + limit; ended: when
  std::uint64_t run_number = 0;  ///< counts starts: an event of an earlier run is stale
  std::uint64_t stint = 0;       ///< counts starts and suspensions: the same for the end of a stint
  Suspension suspension;         ///< of the present or last run
  std::optional<Time> program_end;  ///< running: when its program ends by itself, if ever

  std::vector<ReservationId> reservations;   ///< asked for, any of them will do
  std::optional<ReservationId> reservation;  ///< in use, or tried last
  bool magnetic = false;                     ///< `reservation` was not asked for: it drew the job
  bool reservation_was_deleted = false;      ///< held since its reservation went (RESV_DEL_HOLD)

  // What the last placement test or allocation found.
  std::uint32_t license_choice = 0;  ///< of `-L a|b`: the position of the one
  TresVector alloc_tres;             ///< while running and after
  std::optional<double> billing;     ///< not truncated; of the first start (priority.md §6.2)
  Allocation allocation;             ///< while running, suspended or completing
  NodeSet allocated_nodes;           ///< the same nodes as bits
  StartedBy started_by = StartedBy::Nobody;
  bool killed = false;             ///< the ended run was killed: its clean-up is a direct request
  bool requeues = false;           ///< goes back to PENDING when its nodes are clean
  Seconds kept_work{0};            ///< done in earlier runs and saved: the next goes on from there
  bool ranks_by_last_run = false;  ///< requeued after its end: its TRES rank as it had them
  bool requeues_held = false;      ///< … and is held then (requeuehold)
  bool special_exit = false;  ///< … as SPECIAL_EXIT, until its release: afternotok waits no more

  // Preemption (preemption.md §5).
  std::optional<SlurmTime> preempt_time;      ///< of a victim: since when it is one
  std::optional<SlurmTime> preempt_launched;  ///< of a preemptor: when its victims were signalled

  std::optional<SlurmTime> switches_since;  ///< submission, or first attempt, with --switches
  bool any_switches = false;                ///< its wait for few leaf switches is over

  // Backfill's plan of the last cycle.
  std::optional<SlurmTime> planned_start;
  std::vector<NodeId> planned_nodes;

  [[nodiscard]] bool is_pending() const { return state == JobState::Pending; }
  [[nodiscard]] bool is_running() const { return state == JobState::Running; }
  [[nodiscard]] bool is_suspended() const { return state == JobState::Suspended; }
  [[nodiscard]] bool has_started() const { return is_running() || is_suspended(); }
  /// How long the run has really run until `now`: time suspended does not count.
  [[nodiscard]] Seconds ran_until(SlurmTime now) const {
    const SlurmTime until = suspension.since ? whole_second(*suspension.since) : now;
    return until - start.value_or(until) - suspension.total;
  }
  [[nodiscard]] bool is_finished() const { return state > JobState::Suspended; }
  [[nodiscard]] bool is_array_meta() const { return array_job != JobId{} && !array_task; }
};

}  // namespace rehearse

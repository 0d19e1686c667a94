// sim/controller/observer.hpp — what a run tells to those who record it. Facts, in event order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/runtime/remaining_work.hpp"
#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// What the two loops did, for sdiag and the result's KPIs.
struct LoopCounts {
  std::uint64_t main_passes = 0, main_records = 0, main_starts = 0;
  std::uint64_t backfill_cycles = 0, backfill_depth = 0, backfill_starts = 0;
  std::uint64_t priority_ticks = 0, time_limit_scans = 0, events = 0;
  std::uint64_t commands_done = 0;
  std::uint64_t event_fingerprint = 0, schedule_fingerprint = 0;
};

/// How the time of a run on GPUs was spent (site.yaml `performance`).
struct PacedRun {
  RunPace pace;
  std::string_view job_class;
  std::string_view device;            ///< GPU type of the slowest of its devices; empty: untyped
  std::uint32_t most_neighbours = 0;  ///< other jobs that computed on one of its devices at once
  bool lacked_memory = false;         ///< it failed: the device had no room for it
};

/// A GPU that has been cut anew.
struct GpuRecut {
  NodeId node{};
  std::uint32_t gpu = 0;  ///< of the physical GPU on its node
  std::string from, to;   ///< layouts
  SlurmTime due, idle;    ///< since when it was to be cut, and when nothing held it any more
};

/// Called by the controller after the state has changed. The cluster must not be changed.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The run begins: the cluster is built, nothing is submitted.
  virtual void run_started(const Cluster& /*cluster*/, SlurmTime /*now*/) {}
  virtual void job_submitted(const Job& /*job*/, SlurmTime /*now*/) {}
  /// `task` was one of a pending array and is a record of its own now; `rest` are the others.
  virtual void job_split(const Job& /*task*/, const Job& /*rest*/, SlurmTime /*now*/) {}
  /// An update changed what it asks for, or who it is.
  virtual void job_changed(const Job& /*job*/, SlurmTime /*now*/) {}
  /// Refused by the controller: never in the queue. `message` is what sbatch would print.
  virtual void job_rejected(const JobSpec& /*spec*/, std::string_view /*message*/,
                            SlurmTime /*now*/) {}
  /// The job's Reason (or its description) is another than before; the record has the new one.
  virtual void reason_changed(const Job& /*job*/, SlurmTime /*now*/) {}
  virtual void job_started(const Job& /*job*/, SlurmTime /*now*/) {}
  /// Its nodes were powered up and are ready: the run begins now, and so does its record.
  virtual void job_configured(const Job& /*job*/, SlurmTime /*now*/) {}
  /// It stands still from now on, or goes on.
  virtual void job_suspended(const Job& /*job*/, SlurmTime /*now*/) {}
  virtual void job_resumed(const Job& /*job*/, SlurmTime /*now*/) {}
  /// It goes on with less than it held `before`.
  virtual void job_resized(const Job& /*job*/, const Allocation& /*before*/, SlurmTime /*now*/) {}
  /// The run ended (COMPLETING begins); the record still has its allocation. Requeues too:
  /// `requeued` says that the record goes back to PENDING.
  virtual void job_ended(const Job& /*job*/, bool /*requeued*/, SlurmTime /*now*/) {}
  /// The last node of an ended job is clean: COMPLETING is over.
  virtual void job_cleaned(const Job& /*job*/, SlurmTime /*now*/) {}
  /// Before job_ended, where the site has `performance` and the run held GPUs.
  virtual void run_paced(const Job& /*job*/, const PacedRun& /*run*/) {}
  /// `victim` was chosen to make room for `preemptor`: it is warned, and ends now or later.
  virtual void job_preempted(const Job& /*victim*/, const Job& /*preemptor*/, SlurmTime /*now*/) {}
  /// A pending job ended without a run (cancelled, DEADLINE).
  virtual void job_cancelled(const Job& /*job*/, SlurmTime /*now*/) {}
  /// Settings of priorities, times or licences are others.
  virtual void settings_changed(const Cluster& /*cluster*/, SlurmTime /*now*/) {}
  virtual void node_changed(const Node& /*node*/, SlurmTime /*now*/) {}
  /// Other devices are there than before (Presence in the node's GRES).
  virtual void gpu_recut(const Cluster& /*cluster*/, const GpuRecut& /*recut*/, SlurmTime /*now*/) {
  }
  /// So much of the node's GPUs [thousandths] is kept from jobs: it waits to be cut, or is being
  /// cut. Told when it changes; 0 at first.
  virtual void gpus_withheld(NodeId /*node*/, std::uint32_t /*milli*/, SlurmTime /*now*/) {}
  /// `what` has just happened to the reservation: created, updated, deleted, started, ended.
  virtual void reservation_changed(const Reservation& /*reservation*/, std::string_view /*what*/,
                                   SlurmTime /*now*/) {}
  /// slurmctld refuses an admin's command with these words; nothing was changed.
  virtual void command_refused(std::string_view /*command*/, std::string_view /*why*/,
                               SlurmTime /*now*/) {}
  /// True if plans_made() is of use to it: else backfill makes no plans that keep nobody from a
  /// start, and planned() has not all of them.
  [[nodiscard]] virtual bool asks_for_plans() const { return false; }
  /// A backfill cycle is over. `planned`: jobs that it planned (Job::planned_start), once or more
  /// often; some have started since.
  virtual void plans_made(const Cluster& /*cluster*/, std::span<const JobIndex> /*planned*/,
                          SlurmTime /*now*/) {}
  virtual void priorities_recomputed(const Cluster& /*cluster*/, SlurmTime /*now*/) {}
  /// True if it wants to be told what `sshare` would show after this tick.
  [[nodiscard]] virtual bool asks_for_shares(SlurmTime /*now*/) const { return false; }
  /// By association.
  virtual void shares_told(const Cluster& /*cluster*/, std::span<const ShareFactors> /*shares*/,
                           SlurmTime /*now*/) {}
  /// Simulated time has passed `now`: for progress. Cheap, called often.
  virtual void progressed(SlurmTime /*now*/, std::size_t /*pending*/, std::size_t /*running*/) {}
  /// What happened until the whole hour of the epoch `hour`; told once an hour in which something
  /// did.
  virtual void hour_passed(const LoopCounts& /*counts*/, SlurmTime /*hour*/) {}
  virtual void run_ended(const Cluster& /*cluster*/, SlurmTime /*now*/,
                         const LoopCounts& /*counts*/) {}
};

}  // namespace rehearse

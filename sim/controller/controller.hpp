// sim/controller/controller.hpp — the simulated slurmctld: events in, state changes out.
//
// It alone moves jobs between states; the loops of sim/sched decide and ask it through
// SchedulerActions. One run, one Controller, one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/controller/controller_state.hpp"
#include "sim/controller/job_keeper.hpp"
#include "sim/controller/mig_keeper.hpp"
#include "sim/controller/node_keeper.hpp"
#include "sim/controller/opening.hpp"
#include "sim/controller/outage.hpp"
#include "sim/controller/power_keeper.hpp"
#include "sim/controller/reboots.hpp"
#include "sim/controller/reservation_keeper.hpp"
#include "sim/controller/run_ending.hpp"
#include "sim/controller/run_speeds.hpp"
#include "sim/controller/run_status.hpp"

namespace rehearse {

class Controller final : private SchedulerActions, private ControllerState {
 public:
  /// `commands` in order of time. `interrupted`, when set by a signal handler, ends the run early.
  Controller(Cluster& cluster, JobSource& jobs, std::vector<AdminCommandAt> commands,
             Observer& observer, const std::atomic<bool>* interrupted = nullptr);

  /// The loops run when those of a recording did. Before run().
  void follow_clock(RecordedClock clock) { recorded_ = std::move(clock); }
  [[nodiscard]] Takeover& takeover() { return takeover_; }
  /// Before run(). Runs are those of `history`; `asker` is called at its passes. Both outlive it.
  void follow(const ForcedHistory& history, PassAsker& asker);
  /// GPUs may be cut anew as `plan` says, which stays the caller's. Before run().
  void follow_mig(const MigPlan& plan) { mig_.follow(plan); }
  /// The record of a forced run; null: it was not started.
  [[nodiscard]] const Job* forced_job(std::size_t run) const;
  /// The pending record of a recorded job or array task; null: it does not pend.
  [[nodiscard]] const Job* pending_job(JobId id) { return pending_record(id); }
  /// Somebody asks for fair-share factors (PriorityPlugin::settle_shares).
  void settle_shares() { priority_->settle_shares(); }
  /// Lets the facts of the question happen now, and then runs one pass of the loop for real: what
  /// it starts is told to the observer. The history cannot go on from there (forced_history.hpp).
  void apply(const PassQuestion& question);
  void decide(StartedBy loop);

  /// Runs until nothing more can happen.
  RunStatus run();
  [[nodiscard]] const LoopCounts& counts() const { return counts_; }

 private:
  friend class ReservationKeeper;  // parts of it with a state of their own
  friend class NodeKeeper;
  friend class HungNodes;
  friend class JobKeeper;
  friend class Outage;
  friend class PowerKeeper;
  friend class Reboots;
  friend class RunSpeeds;
  friend class MigKeeper;
  friend class Takeover;
  friend class Audit;
  // sim/controller/controller.cpp — the event loop and its clocks
  void begin();
  void schedule(Time at, const auto& event) {
    events_.push(std::max(at, now_), event.phase, event);
  }
  void dispatch(const Event& event);
  void on(const ProgramEnded& event);
  void on(const TimeLimitReached& event);
  void on(const NodesCleaned& event);
  void on(const LimitsScanned& event);
  void on(const SliceEnded& event);
  void on(const GraceEnded& event);
  void schedule_limit_scan();
  void schedule_arrival();
  void on(const JobArrived& event);
  void on(const CancelRequested& event);
  void on(const SubmissionRetried& event) { submit(*event.spec, event.attempt); }
  void on(const CommandIssued& event);
  void on(const PriorityTicked& event);
  void on(const SharesAsked&) { settle_shares(); }
  void on(const BackgroundTurned& event);
  void on(const SchedulerWoken& event);
  void on(const BackfillWoken& event);
  void on(const ReservationsChecked& event) { reservations_.on(event); }
  void on(const ReservationsScanned& event) { reservations_.on(event); }
  void on(const RunsForced& event);
  void on(const RunForcedToEnd& event);
  void on(const PassReached& event);
  void on(const NodeFact& fact) { keeper_.on(fact); }
  void on(const PowerFact& fact) { power_.on(fact); }
  void on(const RebootFact& fact) { reboots_.on(fact); }
  void on(const DeviceMemoryGrown& event) { speeds_.on(event); }
  void on(const MigFact& fact) { mig_.on(fact); }
  void run_main(PassDepth depth);
  void answer_clean_up();
  [[nodiscard]] bool tick_waits_for_ends() const;  // sim/controller/forced_history.cpp
  [[nodiscard]] std::optional<NodeSet> lately_completing() const;  // sim/controller/completing.cpp
  void split_waiting_arrays();
  void follow_ages(bool in_pass);
  void request_queued();  ///< a partial pass at a turn of the background loop
  void request_direct();  ///< a partial pass at once
  void wake_main();       ///< the waiting pass, as soon as one may run
  void something_changed();
  CycleResult run_cycle(bool yields);  // sim/controller/backfill_cycle.cpp
  void reschedule_background();
  void reschedule_backfill();
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] SlurmTime now() const { return whole_second(now_); }

  // sim/controller/submission.cpp
  void submit(const JobSpec& spec, std::uint32_t attempt = 0);
  void purge_records();
  [[nodiscard]] bool has_room_for(const JobSpec& spec, std::uint32_t attempt);
  [[nodiscard]] std::optional<std::string> admit(Job& job, std::uint32_t tasks);
  void register_job(const Job& job);
  void record_refused(Job candidate);
  // sim/controller/lifecycle.cpp — the only place where jobs change state
  Job* start(Job& job, PartitionId partition, Allocation allocation, StartedBy by) override;
  Job* split_off(Job& job) override;
  void set_reason(Job& job, Reason reason, std::string_view text = {}) override;
  void leave_limit(Job& job, std::optional<Minutes> limit) override;
  bool is_independent(Job& job, SlurmTime now) override;
  [[nodiscard]] bool is_volatile(const Job& job, SlurmTime now) const override;
  [[nodiscard]] std::optional<SlurmTime> turns_by_time(const Job&, SlurmTime now) const override;
  void hold(Job& job, Reason reason) override;
  void end_pending(Job& job, JobState state, Reason reason) override;
  [[nodiscard]] std::uint32_t running_tasks(const Job& job) const override;
  // sim/controller/het_jobs.cpp
  [[nodiscard]] std::vector<Job*> components(Job& job) override;
  void take_back(Job& job) override;
  bool follows_leader(Job& job);
  void end_followers(Job& leader, const RunEnding& ending);
  void refuse_components(const Job& refused);
  Job* split_task(Job& job);
  [[nodiscard]] Time start_instant(const Job& job, StartedBy by);
  void end_run(Job& job, JobState state, Reason reason, AfterEnd after, bool killed);
  void await_clean_up(const Job& job);
  [[nodiscard]] Time before_direct_pass(Time due, Duration took) const;
  void shrink(Job& job, std::span<const NodeId> gone);  // sim/controller/resize.cpp
  void keep_work(Job& job);                             // sim/controller/requeue.cpp
  void submit_anew(Job& job);
  void put_back(Job& job);
  void fold_schedule(const Job& job);
  void begin_program(Job& job, Time at);
  void finish_configuring(Job& job);
  void settle_completing(NodeId node);
  // sim/controller/suspension.cpp
  enum class SuspendedBy : std::uint8_t { Gang, Admin };
  void schedule_ends(Job& job);
  void suspend(Job& job, SuspendedBy by);
  void resume(Job& job);
  void note_suspension(const Job& job);
  SlurmTime close_suspension(Job& job, bool killed);
  void obey(const std::vector<GangOrder>& orders);
  void preempt_by_gang(Job& job, GangAction action);
  void schedule_slice();
  // sim/controller/preemption.cpp
  void preempt(Job& job, std::span<Job* const> victims) override;
  void signal_victim(Job& victim, const Job& preemptor);
  void end_victim(Job& victim);
  [[nodiscard]] bool may_requeue(const Job& job) const;
  void begin_history();  // sim/controller/forced_history.cpp
  Job* pending_record(JobId id);
  void force_starts(std::span<const std::size_t> numbers);
  void force_start(std::size_t number);
  void force_resize(std::size_t number);
  enum class PlacedBeside : std::uint8_t { Others, Nothing };
  std::optional<Allocation> place_on(const Job& job, const ForcedRun& run, PlacedBeside use);
  std::optional<Allocation> place_as_tested_elsewhere(Job& job, const ForcedRun& run);
  void force_end(std::size_t number);
  void hold_nodes(bool held);
  void carry_out(const AdminCommandAt& command);  // sim/controller/admin.cpp
  void cancel_due_tasks(JobId array);
  void configuration_changed();  // sim/controller/configuration_changes.cpp
  void change(std::span<const UpdatePartition> updates);
  void change(const Reconfigure& again);
  void change(const ChangeAccounts& change);

  ReservationKeeper reservations_{*this};
  NodeKeeper keeper_{*this};
  JobKeeper job_keeper_{*this};
  Outage outage_{*this};
  PowerKeeper power_{*this};
  Reboots reboots_{*this};
  RunSpeeds speeds_{*this};
  MigKeeper mig_{*this};
  Takeover takeover_{*this};
};

}  // namespace rehearse

// sim/controller/controller_state.hpp — all that the simulated slurmctld knows between two events.
//
// State only: Controller, whose base this is, and the parts of it that are its friends change it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "sim/controller/admin_command.hpp"
#include "sim/controller/dependencies.hpp"
#include "sim/controller/events.hpp"
#include "sim/controller/forced_history.hpp"
#include "sim/controller/job_memory.hpp"
#include "sim/controller/job_source.hpp"
#include "sim/controller/known_ages.hpp"
#include "sim/controller/known_cycles.hpp"
#include "sim/controller/loop_costs.hpp"
#include "sim/controller/observer.hpp"
#include "sim/controller/recorded_clock.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/sched/actions.hpp"
#include "sim/sched/backfill.hpp"
#include "sim/sched/estimate.hpp"
#include "sim/sched/gang.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/main_loop.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

struct ControllerState {
  ControllerState(Cluster& cluster, JobSource& jobs, std::vector<AdminCommandAt> commands,
                  Observer& observer, const std::atomic<bool>* interrupted,
                  SchedulerActions& actions);

  Cluster& cluster_;
  JobSource& source_;
  std::vector<AdminCommandAt> commands_;
  Observer& observer_;
  const std::atomic<bool>* interrupted_;

  EventQueue<Event> events_;
  Time now_;
  Time started_at_;
  const JobSpec* next_spec_ = nullptr;  ///< the source gave it last
  std::optional<Time> arrival_due_;     ///< of the JobArrived that comes next
  std::deque<JobSpec> specs_;           ///< of jobs that were given another than the source gave
  std::uint32_t next_job_id_;

  Limits limits_;
  std::unique_ptr<PriorityPlugin> priority_;
  std::unique_ptr<SelectPlugin> select_;
  RunningJobs running_;
  Preemption preemption_;
  SchedWeights weights_;
  NodeOwners owners_;
  NodeChoice choice_;
  PendingQueue queue_;
  Estimator estimator_;
  MainLoop main_loop_;
  Backfill backfill_;
  RecordPurges purges_;
  Dependencies dependencies_;
  Gang gang_;
  LoopCosts costs_;
  KnownCycles known_cycles_;
  KnownAges known_ages_;
  std::optional<BackgroundClock> background_;
  std::optional<BackfillClock> backfill_clock_;
  RecordedClock recorded_;
  std::uint64_t background_generation_ = 0, backfill_generation_ = 0;
  std::optional<Time> background_due_, backfill_due_;
  struct BackfillYield {
    CycleResult so_far;
    bool changed = false;  ///< jobs, nodes or partitions, since it began
  };
  std::optional<BackfillYield> yield_;            ///< backfill sleeps in the middle of a cycle
  bool limit_scan_due_ = false;                   ///< a LimitsScanned is in the queue
  bool wake_pending_ = false;                     ///< a SchedulerWoken is in the queue
  PassDepth waiting_depth_ = PassDepth::Partial;  ///< of the pass that it will run
  Time main_ready_at_;                            ///< no pass of the main loop before
  bool main_dirty_ = true;                        ///< something changed since the last full pass
  std::optional<SlurmTime> pass_stands_until_;    ///< PassResult::stands_until of the last one
  /// A job with records for several partitions keeps what the last one that was looked at left:
  /// passes, of which those that end early come to fewer, and cycles of backfill.
  struct LastLook {
    bool some_have_several = false, ended_early = false;
    std::uint32_t tested = 0;
    std::uint64_t cycles = 0;  ///< of backfill, before the pass
  };
  LastLook last_look_;  ///< by the last pass
  /// What a cycle of backfill goes by, beside what Backfill::stands() compares.
  struct CycleMarks {
    std::uint64_t changes = 0;   ///< of jobs, nodes, limits, priorities, Reasons; and whole passes
    std::uint64_t left = 0;      ///< Estimator::left_behind()
    std::uint64_t requests = 0;  ///< NodeChoice::requests_changed()
    friend bool operator==(const CycleMarks&, const CycleMarks&) = default;
  };
  std::uint64_t changes_ = 0;
  std::optional<CycleMarks> cycle_marks_;  ///< of the last cycle, which changed none of them
  CycleResult last_cycle_;
  std::uint64_t left_by_pass_ = 0;                ///< Estimator::left_behind() after it
  std::uint64_t requests_changed_ = 0;            ///< NodeChoice::requests_changed() before it
  std::map<JobId, std::uint32_t> running_tasks_;  ///< by array
  std::vector<JobIndex> arrays_to_split_;         ///< with aftercorr, at each queue build
  JobId refused_het_{};                           ///< the last heterogeneous job that was refused
  std::vector<Job*> charged_;                     ///< running jobs in job-list order, for ticks
  std::optional<SlurmTime> last_tick_;
  Time next_tick_;
  JobMemory memory_{purges_};
  std::uint32_t retries_due_ = 0;           ///< SubmissionRetried in the queue
  Time last_activity_;                      ///< last submission, start or end
  std::vector<JobIndex> completing_;        ///< jobs that are COMPLETING, by end
  std::vector<AwaitedCleanUp> clean_ups_;   ///< while passes of a recording are followed
  std::set<JobIndex> over_memory_;          ///< runs that will end as OUT_OF_MEMORY
  std::uint32_t suspended_by_admin_ = 0;    ///< of the running jobs
  bool slice_due_ = false;                  ///< a SliceEnded is in the queue
  const ForcedHistory* history_ = nullptr;  ///< null: the loops decide
  PassAsker* asker_ = nullptr;
  std::vector<std::optional<ForcedJob>> forced_jobs_;  ///< beside the history's runs
  std::size_t forced_left_ = 0;                        ///< runs that are to start yet
  Fingerprint event_order_, schedule_;
  LoopCounts counts_;
  SlurmTime next_hour_{};  ///< of which the observer has not been told
};

}  // namespace rehearse

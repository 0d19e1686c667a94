// sim/sched/backfill.hpp — one cycle of the backfill scheduler (scheduling.md §8).
//
// Every record is tried in queue order; each that cannot start now is planned on whole nodes, and
// later ones start only where they do not touch a plan.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/sched/actions.hpp"
#include "sim/sched/cycle_bounds.hpp"
#include "sim/sched/cycle_result.hpp"
#include "sim/sched/cycle_stands.hpp"
#include "sim/sched/equal_records.hpp"
#include "sim/sched/estimate.hpp"
#include "sim/sched/het_cycle.hpp"
#include "sim/sched/job_counts.hpp"
#include "sim/sched/last_cycle.hpp"
#include "sim/sched/lent_limit.hpp"
#include "sim/sched/limit_answers.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/pending_queue.hpp"
#include "sim/sched/plan.hpp"
#include "sim/sched/plan_walk.hpp"
#include "sim/sched/record_try.hpp"

namespace rehearse {

class Backfill {
 public:
  Backfill(Cluster& cluster, Limits& limits, NodeChoice& choice, PendingQueue& queue,
           Estimator& estimator, SchedulerActions& actions)
      : cluster_(cluster),
        limits_(limits),
        answers_(limits),
        choice_(choice),
        queue_(queue),
        estimator_(estimator),
        actions_(actions) {}

  /// Whether anybody looks at plans: else those that could keep nobody from a start are not made.
  void keep_plans(bool keep) { keeps_plans_ = keep; }

  /// `most_tries`: after so many the time of the cycle is over (bf_max_time).
  /// `yield_after`: tries whose work takes bf_yield_interval (§8.3).
  CycleResult run(SlurmTime now, std::uint32_t most_tries = UINT32_MAX,
                  std::uint32_t yield_after = UINT32_MAX);
  /// Of a recorded cycle: yield once after the record of this job (0: before all); none: do not.
  void yields_after(std::optional<JobId> job) { yields_after_ = job; }
  /// After a yield: the map stands, records are looked at again, nodes that came back are ignored.
  CycleResult resume(SlurmTime now);
  /// True if a cycle at `now` would repeat the last one, as far as that went by nodes, running jobs
  /// and the queue: its plans stand. Limits, usage and what tests leave are the caller's to
  /// compare.
  [[nodiscard]] bool stands(SlurmTime now) const;
  /// Jobs with a planned start of the last cycle, some more than once.
  [[nodiscard]] const std::vector<JobIndex>& planned() const { return noted_; }
  /// Tries of the present cycle so far.
  [[nodiscard]] std::uint32_t tries() const { return result_.tries; }
  /// Of them: before the last yield.
  [[nodiscard]] std::uint32_t tries_at_yield() const { return tries_at_yield_; }

 private:
  enum class Verdict : std::uint8_t { NextRecord, NextTask, EndCycle };
  using Try = RecordTry;
  using Step = IntervalStep;
  struct Attempted {
    Verdict verdict = Verdict::NextRecord;
    Job* rest = nullptr;
  };

  CycleResult go_on();
  void forget_answers();
  void compare_no_more();
  [[nodiscard]] bool must_yield();
  [[nodiscard]] bool comes_to_known_yield();
  void try_records();
  void forget_plans();
  void bind_running_jobs();
  void bind(const Job& job, SlurmTime end);  ///< what it holds, in the map until then
  [[nodiscard]] LicenseCounts licenses_of(const Job& job) const;  ///< empty: not planned
  [[nodiscard]] SlurmTime stopped_until(const Job& job, PartitionId partition) const;
  [[nodiscard]] bool is_runnable(const Job& job, const QueueRecord& record);
  [[nodiscard]] bool has_planned_enough(PartitionId partition);
  [[nodiscard]] std::optional<Try> prepare(Job& job, const QueueRecord& record, bool is_next_task);
  void compare_with_last();
  Attempted attempt(Try& attempt);
  Attempted attempt_with_limit(Try& attempt);
  [[nodiscard]] ReservedQuestion question_at(const Try& attempt, SlurmTime at) const;
  [[nodiscard]] NodeSet up_of(const Try& attempt) const;
  [[nodiscard]] Step look(const Try& attempt, const NodeSet& up, SlurmTime at) const;
  static void take(const PlanWalk::Interval& interval, const NodeCounts& counts, Step& step);
  Attempted search(Try& attempt, const NodeSet& up, FoundSearch& found);
  void look_back(Try& attempt, const NodeSet& up, FoundSearch& found);
  [[nodiscard]] const FoundSearch* known_search(Try& attempt, const SearchInputs& inputs);
  [[nodiscard]] std::optional<Reason> limit_over(const Try& attempt, const FoundSearch& known);
  Attempted again(Try& attempt, FoundSearch known);
  std::optional<Attempted> start_now(Try& attempt, const Step& step, const Forecast& forecast);
  [[nodiscard]] std::optional<Reason> limit_of_plan(const Try& attempt, const Forecast& forecast);
  Verdict plan(Try& attempt, SlurmTime start, const Forecast& forecast);
  void forget_old_limit(const Try& attempt);
  [[nodiscard]] bool emulates(Change change) const;
  void lend_limit(Job& job);
  [[nodiscard]] Minutes capped_limit(const Job& job, PartitionId partition) const;
  [[nodiscard]] std::optional<Minutes> other_limit(const Job& job, PartitionId partition) const;
  [[nodiscard]] Minutes planning_limit(const Job& job, PartitionId partition) const;
  [[nodiscard]] SlurmTime floored(SlurmTime at) const;  ///< to bf_resolution
  [[nodiscard]] SlurmTime plan_end(SlurmTime end) const;
  Attempted fail_to_begin(Try& attempt, const NodeSet& nodes);
  [[nodiscard]] bool map_is_full() const;
  [[nodiscard]] Minutes raised_limit(const Try& attempt, const Allocation& allocation) const;
  void show_start(Job& job, SlurmTime start);
  void note_start(Job& job, SlurmTime start, const NodeSet* nodes);
  // sim/sched/backfill_spared.cpp: searches that could change nothing
  void begin_sparing();
  [[nodiscard]] std::uint64_t most_tries_to_come() const;
  [[nodiscard]] CycleBounds::Known& known_of(const Job& job, PartitionId partition,
                                             const NodeCounts& counts);
  [[nodiscard]] bool knows_cpus(const Try& attempt) const;
  [[nodiscard]] std::optional<AfterSelection> foretold(const Job& job, PartitionId partition,
                                                       CycleBounds::Known& known);
  void note_nothing(const Try& attempt);
  [[nodiscard]] bool finds_nothing(const Try& attempt, const NodeSet& up);
  [[nodiscard]] bool comes_by_enough(const Try& attempt, const NodeSet& up);
  [[nodiscard]] bool is_a_try(const Try& attempt);
  [[nodiscard]] bool rest_changes_nothing();
  [[nodiscard]] bool must_search(const QueueRecord& record);
  [[nodiscard]] bool is_still_to_search() const;
  void look_at_rest_anew();
  void note_plan(SlurmTime start, const NodeSet& nodes);
  [[nodiscard]] std::optional<NodeSet> free_now(const Job& job, PartitionId partition,
                                                Minutes limit);
  // sim/sched/backfill_het.cpp
  [[nodiscard]] bool gives_up(Job& job);
  void note_component(const Try& attempt, SlurmTime start);
  void start_het_jobs();
  bool select_together(const HetGroup& group, std::vector<Allocation>& allocations);
  void start_in_turn(const HetGroup& group, std::vector<Allocation>& allocations);

  Cluster& cluster_;
  Limits& limits_;
  LimitAnswers answers_;  ///< of the present cycle
  NodeChoice& choice_;
  PendingQueue& queue_;
  Estimator& estimator_;
  SchedulerActions& actions_;
  // Of the present cycle.
  std::uint32_t most_tries_ = UINT32_MAX, yield_after_ = UINT32_MAX, tries_at_yield_ = 0;
  std::optional<JobId> yields_after_;
  std::span<const QueueRecord> records_;
  std::vector<QueueRecord> kept_records_;  ///< over a yield, in which others build the queue
  std::size_t next_ = 0;
  SlurmTime now_;
  NodeSet available_;
  Plan map_;
  PlanWalk walk_;  ///< of the present search
  HetCycle het_;
  LastCycle last_;
  EqualRecords equal_;
  CycleBounds bounds_;
  bool keeps_plans_ = true;
  bool plans_nothing_ = false;      ///< planned elsewhere, or enough is planned: the present record
  bool spares_nothings_ = false;    ///< searches that find nothing, where that is known before
  bool spares_rest_ = false;        ///< searches behind the last that could change something
  bool counts_tries_ = true;        ///< their number may end the cycle, or make it yield
  bool rest_is_spared_ = false;     ///< from here on
  std::size_t last_to_search_ = 0;  ///< records from here on need no search
  std::uint64_t map_changes_ = 0;   ///< of all cycles: plans, starts, and each map
  std::uint64_t rest_seen_ = 0;     ///< map_changes_ when the rest was looked at
  MayStart last_start_;
  bool is_comparable_ = false;    ///< searches depend on nothing that is not in SearchInputs
  NodeSet completing_;            ///< what starts at once depends on these too
  bool completes_alike_ = false;  ///< … as in the last cycle
  CycleStands stands_;
  std::uint64_t state_ = 0;  ///< Estimator::state()
  CycleResult result_;
  std::optional<ArrayKey> rejected_;  ///< the array that came last, if nothing was made of it
  std::map<const Qos*, SlurmTime> stopped_qos_;  ///< with assoc_limit_stop: until when (§8.8)
  LentLimit lent_limit_;
  SlurmTime stopped_until_;  ///< the record that is tried, as it was taken: for all of its tasks
  std::map<JobId, std::uint32_t> planned_tasks_;
  JobId planned_array_{};  ///< whose task was planned last: so many since one of another array was
  std::uint32_t planned_in_turn_ = 0;
  JobCounts counts_;
  CycleCounts<PartitionId> planned_by_partition_;
  std::vector<SlurmTime> passed_;  ///< instants that the present search did not ask for a forecast
  std::vector<JobIndex> noted_;    ///< jobs with a planned start of the last cycle
};

}  // namespace rehearse

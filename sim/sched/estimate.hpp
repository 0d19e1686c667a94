// sim/sched/estimate.hpp — when a job could start, and where, if jobs run to their limits
// (scheduling.md §7: the WILL_RUN test).
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sim/sched/able_nodes.hpp"
#include "sim/sched/enough_nodes.hpp"
#include "sim/sched/estimate_answer.hpp"
#include "sim/sched/forecast.hpp"
#include "sim/sched/future_ledgers.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/nodes_in_time.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class Estimator {
 public:
  /// `preemption`: null where nobody is to be preempted. `weights`: what selections left behind,
  /// which releases before 23.11 go by; null: none.
  Estimator(const Cluster& cluster, const SelectPlugin& select, const RunningJobs& running,
            const Preemption* preemption = nullptr, SchedWeights* weights = nullptr)
      : cluster_(cluster),
        select_(select),
        running_(running),
        preemption_(preemption),
        weights_(weights),
        ahead_(cluster.ledger, running),
        able_(cluster, select, running),
        leaving_(running.departures()),
        leaving_units_(cluster, leaving_),
        scratch_(cluster.ledger) {}

  /// Running and suspended jobs by the end of their limits.
  [[nodiscard]] const std::vector<Job*>& running() const { return running_.by_end(); }

  /// Limits of running jobs or the configuration of nodes were changed by an admin.
  void forget() {  // at the next question: the last answer stands until then
    stamp_.reset();
    ahead_.start_anew();
    able_.forget();
  }

  /// Null: not within sight. `candidates` may hold completing nodes. The answer stands until the
  /// next call. Equal questions on an unchanged ledger are answered from memory. `certain_cpus`: of
  /// every allocation of the job (SelectPlugin::certain_cpus); where they are known the nodes will
  /// do. 0: the allocation is asked for.
  [[nodiscard]] const Forecast* will_run(const Job& job, PartitionId partition,
                                         const NodeSet& candidates, const NodeCounts& counts,
                                         SlurmTime now, Horizon horizon,
                                         const ReservedView& reserved,
                                         std::uint32_t certain_cpus = 0);

  /// True if the last will_run() chose nodes of the present that have too few cores for the tasks
  /// dealt to them: slurmctld holds the job then (gres.md §3.2).
  [[nodiscard]] bool lacks_cores() const { return lacks_cores_; }

  /// True if will_run() finds no start up to `at`, and in the future only; from the nodes alone,
  /// without a placement. False tells nothing, as where jobs may be preempted or share cores.
  [[nodiscard]] bool starts_after(SlurmTime at, const Job& job, PartitionId partition,
                                  const NodeSet& candidates, const NodeCounts& counts);
  /// Which nodes may serve the job by when: will_run() finds no start in the future, on whatever
  /// candidates, before enough of them may. None where nothing can be told. Good until a question
  /// about another job.
  [[nodiscard]] std::optional<NodesInTime> nodes_in_time(const Job& job, PartitionId partition);
  /// Of these, those that may serve it before any running job ends; null: nothing can be told.
  [[nodiscard]] const NodeSet* nodes_at_once(const Job& job, PartitionId partition);
  /// True if answers for the job depend on ends alone, and neither on victims nor on shared cores.
  [[nodiscard]] bool asks_only_ends(const Job& job, PartitionId partition) const;
  /// Changes with whatever answers depend on but for marks(); forecasts stand as long as it does
  /// not.
  [[nodiscard]] std::uint64_t state();
  /// What selections left on these nodes, as far as an answer for the job may go by it.
  [[nodiscard]] std::uint64_t marks(const Job& job, const NodeSet& nodes) const;
  /// Where tests leave something that others go by, before 23.11 those for GRES to those without;
  /// null: nobody does.
  [[nodiscard]] SchedWeights* left_to_others() const {
    return weights_ != nullptr && weights_->are_marks_read() ? weights_ : nullptr;
  }
  /// True if a test of the job is one of those: then it has to be made.
  [[nodiscard]] bool leaves_marks(const Job& job) const;
  /// Changes with what selections leave behind, as far as another could be seen to go by it.
  [[nodiscard]] std::uint64_t left_behind();

 private:
  using Question = EstimateQuestion;
  using Answer = EstimateAnswer;
  using Known = KnownEstimates;
  struct Search {
    const Job& job;
    PartitionId partition;
    const NodeCounts& counts;
    SlurmTime now;
    std::uint32_t certain_cpus = 0;    ///< as of will_run()
    const Request* request = nullptr;  ///< instead of the job's
    bool extra_row = false;            ///< over the cores of jobs in its partition (preempt/qos)
    bool busy_first = true;            ///< with bf_busy_nodes, in times to come
    bool first = true;                 ///< as things stand it goes by what the last test left
  };

  void search(const Search& search, Answer& answer);
  void search_once(const Search& search, Answer& answer);
  [[nodiscard]] bool has_searches_of_its_own(const Job& job, PartitionId partition) const;
  void search_by_features(const Search& search, Answer& answer);
  void search_terms(const Search& search, std::span<const CountedNodes> terms, Answer& answer);
  void search_alternatives(const Search& search, std::span<const NodeSet> sets, Answer& answer);
  [[nodiscard]] bool lacks_totals(const Search& search, const Answer& answer);
  void search_on_scratch(const Search& search, Answer& answer);
  void search_known_ends(const Search& search, Answer& answer);
  void mark_in_vain(const Search& search, const Answer& answer);
  [[nodiscard]] bool waits_for_leaves(const Search& search, const Answer& answer);
  [[nodiscard]] bool is_beyond_leaves_if_empty(const Search& search, const NodeSet& nodes) const;
  [[nodiscard]] std::size_t ends_for_devices(const Search& search, const NodeSet& candidates);
  void search_ends(const Search& search, const std::vector<Departure>& ending, std::size_t enough,
                   Answer& answer);
  void settle(const Search& search, const std::vector<Departure>& ending, const Bunch& bunch,
              Forecast found, Answer& answer) const;
  enum class Tested : std::uint8_t { No, Yes };
  /// True if the nodes alone tell of a time to come; in the present state from then on.
  [[nodiscard]] bool tells_by_nodes(const Job& job, PartitionId partition);
  [[nodiscard]] bool tells_by_totals(const Job& job, PartitionId partition);
  void refresh();
  [[nodiscard]] NodeSet nodes_without_jobs() const;
  Known& known_of(const Job& job, PartitionId partition, const NodeCounts& counts);
  /// Of a job that is asked for by totals. Good until the next call, or a change of state.
  JobTotals& totals_of(const Job& job, PartitionId partition);
  /// Good until the next call, or a change of state.
  EnoughNodes& enough_nodes(const Job& job, PartitionId partition, const NodeSet& candidates,
                            std::uint32_t least);
  /// Where enough of them ever may serve.
  const std::optional<Bunch>& first_bunch(EnoughNodes& nodes);
  [[nodiscard]] std::optional<Forecast> try_without(std::size_t gone, const Search& search,
                                                    const NodeSet& candidates);
  /// Where, and not yet when. `outline`: of the ledger, where it is one; null: it is complete.
  [[nodiscard]] std::optional<Forecast> try_on(const Ledger& ledger, const Search& search,
                                               const NodeSet& candidates, Tested tested,
                                               const LedgerOutline* outline = nullptr);
  [[nodiscard]] static Question question_of(const Job& job, PartitionId partition,
                                            const NodeCounts& counts);
  [[nodiscard]] std::uint64_t weights_for(const Job& job, const NodeSet& candidates) const;
  [[nodiscard]] const Job& last_on(const NodeSet& nodes, const std::vector<Departure>& ending,
                                   const Bunch& bunch) const;
  [[nodiscard]] Bunches bunches_of(const std::vector<Departure>& ending, const NodeSet& candidates);
  [[nodiscard]] SlurmTime expected_end(const Job& job, SlurmTime now) const;

  const Cluster& cluster_;
  const SelectPlugin& select_;
  const RunningJobs& running_;
  const Preemption* preemption_;
  SchedWeights* weights_;
  FutureLedgers ahead_;
  AbleNodes able_;
  const std::vector<Departure>& leaving_;  ///< all running jobs
  LeavingUnits leaving_units_;             ///< theirs
  std::optional<BunchLine> line_;          ///< of them; none: not yet asked for
  Ledger scratch_;
  bool scratch_is_present_ = false;
  struct Stamp {
    std::uint64_t ledger = 0, running = 0;
    bool marks = false;  ///< left_to_others()
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  std::optional<Stamp> stamp_;     ///< of what ahead_, leaving_ and known_ stand for
  NodeSet clear_;                  ///< of jobs, for bf_busy_nodes; empty without it
  std::set<JobId> beyond_leaves_;  ///< whole nodes of which the last test had too many leaves
  bool lacks_cores_ = false;       ///< of the last will_run()
  std::uint64_t state_ = 0;        ///< counts what stamp_ and the weights stood for
  std::uint64_t weights_seen_ = 0;
  std::map<Question, Known> known_;
  EnoughNodes enough_nodes_;                ///< of the last question
  KnownTotals totals_;                      ///< of the last question
  std::vector<const Job*> removed_;         ///< from the scratch ledger
  const ReservedView* reserved_ = nullptr;  ///< of the present question
};

}  // namespace rehearse

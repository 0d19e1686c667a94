// sim/sched/limits.hpp — association and QOS limits: submit checks, holds, counters (limits.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/billing.hpp"
#include "sim/sched/bound_limits.hpp"
#include "sim/sched/certain_amounts.hpp"
#include "sim/sched/gres_tres.hpp"
#include "sim/sched/limit_scope.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"
#include "sim/sched/submit_refusal.hpp"

namespace rehearse {

/// What MaxTime is compared with: backfill asks about --time-min (scheduling.md §3.1).
enum class TestedTime : std::uint8_t { Limit, TimeMin };

class Limits {
 public:
  explicit Limits(Cluster& cluster);

  /// Chooses association and QOS (limits.md §1.2, §1.3) and writes them into the job.
  [[nodiscard]] std::optional<SubmitRefusal> assign(Job& job) const;
  /// Submit-time checks: partition limits, then §5; may fill in a time limit (§5.1). DefaultTime of
  /// a partition has been filled in before. `tasks`: of an unsplit array, else 1.
  [[nodiscard]] std::optional<SubmitRefusal> check_submit(Job& job, std::uint32_t tasks) const;
  /// EnforcePartLimits (lifecycle.md §2). A job that is let in although no partition would take it
  /// gets the reason PartitionConfig. Part of check_submit.
  [[nodiscard]] std::optional<SubmitRefusal> check_partition_limits_at_submit(Job& job) const;
  /// The request vector (§2) for that partition.
  [[nodiscard]] TresVector request_vector(const Job& job, const Partition& partition) const;
  /// The allocation (or selection) as a vector, billing included: `billing` gets the exact value if
  /// it has none yet.
  [[nodiscard]] TresVector allocation_vector(const Job& job, const Partition& partition,
                                             const Allocation& allocation,
                                             std::optional<double>& billing) const;
  /// What a heterogeneous job's component counts for beside the others before it starts
  /// (scheduling.md §11), which is what it is billed for wherever usage is kept (priority.md §6.2).
  TresVector count_component(Job& job, const Partition& partition, const Allocation& chosen) const;

  [[nodiscard]] std::optional<Reason> invalid(const Job& job) const;  ///< what was lost (§1.3)
  /// Before node selection (§6.2); none: may go on.
  [[nodiscard]] std::optional<Reason> before_selection(const Job& job, PartitionId partition) const;
  /// The cap on nodes (§6.3), or the reason to hold; max_nodes is lowered in place.
  [[nodiscard]] std::optional<Reason> cap_nodes(const Job& job, PartitionId partition,
                                                std::uint32_t min_nodes,
                                                std::uint32_t& max_nodes) const;
  /// After node selection (§6.4). `selected`: the selected vector; `nodes`: where it would run.
  [[nodiscard]] std::optional<Reason> after_selection(const Job& job, PartitionId partition,
                                                      const TresVector& selected,
                                                      const NodeSet& nodes) const;
  /// The same of a selection, whose vector is made only where some limit looks at it.
  [[nodiscard]] std::optional<Reason> after_selection(const Job& job, PartitionId partition,
                                                      const Allocation& selected,
                                                      const NodeSet& nodes) const;
  /// The QOS whose group limit stops such a start; null: none's does first (scheduling.md §8.8).
  [[nodiscard]] const Qos* stopping_qos(const Job& job, PartitionId partition,
                                        const Allocation& selected, const NodeSet& nodes) const;
  /// The same after a selection that found none (scheduling.md §4.3). `nodes`: if nothing ran.
  [[nodiscard]] std::optional<LimitStop> after_failed_selection(
      const Job& job, PartitionId partition, const NodeSet* nodes,
      const EffectiveRequest& request) const;
  /// Of a selection that backfill plans: all of its nodes count, also those that the group uses.
  [[nodiscard]] std::optional<Reason> after_planning(const Job& job, PartitionId partition,
                                                     const Allocation& planned) const;
  /// What is known of a plan's vector from the request alone. `certain`: its CPUs.
  [[nodiscard]] CertainAmounts certain_amounts(const Job& job, const CertainCpus& certain) const;
  /// What after_planning() answers for every plan with these amounts; none: it depends.
  [[nodiscard]] std::optional<AfterSelection> foretold(const Job& job, PartitionId partition,
                                                       const CertainAmounts& known) const;
  /// Partition limits, state, access of the QOS (scheduling.md §3.1 test 2, limits.md §1.3, §6.1).
  [[nodiscard]] std::optional<Reason> partition_test(const Job& job, PartitionId partition,
                                                     TestedTime time = TestedTime::Limit) const;
  /// True if the answers of partition_test() may be others after a tick (UsageThreshold of a QOS).
  [[nodiscard]] bool any_goes_by_usage() const;
  /// AllowAccounts and DenyAccounts, which a start alone goes by (scheduling.md §3.1 test 2).
  [[nodiscard]] bool admits_account(const Job& job, PartitionId partition) const;
  [[nodiscard]] bool admits_qos(const Job& job, PartitionId partition) const;
  /// What squeue shows in the place of a Reason of access; empty: the Reason itself.
  [[nodiscard]] std::string sentence_of(Reason reason, const Job& job, PartitionId partition) const;
  /// MinPrioThreshold in force for the job, else 0 (§7.2).
  [[nodiscard]] std::uint32_t min_prio_threshold(const Job& job, PartitionId partition) const;

  // Counters (§3). No effect unless limits are enforced.
  void job_submitted(const Job& job, std::uint32_t tasks);
  void job_removed(const Job& job, std::uint32_t tasks);  ///< cancelled or refused while pending
  void job_started(const Job& job);
  /// Leaves RUNNING: enters COMPLETING or is requeued (then `requeued`: it stays submitted).
  void job_stopped(const Job& job, bool requeued);
  /// A running job holds something else from now on; its record is changed here, between giving the
  /// old amounts back and taking the new ones.
  void job_resized(Job& job, const NodeSet& nodes, TresVector amounts);
  /// Committed run time moves at ticks.
  void tick(SlurmTime now, SlurmTime previous, std::span<Job* const> running);
  /// A running job's time limit was changed: run time is committed anew at once (§9).
  void time_limit_changed(const Job& job, const std::optional<Minutes>& before);
  /// A running job to be killed by a limit now (§7.1): TimeLimit, as its record shows.
  [[nodiscard]] std::optional<Reason> run_time_limit(const Job& job, SlurmTime now) const;
  /// True if some limit could end the job while it runs (§7.1).
  [[nodiscard]] bool may_be_killed(const Job& job) const {
    return concerns(job, job.partition, kRunTime);
  }
  /// The limit behind run_time_limit.
  [[nodiscard]] std::optional<Reason> killing_limit(const Job& job, SlurmTime now) const;

  /// Sets the age clock at a queue build where it may start (priority.md §3.1, limits.md §8).
  void update_accrual(Job& job, SlurmTime now);
  /// True if a limit says how many jobs like it may age at a time.
  [[nodiscard]] bool limits_age(const Job& job) const { return accrual_room(job).has_value(); }
  /// Tasks of an array that may begin to age while the others may not: they become records of
  /// their own (limits.md §8). 0: the array ages as one, or does not.
  [[nodiscard]] std::uint32_t tasks_to_age(const Job& job, SlurmTime now) const;
  /// Stops the age clock and gives its slot back: hold, dependency, another QOS (limits.md §8).
  void clear_accrual(Job& job);
  /// How many tasks of the job may start their age clock now; none: no accrual limit is set.
  [[nodiscard]] std::optional<std::uint32_t> accrual_room(const Job& job) const;

  /// To be called after limits in the account book were edited.
  void limits_changed();

 private:
  /// Which tests have anything to look at.
  enum Interest : std::uint8_t { kBefore = 1, kCap = 2, kAfter = 4, kRunTime = 8, kAccrue = 16 };
  struct SubmitCheck;  // limits_submit.cpp
  struct Selected;     // limits_selected.cpp
  struct GroupUse;

  /// Of a job with so many CPUs, and where it asks by CPU so much memory for each.
  [[nodiscard]] TresVector vector_of(const Job& job, const Partition& partition, std::uint32_t cpus,
                                     std::uint64_t per_cpu_mib, std::uint32_t nodes) const;
  [[nodiscard]] TresVector estimated_vector(const Job& job, const Partition& partition,
                                            const NodeSet* nodes,
                                            const EffectiveRequest& request) const;
  void count_gres_of(const NodeSet& nodes, const EffectiveRequest& request,
                     TresVector& amounts) const;
  void count_gres_as_asked(const Job& job, std::uint32_t nodes, TresVector& amounts) const;
  [[nodiscard]] LimitScope scope_of(const Job& job, PartitionId partition) const;
  [[nodiscard]] const Qos* qos_of(const Job& job) const;
  [[nodiscard]] bool concerns(const Job& job, PartitionId partition, Interest interest) const;
  [[nodiscard]] static std::uint8_t interests_of(const Qos& qos);
  [[nodiscard]] static std::uint8_t interests_of(const Association& association);
  [[nodiscard]] const Association* parent_of(const Association& association) const;
  [[nodiscard]] NameId user_of(const Job& job) const;
  [[nodiscard]] NameId account_of(const Job& job) const;

  [[nodiscard]] std::optional<AssociationId> choose_association(const Job& job) const;
  [[nodiscard]] std::optional<QosId> default_qos(const Job& job) const;
  [[nodiscard]] bool may_use(const Job& job, QosId qos) const;

  [[nodiscard]] std::optional<Reason> before_by_qos(const Job& job, const LimitScope& scope,
                                                    const Qos& qos, LimitRank rank) const;
  [[nodiscard]] std::optional<Reason> before_by_association(const Job& job,
                                                            const LimitScope& scope) const;
  [[nodiscard]] const BoundLimit* first_exceeded(const Job& job, PartitionId partition,
                                                 const TresVector& selected,
                                                 const NodeSet& nodes) const;
  [[nodiscard]] bool exceeds(const BoundLimit& bound, const Selected& selected,
                             const GroupUse& group) const;
  [[nodiscard]] GroupUse use_of(const BoundLimit& limit, const Job& job) const;

  template <typename Use>
  void for_each_ancestor(const Job& job, Use use);
  template <typename Use>
  void for_each_qos(const Job& job, Use use);
  template <typename Use>
  void for_other_partition_qos(const Job& job, Use use);
  void change_submitted(const Job& job, std::int64_t tasks);
  void commit(const Job& job, std::int64_t seconds);
  void change_accruing(const Job& job, std::int64_t tasks);

  /// Positions of the TRES that units of this GRES count for.
  [[nodiscard]] const std::vector<std::size_t>& tres_of_gres(NameId name, NameId type) const;
  void add_gres(TresVector& amounts, NameId name, NameId type, std::uint64_t count) const;

  Cluster& cluster_;
  bool enforced_, safe_;
  SlurmVersion version_;
  Billing billing_;
  std::vector<TresClass> classes_;                           // by TRES
  std::vector<GresTres> gres_;                               // in TRES order
  mutable std::vector<CountedGres> counted_gres_;            // as they were first asked for
  std::vector<std::uint8_t> qos_interest_, chain_interest_;  // by QOS; by association with above
  mutable BoundLimits bound_;                                // memory only
  std::vector<std::pair<std::size_t, std::uint64_t>> committing_;  // of commit(): TRES, amount
  std::vector<std::uint64_t> committed_left_s_;  // by job: run seconds × factor still committed
  std::map<JobIndex, Seconds> counted_down_;  // running jobs that ticks count down no further (§3)
};

}  // namespace rehearse

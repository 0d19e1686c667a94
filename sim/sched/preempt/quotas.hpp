// sim/sched/preempt/quotas.hpp — guaranteed quotas, what is borrowed beyond them, and by whom it
// may be reclaimed: as GPU orchestrators on Kubernetes divide a cluster.
//
// Terms: Run:ai and KAI-Scheduler say project or queue, deserved quota, over-quota weight, reclaim;
// Volcano's capacity plugin queue, deserved, reclaim; Kueue ClusterQueue, nominalQuota, borrowing,
// reclaimWithinCohort. Here a queue is an account, with all below it.
//
// The runs of an account stand in one order: those that are not preemptible, then the others, the
// oldest first. The *level* of a run is what the account holds up to and with it, less its quota,
// in parts of all quotas and by its weight; of several TRES the largest counts. A level above 0 is
// a borrower's. Who has the highest level is evicted first, who would have the lowest starts first:
// so borrowing accounts come to have equal levels, which is a division by over-quota weights.
//
// Invariants: what is not preemptible never borrows; nobody at level 0 or below is evicted.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

/// Beyond the quota, in billionths of all quotas over the account's weight.
using QuotaLevel = std::int64_t;
/// Of a job that uses nothing that has quotas: it neither borrows nor reclaims.
inline constexpr QuotaLevel kNoLevel = std::numeric_limits<QuotaLevel>::min();

class Quotas {
 public:
  Quotas(const Cluster& cluster, const RunningJobs& running);

  /// Why a pending job may not start whatever is free: it is not preemptible and would borrow.
  [[nodiscard]] std::optional<Reason> refuses(const Job& job) const;
  /// True if the pending job may take what the running one holds.
  [[nodiscard]] bool may_reclaim(const Job& preemptor, const Job& victim) const;
  [[nodiscard]] bool is_preemptable(const Job& job) const;
  [[nodiscard]] QuotaLevel level_of(const Job& running) const;

  /// Nodes are being cleared for the pending job: until it starts its request counts as held.
  void clears_for(const Job& job);

  /// Jobs that would start one after another: what each would come to.
  class Queue {
   public:
    explicit Queue(const Quotas& quotas);
    /// The job's level if it started now; not below 0.
    [[nodiscard]] QuotaLevel level_of_next(const Job& job) const;
    void starts(const Job& job);

   private:
    const Quotas& quotas_;
    std::vector<TresVector> held_;  // by account
  };
  /// The account that the job counts for; equal for all jobs of one quota.
  [[nodiscard]] std::size_t account_of(const Job& job) const;

 private:
  struct Account {
    TresVector quota;       ///< beside resources_; so the next three
    TresVector held, firm;  ///< by running jobs; of these by what is not preemptible
    std::uint64_t weight = 1;
  };
  void refresh() const;
  [[nodiscard]] TresVector amounts(const TresVector& of) const;
  [[nodiscard]] QuotaLevel level(const Account& account, const TresVector& held,
                                 const TresVector& wanted) const;
  [[nodiscard]] TresVector with_cleared(std::size_t account, TresVector held, const Job& but,
                                        bool firm_only) const;

  const Cluster& cluster_;
  const RunningJobs& running_;
  bool fair_share_;
  std::vector<TresIndex> resources_;  // that have quotas
  TresVector all_quotas_;             // beside them
  std::vector<char> firm_qos_;        // by QOS: not preemptible
  std::vector<JobIndex> cleared_for_;
  // What the book of accounts makes of the lines; an association that came later is looked up.
  mutable std::map<NameId, std::size_t> by_name_;
  mutable std::deque<Account> accounts_;  // references stay good
  // Of the running jobs as they are.
  mutable std::optional<std::uint64_t> seen_;
  mutable std::vector<QuotaLevel> levels_;  // by job
};

/// What is wrong with the lines of policy.quotas on this cluster, and what cannot be guaranteed.
void check_quotas(const Cluster& cluster, Diagnostics& found);

/// The resources of the lines, in the order of the cluster's TRES.
[[nodiscard]] std::vector<TresIndex> quota_resources(const Cluster& cluster);

}  // namespace rehearse

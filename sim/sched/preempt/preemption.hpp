// sim/sched/preempt/preemption.hpp — whose resources a pending job may take, and which of them it
// does (preemption.md §2–4).
//
// Both loops and the estimate ask here; nothing is changed. The controller executes
// (sim/controller/preemption.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/sched/policy.hpp"
#include "sim/sched/preempt/plugin.hpp"
#include "sim/sched/preempt/quotas.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

/// Nodes for a preemptor, once `victims` have gone.
struct Displacement {
  Allocation allocation;
  std::vector<Job*> victims;  ///< in the order in which they are signalled
  /// The job fits as things are; else it waits, also where nobody has to go (preemption.md §4).
  bool starts = false;
};

class Preemption {
 public:
  Preemption(const Cluster& cluster, const SelectPlugin& select, const RunningJobs& running);

  [[nodiscard]] const PreemptPlugin& plugin() const { return *plugin_; }
  /// To be called after QOS were edited.
  void accounts_changed() { plugin_->accounts_changed(); }
  /// False: PreemptMode=OFF, nobody is asked.
  [[nodiscard]] bool is_enabled() const { return enabled_; }

  /// Of the accounts; null: policy.reclaim is off.
  [[nodiscard]] const Quotas* quotas() const { return quotas_ ? &*quotas_ : nullptr; }
  /// Victims of the pending job have been signalled.
  void clears_for(const Job& job) {
    if (quotas_) quotas_->clears_for(job);
  }

  /// False: the job has no victims in `partition`, whoever runs.
  [[nodiscard]] bool may_take(const Job& preemptor, PartitionId partition) const {
    if (!enabled_) return false;
    return plugin_->has_prey({preemptor, partition}) || !preemptor.reservations.empty();
  }

  /// Jobs that may become victims of `preemptor` in `partition`, in the order in which they are
  /// tried (preemption.md §2, §3). `lacking`: licences beside conf.licenses; who holds some is one
  /// wherever it runs.
  [[nodiscard]] std::vector<Job*> candidates(const Job& preemptor, PartitionId partition,
                                             SlurmTime now,
                                             std::span<const std::uint32_t> lacking = {}) const;

  /// Of these, the ones that would be killed: all that they hold would be free. (Victims in mode
  /// SUSPEND give their cores only.)
  [[nodiscard]] std::vector<Job*> killable(const Job& preemptor, PartitionId partition,
                                           SlurmTime now) const;

  /// True if the job may be placed on the extra row (preemption.md §4 step 2): with preempt/qos, if
  /// the first candidate would be suspended. Nobody is then killed for it.
  [[nodiscard]] bool takes_extra_row(const Job& preemptor, PartitionId partition,
                                     SlurmTime now) const;
  /// Where cores are shared: candidates that would be suspended; their cores, and those only, are
  /// counted on at once (preemption.md §7).
  [[nodiscard]] std::vector<Job*> suspendable(const Job& preemptor, PartitionId partition,
                                              SlurmTime now) const;

  /// The walks of preemption.md §4. `query` is one that has just failed, or was not asked because
  /// the job lacks licences. None: it fails whoever goes. Victims in mode SUSPEND are not
  /// considered.
  [[nodiscard]] std::optional<Displacement> displace(
      const PlacementQuery& query, SlurmTime now,
      std::span<const std::uint32_t> lacking = {}) const;

  /// True if victims may be made to give licences to such a job (reclaim_licenses).
  [[nodiscard]] bool reclaims_licenses(const Job& preemptor) const;
  /// True if all that could be killed together hold what is lacking.
  [[nodiscard]] bool could_reclaim(const Job& preemptor, PartitionId partition, SlurmTime now,
                                   std::span<const std::uint32_t> lacking) const;

  /// True if a record of `a` goes before one of `b` whatever their priorities (scheduling.md §3.2,
  /// rule 1).
  [[nodiscard]] bool precedes(const PreemptSide& a, const PreemptSide& b) const {
    return enabled_ && plugin_->precedes(a, b);
  }
  /// True if something could preempt the job: its plan then does not bind (preemption.md §7).
  [[nodiscard]] bool is_preemptable(const Job& job) const {
    return enabled_ && mode_of(job) != PreemptMode::Off;
  }
  /// What happens to a victim; to a heterogeneous one the mildest of what its running components
  /// would meet (preemption.md §2).
  [[nodiscard]] PreemptMode mode_of(const Job& victim) const;

 private:
  [[nodiscard]] std::optional<Seconds> exempt_time(const Job& victim) const;
  [[nodiscard]] bool is_killed(const Job& victim) const;
  [[nodiscard]] bool borrows_from(const Job& victim, const Job& preemptor) const;
  [[nodiscard]] bool has_extra_row() const;
  [[nodiscard]] bool is_exempt(const Job& victim, SlurmTime now) const;
  [[nodiscard]] std::vector<Job*> parts_of(Job& victim) const;
  [[nodiscard]] bool uses(const Job& victim, const NodeSet& nodes) const;

  struct Walk {
    std::vector<Job*> removed;
    std::size_t last = 0;  ///< position of the last removed one among the candidates
    std::optional<Allocation> allocation;
  };
  [[nodiscard]] Walk walk(const PlacementQuery& query, const std::vector<Job*>& candidates,
                          std::span<const std::uint32_t> lacking) const;
  [[nodiscard]] bool holds_any(Job& job, std::span<const std::uint32_t> lacking) const;
  [[nodiscard]] std::optional<Allocation> again_without(const PlacementQuery& query,
                                                        const NodeSet& selected) const;
  [[nodiscard]] std::vector<Job*> reordered(const std::vector<Job*>& candidates, std::size_t last,
                                            const NodeSet& selected) const;

  const Cluster& cluster_;
  const SelectPlugin& select_;
  const RunningJobs& running_;
  std::optional<Quotas> quotas_;
  std::unique_ptr<PreemptPlugin> plugin_;
  bool enabled_ = false;
  mutable Ledger scratch_;  // memory only: a copy is made for each walk
};

/// The same question on another ledger, which must outlive it.
[[nodiscard]] PlacementQuery on_ledger(const PlacementQuery& query, const Ledger& ledger);

}  // namespace rehearse

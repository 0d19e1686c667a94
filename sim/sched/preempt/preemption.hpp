// sim/sched/preempt/preemption.hpp — whose resources a pending job may take, and which of them it
// does (preemption.md §2–4).
//
// Both loops and the estimate ask here; nothing is changed. The controller executes
// (sim/controller/preemption.cpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/sched/policy.hpp"
#include "sim/sched/preempt/plugin.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

/// Nodes for a preemptor, once `victims` have gone.
struct Displacement {
  Allocation allocation;
  std::vector<Job*> victims;  ///< in the order in which they are signalled
};

class Preemption {
 public:
  Preemption(const Cluster& cluster, const SelectPlugin& select, const RunningJobs& running);

  [[nodiscard]] const PreemptPlugin& plugin() const { return *plugin_; }
  /// False: PreemptMode=OFF, nobody is asked.
  [[nodiscard]] bool is_enabled() const { return enabled_; }

  /// Jobs that may become victims of `preemptor` in `partition`, in the order in which they are
  /// tried (preemption.md §2, §3).
  [[nodiscard]] std::vector<Job*> candidates(const Job& preemptor, PartitionId partition,
                                             SlurmTime now) const;

  /// Of these, the ones that would be killed: all that they hold would be free. (Victims in mode
  /// SUSPEND give their cores only.)
  [[nodiscard]] std::vector<Job*> killable(const Job& preemptor, PartitionId partition,
                                           SlurmTime now) const;

  /// The walks of preemption.md §4. `query` is one that has just failed. None: it fails whoever
  /// goes. Victims in mode SUSPEND are not considered.
  [[nodiscard]] std::optional<Displacement> displace(const PlacementQuery& query,
                                                     SlurmTime now) const;

  /// True if a record of `a` goes before one of `b` whatever their priorities (scheduling.md §3.2,
  /// rule 1).
  [[nodiscard]] bool precedes(const PreemptSide& a, const PreemptSide& b) const {
    return enabled_ && plugin_->may_preempt(a, b);
  }
  /// True if something could preempt the job: its plan then does not bind (preemption.md §7).
  [[nodiscard]] bool is_preemptable(const Job& job) const {
    return enabled_ && plugin_->mode_of(job) != PreemptMode::Off;
  }

 private:
  [[nodiscard]] std::optional<Seconds> exempt_time(const Job& victim) const;
  [[nodiscard]] bool is_killed(const Job& victim) const;
  [[nodiscard]] bool is_exempt(const Job& victim, SlurmTime now) const;

  struct Walk {
    std::vector<Job*> removed;
    std::size_t last = 0;  ///< position of the last removed one among the candidates
    std::optional<Allocation> allocation;
  };
  [[nodiscard]] Walk walk(const PlacementQuery& query, const std::vector<Job*>& candidates) const;
  [[nodiscard]] std::vector<Job*> reordered(const std::vector<Job*>& candidates, std::size_t last,
                                            const NodeSet& selected) const;

  const Cluster& cluster_;
  const SelectPlugin& select_;
  const RunningJobs& running_;
  std::unique_ptr<PreemptPlugin> plugin_;
  bool enabled_ = false;
  mutable Ledger scratch_;  // memory only: a copy is made for each walk
};

/// The same question on another ledger, which must outlive it.
[[nodiscard]] PlacementQuery on_ledger(const PlacementQuery& query, const Ledger& ledger);

}  // namespace rehearse

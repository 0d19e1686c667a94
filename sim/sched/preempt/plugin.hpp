// sim/sched/preempt/plugin.hpp — PreemptType=: who may take whose resources, and how they are
// taken.
//
// A preemptor is a pending job that wants resources, a victim a running or suspended one that may
// lose them (preemption.md §1–3). A plugin knows the rule of a pair, what happens to a victim, and
// which victims go first; who is a candidate and which are chosen is the same for all.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// A job in the partition that counts: of a pending job the one being tried, of a running one its
/// own.
struct PreemptSide {
  const Job& job;
  PartitionId partition;
};

class PreemptPlugin {
 public:
  virtual ~PreemptPlugin() = default;

  /// The pair rule (preemption.md §2).
  [[nodiscard]] virtual bool may_preempt(const PreemptSide& preemptor,
                                         const PreemptSide& victim) const = 0;

  /// False: the configuration lets it preempt nobody, whoever runs.
  [[nodiscard]] virtual bool has_prey(const PreemptSide& preemptor) const = 0;

  /// The first rule of the queue's order, between records of two pending jobs (scheduling.md §3.2).
  [[nodiscard]] virtual bool precedes(const PreemptSide& a, const PreemptSide& b) const {
    return may_preempt(a, b);
  }

  /// False: it goes before no record by that rule.
  [[nodiscard]] virtual bool precedes_any(const PreemptSide& a) const { return has_prey(a); }

  /// What happens to the victim. Off: it is left alone. Cancel and Requeue: it is killed, after its
  /// grace time, and the preemptor waits until its nodes are clean. Suspend: nobody ends; the
  /// preemptor is placed over the cores of its victims, which keep memory and devices, starts at
  /// once, and gang scheduling stops them (preemption.md §4 step 2, §7, §8).
  [[nodiscard]] virtual PreemptMode mode_of(const Job& victim) const = 0;

  /// Victims of lower rank go first (preemption.md §3).
  [[nodiscard]] virtual std::uint64_t rank_of(const Job& victim) const = 0;

  /// Between the warning of a victim and its end; 0: it ends at once.
  [[nodiscard]] virtual Seconds grace_of(const Job& victim) const = 0;

  /// To be called after QOS were edited.
  virtual void accounts_changed() {}
};

/// By PreemptType=.
[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_plugin(const Cluster& cluster);

/// The rank of both plugins: `first` above, then the number of nodes; each cut to 16 bits.
[[nodiscard]] std::uint64_t preempt_rank(std::uint32_t first, std::size_t nodes);

}  // namespace rehearse

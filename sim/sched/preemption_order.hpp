// sim/sched/preemption_order.hpp — who may preempt another is looked at first (scheduling.md §3.2,
// rule 1).
//
// Both loops ask for the queue many times while nobody comes or goes: the last answer is kept, with
// all that it went by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/queue_record.hpp"

namespace rehearse {

class PreemptionOrder {
 public:
  /// The records by rule 1, and by rules 2 to 8 where that tells nothing. `ranked`: by rules 2 to
  /// 8. Good until the next call.
  [[nodiscard]] std::span<const QueueRecord> of(std::span<const QueueRecord> ranked,
                                                const Cluster& cluster,
                                                const Preemption& preemption);
  /// A job's QOS, or whom a QOS may preempt, may be another.
  void forget() { asked_.clear(); }

 private:
  [[nodiscard]] bool knows(std::span<const QueueRecord> ranked, const Cluster& cluster) const;
  void sort(const Cluster& cluster, const Preemption& preemption);

  std::vector<QueueRecord> asked_, ordered_;
  std::vector<std::uint32_t> priorities_;    ///< of the jobs of asked_: not always their records'
  std::vector<std::uint32_t> line_, spare_;  ///< positions in asked_
};

}  // namespace rehearse

// sim/sched/node_choice.hpp — one attempt to give a job nodes now, and what its failure means
// (scheduling.md §4.3, §5.2, §5.6). Shared by the main loop and backfill.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/cpus_per_gpu.hpp"
#include "sim/sched/feature_names.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/memory_left.hpp"
#include "sim/sched/node_owners.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/preferred_features.hpp"
#include "sim/sched/reservations/view.hpp"
#include "sim/sched/select/sched_weights.hpp"
#include "sim/sched/selection.hpp"

namespace rehearse {

class NodeChoice {
 public:
  /// `preemption`: null where nobody is to be preempted.
  NodeChoice(Cluster& cluster, const Limits& limits, const SelectPlugin& select,
             const Preemption* preemption = nullptr, SchedWeights* weights = nullptr,
             NodeOwners* owners = nullptr)
      : cluster_(cluster),
        limits_(limits),
        select_(select),
        preemption_(preemption),
        owners_(owners),
        weights_(weights),
        memory_left_(cluster, select),
        preferred_(cluster),
        feature_names_(cluster),
        completing_(cluster.nodes.size()) {}

  /// The range of node counts, or the failure that it already is.
  [[nodiscard]] std::optional<NodeCounts> counts(const Job& job, PartitionId partition,
                                                 Selection& failure) const;

  /// Tries to place the job now. `available`: nodes up and not set aside earlier in the pass;
  /// `reserved`: what reservations leave of them.
  [[nodiscard]] Selection select_now(Job& job, PartitionId partition, const NodeSet& available,
                                     const ReservedView& reserved, SlurmTime now);

  /// To be told of each test that select_now does not make: it may leave the job another request
  /// (gres.md §2.3). A partition without enough configured nodes is not tested.
  enum class Outcome : std::uint8_t {
    Final,
    Going,     ///< an estimate, and others of its record may follow
    Foretold,  ///< an estimate said "now"
  };
  void tested(Job& job, PartitionId partition, Outcome outcome = Outcome::Final);
  /// A submission was accepted without a test of the hardware.
  void not_tested(Job& job) { memory_left_.not_tested(job); }
  /// A job that a submission or a pass, not an estimate, has tested in an EXCLUSIVE partition has
  /// whole nodes wherever it runs, in one of FORCE:n it shares from then on (scheduling.md §5.3).
  void leave_sharing(Job& job, PartitionId partition);
  /// True if tests leave the job different requests, so that each of them has to be made.
  [[nodiscard]] bool is_changed_by_tests(const Job& job, PartitionId partition) const;
  /// The test that it starts by went by the other request: false where there is none.
  bool turn_request(Job& job);
  /// A test has found so many CPUs for the job: limits before the next test go by them.
  void found_cpus(Job& job, std::uint32_t cpus) {
    if (std::exchange(job.total_cpus, cpus) != cpus) ++cpus_found_;
  }
  /// How often a test left another request behind, or other CPUs to go by.
  [[nodiscard]] std::uint64_t requests_changed() const {
    return memory_left_.changes() + cpus_found_ + requests_replaced();
  }
  [[nodiscard]] std::uint64_t requests_replaced() const { return cpus_kept_ + sharing_left_; }

  /// Which of its two requests a job with --prefer has (§3.1).
  [[nodiscard]] PreferredFeatures& preferred() { return preferred_; }

  [[nodiscard]] FeatureNames& feature_names() { return feature_names_; }

  /// Nodes of the partition whose configuration can serve the job; remembered by request.
  [[nodiscard]] const NodeSet& configured(const Job& job, PartitionId partition);

  /// What every allocation of the job there comes to, if that is known.
  [[nodiscard]] std::optional<CertainCpus> certain_cpus(const Job& job, PartitionId partition,
                                                        const NodeCounts& counts) const {
    return select_.certain_cpus(job, cluster_.partitions[partition], counts.min, counts.max);
  }
  /// Counts the changes that forget() was called for: nothing else changes the last two answers.
  [[nodiscard]] std::uint64_t configurations() const { return configurations_; }

  /// Takes away what other users own (ExclusiveUser).
  void withhold_owned(const Job& job, PartitionId partition, SlurmTime now, NodeSet& nodes);
  /// Nodes that are up and may be given to jobs, completing ones included.
  [[nodiscard]] NodeSet available_nodes() const;
  /// True if the node may take jobs from the main loop: available and not completing.
  [[nodiscard]] const NodeSet& completing() const { return completing_; }
  void set_completing(NodeId node, bool completing);
  /// Node states, features or partitions were changed by an admin.
  void forget() {
    configured_.clear();
    ++configurations_;
    empty_answers_.clear();
    feature_names_.forget();
  }

  /// False: nobody is to go for the job in that partition, whoever runs.
  [[nodiscard]] bool may_preempt(const Job& job, PartitionId partition) const;
  /// Licences that the job lacks and for which it may have victims, beside conf.licenses; empty:
  /// none. `reserved`: what reservations keep from it.
  [[nodiscard]] std::vector<std::uint32_t> reclaimable(
      const Job& job, std::span<const std::uint32_t> reserved) const;
  /// True if there are such victims, for all that it lacks.
  [[nodiscard]] bool could_reclaim(const Job& job, PartitionId partition,
                                   std::span<const std::uint32_t> reserved, SlurmTime now) const;

  /// True if another job may preempt this one.
  [[nodiscard]] bool is_preemptable(const Job& job) const;

  /// True if the job could run on an idle cluster of the partition's nodes in any state. Under
  /// select/linear its JOBSIZE goes by that from then on (count_chosen).
  [[nodiscard]] bool could_ever_run(Job& job, PartitionId partition);
  /// The same of those of them that are `among` these. `preferred`: null, or a FLEX reservation's.
  [[nodiscard]] bool could_ever_run(Job& job, PartitionId partition, const NodeSet& among,
                                    const NodeSet* preferred = nullptr);
  /// How many nodes it would have on an idle cluster; none if it could not run there. `among`: of
  /// these alone; null: of all.
  [[nodiscard]] std::size_t nodes_if_idle(const Job& job, PartitionId partition,
                                          const NodeSet* among = nullptr);

 private:
  /// Where a request with these counts fits on `nodes` if nothing runs there.
  struct EmptyAnswer {
    NodeCounts counts;
    NodeSet nodes;
    std::optional<NodeSet> chosen;
    NearNotes notes;
  };

  [[nodiscard]] Selection select(Job& job, PartitionId partition, const NodeCounts& range,
                                 const NodeSet& available, const ReservedView& reserved,
                                 SlurmTime now);
  /// The "ever run" test, good until the next but one. It leaves no weights behind:
  /// leave_weights() does.
  [[nodiscard]] const EmptyAnswer& choose_empty(const Job& job, PartitionId partition,
                                                const NodeCounts& counts, const NodeSet& nodes);
  void leave_weights(const EmptyAnswer& answer);
  void count_chosen(Job& job, const EmptyAnswer& answer);
  [[nodiscard]] Selection failed(Job& job, PartitionId partition, const NodeCounts& counts,
                                 const NodeSet& allowed, bool dropped,
                                 const ReservedView& reserved);

  Cluster& cluster_;
  const Limits& limits_;
  const SelectPlugin& select_;
  const Preemption* preemption_;
  NodeOwners* owners_;     ///< null: no node is kept for a user
  SchedWeights* weights_;  ///< that selections leave behind; null: nobody reads them
  MemoryLeft memory_left_;
  std::uint64_t cpus_kept_ = 0;     ///< how often a test decided whose DefCpuPerGPU a job has
  std::uint64_t cpus_found_ = 0;    ///< how often found_cpus() told others than before
  std::uint64_t sharing_left_ = 0;  ///< how often leave_sharing() changed a request
  PreferredFeatures preferred_;
  FeatureNames feature_names_;
  NodeSet completing_;
  std::map<std::pair<RequestId, PartitionId>, NodeSet> configured_;
  std::uint64_t configurations_ = 0;
  /// Those asked for last come last.
  std::map<std::pair<RequestId, PartitionId>, std::list<EmptyAnswer>> empty_answers_;
};

}  // namespace rehearse

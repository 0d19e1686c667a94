// sim/sched/able_nodes.hpp — how many running jobs must end before each node can serve a request.
//
// Jobs leave in the order of the ends of their limits. Whether a node can serve depends on its own
// jobs alone, so each node waits for one of them, whatever the request asks of others; a node on
// which nothing changed goes on to wait for the same job from one state of the cluster to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/sched/ends_needed.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse {

class AbleNodes {
 public:
  AbleNodes(const Cluster& cluster, const SelectPlugin& select, const RunningJobs& running)
      : cluster_(cluster), select_(select), running_(running) {}

  /// Jobs counted as in by_end(). Good until the next call.
  [[nodiscard]] const EndsNeeded& of(const Job& job, PartitionId partition);
  /// Its at_once() alone, which is had for less.
  [[nodiscard]] const NodeSet& at_once(const Job& job, PartitionId partition) {
    return settled(job, partition).needed.at_once();
  }

  /// The ledger, or the list of ends, has changed.
  void state_changed() { is_listed_ = false; }
  /// So may have the configuration of nodes.
  void forget() {
    state_changed();
    known_.clear();
  }

 private:
  static constexpr std::uint32_t kNever = UINT32_MAX, kAtOnce = UINT32_MAX - 1;
  struct Known {
    NodeSet configured;                 ///< all others never serve
    std::uint64_t state = 0;            ///< `own` is of it
    std::optional<std::uint64_t> seen;  ///< changes of nodes up to there; none: no node
    EndsNeeded needed;                  ///< but for the nodes moved: those wait for others since
    NodeSet moved;
    std::vector<std::uint64_t> looks;  ///< by node: what `own` was found for
    /// By node: the slot of the last of its own jobs that have to leave, or one of the others.
    std::vector<std::uint32_t> own;
  };
  void list_jobs();
  [[nodiscard]] std::span<const LeavingJob> leaving_from(NodeId node);
  [[nodiscard]] Known& known_of(const Job& job, PartitionId partition);
  [[nodiscard]] Known& settled(const Job& job, PartitionId partition);  ///< in the present state
  void look_at(const Job& job, const Partition& where, std::size_t node, Known& known);
  void put_in_order(Known& known);

  const Cluster& cluster_;
  const SelectPlugin& select_;
  const RunningJobs& running_;
  bool is_listed_ = false;
  std::uint64_t state_ = 0;            ///< counts the lists that were made
  std::vector<std::uint32_t> places_;  // by slot: in by_end()
  std::vector<std::uint64_t> looks_;   // by node: of its holdings and of its jobs
  // Nodes whose look changed, in the order of changes: those from number forgotten_ on.
  std::vector<std::uint32_t> changed_;
  std::uint64_t forgotten_ = 0;
  std::vector<EndsNeeded::Wait> waits_;  // memory of put_in_order()
  std::vector<LeavingJob> leaving_;      // memory of leaving_from()
  std::map<std::pair<RequestId, PartitionId>, Known> known_;
};

}  // namespace rehearse

// sim/sched/policy.hpp — the interfaces behind Slurm's plugin names. One implementation a file.
//
// A policy sees the cluster, answers, and writes no state but its own; the controller acts on the
// answer. PriorityPlugin also keeps usage: it is the only writer of Usage and fair-share factors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/features.hpp"
#include "sim/sched/ledger_outline.hpp"

namespace rehearse {

struct RuledRequest;  // sim/sched/select/request_rules.hpp
class SchedWeights;   // sim/sched/select/sched_weights.hpp

/// PriorityType= (priority.md).
class PriorityPlugin {
 public:
  virtual ~PriorityPlugin() = default;

  /// Ticks happen at the controller's start and every period after; none: never.
  [[nodiscard]] virtual std::optional<Seconds> tick_period() const = 0;
  /// One tick (priority.md §4.1): decay, charges, fair-share factors. Job priorities are recomputed
  /// afterwards by the controller through `recompute`, in job-list order. `running` are the jobs to
  /// charge, `pending` those that wait, both in that order: which of them a user's share is settled
  /// at first counts (classic).
  virtual void tick(SlurmTime now, std::span<Job* const> running,
                    std::span<const JobIndex> pending) = 0;
  /// Recomputes job.priority, partition_priority and factors (priority.md §2, §5).
  virtual void recompute(Job& job, SlurmTime now) = 0;
  /// Charges the end of a run, before the job's counters are given back (priority.md §6.3).
  virtual void job_ended(const Job& job, SlurmTime now) = 0;
  /// To be called before the fair-share factors of associations are shown. Slurm's classic formula
  /// computes a user's lazily, and a question like `sshare` is one of the occasions (§4.1).
  virtual void settle_shares() {}
  /// What `sshare` would show now, by association; nothing is settled by it.
  [[nodiscard]] virtual std::vector<ShareFactors> shown_shares(const AccountBook& book) const {
    return kept_shares(book);
  }
  /// To be called after shares in the account book were edited.
  virtual void shares_changed() {}
  /// To be called after partitions, or what their nodes have, were changed.
  virtual void partitions_changed() {}
  /// To be called after slurm.conf was read again: the next priorities go by the cluster's conf as
  /// it is now.
  virtual void settings_changed() {}
};

/// One question to a SelectPlugin: can these nodes hold this request, and how?
struct PlacementQuery {
  const Job& job;
  const Request& request;
  const Partition& partition;
  const Ledger& ledger;
  const LedgerOutline* outline = nullptr;  ///< of that ledger, to be completed; null: it is
  const NodeSet& candidates;  ///< already within partition, reservation and availability
  std::uint32_t min_nodes = 1;
  std::uint32_t max_nodes = 1;
  std::uint32_t req_nodes = 1;  ///< wanted (scheduling.md §5.6)
  bool ignore_use = false;      ///< as if nothing ran: the "ever run" test
  bool future = false;          ///< asked by backfill's estimate
  bool on_copy = false;         ///< of the future: `ledger` is a copy with jobs taken out
  bool first = false;        ///< of a selection or estimate: by what the last left (gres.md §2.3)
  bool all_weights = false;  ///< cons_res: all nodes at once, as where victims go (§5.5)
  const CoresByNode* reserved_cores = nullptr;  ///< cores that reservations keep from the job
  const NodeSet* preferred = nullptr;           ///< a FLEX reservation's nodes come first
  const NodeSet* without_jobs = nullptr;  ///< bf_busy_nodes: at present; the others come first
  bool tested = false;                    ///< `leaves_needed` has been asked for the candidates
  SchedWeights* weights = nullptr;        ///< read and left behind (§5.5); null: fresh ones
  bool extra_row = false;  ///< preempt/qos: over the cores of a job that is to be suspended
  /// Gets the CPUs of nodes that were chosen and then have not the memory, or that the last term of
  /// counted features found; null: not asked for.
  std::uint32_t* refused_cpus = nullptr;
  /// Gets true where nodes were chosen that have too few cores for the tasks dealt to them; null:
  /// not asked for.
  bool* lacks_cores = nullptr;

  /// To be called before more than the content of a node is asked of the ledger.
  void complete(NodeId node) const {
    if (outline != nullptr) outline->complete(node);
  }
};

/// What is known of a job's allocation before there is one.
struct CertainCpus {
  std::uint32_t cpus = 0;        ///< of all its nodes
  std::uint32_t most_nodes = 1;  ///< it may have
  bool whole = false;            ///< with all that is free there
};

/// What a job that leaves a node gives back there.
struct LeavingJob {
  const NodeShare* share = nullptr;
  bool is_counted = true;  ///< among NodeUse::jobs; a suspended one, that lends its cores, is not
};

using CountedNodes = FeatureExpression::Counted;

/// SelectType= (scheduling.md §6, gres.md §3–4). Stateless between calls.
class SelectPlugin {
 public:
  virtual ~SelectPlugin() = default;

  /// Cores, memory and devices on the nodes Slurm would pick; none: does not fit.
  [[nodiscard]] virtual std::optional<Allocation> place(const PlacementQuery& query) const = 0;
  /// The nodes alone; may skip the layout where one is known to exist.
  [[nodiscard]] virtual std::optional<NodeSet> choose(const PlacementQuery& query) const = 0;
  /// How many of the jobs that leave the node, in their order, must be gone before what `ledger`
  /// then leaves there may serve the job; none: not even without them all. Before that the node is
  /// in no placement of the job, though it may decide which others are (decide_who_is_chosen());
  /// afterwards nothing is said, but that it stays so.
  [[nodiscard]] virtual std::optional<std::size_t> leaves_needed(
      const Job& job, const Partition& partition, const Ledger& ledger, NodeId node,
      std::span<const LeavingJob> leaving) const = 0;
  /// Nodes whose configuration can serve the job at all: partition, features, CPUs, memory, -x
  /// (scheduling.md §5.2, first line of §4.3 U), regardless of state and use.
  [[nodiscard]] virtual NodeSet configured_nodes(const Job& job,
                                                 const Partition& partition) const = 0;
  /// The request as that partition sees it: GRES and memory rules applied, or the refusal.
  [[nodiscard]] virtual const RuledRequest& ruled_request(const Job& job,
                                                          const Partition& partition) const = 0;
  /// Of every allocation of the job on so many nodes, wherever it is placed; none: its CPUs depend
  /// on the nodes, or may.
  [[nodiscard]] virtual std::optional<CertainCpus> certain_cpus(const Job& job,
                                                                const Partition& partition,
                                                                std::uint32_t min_nodes,
                                                                std::uint32_t max_nodes) const = 0;
  /// Leaf switches that these nodes touch (`--switches`); 0: no topology/tree.
  [[nodiscard]] virtual std::uint32_t leaf_switches(const NodeSet& nodes) const = 0;
  /// To be called after nodes or partitions were changed (`scontrol update`).
  virtual void configuration_changed() = 0;
  /// Of `-C [a|b]` the nodes of each alternative, in the order in which they are tried; one set
  /// otherwise.
  [[nodiscard]] virtual std::span<const NodeSet> alternatives(const Job& job,
                                                              const Partition& partition) const = 0;
  /// Of `-C [a*1&b*2]` the terms; none otherwise.
  [[nodiscard]] virtual std::span<const CountedNodes> counted_terms(
      const Job& job, const Partition& partition) const = 0;
};

[[nodiscard]] std::unique_ptr<PriorityPlugin> make_priority_plugin(Cluster& cluster);
[[nodiscard]] std::unique_ptr<SelectPlugin> make_select_plugin(const Cluster& cluster);

}  // namespace rehearse

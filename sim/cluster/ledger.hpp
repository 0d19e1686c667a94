// sim/cluster/ledger.hpp — who holds what; the only writer of free resources.
//
// A copy of a Ledger is a what-if: backfill's estimate gives jobs back in a copy and asks again. So
// everything is flat: a copy is a few memcpy's, and copy-assignment reuses the memory it has.
// Cores are held by one job unless partitions share them (OverSubscribe above 1, or gang): only
// then are uses counted core by core and the rows of each partition kept (scheduling.md §6.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/cluster/core_rows.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/cluster/lent_sockets.hpp"
#include "sim/cluster/node.hpp"
#include "sim/cluster/node_content.hpp"

namespace rehearse {

/// What is in use of one node. Units of GRES are at Ledger::units.
struct NodeUse {
  CoreSet cores;           ///< cores held by at least one job
  std::uint32_t cpus = 0;  ///< CPUs charged to jobs
  std::uint32_t jobs = 0;
  std::uint32_t exclusive_jobs = 0;  ///< of them: holding the whole node
  std::uint32_t reserving_jobs = 0;  ///< of them: of an EXCLUSIVE partition
  std::uint32_t sharing_jobs = 0;    ///< of them: may share cores (never mix, scheduling.md §5.3)
  std::uint64_t memory_mib = 0;
  friend bool operator==(const NodeUse&, const NodeUse&) = default;
};

class Ledger {
 public:
  explicit Ledger(const IdVector<NodeId, Node>& nodes, std::size_t partition_count);
  /// `rows`: how many jobs may share a core in each partition (1: none). With any above 1, or with
  /// `gang`, cores may be held by several jobs.
  Ledger(const IdVector<NodeId, Node>& nodes, std::vector<std::uint16_t> rows, bool gang,
         RowOrder order = RowOrder::FullestFirst);

  /// Takes what the allocation holds. Taking a core, device unit or memory that is not free is a
  /// program error (cores aside where they are shared, and memory beside GPUs).
  void take(const Allocation& allocation, PartitionId partition);
  /// Gives it back.
  void give_back(const Allocation& allocation, PartitionId partition);
  /// Suspension by an admin: gives back the cores, and with them the place on the nodes; memory and
  /// devices stay (gres.md §7).
  void give_back_cores(const Allocation& allocation, PartitionId partition);
  /// Resumption: the cores again, even if another job holds them by now, as Slurm does.
  void take_cores(const Allocation& allocation, PartitionId partition);
  /// The end of a suspended job: all that `give_back_cores` left.
  void give_back_rest(const Allocation& allocation);
  /// The reverse of `give_back_rest`.
  void take_rest(const Allocation& allocation);

  [[nodiscard]] const NodeUse& use(NodeId node) const { return use_[index_of(node)]; }
  /// Units in use by device (count-only GRES: one entry), of GRES number `gres` of the node.
  [[nodiscard]] std::span<const std::uint64_t> units(NodeId node, std::size_t gres) const {
    const std::size_t at = gres_begin_[index_of(node)] + gres;
    return {units_.data() + unit_begin_[at], unit_begin_[at + 1] - unit_begin_[at]};
  }
  /// Units that no job holds, summed over the devices of GRES number `gres` of the node.
  [[nodiscard]] std::uint64_t free_units(NodeId node, std::size_t gres) const {
    return free_units_[gres_begin_[index_of(node)] + gres];
  }
  /// Slurm's bit of each device of a GRES: set by every job that takes units of it, cleared by
  /// every job that gives some back, even while another still holds units (gres.md §4.5).
  [[nodiscard]] std::span<const std::uint8_t> marks(NodeId node, std::size_t gres) const {
    const std::size_t at = gres_begin_[index_of(node)] + gres;
    return {marks_.data() + unit_begin_[at], unit_begin_[at + 1] - unit_begin_[at]};
  }
  /// Takes over the marks of a ledger that holds the same: giving back and taking again loses them.
  void copy_marks(const Ledger& other) { marks_ = other.marks_; }
  // A ledger of which some nodes alone are looked at; not where cores are shared.
  /// Takes over all that jobs hold of the node in `other`, a ledger of the same cluster.
  void copy_node(const Ledger& other, NodeId node);
  /// One node of what give_back() gives back, and of give_back_rest().
  void give_back_share(const NodeShare& share, const Allocation& allocation, PartitionId partition);
  void give_back_rest_of(const NodeShare& share);
  // The content alone of these, as a sum that others are taken from. Not with counts_cores().
  [[nodiscard]] NodeContent content_of(const NodeShare& share, const Allocation& allocation,
                                       PartitionId partition) const;
  [[nodiscard]] NodeContent content_of_rest(const NodeShare& share) const;
  /// All else that is told of the node stays as it is.
  void set_content(NodeId node, const NodeContent& content);
  /// Of all that NodeUse and units() say of the node.
  [[nodiscard]] const NodeContent& content(NodeId node) const { return contents_[index_of(node)]; }
  /// Cores of `node` held by jobs of `partition` (MaxCPUsPerNode, scheduling.md §6.2).
  [[nodiscard]] std::uint32_t partition_cores(NodeId node, PartitionId partition) const;
  /// Nodes without any job.
  [[nodiscard]] const NodeSet& idle() const { return idle_; }
  /// To be called while nothing is held: no job will share cores. Jobs of partitions with several
  /// rows keep those of others off their nodes all the same.
  void share_no_cores();
  /// To be called while nothing is held: what is left of a socket may serve other partitions. Their
  /// jobs may then have cores that others hold (scheduling.md §6.7).
  void lend_sockets();
  [[nodiscard]] const LentSockets& lent_sockets() const { return lent_sockets_; }
  /// True if cores of others do not spoil a socket for jobs of the partition.
  [[nodiscard]] bool lends_sockets_to(PartitionId partition) const {
    return lent_sockets_.borrows(partition) && !shares_cores();
  }
  /// To be called after partitions were changed.
  void partitions_changed();
  /// True if a job of this partition, with several rows, is on the node: jobs of others that share
  /// no cores do not mix with it (scheduling.md §5.3).
  [[nodiscard]] bool is_kept_by(PartitionId partition, NodeId node) const;
  /// True if there are partitions that is_kept_by() is asked about.
  [[nodiscard]] bool keeps_apart() const { return !rows_.empty() || !apart_.empty(); }
  /// True where cores may be held by several jobs.
  [[nodiscard]] bool shares_cores() const { return !rows_.empty(); }
  /// True once a core was held by two jobs: a resumed job takes its cores whoever has them.
  [[nodiscard]] bool counts_cores() const { return !core_uses_.empty(); }
  /// Who holds which cores in a partition; only with shares_cores().
  [[nodiscard]] const CoreRows& rows(PartitionId partition) const {
    return rows_[index_of(partition)];
  }
  /// Changes with every take and give_back: an equal stamp means an equal state of one Ledger.
  [[nodiscard]] std::uint64_t stamp() const { return stamp_; }

  /// The same holdings, whatever the stamps and the marks, which giving back can lose.
  [[nodiscard]] bool same_as(const Ledger& other) const;

 private:
  [[nodiscard]] bool is_apart(PartitionId partition) const {
    return !apart_.empty() && apart_[index_of(partition)] != 0;
  }
  void note_cores(std::size_t node, const CoreSet& before);
  void enter_node(const NodeShare& share, const Allocation& allocation, PartitionId partition);
  void leave_node(const NodeShare& share, const Allocation& allocation, PartitionId partition);
  void take_node_rest(const NodeShare& share);
  void give_back_node_rest(const NodeShare& share);
  void take_node_cores(const NodeShare& share, bool overlap);
  void count_cores();
  void give_back_node_cores(const NodeShare& share);
  [[nodiscard]] std::size_t gres_index(const NodeShare& share, const DeviceShare& device) const;
  [[nodiscard]] std::size_t unit_index(const NodeShare& share, const DeviceShare& device) const;

  std::vector<NodeUse> use_;
  std::vector<NodeContent> contents_;           // by node
  std::vector<std::uint64_t> units_;            // by node, GRES, device
  std::vector<std::uint64_t> free_units_;       // by node, GRES: limits less units_
  std::vector<std::uint8_t> marks_;             // beside units_
  std::vector<std::uint32_t> partition_cores_;  // node-major
  NodeSet idle_;
  std::uint64_t stamp_ = 0;
  LentSockets lent_sockets_;
  std::vector<std::uint8_t> apart_;       // by partition: 1 if with several rows that nobody uses
  std::vector<CoreRows> rows_;            // by partition; sharing only, else empty
  std::vector<std::uint16_t> core_uses_;  // by node, core; once a core has been held twice
  // What never changes.
  std::vector<std::uint64_t> memory_mib_;   // by node
  std::vector<std::uint64_t> unit_limits_;  // beside units_; no_consume: unlimited
  std::vector<std::uint32_t> gres_begin_;   // by node: first entry of unit_begin_
  std::vector<std::uint32_t> unit_begin_;   // by node, GRES; one past the end at the end
  std::vector<std::uint32_t> core_begin_;   // by node; the number of cores at the end
  std::size_t partition_count_ = 0;
};

}  // namespace rehearse

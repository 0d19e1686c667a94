// sim/cluster/node.hpp — a node: what it is made of. What is in use of it is the ledger's.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/cluster/core_set.hpp"
#include "sim/cluster/gres.hpp"
#include "sim/cluster/ids.hpp"

namespace rehearse {

/// Flags and base states that take a node out of scheduling (lifecycle.md §12), in one word of
/// memory: every pass asks it of every node.
struct OutOfService {
  bool down = false, drain = false, fail = false, no_respond = false, future = false;
  bool powering_down = false;
  bool reboot_issued = false;  ///< `^`
  bool unused = false;

  [[nodiscard]] bool any() const { return std::bit_cast<std::uint64_t>(*this) != 0; }
};

struct NodeState : OutOfService {
  bool maint = false, planned = false;
  bool powering_up = false, powered_down = false;
  bool reboot_requested = false;      ///< `@`
  std::uint32_t completing_jobs = 0;  ///< jobs whose end this node has not confirmed
  std::string reason;

  /// Up, not drained, not failing, responding, not powering down or rebooting (scheduling.md §4.1).
  [[nodiscard]] bool is_available() const { return !any(); }
};

struct Node {
  NodeId id{};
  NameId name = kNoName;
  std::uint16_t sockets = 1, cores_per_socket = 1, threads_per_core = 1;
  std::uint32_t cpus = 1;            ///< configured CPUs
  std::uint32_t effective_cpus = 1;  ///< without specialised cores
  /// CPUs a core stands for when allocated: threads, or 1 where CPUs = cores (formats.md §3).
  std::uint16_t cpus_per_core = 1;
  CoreSet specialised_cores;     ///< never given to jobs
  std::uint64_t memory_mib = 1;  ///< RealMemory − MemSpecLimit
  std::uint64_t real_memory_mib = 1;
  std::uint64_t tmp_disk_mib = 0;
  std::uint32_t weight = 1;
  std::vector<NameId> features;  ///< as written
  std::vector<NodeGres> gres;    ///< in GresTypes order
  NodeState state;

  [[nodiscard]] std::uint32_t core_count() const {
    return std::uint32_t{sockets} * cores_per_socket;
  }
  [[nodiscard]] std::uint16_t socket_of(std::size_t core) const {
    return static_cast<std::uint16_t>(core / cores_per_socket);
  }
  /// CPUs that an allocation of these cores counts as.
  [[nodiscard]] std::uint32_t cpus_of(const CoreSet& cores) const {
    return static_cast<std::uint32_t>(cores.count()) * cpus_per_core;
  }
  /// The cores of the node that jobs may have.
  [[nodiscard]] CoreSet usable_cores() const;
  /// Those beside `count` cores that a job leaves to the system (`--core-spec`): specialised ones
  /// in their order, then others as CoreSpecCount takes them (scheduling.md §6.3).
  [[nodiscard]] CoreSet cores_beside(std::uint32_t count) const;
};

/// Builds a node (id left to the caller) with its GRES; a node that Slurm would drain comes
/// drained.
[[nodiscard]] Node make_node(const NodeConf& conf, const GresConf& gres_conf,
                             const std::vector<std::string>& gres_types,
                             const SchedulerParameters& parameters, NamePool& names,
                             Diagnostics& found);
/// The same with GRES that are merged already.
[[nodiscard]] Node make_node(const NodeConf& conf, MergedGres gres,
                             const SchedulerParameters& parameters, NamePool& names,
                             Diagnostics& found);

/// Slurm keeps one_sharing by name for the whole cluster: one node without it takes it from all
/// (gres.md §1.3). To be called once all nodes are made.
void settle_one_sharing(IdVector<NodeId, Node>& nodes);

}  // namespace rehearse

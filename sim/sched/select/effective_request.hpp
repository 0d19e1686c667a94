// sim/sched/select/effective_request.hpp — a request as one partition sees it: rules and defaults
// applied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/request.hpp"

namespace rehearse {

/// One GRES name and type of a request after gres.md §2.2 and §2.3.
struct EffectiveGres {
  NameId name = kNoName;
  NameId type = kNoName;  ///< kNoName: any type
  std::uint64_t per_job = 0, per_node = 0, per_socket = 0, per_task = 0;
  std::uint32_t cpus_per_gres = 0;  ///< 0: not tied
  bool cpus_for_job_alone = false;  ///< … and its tasks do not know them (gres.md §2.3)
  /// CPUs without which a node offers none of it: those of the partition, whatever stays with the
  /// job (gres.md §2.3).
  std::uint32_t cpus_beside = 0;
  /// Without which a node does not serve one of them: fewer where more stay with the job than the
  /// partition asks for; then it is given what is there.
  [[nodiscard]] std::uint32_t cpus_needed() const {
    return cpus_for_job_alone ? cpus_per_gres : std::min(cpus_per_gres, cpus_beside);
  }
  std::uint64_t mem_per_gres_mib = 0;  ///< 0: not tied
  bool is_gpu = false;
  bool is_shared = false;  ///< mps or shard
};

/// What the first test of a selection or an estimate, which goes by what the last one left, makes
/// of a node's free memory (gres.md §2.3).
enum class FirstMemory : std::uint8_t {
  Same,     ///< as later tests
  Also,     ///< first_free_mib is there, and what later tests ask for
  Instead,  ///< first_free_mib is there; that more is wanted shows on the chosen nodes only
};

/// What a placement test works with. Counts of 0 mean "not given" unless they say otherwise.
struct EffectiveRequest {
  std::uint32_t min_nodes = 1;
  std::optional<std::uint32_t> max_nodes;
  std::uint32_t num_tasks = 0;
  std::uint32_t min_cpus = 1;
  std::uint32_t asked_cpus = 1;  ///< … without those that GPUs bring
  /// Of those: for GPUs by socket, of which a node may give fewer, and by default for GPUs that
  /// bring tasks. They are given if they are there.
  std::uint32_t spare_cpus = 0;
  std::uint32_t least_given = 0;  ///< CPUs that each node gives, if it has as many
  std::optional<std::uint32_t> max_cpus;
  std::uint32_t cpus_per_task = 1;
  bool tasks_bring_cpus = false;  ///< cpus_per_task are those of its GPUs
  std::uint16_t ntasks_per_node = 0, ntasks_per_socket = 0, ntasks_per_core = 0;
  std::uint16_t ntasks_per_gpu = 0;
  bool tasks_part_unevenly = false;  ///< those of GPUs, over its fixed number of nodes
  /// Each of these nodes gives CPUs for all tasks that its GPUs may bring.
  bool gives_for_all_tasks = false;
  std::uint16_t sockets_per_node = 0, cores_per_socket = 0, threads_per_core = 0;
  std::uint32_t pn_min_cpus = 1;
  /// CPUs that each of its nodes must have free, of those of a core that it may use; 0: jobs hold
  /// no CPUs (CR_Memory).
  std::uint32_t cpus_of_each_node = 0;
  /// What is left of its CPUs for one node, if it has as many nodes as it may and all others give
  /// all that they have. A node with fewer is looked at, and others are chosen.
  std::uint32_t cpus_left_for_one = 0;
  /// A test with the cores that others hold comes first, to which nodes that cannot serve belong:
  /// where it can come out otherwise (scheduling.md §6.3 step 0).
  bool tests_all_cores_first = false;
  /// Nodes count for threads that its tasks leave idle, and may have too few cores for them
  /// (gres.md §3.2).
  bool may_lack_cores = false;
  MemoryMode memory_mode = MemoryMode::None;  ///< None: memory is not consumable
  std::uint64_t memory_mib = 0;               ///< PerNode 0: all memory of an otherwise free node
  FirstMemory first_memory = FirstMemory::Same;
  std::uint64_t first_free_mib = 0;  ///< 0: all of the node's
  std::uint64_t first_cpu_mib = 0;   ///< Also: of each CPU that it gives
  std::uint64_t tmp_disk_mib = 0;
  std::uint64_t configured_mib = 0;        ///< RealMemory that a node must have, consumed or not
  std::uint16_t configured_threads = 0;    ///< of a core, that a node must have, used or not
  std::optional<std::uint16_t> core_spec;  ///< specialised cores of each node, which it takes whole
  std::uint32_t max_cpus_per_node = UINT32_MAX;  ///< of the partition (MaxCPUsPerNode)
  std::vector<EffectiveGres> gres;
  bool cpus_per_gpu_asked = false;  ///< cpus_per_gres are the user's, not a default
  bool last_type_counts = false;    ///< of several types of GPUs that bring CPUs (gres.md §2.4)
  bool per_job_gres = false;        ///< some GRES is asked for by --gpus
  bool whole_nodes = false;         ///< --exclusive or an EXCLUSIVE partition
  bool reserves_nodes = false;      ///< the latter
  bool takes_no_rest = false;       ///< of a node above MaxCPUsPerNode; --exclusive=user, too
  bool shares_cores = false;        ///< OverSubscribe=FORCE, or YES with --oversubscribe
  bool one_task_per_core = false;
  bool knows_tasks = true;  ///< false: select/linear, which counts nodes and CPUs alone
  bool overcommit = false, contiguous = false, spread = false, enforce_binding = false;
  bool block_cores = false;  ///< fills sockets one after the other
  bool lln = false;
};

}  // namespace rehearse

// sim/sched/select/request_rules.hpp — what slurmctld makes of a request, or why it refuses it.
//
// GRES consistency (gres.md §2.2), site defaults per GPU (§2.3), memory defaults and maxima
// (scheduling.md §6.1). Slurm checks at submission and applies the defaults again whenever it looks
// at the job; both come from here, so that a changed partition or configuration counts at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/cluster/partition.hpp"
#include "sim/cluster/reason.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/name_pool.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// Why a request cannot be accepted: the text that sbatch prints, or a Reason to pend with.
struct RequestRefusal {
  Reason reason = Reason::BadConstraints;
  std::string message;
  bool at_submission = true;  ///< false: the job pends with `reason` (MaxMemPerLimit)
};

/// What the last test of a job without memory option left for the next (gres.md §2.3;
/// sim/sched/memory_left.hpp). It is part of the request, as Request::memory_mib.
struct LeftMemory {
  enum class Kind : std::uint8_t {
    Known,        ///< what each partition makes of it, whatever was tested before
    All,          ///< of each node; no DefMemPerGPU
    AsSubmitted,  ///< the default; no DefMemPerGPU
    PerGpu,       ///< a partition's DefMemPerGPU, and nothing beside it
  };
  Kind kind = Kind::Known;
  std::uint64_t per_gpu_mib = 0;
};
[[nodiscard]] LeftMemory left_memory(const Request& request);
/// The number that says so.
[[nodiscard]] std::uint64_t as_memory_mib(const LeftMemory& left);

struct RuledRequest {
  EffectiveRequest request;
  std::optional<RequestRefusal> refusal;
};

/// The request in that partition. Pure.
[[nodiscard]] RuledRequest apply_request_rules(const Request& request, const Partition& partition,
                                               const SlurmConf& conf, const NamePool& names);

/// What keeps a request waiting in the partition though it can be submitted: MaxMemPerLimit, or
/// none.
[[nodiscard]] std::optional<Reason> waits_by_rules(const Request& request,
                                                   const Partition& partition,
                                                   const SlurmConf& conf, const NamePool& names);

/// The parts, each of which may refuse.
[[nodiscard]] std::optional<RequestRefusal> apply_gres_rules(const Request& request,
                                                             const PartitionConf& partition,
                                                             const SlurmConf& conf,
                                                             const NamePool& names,
                                                             EffectiveRequest& effective);
[[nodiscard]] std::optional<RequestRefusal> apply_memory_rules(const Request& request,
                                                               const Partition& partition,
                                                               const SlurmConf& conf,
                                                               EffectiveRequest& effective);

/// How many nodes it may be placed on (scheduling.md §6.4, preparation).
struct RuledNodeCounts {
  std::uint32_t min = 1, max = 1;
};
/// `asked`: by the query, for a partition and its limits.
[[nodiscard]] RuledNodeCounts ruled_node_counts(const EffectiveRequest& request,
                                                RuledNodeCounts asked);

}  // namespace rehearse
